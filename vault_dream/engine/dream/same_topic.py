"""Whether two topics are one, however they are written: case, accents, width, word order, script.

Words in spaces are compared as words, scripts without spaces by their characters. Another number
makes another topic; the same evidence makes the same one, whatever the titles say.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Protocol

from vault_dream.engine.dream.offline.words import terms
from vault_dream.engine.dream.quotes import fold, long_enough
from vault_dream.engine.vault.plain import plain

WORDS_ALIKE = 85
"""How alike the sorted words of two titles are, of 100, where they say the same."""
SIGNS_ALIKE = 76
"""The same for titles in a script without spaces."""
KEYWORDS_SHARED = 0.6
TITLES_NEAR = 50
FEWEST_KEYWORDS = 3
SHORTEST_PART = 4
"""Characters of a title without spaces that say the same as a longer one which holds them."""

_ACCENTED = ("LATIN", "GREEK", "CYRILLIC")
_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss"})
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\U00020000-\U0002fa1f]"
)


class Topical(Protocol):
    """What a topic has to have to be compared."""

    @property
    def title(self) -> str: ...

    @property
    def evidence(self) -> str: ...

    @property
    def keywords(self) -> tuple[str, ...]: ...


def same_topic(one: Topical, other: Topical) -> bool:
    """Whether a person would call them the same topic."""
    quotes = fold(one.evidence), fold(other.evidence)
    if all(map(long_enough, quotes)) and (quotes[0] in quotes[1] or quotes[1] in quotes[0]):
        return True
    if alike(one.title, other.title):
        return True
    mine, theirs = _keys(one.keywords), _keys(other.keywords)
    if min(len(mine), len(theirs)) < FEWEST_KEYWORDS or not _numbers(one.title, other.title):
        return False
    shared = len(mine & theirs) / len(mine | theirs)
    return shared >= KEYWORDS_SHARED and _ratio(key(one.title), key(other.title)) >= TITLES_NEAR


def alike(one: str, other: str) -> bool:
    """Whether two titles say the same."""
    a, b = key(one), key(other)
    if not a or not b or a == b:
        return a == b
    if not _numbers(one, other):
        return False
    if _unspaced(a) and _unspaced(b):
        short, long = sorted((a.replace(" ", ""), b.replace(" ", "")), key=len)
        if len(short) >= SHORTEST_PART and (short in long or sorted(short) == sorted(long)):
            return True
        return _ratio(short, long) >= SIGNS_ALIKE
    mine, theirs = terms(a), terms(b)
    if min(len(mine), len(theirs)) >= 2 and (mine <= theirs or theirs <= mine):
        return True
    sorted_words = (" ".join(sorted(words or {whole})) for words, whole in ((mine, a), (theirs, b)))
    return _ratio(*sorted_words) >= WORDS_ALIKE


@lru_cache(maxsize=1024)
def key(text: str) -> str:
    """``text`` in the one form in which it is compared: letters and digits, without case, width
    or, where they are no letters of their own, accents."""
    folded = unicodedata.normalize("NFKC", plain(text)).casefold().translate(_LETTERS)
    kept: list[str] = []
    base = ""
    for sign in unicodedata.normalize("NFD", folded):
        if not unicodedata.combining(sign):
            base = sign
        elif base and unicodedata.name(base, "").startswith(_ACCENTED):
            continue
        kept.append(sign)
    return " ".join(_WORD.findall(unicodedata.normalize("NFC", "".join(kept))))


def _keys(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded for word in words if (folded := key(word)))


def _numbers(one: str, other: str) -> bool:
    """Whether both have the same numbers: the fourth lesson is not the third."""
    return re.findall(r"\d+", key(one)) == re.findall(r"\d+", key(other))


def _unspaced(text: str) -> bool:
    return 2 * len(_UNSPACED.findall(text)) > len(text.replace(" ", ""))


def _ratio(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return float(fuzz.ratio(one, other))
