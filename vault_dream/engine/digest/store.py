"""The index file: one SQLite database per vault in the user's cache folder, thrown away at will.

Nothing here is the truth. A file that is corrupt, foreign or of another version is put aside and
begun anew without a word; where no file can be kept at all (read-only or full disk), memory serves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vault_dream.engine.errors import FilesystemError

APPLICATION_ID = 0x56446978  # "VDix"
VERSION = 1

# `terms` holds a node's terms by field (see rank.Fields); the two FTS5 tables know only which node
# has a term at all, which is what they are fastest at: bm25() costs twenty times the look-up.
_MEMBERSHIP = "terms, content='', detail=none, columnsize=0, tokenize=\"ascii tokenchars '+#'\""
_SCHEMA = f"""
CREATE TABLE node (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, digest BLOB,
    name TEXT NOT NULL, description TEXT NOT NULL, terms TEXT NOT NULL
);
CREATE INDEX node_digest ON node (digest);
CREATE TABLE label (key TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE INDEX label_id ON label (id);
CREATE TABLE term (
    term TEXT PRIMARY KEY, nodes INTEGER NOT NULL, brief INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE TABLE total (nodes INTEGER NOT NULL, listing BLOB);
INSERT INTO total VALUES (0, NULL);
CREATE VIRTUAL TABLE brief USING fts5({_MEMBERSHIP});
CREATE VIRTUAL TABLE body USING fts5({_MEMBERSHIP});
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

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


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process held the file for longer than we wait."""
    return _code(error) in _BUSY


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file is at fault, so that a new one, or memory, would do."""
    return _code(error) in _BROKEN


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def open_store(file: Path | None) -> sqlite3.Connection:
    """A connection to a usable index: the file's, a new one in its place, or one in memory.

    The connection may be used from any thread, by one at a time. It is in autocommit mode.
    """
    if file is not None:
        for _ in range(2):
            try:
                return _open_file(file)
            except sqlite3.Error as error:
                if not is_broken(error):
                    break
                put_aside(file)
            except OSError:
                break
    connection = _connect(":memory:")
    try:
        connection.executescript(_SCHEMA)
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


def _open_file(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.touch(mode=0o600)  # it holds the words of private notes
    connection = _connect(str(file))
    try:
        ours = _is_ours(connection)  # asked first: nothing is written to another program's file
        if not ours:
            with writing(connection):
                if not _is_ours(connection):  # another process may have been first
                    _begin_anew(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("SELECT nodes FROM total").fetchone()
        return connection
    except BaseException:
        connection.close()
        raise


def _is_ours(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == APPLICATION_ID and version == VERSION)


def _begin_anew(connection: sqlite3.Connection) -> None:
    """Make the schema in an empty database; of another version of ours, drop the tables first.

    Raises:
        sqlite3.DatabaseError: the database is somebody else's, told as "not a database".
    """
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if names and application != APPLICATION_ID:
        foreign = sqlite3.DatabaseError("another program's database")
        foreign.sqlite_errorcode = sqlite3.SQLITE_NOTADB
        raise foreign
    virtual = [name for name in ("brief", "body") if name in names]
    for name in virtual + [n for n in names if not n.startswith(("brief", "body", "sqlite_"))]:
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def put_aside(file: Path) -> None:
    """Move a file that is no index of ours out of the way; the one moved before it goes."""
    try:
        if file.is_dir():
            return
        file.replace(file.with_name(file.name + ".aside"))
        for ending in ("-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
    except OSError:
        return  # the next attempt to open it fails too, and memory serves


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that has the write lock from its start, so it never fails half-way for it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
