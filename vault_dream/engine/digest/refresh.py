"""Bringing the index up to date: which notes changed, and the rows that a node is made of."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.rank import Fields, Packed, pack
from vault_dream.engine.digest.search import label_keys

Entry = tuple[str, int, int]
"""A vault path, its size in bytes and its mtime in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from the index by stat alone."""

    changed: tuple[Entry, ...]
    gone: tuple[str, ...]
    unchanged: int


@dataclass(frozen=True, slots=True)
class Row:
    """One note ready to be written; without a node it is only remembered as looked at."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    node: NodeText | None
    packed: Packed | None

    @property
    def settled(self) -> bool:
        return self.mtime_ns >= 0


def fingerprint(entries: Sequence[Entry]) -> bytes:
    """A digest of a whole listing, so that an unchanged one is known without comparing rows."""
    from hashlib import blake2b
    from marshal import dumps

    return blake2b(
        dumps(tuple(entries), 2), digest_size=16
    ).digest()  # version 2 has no memory addresses


def is_known(connection: sqlite3.Connection, listing: bytes) -> bool:
    """Whether the index was last brought up to exactly this listing."""
    return bool(connection.execute("SELECT listing FROM total").fetchone() == (listing,))


def remember(connection: sqlite3.Connection, listing: bytes) -> None:
    connection.execute("UPDATE total SET listing = ?", (listing,))


def changes(connection: sqlite3.Connection, entries: Iterable[Entry]) -> Changes:
    """Compare a listing with the index by path, size and mtime."""
    now = set(entries)
    rows = connection.execute("SELECT path, size, mtime_ns FROM node").fetchall()
    known = set(rows)
    changed = now - known
    paths = {path for path, _, _ in now} if len(now) != len(known) or changed else set()
    gone = tuple(path for path, _, _ in known - now if path not in paths)
    return Changes(tuple(sorted(changed)), gone, len(now) - len(changed))


def prepare(entry: Entry, node: NodeText | None, settled: bool) -> Row:
    """The row of a note as read; one that is not settled gets an mtime that never matches."""
    path, size, mtime_ns = entry
    mtime_ns = mtime_ns if settled else -1
    if node is None:
        return Row(path, size, mtime_ns, None, None, None)
    node = encodable(node)
    return Row(path, size, mtime_ns, _digest(node), node, pack(node))


def encodable(node: NodeText) -> NodeText:
    """The node without what SQLite cannot hold: lone surrogates and NULs."""

    def clean(text: str) -> str:
        return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")

    return NodeText(
        node.path, clean(node.name), clean(node.description), tuple(map(clean, node.aliases)),
        tuple(map(clean, node.headings)), tuple(map(clean, node.tags)), clean(node.body),
    )  # fmt: skip


def _digest(node: NodeText) -> bytes:
    from hashlib import blake2b

    parts = (
        node.name,
        node.description,
        *node.aliases,
        "",
        *node.headings,
        "",
        *node.tags,
        "",
        node.body,
    )
    return blake2b("\0".join(parts).encode(), digest_size=16).digest()


class Writer:
    """Writes rows and takes them out, within the caller's transaction; counts terms as it goes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._nodes = 0
        self._having: Counter[str] = Counter()
        self._brief: Counter[str] = Counter()
        self._words: set[str] = set()

    def same_text(self, row: Row) -> bool:
        """Note a new size and mtime if the index has this very text at this path already."""
        had = self._connection.execute(
            "SELECT id, digest FROM node WHERE path = ?", (row.path,)
        ).fetchone()
        if had is None or had[1] != row.digest:
            return False
        self._connection.execute(
            "UPDATE node SET size = ?, mtime_ns = ? WHERE id = ?", (row.size, row.mtime_ns, had[0])
        )
        return True

    def rename(self, row: Row, gone: set[str]) -> str | None:
        """Move the rows of a node that is gone from its path to this one; its old path, or None."""
        if row.digest is None or row.node is None:
            return None
        for id_, path in self._connection.execute(
            "SELECT id, path FROM node WHERE digest = ?", (row.digest,)
        ):
            if path in gone:
                self.remove(row.path)
                self._connection.execute(
                    "UPDATE node SET path = ?, size = ?, mtime_ns = ? WHERE id = ?",
                    (row.path, row.size, row.mtime_ns, id_),
                )
                self._label(id_, row.node)
                return str(path)
        return None

    def put(self, row: Row) -> bool:
        """Write a note in the place of what stood at its path; whether something stood there."""
        had = self.remove(row.path)
        node = row.node
        cursor = self._connection.execute(
            "INSERT INTO node (path, size, mtime_ns, digest, name, description, terms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                row.path, row.size, row.mtime_ns, row.digest,
                node.name if node else "", node.description if node else "",
                row.packed.text if row.packed else "",
            ),
        )  # fmt: skip
        if node is not None and row.packed is not None and cursor.lastrowid is not None:
            for table, terms in (("brief", row.packed.brief), ("body", row.packed.body)):
                self._connection.execute(
                    f"INSERT INTO {table} (rowid, terms) VALUES (?, ?)",
                    (cursor.lastrowid, " ".join(terms)),
                )
            self._label(cursor.lastrowid, node)
            self._count(row.packed.brief, row.packed.body, 1)
            self._words |= row.packed.words
        return had

    def remove(self, path: str) -> bool:
        """Take a note out; whether it was a node."""
        row = self._connection.execute(
            "SELECT id, terms, digest FROM node WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            return False
        id_, packed, digest = row
        if digest is not None:
            fields = Fields.unpack(packed)
            brief, body = set(fields.brief().split()), set(fields.body.split())
            for table, terms in (("brief", brief), ("body", body)):
                self._connection.execute(
                    f"INSERT INTO {table} ({table}, rowid, terms) VALUES ('delete', ?, ?)",
                    (id_, " ".join(terms)),
                )
            self._connection.execute("DELETE FROM label WHERE id = ?", (id_,))
            self._count(brief, body, -1)
        self._connection.execute("DELETE FROM node WHERE id = ?", (id_,))
        return digest is not None

    def tidy(self) -> None:
        """Merge what many batches wrote, which makes every later look-up quicker."""
        for table in ("brief", "body"):
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")

    def finish(self) -> None:
        """Write the counts; the last thing in a transaction."""
        spelled = [
            (word,) for word in sorted(self._words) if 4 <= len(word) <= 24 and word.isalpha()
        ]
        self._connection.executemany("INSERT OR IGNORE INTO word (word) VALUES (?)", spelled)
        rows = [(term, count, self._brief[term]) for term, count in self._having.items()]
        self._connection.executemany(
            "INSERT INTO term VALUES (?1, ?2, ?3) ON CONFLICT (term) DO UPDATE"
            " SET nodes = nodes + ?2, brief = brief + ?3",
            rows,
        )
        lost = [(term,) for term, count, _ in rows if count <= 0]
        self._connection.executemany("DELETE FROM term WHERE term = ? AND nodes <= 0", lost)
        self._connection.execute(
            "UPDATE total SET nodes = nodes + ?, listing = NULL", (self._nodes,)
        )

    def _label(self, id_: int, node: NodeText) -> None:
        self._connection.execute("DELETE FROM label WHERE id = ?", (id_,))
        keys = [(key, id_) for key in label_keys(node)]
        self._connection.executemany("INSERT INTO label (key, id) VALUES (?, ?)", keys)

    def _count(self, brief: set[str], body: set[str], by: int) -> None:
        having = brief | body
        self._nodes += by
        if by > 0:
            self._having.update(having)
            self._brief.update(brief)
        else:
            self._having.subtract(having)
            self._brief.subtract(brief)


def write(connection: sqlite3.Connection, rows: Sequence[Row], gone: set[str]) -> Counter[str]:
    """Write a batch; counts of added, changed, renamed and same. Renamed paths leave ``gone``."""
    writer = Writer(connection)
    did: Counter[str] = Counter()
    for row in rows:
        if writer.same_text(row):
            did["same"] += 1
        elif (old := writer.rename(row, gone)) is not None:
            gone.discard(old)
            did["renamed"] += 1
        else:
            had = writer.put(row)
            did["changed" if had else "added" if row.node else "same"] += 1
    writer.finish()
    return did


def remove(connection: sqlite3.Connection, paths: Iterable[str]) -> int:
    """Take notes out; how many of them were nodes."""
    writer = Writer(connection)
    count = sum(writer.remove(path) for path in paths)
    writer.finish()
    return count
