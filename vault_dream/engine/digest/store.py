"""The index file: one SQLite database per vault in the user's cache folder, thrown away at will.

Nothing here is the truth. A file that is corrupt, foreign or of another version is put aside and
begun anew without a word; where no file can be kept at all (read-only or full disk), memory serves.
"""

from __future__ import annotations

import os
import sqlite3
from _thread import RLock  # as functools imports it: threading has much else

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import TypeVar

    T = TypeVar("T")


@record
class Schema:
    """What a file holds: ``application`` marks it as ours, ``statements`` make it, without
    a semicolon in any of them. ``virtual`` tables are dropped before those that serve them."""

    application: int
    version: int
    statements: str
    virtual: tuple[str, ...] = ("brief", "body")


# `terms` holds a node's words by field (see rank.pack); the two FTS5 tables know only which node
# has a word at all, which is what they are fastest at: bm25() costs twenty times the look-up. Words
# are kept as they are written, so that SQLite takes them apart, which is ten times as fast as
# stemming each; `word` tells which of them share a stem, `term` how many nodes have one.
MEMBERSHIP = "terms, content='', detail=none, columnsize=0, tokenize=\"ascii tokenchars '+#'\""
# Memory for what one transaction writes, so that it is merged there and not on disk.
BULK = ";\n".join(
    f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', {32 << 20})"
    for table in ("brief", "body")
)
WORDS = """
CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, stem TEXT NOT NULL);
CREATE INDEX word_stem ON word (stem)"""
NODES = Schema(
    0x56446978,  # "VDix"
    3,
    f"""
CREATE TABLE node (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, digest BLOB,
    name TEXT NOT NULL, description TEXT NOT NULL, terms TEXT NOT NULL
);
CREATE TABLE label (key TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE INDEX label_id ON label (id);
CREATE TABLE term (
    term TEXT PRIMARY KEY, brief INTEGER NOT NULL, body INTEGER NOT NULL
) WITHOUT ROWID;
{WORDS};
CREATE TABLE total (
    nodes INTEGER NOT NULL, counted INTEGER NOT NULL, origin TEXT NOT NULL, listing BLOB
);
INSERT INTO total VALUES (0, 1, '', NULL);
CREATE VIRTUAL TABLE brief USING fts5({MEMBERSHIP});
CREATE VIRTUAL TABLE body USING fts5({MEMBERSHIP});
CREATE VIRTUAL TABLE brief_words USING fts5vocab('brief', 'row');
CREATE VIRTUAL TABLE body_words USING fts5vocab('body', 'row');
{BULK};
""",
    ("brief_words", "body_words", "brief", "body"),
)

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_BROKEN = {
    sqlite3.SQLITE_ERROR,  # a table or column that is not there
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}
_WAIT_SECONDS = 10.0
_LOG = "PRAGMA journal_mode = WAL"  # who writes does not keep others from reading


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process held the file for longer than we wait."""
    return _code(error) in _BUSY


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file is at fault, so that a new one, or memory, would do."""
    return _code(error) in _BROKEN


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def open_store(file: str | None, schema: Schema) -> sqlite3.Connection:
    """A connection to a usable index: the file's, a new one in its place, or one in memory.

    The connection may be used from any thread, by one at a time. It is in autocommit mode.
    """
    if file is not None:
        for _ in range(2):
            try:
                return _open_file(file, schema)
            except sqlite3.Error as error:
                if not is_broken(error):
                    break
                put_aside(file)
            except OSError:
                break
    connection = _connect(":memory:")
    try:
        _create(connection, schema)
    except sqlite3.OperationalError as error:
        raise FilesystemError(
            "search index",
            f"this Python's SQLite cannot hold it ({error})",
            "use a Python with FTS5",
        ) from error
    return connection


def _connect(where: str) -> sqlite3.Connection:
    return sqlite3.connect(
        where,
        timeout=_WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )


def _open_file(file: str, schema: Schema) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib is not free
    if not os.path.exists(file):  # noqa: PTH110
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # it holds words of private notes
    connection = _connect(file)
    try:
        ours = _is_ours(
            connection, schema
        )  # asked first: nothing is written to another program's file
        if not ours:
            with writing(connection):
                if not _is_ours(connection, schema):  # another process may have been first
                    _begin_anew(connection, schema)
        if ours:  # a new one is filled first: a log would have all of it written twice
            connection.execute(_LOG)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("SELECT listing FROM total").fetchone()
        return connection
    except BaseException:
        connection.close()
        raise


def _is_ours(connection: sqlite3.Connection, schema: Schema) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == schema.application and version == schema.version)


def _begin_anew(connection: sqlite3.Connection, schema: Schema) -> None:
    """Make the schema in an empty database; of another version of ours, drop the tables first.

    Raises:
        sqlite3.DatabaseError: the database is somebody else's, told as "not a database".
    """
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if names and application != schema.application:
        foreign = sqlite3.DatabaseError("another program's database")
        foreign.sqlite_errorcode = sqlite3.SQLITE_NOTADB
        raise foreign
    virtual = [name for name in schema.virtual if name in names]
    ordinary = [name for name in names if not name.startswith((*schema.virtual, "sqlite_"))]
    for name in virtual + ordinary:
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    _create(connection, schema)


def _create(connection: sqlite3.Connection, schema: Schema) -> None:
    for statement in schema.statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {schema.application}")
    connection.execute(f"PRAGMA user_version = {schema.version}")


def put_aside(file: str) -> None:
    """Move a file that is no index of ours out of the way; the one moved before it goes."""
    try:
        if os.path.isdir(file):  # noqa: PTH112
            return
        os.replace(file, f"{file}.aside")  # noqa: PTH105
        for ending in ("-wal", "-shm"):
            if os.path.lexists(file + ending):
                os.remove(file + ending)  # noqa: PTH107
    except OSError:
        return  # the next attempt to open it fails too, and memory serves


class writing:
    """One transaction that has the write lock from its start, so it never fails half-way for it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class Store:
    """Stateful: one index file (memory for None) that heals itself, for any thread, one at a time.

    ``refill`` brings a file that was begun anew up to date again.
    """

    def __init__(
        self, file: str | os.PathLike[str] | None, schema: Schema, refill: Callable[[], None]
    ) -> None:
        self.lock = RLock()
        self._file = None if file is None else os.fspath(file)
        self.connection = open_store(self._file, schema)
        self._schema = schema
        self._refill = refill

    def keep_log(self) -> None:
        """Let others read while this process writes; done once a new file is filled.

        Where another process is at the file just now, the next one to open it does this.
        """
        with self.lock:
            if self.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",):
                try:
                    self.connection.execute(_LOG)
                except sqlite3.OperationalError as error:
                    if not is_busy(error):
                        raise

    def close(self) -> None:
        with self.lock:
            self.connection.close()

    def safely(self, work: Callable[[], T], busy: T) -> T:
        """Do ``work``; where the file fails it, do it again on a new file, and then in memory.

        ``busy`` is the answer where another process holds the file all along.
        """
        remedies: list[str | None] = [None, self._file]
        while True:
            try:
                return work()
            except sqlite3.Error as error:
                failed = error
            while True:
                if is_busy(failed):
                    return busy
                if not is_broken(failed) or not remedies:
                    raise failed
                try:
                    self._begin_anew(remedies.pop())
                    break
                except sqlite3.Error as error:
                    failed = error

    def _begin_anew(self, file: str | None) -> None:
        with self.lock:
            self.connection.close()
            if file is not None:
                put_aside(file)
            self.connection = open_store(file, self._schema)
            self._refill()
