"""``node_search``: the index of digest nodes, kept beside the vault and never believed over it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vault_dream.engine.digest.nodes import NodeHit as NodeHit
from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.rank import Draft, Drafts, pack, rarity
from vault_dream.engine.digest.search import find, label_keys
from vault_dream.engine.digest.store import NODES, Store, writing
from vault_dream.engine.digest.unchanged import Entry, fingerprint, is_known, remember
from vault_dream.engine.digest.vocabulary import Vocabulary, known
from vault_dream.engine.errors import VaultDreamError

if TYPE_CHECKING:
    from vault_dream.engine.digest.refresh import Row, Writer

Load = Callable[[str], NodeText | None]
"""Reads the node at a path; None for a note that is no node."""

_BATCH = 1_000  # notes in memory at once
_AT_ONCE = 16_000  # nodes written in one transaction, so that others who write wait a second or two
_MOST = 1_000  # hits of one search
_RACY_NS = 2_000_000_000  # a file this young may change again without its mtime showing it


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found. ``failed`` notes could not be read and stay as they were in the index;
    with ``waiting`` another process held the index all along, and it is searched as it was."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    failed: tuple[str, ...] = ()
    waiting: bool = False


class NodeIndex:
    """Stateful: one SQLite file (memory for None), which this process and others may use at once.

    Every method may be called from any thread. None of them raises for the state of the file: one
    that turns out broken is begun anew, from the notes of the last refresh if there was one.
    """

    def __init__(self, file: Path | None, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._now_ns = now_ns
        self._vocabulary = Vocabulary()
        self._store = Store(file, NODES, self._refill)
        self._last: tuple[tuple[Entry, ...], Load, str] | None = None

    def close(self) -> None:
        self._store.close()

    def refresh(self, entries: Iterable[Entry], load: Load, *, origin: str = "") -> Refreshed:
        """Bring the index to ``entries``, all the notes there are: read those whose size or mtime
        changed, write those whose text did, drop the rest. Errors of ``load`` are counted, not
        raised. ``origin`` is what else ``load`` goes by: where it is another, all are read."""
        now = tuple(entries)
        self._last = (now, load, origin)
        return self._store.safely(lambda: self._refresh(now, load, origin), Refreshed(waiting=True))

    def search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """The nodes that answer ``query`` best, best first. Any text is a query; none is an
        error.
        """
        return self.search_with(Drafts(), query, limit)

    def overlay(self, nodes: Iterable[NodeText]) -> Overlay:
        """A view of this index in which ``nodes`` stand too, in the place of indexed ones at their
        paths.
        """
        texts = [one.encodable() for one in nodes]
        drafts = (Draft(n, pack(n), label_keys(n)) for n in texts)
        return Overlay(self, Drafts.of(drafts))

    def rarity(self, term: str) -> float:
        """How much a term (see tokens) tells nodes apart: the weight that ``classify`` asks for."""

        def work() -> float:
            with self._store.lock:
                (nodes,) = self._store.connection.execute("SELECT nodes FROM total").fetchone()
                found = known(self._store.connection, (term,))
                return rarity(found[term][1] if term in found else 0, nodes)

        return self._store.safely(work, 1.0)

    def search_with(self, drafts: Drafts, query: str, limit: int) -> tuple[NodeHit, ...]:
        """``search`` for a view; callers use ``overlay(...).search``."""
        if limit < 1:
            return ()
        most = min(limit, _MOST)
        return self._store.safely(lambda: self._search(drafts, query, most), ())

    def _search(self, drafts: Drafts, query: str, limit: int) -> tuple[NodeHit, ...]:
        with self._store.lock:
            return find(self._store.connection, self._vocabulary, query, limit, drafts)

    def _refresh(self, entries: tuple[Entry, ...], load: Load, origin: str) -> Refreshed:
        listing = fingerprint(entries)
        with self._store.lock:
            connection = self._store.connection
            if connection.execute("SELECT origin FROM total").fetchone() != (origin,):
                with writing(connection):
                    connection.execute("UPDATE total SET origin = ?, listing = NULL", (origin,))
                    connection.execute("UPDATE node SET mtime_ns = -1")
            elif is_known(connection, listing):
                return Refreshed(unchanged=len(entries))
        return self._update(entries, load, listing)

    def _update(self, entries: tuple[Entry, ...], load: Load, listing: bytes) -> Refreshed:
        from vault_dream.engine.digest.refresh import COUNTED_SINGLY, Writer, changes, count_words

        connection = self._store.connection
        with self._store.lock:
            found = changes(connection, entries)
        gone = set(found.gone)
        writer = Writer(
            connection, singly=len(found.changed) + len(gone) <= COUNTED_SINGLY, gone=gone
        )
        failed: list[str] = []
        settled = True
        for start in range(0, len(found.changed), _AT_ONCE):
            some = found.changed[start : start + _AT_ONCE]
            with self._store.lock, writing(connection):
                settled = self._write(writer, some, load, failed) and settled
                writer.finish()
        with self._store.lock, writing(connection):
            removed = sum(map(writer.remove, sorted(gone)))
            writer.finish()
            if connection.execute("SELECT counted FROM total").fetchone() != (1,):
                count_words(connection)
            if settled and not failed:
                remember(connection, listing)
        self._store.keep_log()
        did = writer.did
        return Refreshed(
            did["added"], did["changed"], removed, did["renamed"],
            found.unchanged + did["same"], tuple(failed),
        )  # fmt: skip

    def _write(
        self, writer: Writer, entries: Sequence[Entry], load: Load, failed: list[str]
    ) -> bool:
        """Read and write notes; whether all of them are settled."""
        from vault_dream.engine.digest.garbage import uncollected

        settled = True
        for start in range(0, len(entries), _BATCH):
            with uncollected():
                read = [
                    self._read(entry, load, failed) for entry in entries[start : start + _BATCH]
                ]
                rows = [row for row in read if row is not None]
                settled = settled and all(row.settled for row in rows)
                writer.write(rows)
        return settled

    def _read(self, entry: Entry, load: Load, failed: list[str]) -> Row | None:
        from vault_dream.engine.digest.refresh import prepare

        begun = self._now_ns()
        try:
            entry[0].encode()
            node = load(entry[0])
        except (OSError, ValueError, VaultDreamError):
            failed.append(entry[0])
            return None
        return prepare(entry, node, settled=entry[2] < begun - _RACY_NS)

    def _refill(self) -> None:
        self._vocabulary = Vocabulary()
        if self._last is not None:
            self._refresh(*self._last)


@dataclass(frozen=True, slots=True)
class Overlay:
    """An index with drafts laid over it: what ``node_search`` shows while proposals are
    undecided.
    """

    index: NodeIndex
    drafts: Drafts

    def search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """As ``NodeIndex.search``."""
        return self.index.search_with(self.drafts, query, limit)
