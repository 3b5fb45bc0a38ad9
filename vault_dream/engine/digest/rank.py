"""How well a node answers a query: the share of what was asked that the node speaks of.

A query is a tuple of slots, one per word asked for; a slot is met by any of its alternatives (the
stem itself, a mended typo, a part of a compound) with some trust. The score is the sum of the
slots' weights, each times how prominently the node has it, over the sum of all weights: it is in
[0, 1] and means the same for every query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.stems import Stems
from vault_dream.engine.digest.tokens import compound_terms, words

# How prominent a term is by the fields it stands in. Set on the workshop world of tests/bench.
NAME, ALIAS, DESCRIPTION, HEADING, BODY = 4.0, 4.0, 3.0, 2.0, 1.0
SATURATION = 1.2  # of BM25's k1: what more evidence for the same term is still worth
PRESENCE = 0.4  # a term's worth for standing anywhere at all
PROMINENCE = 1 - PRESENCE  # and for where it stands
PRECISION = 0.2  # share of the score for how much of the node's name was asked for


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing asked for; ``alternatives`` are (term, trust in (0, 1]), best first, maybe none."""

    alternatives: tuple[tuple[str, float], ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Fields:
    """A node's terms as space-padded strings, so that ``" term " in field`` asks for one."""

    name: str
    aliases: str
    description: str
    headings: str
    body: str
    name_size: int

    @classmethod
    def unpack(cls, packed: str) -> Fields:
        name, aliases, description, headings, body = packed.split("\n")
        return cls(name, aliases, description, headings, body, name.count(" ") - 1)

    def terms(self) -> set[str]:
        return set(self.brief().split()).union(self.body.split())

    def brief(self) -> str:
        return f"{self.name}{self.aliases}{self.description}{self.headings}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A node that is in no index: its text, terms and keys (see search.label_keys)."""

    node: NodeText
    fields: Fields
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Drafts:
    """Drafts by path, and how many of them have each term."""

    by_path: Mapping[str, Draft] = field(default_factory=dict)
    having: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, drafts: Iterable[Draft]) -> Drafts:
        by_path = {draft.node.path: draft for draft in drafts}
        having: Counter[str] = Counter()
        for draft in by_path.values():
            having.update(draft.fields.terms())
        return cls(by_path, having)


@dataclass(frozen=True, slots=True)
class Packed:
    """A node's distinct terms; ``text`` has a field per line (see Fields), ``words`` no stems."""

    text: str
    brief: set[str]
    body: set[str]
    words: set[str]


_STEMS = Stems()
_MANY_STEMS = 100_000


def pack(node: NodeText) -> Packed:
    """The terms of a node. Compounds are taken apart in the brief fields only."""
    if len(_STEMS) > _MANY_STEMS:
        _STEMS.clear()
    known = _STEMS.__getitem__
    lines = []
    brief: set[str] = set()
    spelled: set[str] = set()
    for text in (
        node.name,
        " ".join(node.aliases),
        node.description,
        " ".join((*node.headings, *node.tags)),
    ):
        distinct = dict.fromkeys(words(text))
        spelled.update(distinct)
        stems = dict.fromkeys([*map(known, distinct), *compound_terms(text)])
        brief.update(stems)
        lines.append(f" {' '.join(stems)} ")
    inside = set(words(node.body))
    spelled |= inside
    body = set(map(known, inside))
    lines.append(f" {' '.join(body)} ")
    return Packed("\n".join(lines), brief, body, spelled)


def rarity(nodes_with: int, nodes: int) -> float:
    """BM25's weight of a term that ``nodes_with`` of ``nodes`` have, never zero or less."""
    return log(1.0 + (nodes - nodes_with + 0.5) / (nodes_with + 0.5))


Weighing = tuple[tuple[float, tuple[tuple[str, float], ...]], ...]
"""Slots made ready for many nodes: each slot's weight, and its padded terms with their trust."""


def weighing(slots: Sequence[Slot]) -> Weighing:
    """Slots as ``score`` wants them."""
    return tuple((s.weight, tuple((f" {t} ", trust) for t, trust in s.alternatives)) for s in slots)


def score(asked: Weighing, fields: Fields) -> float:
    """The share of the query that the node answers, in [0, 1]."""
    got = total = 0.0
    named = 0
    name, aliases, description = fields.name, fields.aliases, fields.description
    headings, body = fields.headings, fields.body
    for weight, alternatives in asked:
        total += weight
        best = 0.0
        for term, trust in alternatives:
            evidence = 0.0
            if term in name:
                evidence = NAME
                named += 1
            if term in aliases:
                evidence += ALIAS
            if term in description:
                evidence += DESCRIPTION
            if term in headings:
                evidence += HEADING
            if term in body:
                evidence += BODY
            if evidence:
                worth = trust * (PRESENCE + PROMINENCE * evidence / (evidence + SATURATION))
                if worth > best:
                    best = worth
        got += weight * best
    if not total:
        return 0.0
    precision = min(1.0, named / fields.name_size) if fields.name_size else 0.0
    return (1 - PRECISION) * got / total + PRECISION * precision
