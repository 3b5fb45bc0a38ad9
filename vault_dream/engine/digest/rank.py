"""How well a node answers a query: the share of what was asked that the node speaks of.

A query is a tuple of slots, one per word asked for; a slot is met by any of its alternatives (the
forms of the word itself, of a mended typo, a part of a compound) with some trust. The score is the
sum of the slots' weights, each times how prominently the node has it, over the sum of all weights:
it is in [0, 1] and means the same for every query.
"""

from __future__ import annotations

from math import log

from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import spaced_each
from vault_dream.engine.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vault_dream.engine.digest.nodes import NodeText

# How prominent a word is by the fields it stands in. Set on the workshop world of tests/bench.
NAME, ALIAS, DESCRIPTION, HEADING, BODY = 4.0, 4.0, 3.0, 2.0, 1.0
SATURATION = 1.2  # of BM25's k1: what more evidence for the same word is still worth
PRESENCE = 0.4  # a word's worth for standing anywhere at all
PROMINENCE = 1 - PRESENCE  # and for where it stands
PRECISION = 0.2  # share of the score for how much of the node's name was asked for

Forms = tuple[str, ...]
"""Words with one stem, as they stand in notes: any of them will do."""


@record
class Slot:
    """One thing asked for; ``alternatives`` have their trust in (0, 1], best first, maybe none."""

    alternatives: tuple[tuple[Forms, float], ...]
    weight: float


@record
class Draft:
    """A node that is in no index: its text, packed too, and its keys (see search.label_keys)."""

    node: NodeText
    packed: str
    keys: frozenset[str]


@record
class Drafts:
    """Drafts by path; how many of them have each word, and their words by stem."""

    by_path: Mapping[str, Draft] = {}
    having: Mapping[str, int] = {}
    forms: Mapping[str, Forms] = {}

    @classmethod
    def of(cls, drafts: Iterable[Draft]) -> Drafts:
        by_path = {draft.node.path: draft for draft in drafts}
        having: dict[str, int] = {}
        forms: dict[str, Forms] = {}
        for draft in by_path.values():
            for word in set(draft.packed.split()):
                having[word] = having.get(word, 0) + 1
        for word in having:
            forms[stem(word)] = (*forms.get(stem(word), ()), word)
        return cls(by_path, having, forms)


def pack(node: NodeText) -> str:
    """The words of a node, a field per line: name, aliases, description, headings with tags, body.

    Compounds are taken apart in all fields but the body.
    """
    from vault_dream.engine.digest.scripts import compounds_in

    brief = (
        node.name,
        " ".join(node.aliases),
        node.description,
        " ".join((*node.headings, *node.tags)),
    )
    lines = spaced_each((*brief, node.body))
    joined = "\n".join(brief)
    if not joined.isascii() or compounds_in(joined):
        for place, text in enumerate(brief):
            lines[place] = " ".join((lines[place], *compounds_in(text)))
    return "\n".join(lines)


def parts(packed: str) -> tuple[str, str]:
    """The fields of a packed node but its body, and its body."""
    brief, _, body = packed.rpartition("\n")
    return brief, body


def rarity(nodes_with: int, nodes: int) -> float:
    """BM25's weight of a word that ``nodes_with`` of ``nodes`` have, never zero or less."""
    nodes_with = min(nodes_with, nodes)
    return log(1.0 + (nodes - nodes_with + 0.5) / (nodes_with + 0.5))


def match(forms: Forms) -> str:
    """The FTS5 query for what has one of ``forms``."""
    return " OR ".join([f'"{form}"' for form in forms])


Weighing = tuple[tuple[tuple[float, tuple[tuple[Forms, float], ...]], ...], frozenset[str]]
"""Slots made ready for many nodes: each slot's weight and alternatives; and all their words."""


def weighing(slots: Sequence[Slot]) -> Weighing:
    """Slots as ``score`` wants them."""
    wanted = {form for slot in slots for forms, _ in slot.alternatives for form in forms}
    return tuple((slot.weight, slot.alternatives) for slot in slots), frozenset(wanted)


def score(asked: Weighing, packed: str) -> float:
    """The share of the query that a packed node answers, in [0, 1]."""
    slots, wanted = asked
    places: dict[str, int] = {}
    fields = packed.split("\n")
    for place, field in enumerate(fields):
        for word in wanted.intersection(field.split()):
            places[word] = places.get(word, 0) | 1 << place
    got = total = 0.0
    named = 0
    for weight, alternatives in slots:
        total += weight
        best = 0.0
        for forms, trust in alternatives:
            at = 0
            for form in forms:
                if form in places:
                    at |= places[form]
            if at:
                named += at & 1
                worth = trust * _WORTH[at]
                if worth > best:
                    best = worth
        got += weight * best
    if not total:
        return 0.0
    size = len(set(fields[0].split()))
    precision = min(1.0, named / size) if size else 0.0
    return (1 - PRECISION) * got / total + PRECISION * precision


def worth_of(evidence: float) -> float:
    """What a word is worth by how much there is to show for it, in [0, 1)."""
    return PRESENCE + PROMINENCE * evidence / (evidence + SATURATION) if evidence else 0.0


# By the fields that a word stands in, a bit for each.
_WORTH = [
    worth_of(
        sum(
            worth
            for bit, worth in enumerate((NAME, ALIAS, DESCRIPTION, HEADING, BODY))
            if places >> bit & 1
        )
    )
    for places in range(32)
]
