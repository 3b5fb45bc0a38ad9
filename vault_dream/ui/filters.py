"""The last look at every row before it goes to the terminal, whichever widget drew it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from vault_dream.engine.vault.plain import INVISIBLE

_SIGNS = {
    **{"…": ".", "↑": "^", "↓": "v", "→": ">", "←": "<", "─": "-", "━": "-", "·": ".", "•": "*"},
    **{"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "×": "x", "▌": "|"},
    **{"█": "#", "▔": "-", "▁": "_", "▏": "|", "▕": "|", "│": "|", "┃": "|", "✓": "v", "✗": "x"},
    **{"\u00a0": " ", "ß": "s", "æ": "a", "œ": "o", "ø": "o", "đ": "d", "ł": "l", "€": "E"},
}
NO_SIGN = "?"


class Harmless(LineFilter):
    """Takes out what would act on a terminal. Our own lines hold nothing of it; an editor's or a
    field's may."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(part.text.isascii() and part.text.isprintable() for part in segments):
            return segments
        return [
            part if part.control else Segment(harmless(part.text), part.style) for part in segments
        ]


class AsciiOnly(LineFilter):
    """Puts an ASCII sign of the same width for every other one, for terminals with nothing else."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(part.text.isascii() for part in segments):
            return segments
        return [
            part if part.control else Segment(as_ascii(part.text), part.style) for part in segments
        ]


def harmless(text: str) -> str:
    """``text``, as wide as it was, without what acts."""
    return text if not INVISIBLE.search(text) else _as_wide(INVISIBLE.sub("", text), text)


def _as_wide(shown: str, text: str) -> str:
    return shown + " " * (cell_len(text) - cell_len(shown))


def as_ascii(text: str) -> str:
    """``text`` in ASCII and as wide as it was: letters without their marks, a question mark for
    each cell of what has no likeness."""
    if text.isascii():
        return text
    # Signs that join take fewer cells together than each for itself.
    return _as_wide("".join(map(_as_ascii, text))[: cell_len(text)], text)


@lru_cache(maxsize=4096)
def _as_ascii(sign: str) -> str:
    if sign.isascii():
        return sign
    width = cell_len(sign)
    if width != 1:
        return NO_SIGN * width
    known = _SIGNS.get(sign) or _SIGNS.get(sign.lower(), "").upper()
    if known:
        return known
    bare = unicodedata.normalize("NFKD", sign)[:1]
    return bare if bare.isascii() and bare.isprintable() else NO_SIGN
