"""Writing notes into the index of the vault, many at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from vault_dream.engine.digest.vaultindex import CHUNK_BITS
from vault_dream.engine.digest.vaultrows import Row
from vault_dream.engine.digest.vocabulary import add_words, words_of

_ASKED = 500  # values in one statement


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
    """Writes rows and takes them out, within the caller's transactions, each of which ``settle``
    ends. Stateful: it counts notes. With ``singly`` the words of each row are kept at once, else
    those of all rows by ``finish``."""

    def __init__(self, connection: sqlite3.Connection, *, singly: bool) -> None:
        self._connection = connection
        self._singly = singly
        self._written = self._lost = 0

    def write(self, rows: Sequence[Row], here: Collection[str]) -> None:
        """Put notes in the place of what stands at those of their paths that are ``here``."""
        run = self._connection.execute
        same = [
            (row.size, row.mtime_ns, row.path) for row in rows if row.digest and not row.columns
        ]
        self._connection.executemany("UPDATE note SET size = ?, mtime_ns = ? WHERE path = ?", same)
        rows = [row for row in rows if row.columns or not row.digest]
        lost = self._take_out([row.path for row in rows if row.path in here])
        (last,) = run("SELECT coalesce(max(seq), 0) FROM sqlite_sequence").fetchone() or (0,)
        numbered = list(enumerate(rows, start=(last or 0) + 1))
        insert = self._connection.executemany
        insert(
            "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(id_, *row[:4], *(row.columns or _NOTHING)) for id_, row in numbered],
        )
        insert(
            "INSERT INTO brief (rowid, terms) VALUES (?, ?)",
            [(id_ << CHUNK_BITS, row.labels) for id_, row in numbered if row.columns],
        )
        insert(
            "INSERT INTO body (rowid, terms) VALUES (?, ?)",
            [
                ((id_ << CHUNK_BITS) + place, chunk)
                for id_, row in numbered
                for place, chunk in enumerate(row.chunks)
            ],
        )
        if self._singly:
            found = {word for row in rows for chunk in row.chunks for word in chunk.split()}
            add_words(self._connection, sorted(found))
        self._written += len(rows)
        self._lost += lost

    def remove(self, paths: Iterable[str]) -> None:
        """Take notes out."""
        self._lost += self._take_out(list(paths))

    def settle(self) -> None:
        """Write the counts; not before all else of a transaction is written, as an UPDATE makes
        FTS5 put on disk what it holds, and what is put there in pieces is merged again."""
        self._connection.execute(
            "UPDATE total SET notes = notes + ?, stale = stale + ?, listing = NULL,"
            " worded = worded AND ?",
            (self._written - self._lost, self._lost, self._singly or not self._written),
        )
        self._written = self._lost = 0

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


_NOTHING = ("", "", "", "", False, "")
