"""The digest as a dream works on it: nodes on disk, with undecided changes laid over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from vault_dream.engine.digest.index import NodeIndex, Overlay
from vault_dream.engine.digest.nodes import NodeHit, NodeText
from vault_dream.engine.digest.page import Node, index_text, parse_node
from vault_dream.engine.digest.unseen import Unseen
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import key
from vault_dream.engine.vault.resolve import Resolver
from vault_dream.engine.vault.vault import Vault

if TYPE_CHECKING:
    from vault_dream.engine.digest.recall import Recall


class Digest:
    """Nodes by path, on disk or staged, and the search over both. Stateful: it caches nodes and
    holds the staged texts, which appear everywhere as if they were on disk.

    ``leaving`` gives a note as it may be sent to an embeddings endpoint, ``None`` where it may not.
    """

    def __init__(
        self,
        vault: Vault,
        digest_dir: str,
        *,
        tag_field: str = "tags",
        index_file: Path | None = None,
        recall: Recall | None = None,
        leaving: Callable[[Note], Note | None] = lambda note: note,
        unseen: Unseen | None = None,
    ) -> None:
        self.vault = vault
        self.digest_dir = digest_dir
        self._tag_field = tag_field
        self._staged: dict[str, str] = {}
        self._nodes: dict[str, Node] = {}
        self._index_file = index_file
        self._index: NodeIndex | None = None
        self._view: Overlay | None = None
        self._recall = recall
        self._leaving = leaving
        self._unseen = unseen or Unseen()

    def contains(self, path: str) -> bool:
        """Whether ``path`` lies in the digest's folder (it need not exist)."""
        return key(path).startswith(key(self.digest_dir) + "/")

    def paths(self) -> tuple[str, ...]:
        """Paths of all nodes, staged ones included."""
        return tuple(dict.fromkeys((*self.disk_paths(), *self._staged)))

    def disk_paths(self) -> Iterator[str]:
        """Paths of the nodes that are written."""
        prefix = self.digest_dir + "/"
        for path, entry in self.vault.listing().entries.items():
            if path.startswith(prefix) and path.endswith(".md") and not entry.skip:
                yield path

    def hides(self, path: str) -> bool:
        """Whether the owner excluded the node at ``path``: no search shows it, no reader sees it.

        Raises :class:`FilesystemError` where there is none.
        """
        return self._unseen.path(path) or self._unseen.note(self.note(path))

    def exists(self, path: str) -> bool:
        return path in self._staged or self.vault.exists(path)

    def staged(self) -> Mapping[str, str]:
        """Texts that are not on disk yet, by path."""
        return dict(self._staged)

    def stage(self, path: str, text: str) -> None:
        """Show ``text`` as the note at ``path`` from now on."""
        self._staged[path] = text
        self._nodes.pop(path, None)
        self._view = None

    def unstage(self, path: str) -> None:
        """Show what is on disk again."""
        if self._staged.pop(path, None) is not None:
            self._nodes.pop(path, None)
            self._view = None

    def refresh(self) -> None:
        """Look at the disk again."""
        self.vault.listing(refresh=True)
        self._nodes.clear()
        if self._index is not None:
            self._fill(self._index)
            self._view = None

    def note(self, path: str) -> Note:
        """The note at ``path``; raises :class:`FilesystemError` where there is none."""
        if path in self._staged:
            return parse_note(path, self._staged[path].encode("utf-8", "surrogatepass"))
        return self.vault.read(path)

    def node(self, path: str) -> Node:
        node = self._nodes.get(path)
        if node is None:
            node = self._nodes[path] = parse_node(self.note(path), self.digest_dir, self._tag_field)
        return node

    def nodes(self) -> Iterator[Node]:
        """Every node that can be read."""
        paths = self.paths()
        with self.vault.reading() as reading:
            for path in paths:
                if path not in self._nodes and path not in self._staged:
                    found = reading.read_or_why(path)
                    if isinstance(found, Note):
                        self._nodes[path] = parse_node(found, self.digest_dir, self._tag_field)
        for path in paths:
            if path in self._nodes or path in self._staged:
                yield self.node(path)

    def seen_nodes(self) -> Iterator[Node]:
        """Every node that can be read, but what the owner excluded."""
        for node in self.nodes():
            if not self._unseen.path(node.path) and not self._unseen.note(node.note):
                yield node

    def resolver(self) -> Resolver:
        """Links resolve over the vault's files and the staged nodes."""
        resolver = self.vault.resolver()
        return resolver.with_paths(self._staged) if self._staged else resolver

    def search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """``node_search``: the nodes nearest to ``query``, best first, without bodies."""
        index = self._filled_index()
        if self._view is None:
            staged = (path for path in self._staged if not self._unseen.path(path))
            self._view = index.overlay(index_text(self.node(path)) for path in staged)
            if self._recall is not None:
                self._recall.refresh(self._leaving_texts())
        hits = self._view.search(query, limit)
        return hits if self._recall is None else self._recall.fuse(hits, query, limit)

    def _leaving_texts(self) -> Iterator[NodeText]:
        for node in self.seen_nodes():
            note = self._leaving(node.note)
            if note is node.note:
                yield index_text(node)
            elif note is not None:
                yield index_text(parse_node(note, self.digest_dir, self._tag_field))

    def rarity(self, term: str) -> float:
        """How much a word says: the more nodes have it, the less."""
        return self._filled_index().rarity(term)

    def _filled_index(self) -> NodeIndex:
        if self._index is None:
            self._index = NodeIndex(self._index_file)
            self._fill(self._index)
        return self._index

    def _fill(self, index: NodeIndex) -> None:
        entries = self.vault.listing().entries
        with self.vault.reading() as reading:
            seen = (path for path in self.disk_paths() if not self._unseen.path(path))
            index.refresh(
                (
                    (path, (status := entries[path].status).st_size, status.st_mtime_ns)
                    for path in seen
                ),
                lambda path: self._text_of(reading.read_or_why(path)),
                origin=f"{self.digest_dir}\n{self._tag_field}\n{self._unseen.origin}",
            )

    def _text_of(self, found: Note | VaultDreamError) -> NodeText | None:
        if not isinstance(found, Note) or self._unseen.note(found):
            return None
        return index_text(parse_node(found, self.digest_dir, self._tag_field))

    def forget(self) -> None:
        """Throw all indexes away: they are made anew from the notes when they are next needed."""
        self.close()
        if self._index_file is not None:
            for file in self._index_file.parent.glob("*.sqlite*"):
                file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = self._view = None
        if self._recall is not None:
            self._recall.close()
