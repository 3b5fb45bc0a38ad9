"""Digest nodes as the index takes them in, and as a search gives them back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NodeText:
    """The searchable text of one digest node; ``body`` is ``prose.prose`` of its Markdown."""

    path: str
    name: str
    description: str
    aliases: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    body: str = ""

    def encodable(self) -> NodeText:
        """The node without what SQLite cannot hold: lone surrogates and NULs."""

        def clean(text: str) -> str:
            if text.isascii() and "\0" not in text:
                return text
            return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")

        texts = (self.name, self.description, *self.aliases, *self.headings, *self.tags, self.body)
        if clean(whole := "".join(texts)) == whole:
            return self
        return NodeText(
            self.path, clean(self.name), clean(self.description), tuple(map(clean, self.aliases)),
            tuple(map(clean, self.headings)), tuple(map(clean, self.tags)), clean(self.body),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NodeHit:
    """One found node; ``score`` is in (0, 1]: 1 is the exact name, 0.5 about half of the query."""

    path: str
    score: float
    name: str
    description: str
