"""What may be read of the notes in a run: its sources, and the notes that they link to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vault_dream.engine.digest.catalog import block_hash
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.scan import Scanner, Source
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.vault import Vault

OWN_BLOCK = 40
"""Characters from which a block of the digest is recognised when it comes back in a source."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources that a run reads, ``changed``, and what they lead to. Without a ``scanner``
    nothing was read, and so nothing may be."""

    vault: Vault
    changed: tuple[Source, ...]
    scanner: Scanner | None

    def source(self, path: str) -> Source | None:
        """A source of the run, or a note that one of them links to, unless it is excluded."""
        for source in self.changed:
            if source.path == path:
                return source
        if self.scanner is None or path not in self._linked():
            return None
        found = self.scanner.read(path)
        return found if isinstance(found, Source) else None

    def text(self, path: str) -> SourceText | None:
        """What a reader is shown of it."""
        source = self.source(path)
        return None if source is None else source.as_text(0)

    def properties(self, path: str) -> Mapping[str, Any] | None:
        source = self.source(path)
        return None if source is None else read_properties(source.note).values

    def whole(self, path: str) -> str:
        """All of its text, with what no reader is shown."""
        source = self.source(path)
        return "" if source is None else source.note.text

    def _linked(self) -> frozenset[str]:
        resolver = self.vault.resolver()
        found = set()
        for source in self.changed:
            for link in links_in(source.note):
                if link.target and not link.external and source.shows(link):
                    found.add(resolver.resolve(link.target, source.path).path)
        return frozenset(path for path in found if path is not None)


def own_blocks(digest: Digest) -> frozenset[str]:
    """The hashes of what the digest itself says: copied into a source, it is nothing new."""
    return frozenset(
        block_hash(text)
        for node in digest.nodes()
        for block in node.note.blocks
        if len(text := node.note.block_text(block)) >= OWN_BLOCK
    )
