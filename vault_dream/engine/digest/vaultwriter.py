"""Writing notes into the index of the vault, many at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count

from vault_dream.engine.digest.unchanged import Entry
from vault_dream.engine.digest.vaultindex import CHUNK_BITS
from vault_dream.engine.digest.vaulttext import Terms, VaultText, terms_of, vault_text
from vault_dream.engine.digest.vocabulary import add_words, words_of
from vault_dream.engine.vault.notes import Note

_ASKED = 500  # values in one statement


@dataclass(frozen=True, slots=True)
class Row:
    """One note ready to be written. Without ``digest`` it is only remembered as looked at; with
    it and no ``note`` the index has this very text, and is told its new size and mtime."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    note: VaultText | None = None
    terms: Terms | None = None

    @property
    def settled(self) -> bool:
        return self.mtime_ns >= 0


def row_of(entry: Entry, note: Note, known: bytes | None, tag_field: str, *, settled: bool) -> Row:
    """The row of a note as read, ``known`` being the digest that the index has at its path.

    One that is not settled gets an mtime that never matches.
    """
    path, size, mtime_ns = entry
    mtime_ns = mtime_ns if settled else -1
    digest = blake2b(note.raw, digest_size=16).digest()
    if digest == known:
        return Row(path, size, mtime_ns, digest)
    text = vault_text(note, tag_field)
    return Row(path, size, mtime_ns, digest, text, terms_of(text))


def unread(entry: Entry) -> Row:
    """The row of a note that could not be read: tried again whenever the index is refreshed."""
    return Row(entry[0], entry[1], -1, None)


def held(connection: sqlite3.Connection, paths: Sequence[str]) -> dict[str, bytes | None]:
    """The digest of the text that the index has at each of these paths; None for one not read."""
    found: dict[str, bytes | None] = {}
    for start in range(0, len(paths), _ASKED):
        some = paths[start : start + _ASKED]
        marks = ",".join("?" * len(some))
        found.update(
            connection.execute(f"SELECT path, digest FROM note WHERE path IN ({marks})", some)
        )
    return found


class Writer:
    """Writes rows and takes them out, within the caller's transactions. With ``singly`` the words
    of each row are kept at once, else those of all rows by ``finish``."""

    def __init__(self, connection: sqlite3.Connection, *, singly: bool) -> None:
        self._connection = connection
        self._singly = singly

    def write(self, rows: Sequence[Row], here: Collection[str]) -> None:
        """Put notes in the place of what stands at those of their paths that are ``here``."""
        run = self._connection.execute
        same = [(row.size, row.mtime_ns, row.path) for row in rows if row.digest and not row.note]
        self._connection.executemany("UPDATE note SET size = ?, mtime_ns = ? WHERE path = ?", same)
        rows = [row for row in rows if row.note or not row.digest]
        lost = self._take_out([row.path for row in rows if row.path in here])
        (last,) = run("SELECT coalesce(max(seq), 0) FROM sqlite_sequence").fetchone() or (0,)
        numbered = list(zip(count((last or 0) + 1), rows, strict=False))
        self._connection.executemany(
            "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(id_, *_columns(row)) for id_, row in numbered],
        )
        self._connection.executemany(
            "INSERT INTO brief (rowid, terms) VALUES (?, ?)",
            [(id_ << CHUNK_BITS, row.terms.labels) for id_, row in numbered if row.terms],
        )
        self._connection.executemany(
            "INSERT INTO body (rowid, terms) VALUES (?, ?)",
            [
                ((id_ << CHUNK_BITS) + place, terms)
                for id_, row in numbered
                if row.terms
                for place, terms in enumerate(row.terms.chunks)
            ],
        )
        if self._singly:
            chunks = [chunk for row in rows if row.terms for chunk in row.terms.chunks]
            add_words(self._connection, sorted({word for one in chunks for word in one.split()}))
        run(
            "UPDATE total SET notes = notes + ?, stale = stale + ?, listing = NULL,"
            " worded = worded AND ?",
            (len(rows) - lost, lost, self._singly),
        )

    def remove(self, paths: Iterable[str]) -> None:
        """Take notes out."""
        lost = self._take_out(list(paths))
        self._connection.execute(
            "UPDATE total SET notes = notes - ?1, stale = stale + ?1, listing = NULL", (lost,)
        )

    def finish(self) -> None:
        """Keep the words that are not kept yet, and merge what many batches wrote, which makes
        every later look-up quicker."""
        if self._connection.execute("SELECT worded FROM total").fetchone() == (1,):
            return
        for table in ("brief", "body"):
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        words_of(self._connection)
        self._connection.execute("UPDATE total SET worded = 1")

    def _take_out(self, paths: Sequence[str]) -> int:
        before = self._connection.total_changes
        self._connection.executemany("DELETE FROM note WHERE path = ?", [(path,) for path in paths])
        return self._connection.total_changes - before


def clear(connection: sqlite3.Connection, tag_field: str) -> None:
    """Empty the index; the ids that were given stay given."""
    for table in ("brief", "body"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
    connection.execute("DELETE FROM note")
    connection.execute("DELETE FROM word")
    connection.execute(
        "UPDATE total SET notes = 0, stale = 0, worded = 1, tag_field = ?, listing = NULL",
        (tag_field,),
    )


def _columns(row: Row) -> tuple[object, ...]:
    note = row.note
    if note is None:
        return row.path, row.size, row.mtime_ns, None, "", "", "", "", False, ""
    return (
        row.path,
        row.size,
        row.mtime_ns,
        row.digest,
        _storable(" ".join(note.aliases)),
        _storable(note.kind),
        _storable(note.created),
        _storable("\n".join(note.tags)),
        note.open,
        _storable("\n".join(note.links)),
    )


def _storable(text: str) -> str:
    """``text`` without what SQLite cannot hold: lone surrogates and NULs."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
