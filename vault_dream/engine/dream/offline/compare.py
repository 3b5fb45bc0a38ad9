"""Comparing memories: the same, near, or only alike; and what in one contradicts the other.

The danger is not the missed duplicate but the wrong merge: two sentences of one mould with
another value in it (two servers, two colours, two people) are two memories.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline.words import (
    numbers,
    ordered_terms,
    overlap,
    stem,
    terms,
    weight,
)

_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|no longer|without|cannot|\w+n['’]t|stop(?:ped)?|none"
    r"|nicht|nie(?:mals)?|kein\w{0,2})\b"
    r"|不(?!同|过|错|仅|但|断|少)|没有?|别(?!的|人)|无法|禁止|未"
)
_NO_MORE = re.compile(
    r"(?i)\bno longer\b|\bany ?more\b|\bused to\b|\bnot "
    r"true\b|\bwas wrong\b|\binstead of\b|\brather than\b|"
    r"\b(?:moved|changed|renamed|switched|replaced|raised|"
    r"lowered|increased|reduced)\b|\b(?:is|are|does|do|now) "
    r"now\b|\bnow\b|\bturns? out\b|\bactually\b|不再|改[成为用到]|"
    r"换[成为]|已经?|现在|其实|而不是|取消|不是.{1,12}(?:而是|，是)|调[整到成]|变成|原来"
    r"|\b(?:jetzt|neuerdings|inzwischen|nicht mehr|ab sofort|statt|geändert|verlegt|umgezogen)\b"
)
_OLD_VALUE = re.compile(
    r"(?i)\b(?:instead of|rather than|not|from|no longer|used "
    r"to (?:be )?|replaces?|"
    r"replaced)\s+((?:[\w'’.%°/-]+\s?){1,5})|(?:而不是|不再|不是|"
    r"从)([^，。；]{1,14}?)(?=改|换|搬|调|变|，|。|；|$)"
)
_DENIAL = re.compile(
    r"(?i)\bmyth\b|\b(?:not true|untrue|disproved|mistaken)\b|"
    r"\b(?:was|were|is|are) (?:all |quite |simply )?(?:wrong|false)\b(?! with)|"
    r"不对(?!劲)|说错|错了|并非|谣言|误传"
)
"""Says by itself that something believed is not so."""
_PROPER = re.compile(
    r"(?<![.!?:]\s)(?<!^)\b(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\b)[A-Z][a-z]\w+"
)
_NO_NAMES = frozenset(
    """
    january february march april may june july august september october november december nobody
    everybody everyone
    """.split()  # noqa: SIM905
)
_PURPOSE = re.compile(
    r"(?i),? (?:so that|in order|or else|otherwise|or)\b|，?(?:不然|否则|以免|免得|以防)"
)
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|last|\d+(?:st|nd|rd|th))\b|第[一二三四五六七八九十\d]+"
)
_CLAUSE = re.compile(
    r"(?i)[,;，；。]\s*|\s[—–]\s|\s(?:because|otherwise|so that|"
    r"or else|since|as long as)\s|因为|否则|不然"
)
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w-]*\b|`[^`\n]+`|\b\w*\d\w*\b")


def same_name(a: str, b: str) -> bool:
    """Whether two titles name one thing."""
    if a.strip().casefold() == b.strip().casefold():
        return True
    x, y = terms(a), terms(b)
    if not x or not y or differs_in_value(a, b) or _ordinals(a) ^ _ordinals(b):
        return False
    shared = len(x & y)
    return shared >= 2 and shared / len(x | y) >= 0.75


def _ordinals(text: str) -> frozenset[str]:
    return frozenset(_ORDINAL.findall(text.lower()))


def same_saying(a: str, b: str) -> bool:
    """Whether two statements say the same in other words."""
    x, y = terms(a), terms(b)
    small, large = (x, y) if len(x) <= len(y) else (y, x)
    if len(small) < 3:
        return x == y and bool(x)
    if negated(a) != negated(b):
        return False
    return overlap(small, large) >= 0.7


def negated(text: str) -> bool:
    """Whether ``text`` denies: an odd number of negations."""
    return len(_NEGATION.findall(text)) % 2 == 1


def differs_in_value(a: str, b: str) -> bool:
    """Whether two statements share a mould but not the value in it: numbers, names, or one word.

    "Pump A needs 40 ml" and "Pump B needs 40 ml" do; a statement that only says more does not.
    """
    a, b = core(a), core(b)
    if numbers(a) and numbers(b) and not numbers(a) & numbers(b):
        return True
    x, y = ordered_terms(a), ordered_terms(b)
    only_a, only_b = [t for t in x if t not in y], [t for t in y if t not in x]
    if not only_a or not only_b:
        return False
    names_a, names_b = _names(a), _names(b)
    if names_a - names_b and names_b - names_a:
        return True
    shared = len(set(x) & set(y))
    return len(only_a) <= 2 and len(only_b) <= 2 and shared >= 2 and shared >= len(only_a)


def core(text: str) -> str:
    """The first clause of ``text``, if it says enough: the mould without its reasons."""
    first = _CLAUSE.split(text, maxsplit=1)[0]
    return first if weight(first) >= 3 else text


def _names(text: str) -> frozenset[str]:
    return frozenset(n.strip("`").lower() for n in _NAME.findall(text))


def names_in(text: str) -> frozenset[str]:
    """The proper names within the sentences of ``text``, as stems; days and months are none."""
    found = _PROPER.findall(text)
    return frozenset(stem(n) for n in found if n.lower() not in _NO_NAMES and terms(n))


def kin(some: frozenset[str], others: frozenset[str]) -> int:
    """How many of ``some`` stand among ``others``, “head” for “headache” too."""
    roots = [o for o in others if len(o) >= 4]
    return sum(
        t in others or (len(t) >= 4 and any(o.startswith(t) or t.startswith(o) for o in roots))
        for t in some
    )


def contradicts(new: str, old: str) -> bool:
    """Whether the statement ``new`` says that ``old``, a statement on its subject, is not so."""
    x, y = terms(new), terms(old)
    shared = x & y
    if len(shared) < 2 or overlap(min((x, y), key=len), max((x, y), key=len)) < 0.4:
        return False
    now = changed(new)
    if _DENIAL.search(new) and not _DENIAL.search(old):
        return overlap(terms(core(old)), x) >= 0.4 or overlap(x, y) >= 0.5
    if now and changed(old) and same_saying(new, old):
        return False
    if now and _denied(new) & y - _asserted(new):
        return True
    if now and negated(new) != negated(old) and overlap(y, x) >= 0.5:
        return True
    if now and _other_number(new, old) and overlap(y - numbers(old), x) >= 0.4:
        return True
    denied = negated(_demand(new)) != negated(_demand(old))
    if denied and overlap(x, y) >= 0.8 and overlap(y, x) >= 0.8:
        return True
    return _turned(core(new), core(old))


def changed(text: str) -> bool:
    """Whether ``text`` says that something is otherwise than it was."""
    return _NO_MORE.search(text) is not None


def _demand(text: str) -> str:
    """``text`` without what follows or is to be avoided: “…, so that the lens does not fog”."""
    return _PURPOSE.split(text, maxsplit=1)[0]


def _turned(new: str, old: str) -> bool:
    """Whether two clauses say the same, one of them with a negation."""
    x, y = terms(new), terms(old)
    if min(len(x), len(y)) < 3 or negated(new) == negated(old):
        return False
    return overlap(x, y) >= 0.8 and overlap(y, x) >= 0.8


def _denied(text: str) -> frozenset[str]:
    """The terms of the value that ``text`` says no longer holds."""
    return terms(" ".join(a or b for a, b in _OLD_VALUE.findall(text)))


def _asserted(text: str) -> frozenset[str]:
    """The terms that stand in ``text`` outside the value it denies."""
    return terms(_OLD_VALUE.sub(" ", text))


def _other_number(new: str, old: str) -> bool:
    x, y = numbers(new), numbers(old)
    return bool(x) and bool(y) and not y <= x


def says_more(new: str, old_terms: frozenset[str]) -> frozenset[str]:
    """The content terms of ``new`` that a node does not have, if they amount to anything."""
    fresh = terms(new) - old_terms
    enough = len(fresh) >= 3 and len(fresh) >= 0.4 * len(terms(new))
    return fresh if enough or (numbers(new) & fresh and weight(new) >= 6) else frozenset()
