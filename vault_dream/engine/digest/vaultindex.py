"""The index of the whole vault: which note has which word, and where its links lead."""

from __future__ import annotations

from time import time_ns

from vault_dream.engine.digest.store import BULK, MEMBERSHIP, WORDS, Schema, Store, writing
from vault_dream.engine.digest.vocabulary import Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Callable, Generator, Iterable, Sequence
    from typing import TypeVar

    from vault_dream.engine.digest.unchanged import Entry
    from vault_dream.engine.digest.vaultrows import Row, Wanted
    from vault_dream.engine.digest.vaultwriter import Writer
    from vault_dream.engine.vault.reading import Reading

    T = TypeVar("T")

    Open = Callable[[], Reading]
    """Begins a run of reads."""

CHUNK_BITS = 12
"""A chunk's rowid is its note's id shifted by so many bits, plus its place in the note; a note's
labels have the rowid of its first chunk."""

# A note that changes gets a new id. What stood under the old one stays in the FTS5 tables, which
# need the old words to delete them, and counts as nothing; when that is too much, all begins anew.
VAULT = Schema(
    0x56447678,  # "VDvx"
    3,
    f"""
CREATE TABLE note (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, digest BLOB,
    aliases TEXT NOT NULL, kind TEXT NOT NULL, created TEXT NOT NULL, tags TEXT NOT NULL,
    open INTEGER NOT NULL, links TEXT NOT NULL
);
{WORDS};
CREATE TABLE total (
    notes INTEGER NOT NULL, stale INTEGER NOT NULL, worded INTEGER NOT NULL,
    tag_field TEXT NOT NULL, listing BLOB
);
INSERT INTO total VALUES (0, 0, 1, '', NULL);
CREATE VIRTUAL TABLE brief USING fts5({MEMBERSHIP});
CREATE VIRTUAL TABLE body USING fts5({MEMBERSHIP});
{BULK};
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('body', 'row');
CREATE VIEW term AS SELECT term, doc AS brief, doc AS body FROM vocabulary;
""",
    ("vocabulary", "brief", "body"),
)

LEAST_BESIDE = 4_000  # notes that are worth a second process
_BATCH = 500  # notes that are read before they are written
_AT_ONCE = 16_000  # notes written in one transaction, so that others who write wait a second or two
_FEW = 128  # notes whose words are kept one by one
_STALE = 1_000  # old rows that are put up with, beside a share of the notes


class VaultIndex:
    """Stateful: one SQLite file (memory for None), which this process and others may use at once.

    As ``NodeIndex``, it never raises for the state of the file, and begins a broken one anew. Where
    it cannot fill that, as it was not told of the vault yet, it is ``lost``: whoever asked
    refreshes it and asks again.
    """

    def __init__(
        self, file: str | os.PathLike[str] | None, *, now_ns: Callable[[], int] = time_ns
    ) -> None:
        self._now_ns = now_ns
        self._last: tuple[tuple[Entry, ...], Open, str] | None = None
        self.lost = False
        self.vocabulary = Vocabulary()
        self._store = Store(file, VAULT, self._refill)

    def close(self) -> None:
        self._store.close()

    def is_at(self, listing: bytes) -> bool:
        """Whether the index was last brought up to exactly this state of the vault."""

        def work() -> bool:
            with self._store.lock:
                held = self._store.connection.execute("SELECT listing FROM total").fetchone()
                return bool(held == (listing,))

        return self._store.safely(work, False)

    def refresh(
        self,
        entries: Iterable[Entry],
        reading: Open,
        listing: bytes | None = None,
        *,
        tag_field: str = "tags",
    ) -> int:
        """Bring the index to ``entries``, all notes there are; how many were read.

        ``listing`` is remembered as the state that this was, for ``is_at``. ``tag_field`` is the
        property that holds tags beside ``tags``.
        """
        now = tuple(entries)
        self.lost = False
        self._last = (now, reading, tag_field)
        return self._store.safely(lambda: self._refresh(now, reading, tag_field, listing), 0)

    def update(self, entries: Iterable[Entry], gone: Iterable[str], reading: Open) -> int:
        """Bring in only these notes, and take out those that are ``gone``; how many were read."""
        changed, lost = tuple(entries), set(gone)
        return self._store.safely(lambda: self._write(changed, lost, reading, None), 0)

    def ask(self, work: Callable[[sqlite3.Connection], T], empty: T) -> T:
        """What ``work`` finds in the index; ``empty`` while another process holds the file."""

        def locked() -> T:
            with self._store.lock:
                return work(self._store.connection)

        return self._store.safely(locked, empty)

    def links(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Every note and the targets of its links as written."""

        def work(connection: sqlite3.Connection) -> tuple[tuple[str, tuple[str, ...]], ...]:
            rows = connection.execute("SELECT path, links FROM note WHERE digest IS NOT NULL")
            return tuple((path, tuple(links.split("\n")) if links else ()) for path, links in rows)

        return self.ask(work, ())

    def tags(self) -> tuple[tuple[tuple[str, ...], bool], ...]:
        """The tags of each note that has some, and whether its properties keep nothing from
        readers."""

        def work(connection: sqlite3.Connection) -> tuple[tuple[tuple[str, ...], bool], ...]:
            rows = connection.execute("SELECT tags, open FROM note WHERE tags != '' ORDER BY path")
            return tuple((tuple(tags.split("\n")), bool(told)) for tags, told in rows)

        return self.ask(work, ())

    def _refill(self) -> None:
        self.vocabulary = Vocabulary()
        self.lost = self._last is None
        if self._last is not None:
            self._refresh(*self._last)

    def _refresh(
        self,
        entries: tuple[Entry, ...],
        reading: Open,
        tag_field: str,
        listing: bytes | None = None,
    ) -> int:
        connection = self._store.connection
        with self._store.lock:
            anew = self._is_done_for(tag_field)
            rows = () if anew else connection.execute("SELECT path, size, mtime_ns FROM note")
            known = set(rows)
        now = set(entries)
        paths = {path for path, _, _ in now}
        gone = {path for path, _, _ in known if path not in paths}
        wanted = sorted(now - known)
        return self._write(wanted, gone, reading, listing, anew=tag_field if anew else None)

    def _is_done_for(self, tag_field: str) -> bool:
        """Whether there is too much in the index that counts no more, or that read other tags."""
        notes, stale, held = self._store.connection.execute(
            "SELECT notes, stale, tag_field FROM total"
        ).fetchone()
        return bool(stale > _STALE + notes // 2 or tag_field != held)

    def _write(
        self,
        entries: Sequence[Entry],
        gone: set[str],
        reading: Open,
        listing: bytes | None,
        *,
        anew: str | None = None,
    ) -> int:
        """Write ``entries``, take out ``gone``; with ``anew``, a tag field, into an empty index.

        It is emptied in one transaction with the first that is written, so that nobody who searches
        meanwhile finds it empty; another process may have done so first.
        """
        settled = True
        if entries or gone or anew is not None:
            from vault_dream.engine.digest.vaultwriter import Writer, clear

            connection = self._store.connection
            writer = Writer(connection, singly=len(entries) <= _FEW)
            for start in range(0, max(1, len(entries)), _AT_ONCE):
                some = entries[start : start + _AT_ONCE]
                with self._store.lock, writing(connection):
                    if anew is not None and self._is_done_for(anew):
                        clear(connection, anew)
                        self.vocabulary = Vocabulary()
                    settled = self._write_some(writer, some, reading) and settled
                    writer.settle()
            with self._store.lock, writing(connection):
                writer.remove(gone)
                writer.settle()
                writer.finish()
            self._store.keep_log()
        if listing is not None and settled:
            with self._store.lock, writing(self._store.connection):
                self._store.connection.execute("UPDATE total SET listing = ?", (listing,))
        return len(entries)

    def _write_some(self, writer: Writer, entries: Sequence[Entry], reading: Open) -> bool:
        """Read and write notes; whether all of them are settled."""
        from contextlib import closing

        from vault_dream.engine.digest.garbage import uncollected
        from vault_dream.engine.digest.vaultwriter import held

        connection = self._store.connection
        (tag_field,) = connection.execute("SELECT tag_field FROM total").fetchone()
        here = held(connection, [path for path, _, _ in entries])
        wanted = [(*entry, here.get(entry[0])) for entry in entries]
        settled = True
        with reading() as run, closing(self._rows(wanted, run, tag_field)) as batches:
            while True:
                with uncollected():
                    rows = next(batches, None)
                    if rows is None:
                        return settled
                    settled = settled and all(row.settled for row in rows)
                    writer.write(rows, here)

    def _rows(
        self, wanted: Sequence[Wanted], run: Reading, tag_field: str
    ) -> Generator[list[Row], None, None]:
        """The rows of notes, some at a time; of many with the help of a second process."""
        from vault_dream.engine.digest.vaultrows import read_rows

        if len(wanted) >= LEAST_BESIDE:  # what starts processes is not imported for a few
            from vault_dream.engine.digest.vaultbeside import rows_beside
            from vault_dream.engine.vault.beside import processors

            if processors() > 1:
                yield from rows_beside(wanted, run, tag_field, self._now_ns)
                return
        for start in range(0, len(wanted), _BATCH):
            yield read_rows(wanted[start : start + _BATCH], run, tag_field, self._now_ns)
