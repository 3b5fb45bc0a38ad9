"""Words in text that is not plain ASCII: every script, accents, compounds, names like ``c++``.

Only imported where there is such text, because its patterns take milliseconds to compile.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from functools import cache
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING

from vault_dream.engine.digest.tokens import hyphened, spaced, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HANGUL = "\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f"
_UNSPACED = "\u0e00-\u0e4f\u0e80-\u0ecf\u1000-\u1049\u1780-\u17d3"  # Thai, Lao, Myanmar, Khmer
_MARKED = "\u0900-\u0963\u0966-\u0dff\u0f40-\u0fbc"  # Indic scripts, Tibetan: marks belong to words
_PICTURES = "\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_GLUED = _HAN + _KANA + _HANGUL + _UNSPACED + _PICTURES

_LONGEST = 64  # characters of a word beyond ASCII; the rest is another word
_CAMEL = re.compile(r"\b[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\b")
_CAMEL_EDGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_HYPHEN = re.compile("[-‐‑]")
_HUMP = re.compile("[a-z0-9][A-Z]")
_COMPOUND = re.compile("[a-z0-9][A-Z]|[-‐‑]")
# Each ASCII character as one of its kind: small letters with digits, capitals, others.
_KINDS = b"".join(
    b"A" if 65 <= n <= 90 else b"a" if n < 128 and chr(n).isalnum() else b" " for n in range(256)
)
# Not a part of more: the parts of a file name like `how-to-bake-bread` make no word.
_HYPHENED = re.compile(r"(?<![\w‐‑-])[^\W\d_]{1,12}(?:[-‐‑][^\W_]{1,12}){1,2}(?![\w‐‑-])")
_PIECE = re.compile(r"[^\W_]+")
# Punctuation that parts words in any script: beside it most text is ASCII, or ASCII and Han.
_PARTS = "‘’“”„«»…–—·•→←↔×，。、；：？！（）「」『』《》〈〉【】〔〕～\u3000\xa0"
_PLAIN_KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe"
_HAN_RUN = re.compile(f"[\u4e00-\u9fff{_PLAIN_KANA}]+")
_KANA_ONE = re.compile(f"[{_PLAIN_KANA}]")
_OTHER = re.compile(f"[^\x00-\x7f\u4e00-\u9fff{_PLAIN_KANA}{_PARTS}]")
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
     "ى": "ي", "ة": "ه", "’": "'"}
)  # fmt: skip


# Only what none of the quick ways can do pays for the patterns with many ranges.


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<han>[{_HAN}{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<unspaced>[{_UNSPACED}]+)"
        rf"|(?P<picture>[{_PICTURES}])"
        rf"|(?P<word>(?:(?![{_GLUED}_])[\w{_MARKED}\u0300-\u036f]){{1,{_LONGEST}}})"
        r"(?P<sharp>\+\+|#(?![a-z0-9_]))?"
    )


@cache
def _ascii_token() -> re.Pattern[str]:
    return re.compile(r"[a-z0-9]+(?:\+\+|#(?![a-z0-9_]))?")


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


def folded(text: str) -> str:
    """See ``tokens.fold``."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    text = _dropped_marks().sub("", text).translate(_PLAIN_LETTERS)
    return unicodedata.normalize("NFC", text)


def ascii_tokens(text: str) -> list[str]:
    """The words of ASCII text in which ``c++`` and ``c#`` stand."""
    found: list[str] = _ascii_token().findall(text.lower())
    return found


def spaced_script(text: str) -> str:
    """``tokens.spaced`` for text that is not ASCII: as the long way gives, Han last."""
    beyond = " ".join(text.encode("utf-8", "replace").translate(_BEYOND).decode("utf-8").split())
    if not _OTHER.search(beyond):  # most Chinese and Japanese notes, in a tenth of the time
        plain = spaced(text.encode("ascii", "replace").decode("ascii"))
        runs = _HAN_RUN.findall(beyond)
        if not _KANA_ONE.search(beyond):
            return f"{plain} {_singles_and_pairs(' '.join(runs))}" if runs else plain
        parts = [plain]
        for run in runs:
            parts += _KANA_ONE.sub("", run) if len(run) > 1 else run
            parts += map(add, run, run[1:])
        return " ".join(parts)
    if len(text) < _FEW:
        return " ".join(script_tokens(text))
    if len(_spaced) > _MANY:
        _spaced.clear()
    pieces = text.encode("utf-8", "replace").translate(_AS_IS).split()
    return " ".join(map(_spaced.__getitem__, pieces))


def _singles_and_pairs(runs: str) -> str:
    """Every character of ``runs``, then every pair of neighbours, parted by spaces. All characters
    have two bytes in UTF-16, and many are put in their places at once."""
    characters = array("H", runs.encode("utf-16-le"))
    size = 2 * len(characters)
    out = array("H", b" \0" * (size + 3 * len(characters) - 3))
    out[0:size:2] = characters
    out[size::3] = characters[:-1]
    out[size + 1 :: 3] = characters[1:]
    return out.tobytes().decode("utf-16-le")


def script_tokens(text: str, *, singles: bool = True) -> list[str]:
    """The words of any text, in its order, found the long way."""
    out: list[str] = []
    for match in _token().finditer(folded(text)):
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


class _Spaced(dict[bytes, str]):
    """The words of pieces of UTF-8 text without spaces. Stateful: what is short is remembered, as
    most pieces of a text come again."""

    def __missing__(self, piece: bytes) -> str:
        text = piece.decode("utf-8")
        found = spaced(text) if text.isascii() else " ".join(script_tokens(text))
        if len(piece) <= _SHORT:
            self[piece] = found
        return found


_FEW = 60  # characters that are not worth being taken apart
_SHORT = 32  # bytes
_MANY = 50_000
_spaced = _Spaced()
_BEYOND = bytes(32 if n < 128 else n for n in range(256))  # what is beyond ASCII, where it stands
# ASCII letters and digits in lower case, and what may belong to a word with them.
_AS_IS = bytes(
    n if n >= 128 or chr(n) in "_+#" else ord(chr(n).lower()) if chr(n).isalnum() else 32
    for n in range(256)
)


def grams(run: str, *, singles: bool = False) -> list[str]:
    """The pairs of neighbouring characters of a run; with ``singles`` every Han character too."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    if not singles:
        return pairs or [run]
    return [*(one for one in run if not "\u3041" <= one <= "\u30ff" or not pairs), *pairs]


def _syllable_pairs(run: str) -> list[str]:
    parts = _syllable().findall(run)
    return [one + two for one, two in pairwise(parts)] or parts


def compounds_in(text: str) -> list[str]:
    """As ``tokens.compounds``, which is quicker only while the patterns here are not compiled."""
    if text.isascii():
        found = hyphened(text)
        humped = b"aA" in text.encode("ascii").translate(_KINDS)  # a pattern takes eight times
        return [*camel_parts(text), *found] if humped else found
    if not _COMPOUND.search(text):
        return []
    return (camel_parts(text) if _HUMP.search(text) else []) + unhyphened(text)


def camel_parts(text: str) -> list[str]:
    """The words that camel-case words are made of."""
    found: list[str] = []
    for camel in _CAMEL.findall(text):
        found += [part[:_LONGEST].lower() for part in _CAMEL_EDGE.split(camel[:200])]
    return found


def unhyphened(text: str) -> list[str]:
    """The hyphenated words of ``text`` without their hyphens."""
    return [folded(_HYPHEN.sub("", one)) for one in _HYPHENED.findall(text)]


def pieces(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Where each word stands in ``text``, and how it is searched; of text without spaces every
    pair of characters."""
    for match in _PIECE.finditer(text):
        start, piece = match.start(), match[0]
        found = words(piece)
        if piece.isascii() or len(found) < 2:
            yield start, match.end(), found
        else:
            for at in range(max(1, len(piece) - 1)):
                yield start + at, min(start + at + 2, match.end()), words(piece[at : at + 2])


def starts_unspaced(word: str) -> bool:
    """See ``tokens.is_unspaced``."""
    return _unspaced().match(word) is not None
