"""Bringing the index up to date: which notes changed, and the rows that a node is made of."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.rank import pack, parts
from vault_dream.engine.digest.search import label_keys
from vault_dream.engine.digest.unchanged import Entry
from vault_dream.engine.digest.vocabulary import add_words, words_of

COUNTED_SINGLY = 128  # rows whose words are counted one by one; for more, all are counted anew
_ASKED = 500  # values in one statement


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
    digest: bytes | None = None
    node: NodeText | None = None
    packed: str = ""

    @property
    def settled(self) -> bool:
        return self.mtime_ns >= 0


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
        return Row(path, size, mtime_ns)
    node = node.encodable()
    packed = pack(node)
    said = "\0".join((node.name, node.description, *node.aliases, "", packed))
    return Row(path, size, mtime_ns, blake2b(said.encode(), digest_size=16).digest(), node, packed)


class Writer:
    """Writes rows and takes them out, within the caller's transactions, each of which ``finish``
    ends. Stateful: it counts nodes and, while ``singly``, words; else all words are to be counted
    anew in the end. ``did`` counts what was added, changed, renamed and the same; a note that was
    renamed leaves ``gone``."""

    def __init__(self, connection: sqlite3.Connection, *, singly: bool, gone: set[str]) -> None:
        self._connection = connection
        self._singly = singly
        self._gone = gone
        self.did: Counter[str] = Counter()
        self._nodes = 0
        self._counts: dict[str, list[int]] = {}
        self._labels: list[tuple[str, int]] = []
        self._lost: dict[bytes, list[tuple[int, str]]] | None = None

    def write(self, rows: Sequence[Row]) -> None:
        """Write notes."""
        run = self._connection.executemany
        here = self._at([row.path for row in rows])
        same = [row for row in rows if row.digest is not None and row.digest == here.get(row.path)]
        run(
            "UPDATE node SET size = ?, mtime_ns = ? WHERE path = ?",
            [(row.size, row.mtime_ns, row.path) for row in same],
        )
        self.did["same"] += len(same)
        told = {row.path for row in same}
        fresh: list[Row] = []
        for row in rows:
            if row.path in told:
                continue
            if self._gone and row.digest and (old := self._renamed(row)) is not None:
                self._gone.discard(old)
                self.did["renamed"] += 1
                continue
            had = row.path in here and self.remove(row.path)
            self.did["changed" if had else "added" if row.node else "same"] += 1
            fresh.append(row)
        self._put(fresh)

    def remove(self, path: str) -> bool:
        """Take a note out; whether it was a node."""
        row = self._connection.execute(
            "SELECT id, terms, digest FROM node WHERE path = ?", (path,)
        ).fetchone()
        if row is None:
            return False
        id_, packed, digest = row
        if digest is not None:
            for table, terms in zip(("brief", "body"), parts(packed), strict=True):
                self._connection.execute(
                    f"INSERT INTO {table} ({table}, rowid, terms) VALUES ('delete', ?, ?)",
                    (id_, terms),
                )
            self._connection.execute("DELETE FROM label WHERE id = ?", (id_,))
            self._count(packed, -1)
        self._connection.execute("DELETE FROM node WHERE id = ?", (id_,))
        return digest is not None

    def finish(self) -> None:
        """Write labels and counts; the last thing in a transaction. Labels are written in order, as
        rows are put at the end of a table in a third of the time."""
        self._labels.sort()
        self._connection.executemany("INSERT INTO label (key, id) VALUES (?, ?)", self._labels)
        self._labels.clear()
        self._connection.execute(
            "UPDATE total SET nodes = nodes + ?, listing = NULL, counted = counted AND ?",
            (self._nodes, self._singly),
        )
        self._nodes = 0
        if not self._singly:
            return
        self._connection.executemany(
            "INSERT INTO term (term, brief, body) VALUES (?, ?, ?) ON CONFLICT (term) DO UPDATE"
            " SET brief = brief + excluded.brief, body = body + excluded.body",
            [(term, *counts) for term, counts in self._counts.items()],
        )
        self._connection.executemany(
            "DELETE FROM term WHERE term = ? AND brief <= 0 AND body <= 0",
            [(term,) for term, counts in self._counts.items() if min(counts) < 0],
        )
        gained = sorted(term for term, counts in self._counts.items() if max(counts) > 0)
        add_words(self._connection, gained)
        self._counts.clear()

    def _at(self, paths: Sequence[str]) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {}
        for start in range(0, len(paths), _ASKED):
            some = paths[start : start + _ASKED]
            marks = ",".join("?" * len(some))
            found.update(
                self._connection.execute(
                    f"SELECT path, digest FROM node WHERE path IN ({marks})", some
                )
            )
        return found

    def _renamed(self, row: Row) -> str | None:
        """Move the rows of a node that is gone from its path to this one; its old path, or None."""
        if self._lost is None:
            self._lost = self._by_digest(sorted(self._gone))
        for id_, path in self._lost.get(row.digest or b"", ()):
            if path not in self._gone or row.node is None:
                continue
            self.remove(row.path)
            moved = self._connection.execute(
                "UPDATE node SET path = ?, size = ?, mtime_ns = ? WHERE id = ? AND path = ?",
                (row.path, row.size, row.mtime_ns, id_, path),
            )
            if moved.rowcount:  # else another process was first
                self._connection.execute("DELETE FROM label WHERE id = ?", (id_,))
                self._label([(id_, row.node)])
                return path
        return None

    def _by_digest(self, paths: Sequence[str]) -> dict[bytes, list[tuple[int, str]]]:
        """Id and path of each node at these paths, by the digest of its text."""
        found: dict[bytes, list[tuple[int, str]]] = {}
        for path in paths:
            for id_, digest in self._connection.execute(
                "SELECT id, digest FROM node WHERE path = ? AND digest IS NOT NULL", (path,)
            ):
                found.setdefault(digest, []).append((id_, path))
        return found

    def _put(self, rows: Sequence[Row]) -> None:
        """Write notes where none is."""
        run = self._connection.executemany
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM node").fetchone()
        numbered = list(enumerate(rows, start=int(last) + 1))
        run(
            "INSERT INTO node (id, path, size, mtime_ns, digest, name, description, terms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    id_, row.path, row.size, row.mtime_ns, row.digest,
                    row.node.name if row.node else "", row.node.description if row.node else "",
                    row.packed,
                )
                for id_, row in numbered
            ],
        )  # fmt: skip
        nodes = [(id_, row) for id_, row in numbered if row.node is not None]
        insert = "INSERT INTO {0} (rowid, terms) VALUES (?, ?)"
        split = [(id_, parts(row.packed)) for id_, row in nodes]
        run(insert.format("brief"), [(id_, brief) for id_, (brief, _) in split])
        run(insert.format("body"), [(id_, body) for id_, (_, body) in split])
        self._label([(id_, row.node) for id_, row in nodes if row.node is not None])
        for _, row in nodes:
            self._count(row.packed, 1)

    def _label(self, nodes: Sequence[tuple[int, NodeText]]) -> None:
        self._labels += [(key, id_) for id_, node in nodes for key in label_keys(node)]

    def _count(self, packed: str, by: int) -> None:
        self._nodes += by
        if self._singly:
            for place, text in enumerate(parts(packed)):
                for term in set(text.split()):
                    self._counts.setdefault(term, [0, 0])[place] += by


def count_words(connection: sqlite3.Connection) -> None:
    """Count all words anew, and merge what many batches wrote: every later look-up is quicker."""
    for table in ("brief", "body"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    connection.execute("DELETE FROM term")
    connection.execute("INSERT INTO term SELECT term, 0, doc FROM body_words")
    connection.execute(
        "INSERT INTO term SELECT term, doc, 0 FROM brief_words WHERE true"
        " ON CONFLICT (term) DO UPDATE SET brief = excluded.brief"
    )
    words_of(connection)
    connection.execute("UPDATE total SET counted = 1")
