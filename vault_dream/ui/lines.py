"""Lines of styled pieces: what every list, diff and page of the app is made of.

A piece is (text, style name); style names are those of ``paint``, which gives them colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len, chop_cells

from vault_dream.ui.literal import literal

Piece = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """One row. Rows with the same ``key`` are one item under the cursor; without one they are
    passed over. ``fill`` is the style of the whole row behind the pieces."""

    pieces: tuple[Piece, ...] = ()
    key: str | None = None
    fill: str = ""
    width: int = field(default=0, compare=False)


def line(*parts: Piece | str, key: str | None = None, fill: str = "") -> Line:
    """A row of ``parts``; a bare string has the style ``text``."""
    pieces = tuple(
        (literal(part), "text") if isinstance(part, str) else (literal(part[0]), part[1])
        for part in parts
    )
    return Line(pieces, key, fill)


BLANK = Line()


def plain(row: Line) -> str:
    """The words of a row, without styles."""
    return "".join(text for text, _ in row.pieces)


def columns(
    left: Sequence[Piece | str], right: Sequence[Piece | str], width: int, **options: str | None
) -> Line:
    """A row with ``left`` at its start and ``right`` at its end; ``left`` gives way."""
    end = tuple(line(*right).pieces)
    room = max(1, width - _cells(end) - 2)
    start = cut(line(*left).pieces, room)
    gap = width - _cells(start) - _cells(end)
    return Line((*start, (" " * max(1, gap), "text"), *end), **options)  # type: ignore[arg-type]


def _cells(pieces: Iterable[Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


def cut(pieces: Sequence[Piece], width: int, ellipsis: str = "…") -> tuple[Piece, ...]:
    """``pieces`` in at most ``width`` cells, with an ellipsis where something is left out."""
    if _cells(pieces) <= width:
        return tuple(pieces)
    room = width - cell_len(ellipsis)
    kept: list[Piece] = []
    for text, style in pieces:
        size = cell_len(text)
        if size <= room:
            kept.append((text, style))
            room -= size
            continue
        part = chop_cells(text, room)[0] if room > 0 and text else ""
        kept.append((part.rstrip() + ellipsis, style))
        break
    return tuple(kept)


def pad(pieces: Sequence[Piece], width: int) -> tuple[Piece, ...]:
    """``pieces`` in exactly ``width`` cells."""
    short = cut(pieces, width)
    return (*short, (" " * (width - _cells(short)), "text"))


# Where a line may break: at spaces, and before any wide character but closing punctuation.
_TOKEN = re.compile(
    "(?P<space>[ \t]+)"
    "|[\u2e80-\u303f\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"
    "[，。、；：！？）》」』”’】〉…]*"
    "|[^ \t\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+"
)


def wrap(pieces: Sequence[Piece], width: int, indent: int = 0) -> list[tuple[Piece, ...]]:
    """``pieces`` broken into rows of at most ``width`` cells, later rows indented by ``indent``."""
    width = max(4, width)
    if _cells(pieces) <= width:
        return [tuple(pieces)]
    indent = indent if indent < width - 8 else 0
    rows: list[list[Piece]] = [[]]
    used = 0
    for word, space in _words(pieces):
        size = _cells(word)
        if used + size > width and not (space and not rows[-1]):
            if space:
                continue
            if used > (indent if len(rows) > 1 else 0):
                rows.append([(" " * indent, "text")] if indent else [])
                used = indent
        if size > width - used:
            for part in _chopped(word, width, used):
                if used + _cells(part) > width:
                    rows.append([(" " * indent, "text")] if indent else [])
                    used = indent
                rows[-1].extend(part)
                used += _cells(part)
            continue
        if space and used == indent and len(rows) > 1:
            continue
        rows[-1].extend(word)
        used += size
    return [tuple(row) for row in rows]


def _words(pieces: Sequence[Piece]) -> Iterator[tuple[list[Piece], bool]]:
    """Unbreakable runs of pieces, and whether each is white space."""
    word: list[Piece] = []
    for text, style in pieces:
        for match in _TOKEN.finditer(text):
            token = match[0]
            if match["space"] is not None:
                if word:
                    yield word, False
                    word = []
                yield [(token, style)], True
            elif token[0] >= "\u2e80":
                if word:
                    yield word, False
                word = [(token, style)]
            else:
                if word and word[-1][0][-1] >= "\u2e80":
                    yield word, False
                    word = []
                word.append((token, style))
    if word:
        yield word, False


def _chopped(word: Sequence[Piece], width: int, used: int) -> Iterator[list[Piece]]:
    """A word that is too long for a row, in parts that fit."""
    room = max(1, width - used)
    for text, style in word:
        while text:
            part = chop_cells(text, room)[0] or text[:1]
            yield [(part, style)]
            text = text[len(part) :]
            room = width


def wrapped(
    parts: Sequence[Piece | str],
    width: int,
    *,
    indent: int = 0,
    first: Sequence[Piece | str] = (),
    key: str | None = None,
    fill: str = "",
) -> list[Line]:
    """Rows of ``parts`` behind ``first``; later rows are indented as far as ``first`` reaches."""
    head = line(*first).pieces
    margin = _cells(head)
    rows = wrap(line(*parts).pieces, width - margin, indent)
    lead: tuple[Piece, ...] = ((" " * margin, "text"),) if margin else ()
    return [
        Line((*(head if i == 0 else lead), *row), key=key, fill=fill) for i, row in enumerate(rows)
    ]
