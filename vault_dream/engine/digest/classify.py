"""The duplicate sense: whether a unit and a node are one abstraction, related, or strangers.

Code's first word, which a model may overrule. It is careful in one direction: two things cut from
one template with another value in it ("favourite colour is purple" and "... is cyan", Postgres 15
and 16) are never the same abstraction, however alike they read. What it cannot see are synonyms
that neither side spells out; those come out as related.

The thresholds were set on the workshop world of ``tests/bench`` and hold on the household world;
``tests/bench/bench_classify.py`` prints the figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import is_unspaced, words

Kind = Literal["same_abstraction", "related", "unrelated"]
SAME: Kind = "same_abstraction"
RELATED: Kind = "related"
UNRELATED: Kind = "unrelated"

_SAME_UNIT = 0.55  # share of the unit's name that the node's brief fields must have
_SAME_NODE = 0.85  # share of the node's name that the unit must have
_RELATED = 0.30  # share of either name that the other side must have
_ALIKE = 7  # letters of two words that may differ by one edit and still be one misspelt word

_FUNCTION_WORDS = """
a about after again all also always an and any are as at be because been before being best both
but by can could did do does done each every for from get had has have having he her here him his
how i if in into is it its just made make many may me more most much must my need never new no not
note now of off on once one only or other our out over own prefer said same see she should so some
still such than that the their them then there these they this those through to too under until up
use used very was way we well were what when where which while who why will with without would you
your
"""
_PLAIN_WORDS = frozenset(_FUNCTION_WORDS.split())
_PLAIN_STEMS = _PLAIN_WORDS | frozenset(map(stem, _PLAIN_WORDS))
_PLAIN_SIGNS = frozenset(
    "的了着是在和与及或对把被让使为于以而其之也都就还很会能可要如何怎么样什时候上下中里外前后一个"
    "方法步骤注意事项을를이가은는에의로와과도하고한할해된되"
)
_CONTRASTS = (
    "over",
    "than",
    "instead",
    "before",
    "after",
    "from",
    "without",
    "not",
    "胜过",
    "而不是",
)
_NUMBER = re.compile(r"[a-z]?\d+[a-z]?")
_HIRAGANA = re.compile("[\u3041-\u309f]")


@dataclass(frozen=True, slots=True)
class Judgement:
    """``score`` in [0, 1] orders candidates of one unit; ``reason`` is a phrase for a person."""

    kind: Kind
    score: float
    reason: str


def classify(
    name: str,
    summary: str,
    quotes: Sequence[str],
    candidate: NodeText,
    weight: Callable[[str], float] | None = None,
) -> Judgement:
    """How a unit (its name, summary and quotes) stands to ``candidate``.

    ``weight`` tells how rare a term is in the vault (NodeIndex.rarity); without it all words but
    function words weigh the same.
    """
    weigh = weight or _even
    unit_text = f"{name} {summary} {' '.join(quotes)}"
    node_text = " ".join(
        (candidate.name, *candidate.aliases, candidate.description, *candidate.headings)
    )
    unit_name, node_name = content_terms(name), content_terms(candidate.name)
    if not unit_name or not node_name:
        same = bool(name.strip()) and name.strip().casefold() == candidate.name.strip().casefold()
        return Judgement(SAME, 1.0, "called the same") if same else _stranger(0.0)
    unit_only = terms_missing(unit_name, unit_text, node_text)
    node_only = terms_missing(node_name, node_text, unit_text)
    of_unit = 1 - _share(unit_only, unit_name, weigh)
    of_node = 1 - _share(node_only, node_name, weigh)
    for alias in candidate.aliases:
        named = content_terms(alias)
        of_node = max(of_node, 1 - _share(terms_missing(named, alias, unit_text), named, weigh))
    score = (of_unit + of_node) / 2
    speak = _Spelling(name, candidate.name)
    values = speak.against(unit_only, node_only) or _turned_round(name, candidate.name)
    if max(of_unit, of_node) < _RELATED:
        return _stranger(score)
    if values:
        return Judgement(RELATED, min(score, 0.6), f"same template, another value: {values}")
    if not unit_only and not node_only:
        return Judgement(SAME, score, "the names say the same")
    both = speak.of((unit_name - unit_only) | (node_name - node_only))
    same = of_unit >= _SAME_UNIT and of_node >= _SAME_NODE
    return Judgement(SAME if same else RELATED, score, f"both speak of {both}")


def _even(term: str) -> float:
    return 1.0


def _stranger(score: float) -> Judgement:
    return Judgement(UNRELATED, score, "no name shares enough with the other side")


def content_terms(text: str) -> frozenset[str]:
    """The terms of a text that carry meaning: no function words, no pairs with a grammar sign."""
    found = {stem(word) for word in words(text, singles=False)} - _PLAIN_STEMS
    return frozenset(
        term for term in found if _PLAIN_SIGNS.isdisjoint(term) and not _HIRAGANA.search(term)
    )


def terms_missing(terms: frozenset[str], own_text: str, other_text: str) -> frozenset[str]:
    """Which terms the other side lacks in any spelling we know: as an acronym, with a slip, and of
    scripts without spaces in any order (pairs differ wherever the order of the words does)."""
    others = frozenset(map(stem, words(other_text)))
    left = terms - others
    if not left:
        return left
    signs = frozenset("".join(other for other in others if is_unspaced(other)))
    left = frozenset(t for t in left if not (is_unspaced(t) and signs.issuperset(t)))
    initials = _initials(other_text)
    left = frozenset(
        t
        for t in left
        if not (_is_acronym(t, own_text) and (t in initials or spelled_out(other_text, (t,))))
    )
    acronyms = frozenset(other for other in others if _is_acronym(other, other_text))
    left -= spelled_out(own_text, acronyms)
    return frozenset(term for term in left if not _misspelt(term, others))


def _is_acronym(term: str, text: str) -> bool:
    return 2 <= len(term) <= 6 and term.isalpha() and term.isascii() and term.upper() in text


def _initials(text: str) -> str:
    """First letters of the words, where acronyms are found; with function words, then without."""
    every = [word for word in words(text) if word.isascii()]
    return (
        "".join(w[0] for w in every) + " " + "".join(w[0] for w in every if w not in _PLAIN_WORDS)
    )


def spelled_out(text: str, acronyms: Collection[str]) -> frozenset[str]:
    """The stems of the words in ``text`` that, side by side, one of ``acronyms`` is made of."""
    out: set[str] = set()
    every = [word for word in words(text) if word.isascii()] if acronyms else []
    telling = [word for word in every if word not in _PLAIN_WORDS]
    for acronym in acronyms:
        # "do not resuscitate" has its small words in the acronym, "proof of concept" may not
        out.update(_spelling(acronym, telling) or _spelling(acronym, every))
    return frozenset(out)


def _spelling(acronym: str, named: Sequence[str]) -> frozenset[str]:
    for at in range(len(named)):
        if size := _made_of(acronym, named[at : at + len(acronym)]):
            return frozenset(stem(word) for word in named[at : at + size])
    return frozenset()


def _made_of(acronym: str, named: Sequence[str]) -> int:
    """How many of the first words, at least two, give ``acronym`` with their first letters and some
    within: CPR is CardioPulmonary Resuscitation. 0 where they do not."""
    if not named or named[0][0] != acronym[0] or named[0] == acronym:
        return 0
    if len(acronym) == 1:
        return 1
    following = _made_of(acronym[1:], named[1:])
    if following:
        return 1 + following
    at, taken = 0, 1
    while taken < len(acronym) - 1:
        at = named[0].find(acronym[taken], at + 1)
        if at < 0:
            return 0
        taken += 1
        if following := _made_of(acronym[taken:], named[1:]):
            return 1 + following
    return 0


def _misspelt(term: str, others: Collection[str]) -> bool:
    if len(term) < _ALIKE or not term.isalpha() or is_unspaced(term):
        return False
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = [other for other in others if abs(len(other) - len(term)) <= 1 and other[0] == term[0]]
    return process.extractOne(term, near, scorer=OSA.distance, score_cutoff=1) is not None


def _share(some: Collection[str], of: Collection[str], weigh: Callable[[str], float]) -> float:
    whole = sum(map(weigh, of))
    return sum(map(weigh, some)) / whole if whole else 1.0


def _turned_round(one: str, two: str) -> str:
    """Whether two names say the same words on other sides of "over", "than", "before" …"""
    for word in _CONTRASTS:
        parts = [
            re.split(rf"\b{word}\b" if word.isascii() else word, name.lower())
            for name in (one, two)
        ]
        if all(len(part) == 2 for part in parts):
            (left, right), (other_left, other_right) = (
                tuple(map(content_terms, part)) for part in parts
            )
            if (left - right) & (other_right - other_left) and (right - left) & (
                other_left - other_right
            ):
                return f"the other way round of “{word}”"
    return ""


class _Spelling:
    """Terms as the two names spell them, in their order."""

    def __init__(self, *names: str) -> None:
        self._words: dict[str, str] = {}
        for name in names:
            for word in words(name, singles=False):
                self._words.setdefault(stem(word), word)

    def of(self, terms: Collection[str]) -> str:
        return ", ".join([word for term, word in self._words.items() if term in terms][:4])

    def against(self, unit_only: Collection[str], node_only: Collection[str]) -> str:
        """What each side says where the other says something else; nothing if one is silent."""
        sides = [
            [term for term in side if _NUMBER.fullmatch(term)] for side in (unit_only, node_only)
        ]
        if not all(sides):
            sides = [list(unit_only), list(node_only)]
        return f"{self.of(sides[0])} against {self.of(sides[1])}" if all(sides) else ""
