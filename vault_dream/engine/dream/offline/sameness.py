"""Sameness: whether a node is about the very thing that a unit is about, by the words of both.

How much the two have in common decides, seen from both sides; what speaks against it is a mould
with another value in it, another person's name, or a title that goes on ("the till", "the till
printer"). A wrong merge is worse than a missed duplicate, so doubt means two memories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import islice

from vault_dream.engine.digest.classify import content_terms, spelled_out, terms_missing
from vault_dream.engine.dream.denials import denies
from vault_dream.engine.dream.offline.compare import changed, negated
from vault_dream.engine.dream.offline.quantities import (
    identifiers,
    numerals,
    quantities,
    without_chinese,
)
from vault_dream.engine.dream.offline.synonyms import one_word
from vault_dream.engine.dream.offline.verbs import VERBS
from vault_dream.engine.dream.offline.words import MEASURE_WORDS, is_chinese, numbers, sentences

_STRONG = 0.36  # mean share of what both say from which they speak of one thing
_WEAK = 0.24  # the same, where the title says so too
_PERHAPS = 0.12  # the same, from which a person should look before a second memory is made
_SURELY = 0.36  # the same, from which an addition to a memory needs nobody's look
_TELLING = 2  # telling words that both then share
_OF_ALL_DAYS = 3  # nodes of those found, from which a word that all of them have tells nothing
_CERTAIN = 0.55  # the same, where no title needs to say so
_FEW = 3  # words from which a side says enough to be wholly had by the other
_CERTAIN_PAIRS = 0.45  # the same in Chinese, where a pair of signs is rarely shared by chance
_APART = 0.39  # the same, from which titles that part are two words for one thing
_APART_ALIKE = 0.45  # the same, where the titles are of one mould
_ALIKE = 0.6  # share of a title that another has, from which both are of one mould
_MOULD = 0.5  # share of words in one order from which two sentences are of one mould
_LONGEST_LINE = 80  # words of a sentence that is held against others
_MOST_LINES = 200  # sentences of a side that are looked at
_MOST_NAMES = 40  # names of a side that are looked at
_ROOT = 4  # letters from which a word may be the beginning of its other forms
_LONGEST_VALUE = 3  # words of a mould's value
_TOKEN = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_WITHIN = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")  # written large within a sentence
_JOINS = re.compile("否则|不然|要不|一定要?|必须|需要|因为|由于|所以|如果|的话")
_PROPER = re.compile(r"\b(?:[A-Z][a-z]+)(?: [A-Z][a-z]+)+\b")
_NO_NAME = re.compile(r"(?:The|A|An|My|Our|In|On|At|For|When|After|Before|If|No|Mr|Mrs|Ms|Dr) ")
_MEASURES = content_terms(MEASURE_WORDS)
_GERMAN = content_terms(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird
    werden wurde nicht kein keine keinen mit für von vom zu zum zur im am an auf aus bei beim nach
    vor über unter um als wie wenn ob dass weil damit denn sich er sie es wir ihr ihre ihren sein
    seine seinen man nur noch auch schon immer nie sehr mehr muss müssen kann können soll darf hat
    haben sonst dann hier jetzt bis ohne durch gegen
    """
)
"""Function words of German; those of English are no content terms as it is."""
_COMMON = content_terms(
    "take give get put leave hand sit stand lie wait start stop begin end time first last old long "
    "short big small nothing something anything people person man woman leave come find tell ask "
    "eat drink work turn hold call name part side place point use help spring summer autumn winter "
    "new good bad right left white black red green blue"
)
"""Words that two memories of anything may share."""
_EMPTY = content_terms(
    "prepare handle manage deal work go come know find happen look need ahead early late again "
    "rule way thing time kind sort good well better right"
)
"""Words of a title that set it apart from no other."""
_CHANGE = content_terms(
    "new now quickly slowly faster slower longer shorter less fewer earlier later sooner currently "
    "move change switch replace raise lower "
    "neu jetzt früher später länger kürzer schneller mehr weniger"
)
"""Words of a title that only say that something has changed, or how it stands now."""
_UNTELLING = _MEASURES | _GERMAN
_EMPTY_SIGNS = frozenset(
    "去来就都也又再还会能可得到给做用太很更最真好要先才把被让的了着过是在和与及吗呢吧啊"
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of two memories: what it is called, what it says in brief, and all that it says."""

    name: str
    brief: str
    whole: str
    bucket: str = ""
    aliases: tuple[str, ...] = ()


@lru_cache(maxsize=32)
def closeness(unit: Side, node: Side) -> float:
    """How much of each side the other has, from 0 to 1."""
    mine, theirs = _terms(unit.brief), _terms(_core(unit, node))
    if not mine or not theirs:
        return 0.0
    lacks = _lacks(mine, unit.whole, node.whole)
    lacked = _lacks(theirs, node.whole, unit.whole)
    has, had = len(mine) - len(lacks), len(theirs) - len(lacked)
    return (has / max(_FEW, len(mine)) + had / max(_FEW, len(theirs))) / 2


def is_same(unit: Side, node: Side) -> bool:
    """Whether both are one memory."""
    close = closeness(unit, node)
    if close < _WEAK or is_another(unit, node):
        return False
    denied = denies(unit.whole)
    if not denied and _titles_part(unit, node):
        return False
    said = _title_said(unit, node)
    if node.bucket == unit.bucket == "wiki" and not (denied or _defines(unit, node)):
        return False
    if close >= _STRONG:
        certain = _CERTAIN_PAIRS if denied or is_chinese(unit.name) else _CERTAIN
        return said >= 0.5 or close >= certain
    return unit.bucket == node.bucket and said == 1.0


def is_surely(unit: Side, node: Side) -> bool:
    """Whether two sides that are one memory have enough in common to leave no doubt of it."""
    return unit.name == node.name or closeness(unit, node) >= _SURELY


def may_be_same(unit: Side, node: Side, nodes: Sequence[Side] = ()) -> bool:
    """Whether both might be one memory in other words: too little for a merge, and nothing that
    tells them apart. Words that several of ``nodes``, what a search for the unit found, have are
    words of this owner's days and tell nothing."""
    if opposes(unit, node):
        return True
    if is_another(unit, node, measured=True):
        return False
    core = _core(unit, node)
    mine = _terms(unit.brief)
    shared = (mine - _lacks(mine, unit.whole, core)) - _COMMON - _EMPTY
    told = [_terms(other.whole) for other in nodes]
    rare = [term for term in shared if sum(term in terms for terms in told) < _OF_ALL_DAYS]
    same_amount = any(q.measure for q in quantities(unit.whole) & quantities(core))
    titles = (_telling(unit.name) & _telling(node.name)) - _COMMON - _verbs()
    if not titles.isdisjoint(rare):
        return True
    return closeness(unit, node) >= _PERHAPS and len(rare) + same_amount >= _TELLING


@cache
def _verbs() -> frozenset[str]:
    return content_terms(" ".join(VERBS))


def opposes(unit: Side, node: Side) -> bool:
    """Whether the unit allows, in much the same words, what the node forbids, or forbids it."""
    mine, theirs = _telling(unit.name), _telling(node.name)
    if min(len(mine), len(theirs)) > 1 and negated(unit.name) != negated(node.name):
        lacks = _lacks(mine, unit.whole, node.name), _lacks(theirs, node.whole, unit.name)
        if not any(lacks):
            return True
    for one in _lines(unit.brief):
        for two in _lines(node.whole):
            mine, theirs = _terms(one), _terms(two)
            if min(len(mine), len(theirs)) < _FEW or negated(one) == negated(two):
                continue
            left, right = _lacks(mine, unit.whole, two), _lacks(theirs, two, unit.whole)
            if len(left) <= len(mine) / 2 and len(right) <= len(theirs) / 2:
                return True
    return False


def is_another(unit: Side, node: Side, *, measured: bool = False) -> bool:
    """Whether the unit says of something or somebody else what the node says, or another value of
    it, however alike they read; with ``measured`` another amount alone makes no other thing."""
    if _other_person(unit.whole, node.whole) or _goes_on(unit, node):
        return True
    marks, others = identifiers(unit.name), identifiers(node.name)
    if (marks - others and others - marks) or _acronym_apart(unit, node):
        return True
    one_subject = _one_subject(unit, node)
    if one_subject and changed(unit.whole):
        return False
    measured = measured or one_subject
    if replaced(unit.name, node.name, unit.whole, node.whole, measured=measured):
        return True
    if denies(unit.whole) or _titles_agree(unit, node):
        return False
    return any(
        replaced(one, two, unit.whole, node.whole, measured=measured)
        for one in _lines(unit.brief)
        for two in _lines(node.whole)
    )


def _one_subject(unit: Side, node: Side) -> bool:
    """Whether the title of one side says nothing that the other does not say, but for quantities
    and words of change: if a quantity differs then, the thing has changed and is no other one."""
    mine, theirs = _telling(unit.name), _telling(node.name)
    if not mine or not theirs:
        return False
    lacks = _lacks(mine, unit.whole, node.whole), _lacks(theirs, node.whole, unit.whole)
    return not all(lacks) and len(lacks[0]) < len(mine) and len(lacks[1]) < len(theirs)


def _titles_agree(unit: Side, node: Side) -> bool:
    """Whether the titles say the same, but for a number that only one of them has: if a value
    differs then, one of the two is wrong."""
    mine, theirs = _terms(unit.name), _terms(node.name)
    if numbers(unit.name) and numbers(node.name):
        return numbers(unit.name) == numbers(node.name) and mine == theirs
    mine, theirs = mine - numbers(unit.name), theirs - numbers(node.name)
    if min(len(mine), len(theirs)) < 2:
        return False
    return not _lacks(mine, unit.whole, node.name) and not _lacks(theirs, node.whole, unit.name)


def _titles_part(unit: Side, node: Side) -> bool:
    """Whether each title says something that the other side never says: two things, unless the rest
    has so much in common that these must be other words for one."""
    mine = _lacks(_telling(unit.name), unit.whole, _core(unit, node))
    theirs = [
        _lacks(_telling(title), node.whole, unit.whole) for title in (node.name, *node.aliases)
    ]
    if not mine or not all(theirs):
        return False
    if is_chinese(unit.name):
        return closeness(unit, node) < _CERTAIN_PAIRS
    if _named(mine, unit) and _named(theirs[0], node):
        return True
    named, other = _terms(unit.name), _terms(node.name)
    alike = 1 - len(_lacks(named, unit.name, node.name)) / len(named) if named and other else 0.0
    return closeness(unit, node) < (_APART_ALIKE if alike >= _ALIKE else _APART)


def _telling(title: str) -> frozenset[str]:
    """The terms of a title that say what it is about: neither quantities nor words of change."""
    found = _terms(without_chinese(title))
    return _weighty(found) - numerals(found) - _EMPTY - _CHANGE


def _named(terms: frozenset[str], side: Side) -> bool:
    """Whether one of ``terms``, of the side's title, is a name or a number."""
    first, *rest = side.name.split()
    shown = [word for word in rest if word[:1].isupper() or any(map(str.isdigit, word))]
    if len(shown) == len(rest):
        shown = []  # a title in capitals throughout
    if first in _WITHIN.findall(side.whole):
        shown.append(first)
    return bool(terms & content_terms(" ".join(shown)))


def _acronym_apart(unit: Side, node: Side) -> bool:
    """Whether both spell out one acronym, each in another way."""
    for acronym in set(_ACRONYM.findall(unit.whole)) & set(_ACRONYM.findall(node.whole)):
        one, two = (spelled_out(side.whole, (acronym.lower(),)) for side in (unit, node))
        if one - two and two - one:
            return True
    return False


def _terms(text: str) -> frozenset[str]:
    return frozenset(t for t in content_terms(text) if len(t) > 1 or t > "\u3400") - _UNTELLING


def _lacks(terms: frozenset[str], own: str, other: str) -> frozenset[str]:
    """Those of ``terms`` that ``other`` says in no way we know: neither spelling nor synonym."""
    left = terms_missing(terms, own, other)
    known = frozenset(map(one_word, content_terms(other))) if left else frozenset()
    return frozenset(term for term in left if one_word(term) not in known)


@lru_cache(maxsize=32)
def _core(unit: Side, node: Side) -> str:
    """The names and the description of the node, and its sentence that is nearest to the unit: what
    else stands in a long node says little about what it is about."""
    mine = _terms(unit.brief)
    lines = [line for line in _lines(node.whole) if line != node.name]
    nearest = max(lines, key=lambda line: len(_terms(line) & mine), default="")
    return "\n".join((node.name, *node.aliases, node.brief, nearest))


def _title_said(unit: Side, node: Side) -> float:
    """How much of one side's title the other says, of the title that is said more; a title of one
    word, which may be anything's, counts half."""
    best = 0.0
    for title, own, other in (
        (node.name, node.whole, unit.whole),
        (unit.name, unit.whole, _core(unit, node)),
    ):
        terms = _weighty(_terms(title))
        said = len(terms) - len(_lacks(terms, own, other))
        if len(terms) == 1:
            best = max(best, 0.5 * said)
        elif said >= 2:
            best = max(best, said / len(terms))
    return best


def _weighty(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(t for t in terms if t not in _MEASURES and _EMPTY_SIGNS.isdisjoint(t))


def _defines(unit: Side, node: Side) -> bool:
    """Whether two definitions define one word: most of the unit's name is said by the node."""
    terms = _telling(unit.name) or _terms(unit.name)
    return len(_lacks(terms, unit.whole, _core(unit, node))) <= len(terms) / 2


def _lines(text: str) -> list[str]:
    parts = (part for line in text.splitlines() for part in sentences(line))
    return list(islice(dict.fromkeys(parts), _MOST_LINES))


def replaced(
    one: str, two: str, all_of_one: str, all_of_two: str, *, measured: bool = False
) -> bool:
    """Whether two sentences are of one mould and say different things at one place of it, each a
    thing that the other side never says; with ``measured`` other quantities do not count."""
    left, right = (_TOKEN.findall(_JOINS.sub(" ", text.lower())) for text in (one, two))
    if max(len(left), len(right)) > _LONGEST_LINE:
        return False
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) < _MOULD or matcher.ratio() < _MOULD:
        return False
    for kind, i, j, k, n in matcher.get_opcodes():
        if kind != "replace" or j - i > _LONGEST_VALUE or n - k > _LONGEST_VALUE:
            continue
        amounts = [quantities(" ".join(side)) for side in (left[i:j], right[k:n])]
        if all(amounts) and (measured or amounts[0] == amounts[1]):
            continue
        mine, theirs = _value(left[i:j]), _value(right[k:n])
        if measured:
            mine, theirs = (v - numerals(v) - _MEASURES - _CHANGE for v in (mine, theirs))
        if any(_kin(a, b) for a in mine for b in theirs):
            continue
        if _lacks(mine, all_of_one, all_of_two) and _lacks(theirs, all_of_two, all_of_one):
            return True
    return False


def _kin(one: str, other: str) -> bool:
    """Whether two terms are forms of one word, as far as their beginnings tell: grow, growth."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _ROOT and long.startswith(short) and short.isalpha()


def _value(tokens: list[str]) -> frozenset[str]:
    """The terms of a value: ordinals count, as they tell one thing from its neighbour."""
    tokens = [token for token in tokens if token not in _EMPTY_SIGNS]
    if len(tokens) == 1 and "\u3400" <= tokens[0] <= "\u9fff":
        return frozenset(tokens)  # 南, 北
    joined = "".join(tokens) if all("\u3400" <= t <= "\u9fff" for t in tokens) else " ".join(tokens)
    return content_terms(joined) or frozenset(t for t in tokens if t.isdigit())


def _other_person(one: str, two: str) -> bool:
    """Whether both name somebody, and the names are alike but not the same: Paul, Paula Meier."""
    names, others = _people(one), _people(two)
    return any(a & b and a - b and b - a for a in names for b in others) and not (
        {frozenset(a) for a in names} & {frozenset(b) for b in others}
    )


def _people(text: str) -> list[frozenset[str]]:
    found = (
        _NO_NAME.sub("", f"{match} ").split()
        for match in islice(_PROPER.findall(text), _MOST_NAMES)
    )
    return [frozenset(words) for words in found if len(words) > 1]


def _goes_on(one: Side, other: Side) -> bool:
    """Whether the name of one is the other's and one noun more: the till, the till printer."""
    short, long = sorted((one, other), key=lambda side: len(side.name))
    words, more = _TOKEN.findall(short.name.lower()), _TOKEN.findall(long.name.lower())
    size = len(words)
    if not words or words[-1] > "\u3400" or more[:size] != words or len(more) == size:
        return False
    if more[size] == "s" and closeness(one, other) >= _CERTAIN:
        return False  # something of its own: Lina's feed
    return bool(_lacks(content_terms(more[size]), long.whole, short.whole))
