"""Edges between a digest node and its sources and neighbours, read from the page itself.

The body is the truth. All three edge styles of DESIGN are always read: sentences with plain links,
Dataview's inline form and standalone fields; link properties count as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from vault_dream.engine.vault.fields import fields_in
from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.resolve import Resolver

SOURCES_HEADINGS = frozenset({"sources", "source", "来源", "出处", "资料来源"})
"""Headings under which a link is a source edge, whatever the sentence says."""

DERIVED_FROM = "derived_from"
LINKS_TO = "links_to"

_PHRASES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "blocks_on",
        re.compile(r"\bblock(?:s|ed) (?:on|by)\b|\bwait(?:s|ing)? (?:on|for)\b|受阻于|等待"),
    ),
    (
        "depends_on",
        re.compile(
            r"\bdepend(?:s|ing|ent)? (?:up)?on\b|\brel(?:y|ies) on\b|\brequires?\b|\bbuilds on\b"
            r"|依赖|取决于|以.{1,40}为前提"
        ),
    ),
    (
        "relates_to",
        re.compile(r"\brelat(?:es|ed|ing) to\b|\bsee also\b|\bgoes with\b|相关|有关|参见"),
    ),
)


@dataclass(frozen=True, slots=True)
class Edge:
    """(node, predicate, target); ``target`` is the resolved path, or the text of a link that
    resolves to nothing. ``sentence`` is the sentence that holds the link, ``""`` for a property."""

    node: str
    predicate: str
    target: str
    resolved: bool = True
    sentence: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "predicate": self.predicate,
            "target": self.target,
            "resolved": self.resolved,
            "sentence": self.sentence,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Edge:
        return cls(
            str(data["node"]),
            str(data["predicate"]),
            str(data["target"]),
            bool(data["resolved"]),
            str(data["sentence"]),
        )


def edges_of(note: Note, resolver: Resolver) -> tuple[Edge, ...]:
    """Every edge that leaves ``note``, in the order of the page, each (predicate, target) once per
    sentence. External links, embeds of the page in itself and links in comments are no edges."""
    fields = [(f.value_start, f.value_end, f.key) for f in fields_in(note)]
    edges: dict[tuple[str, str, str], Edge] = {}
    for link in links_in(note):
        if link.external or link.hidden or not link.target:
            continue
        found = resolver.resolve(link.target, note.path)
        target = found.path or link.target
        if link.property is not None:
            predicate, sentence = link.property, ""
        else:
            sentence = sentence_at(note, link.start, link.end)
            predicate = _field_key(fields, link) or _spoken(note, link, sentence)
        edge = Edge(note.path, predicate, target, found.path is not None, sentence)
        edges.setdefault((predicate, target, sentence), edge)
    return tuple(edges.values())


def link_pairs(note: Note, resolver: Resolver) -> frozenset[tuple[str, str]]:
    """The (node, resolved target) pairs that conservation of links is about (DESIGN rule 4)."""
    return frozenset((edge.node, edge.target) for edge in edges_of(note, resolver))


def in_sources(note: Note, offset: int) -> bool:
    """Whether ``offset`` stands in a section whose heading names the sources."""
    return any(heading in SOURCES_HEADINGS for heading in _headings_over(note, offset))


def outside_sources(note: Note) -> str:
    """The body without its sections of sources, for comparing what two versions of a page say."""
    kept: list[str] = []
    at = note.body_start
    for here, there in pairwise((*note.headings, None)):
        assert here is not None
        end = len(note.text) if there is None else there.start
        if in_sources(note, here.start):
            kept.append(note.text[at : here.start])
            at = end
    return "\n".join(
        line.rstrip() for line in ("".join(kept) + note.text[at:]).rstrip().split("\n")
    )


def sentence_at(note: Note, start: int, end: int) -> str:
    """The sentence of the body that holds the span, without its list marker, on one line."""
    block_start, block_end = _block_span(note, start)
    text = note.text[block_start:block_end]
    begin, finish = 0, len(text)
    for boundary in _boundaries(text):
        if boundary <= start - block_start:
            begin = boundary
        elif boundary >= end - block_start:
            finish = boundary
            break
    sentence = " ".join(text[begin:finish].split())
    return _LIST_MARKER.sub("", sentence)


_LIST_MARKER = re.compile(r"^(?:>\s?)*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?")
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)")
_STOP = re.compile(r"[.!?][\"'”’)\]]*(?=\s)|[。！？][”’」』）]*")


def _boundaries(text: str) -> Iterator[int]:
    """Offsets just behind the full stops of ``text``, those inside links left out."""
    links = [match.span() for match in _LINK.finditer(text)]
    starts = [span[0] for span in links]
    for stop in _STOP.finditer(text):
        i = bisect_right(starts, stop.start()) - 1
        if i < 0 or stop.start() >= links[i][1]:
            yield stop.end()


def _block_span(note: Note, offset: int) -> tuple[int, int]:
    starts = [block.start for block in note.blocks]
    i = bisect_right(starts, offset) - 1
    if i >= 0 and offset < note.blocks[i].end:
        return note.blocks[i].start, note.blocks[i].end
    line_start = note.text.rfind("\n", 0, offset) + 1
    line_end = note.text.find("\n", offset)
    return line_start, len(note.text) if line_end < 0 else line_end


def _headings_over(note: Note, offset: int) -> tuple[str, ...]:
    open_headings: list[tuple[int, str]] = []
    for heading in note.headings:
        if heading.start > offset:
            break
        while open_headings and open_headings[-1][0] >= heading.level:
            open_headings.pop()
        open_headings.append((heading.level, heading.text.strip().rstrip(":：").casefold()))
    return tuple(text for _, text in open_headings)


def _field_key(fields: list[tuple[int, int, str]], link: Link) -> str:
    for start, end, key in fields:
        if start <= link.start and link.end <= end:
            return _predicate(key)
    return ""


def _predicate(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip().strip("*_`").lower())


def _spoken(note: Note, link: Link, sentence: str) -> str:
    """The predicate that the words around a link name."""
    if in_sources(note, link.start):
        return DERIVED_FROM
    words = _LINK.sub(" ", sentence).lower()
    return next((name for name, phrase in _PHRASES if phrase.search(words)), LINKS_TO)
