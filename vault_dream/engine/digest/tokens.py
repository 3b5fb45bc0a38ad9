"""Text as search terms: folding, word breaking for every script, stems.

The same functions make the terms of nodes and of queries, so whatever they do to one side they do
to the other. A term is never empty and holds no space, quote or NUL: ASCII letters and digits,
``+`` or ``#`` in names like ``c++``, or characters beyond ASCII. A run of more
than 64 characters is broken.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from operator import add

from vault_dream.engine.digest.stems import stem

_HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f"
_UNSPACED = "\u0e00-\u0e4f\u0e80-\u0ecf\u1000-\u1049\u1780-\u17d3"  # Thai, Lao, Myanmar, Khmer
_MARKED = "\u0900-\u0963\u0966-\u0dff\u0f40-\u0fbc"  # Indic scripts, Tibetan: marks belong to words
_PICTURES = "\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_GLUED = _HAN + _KANA + _HANGUL + _UNSPACED + _PICTURES

_ASCII_TOKEN = re.compile(r"[a-z0-9]+(?:\+\+|#(?![a-z0-9_]))?")
_ASCII_SHARP = re.compile(r"#(?<=[A-Za-z0-9]#)|\+\+(?<=[A-Za-z0-9]\+\+)")
_ASCII = "".join(chr(n).lower() if chr(n).isalnum() else " " for n in range(128))
_LONGEST = 64  # characters of a term: the rest of a hash or base64 text is not worth keeping
_HUMP = re.compile("[a-z0-9][A-Z]")
_CAMEL = re.compile(r"\b[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\b")
_CAMEL_EDGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_HYPHEN = re.compile("[-‐‑]")
_HYPHENED = re.compile(r"\b[^\W\d_]{1,12}(?:[-‐‑][^\W_]{1,12}){1,2}\b")
# Punctuation that parts words in any script: without it most text is ASCII, or ASCII and Han.
_PARTING = re.compile("[‘“”„«»…–—·•→←↔×，。、；：？！（）「」『』《》〈〉【】〔〕～\u3000\xa0]+")
_ASCII_AND_HAN = re.compile("[\x00-\x7f\u4e00-\u9fff]*")
_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
     "ى": "ي", "ة": "ه", "’": "'"}
)  # fmt: skip


# Patterns with many ranges take milliseconds to compile: only text beyond ASCII pays for them.


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<han>[{_HAN}{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<unspaced>[{_UNSPACED}]+)"
        rf"|(?P<picture>[{_PICTURES}])|(?P<word>(?:(?![{_GLUED}_])[\w{_MARKED}\u0300-\u036f]){{1,64}})"
        r"(?P<sharp>\+\+|#(?![\w]))?"
    )


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_GLUED}]")


@cache
def _syllable() -> re.Pattern[str]:
    return re.compile(
        r"[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e80-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6"
        r"\u1000-\u102a\u103f-\u1049\u1780-\u17b3]"
        r"[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3]*"
    )


@cache
def _dropped_marks() -> re.Pattern[str]:
    return re.compile(  # accents, Hebrew points, Arabic harakat, selectors
        "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
        "\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\u00ad"
        "\U0001f3fb-\U0001f3ff]"
    )


def fold(text: str) -> str:
    """Case, width, accents and vowel points away: ``Crème`` is ``creme``, ``ＡＢＣ`` is ``abc``.

    Marks that make another letter stay: the Indic and Thai vowel signs, the Japanese voicing marks.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    text = _dropped_marks().sub("", text).translate(_PLAIN_LETTERS)
    return unicodedata.normalize("NFC", text)


def terms(text: str) -> list[str]:
    """Every search term of ``text``, in order, then the extra spellings of compounds.

    English words are stems. Han and Kana runs give their characters and pairs of characters, Hangul
    pairs of syllables, Thai and its neighbours pairs of letters with their marks. ``SearchIndex``
    also gives ``search index``, and ``time-out`` also ``timeout``.
    """
    return [*map(stem, words(text)), *compound_terms(text)]


def words(text: str, *, singles: bool = True) -> list[str]:
    """The terms of ``text`` before stemming, without the extra spellings of compounds.

    Without ``singles`` a Han character stands alone only where it has no neighbour, as in a query,
    and the terms are in the order of the text.
    """
    if singles and not text.isascii():
        text = _PARTING.sub(" ", text)
        if not text.isascii() and _ASCII_AND_HAN.fullmatch(text):
            return _ascii_and_han(text)
    folded = text if text.isascii() else fold(text)
    if folded.isascii():
        if ("++" in folded or "#" in folded) and _ASCII_SHARP.search(folded):
            found: list[str] = _ASCII_TOKEN.findall(folded.lower())
        else:
            found = folded.translate(_ASCII).split()  # three times as fast as the pattern
        if len(folded) > _LONGEST and len(max(found, key=len, default="")) > _LONGEST:
            found = [word[:_LONGEST] for word in found]
        return found
    out: list[str] = []
    for match in _token().finditer(folded):
        kind, token = match.lastgroup, match.group()
        if kind == "han":
            out += grams(token, singles=singles)
        elif kind == "hangul":
            out += grams(token)
        elif kind == "unspaced":
            out += _syllable_pairs(token)
        else:
            out.append(token)
    return out


def _ascii_and_han(text: str) -> list[str]:
    """What the long way gives, Han last: for most Chinese notes in a third of the time."""
    out = words(_HAN_RUN.sub(" ", text))
    for run in _HAN_RUN.findall(text):
        out += run
        out += map(add, run, run[1:])
    return out


def grams(run: str, *, singles: bool = False) -> list[str]:
    """The pairs of neighbouring characters of a run; with ``singles`` every Han character too."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    if not singles:
        return pairs or [run]
    return [*(one for one in run if not "\u3041" <= one <= "\u30ff" or not pairs), *pairs]


def _syllable_pairs(run: str) -> list[str]:
    parts = _syllable().findall(run)
    return [one + two for one, two in pairwise(parts)] or parts


def compound_terms(text: str) -> list[str]:
    """The other spellings of the camel-case and hyphenated words in ``text``, as stems."""
    extra: list[str] = []
    if _HUMP.search(text):
        for camel in _CAMEL.findall(text):
            extra += [stem(part[:64].lower()) for part in _CAMEL_EDGE.split(camel[:200])]
    if "-" in text or "‐" in text or "‑" in text:
        for chunk in text.split():
            if "-" in chunk or "‐" in chunk or "‑" in chunk:
                extra += [stem(fold(_HYPHEN.sub("", one))) for one in _HYPHENED.findall(chunk)]
    return extra


def is_unspaced(term: str) -> bool:
    """Whether a term is a character or a pair of a script that is written without spaces."""
    return not term.isascii() and _unspaced().match(term) is not None
