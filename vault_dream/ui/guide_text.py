"""A page of the guide as rows: paragraphs filled, tables in columns, transcripts as they are.

Notes are shown line by line as their owners wrote them (:mod:`vault_dream.ui.rendered`); the
guide's lines are broken for its source only, so here they are joined first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from vault_dream.ui.lines import BLANK, Line, Piece, pad, plain, wrap
from vault_dream.ui.literal import literal
from vault_dream.ui.rendered import WIDEST, inline, rendered

_BEGINS = re.compile(r"(#{1,6} |\s*([-*+]|\d+[.)])\s|>|$)")
"""A line that does not go on with the one before it."""
_CELL = re.compile(r"(?<!\\)\|")
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_ADDRESS = re.compile(r"(?<!!)\[([^\]]+)\]\([^)]*\)")
GAP = "  "
NARROWEST = 6
"""Cells of a table's column that has to give way; a table that needs more room is told in words."""


def guide_rows(text: str, width: int) -> list[Line]:
    """The rows of a page of Markdown as the guide uses it, none wider than ``width``."""
    whole, width = max(24, width), max(24, min(width, WIDEST))
    rows: list[Line] = [BLANK]
    for kind, lines in _parts(text.splitlines()):
        if kind == "code":
            for one in lines:
                rows += [
                    Line((("    ", "text"), *row))
                    for row in wrap([(literal(one), "code")], width - 4)
                ]
        elif kind == "table":
            rows += _table(lines, whole)
        else:
            for one in _joined(lines):
                rows += rendered(one, width)[1:] or [BLANK]
    return rows


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Runs of lines of a kind: ``code`` (without its fences), ``table`` or ``prose``."""
    inside = False
    kinds: list[tuple[str, str]] = []
    for one in lines:
        if one.startswith("```"):
            inside = not inside
        elif inside:
            kinds.append(("code", one))
        elif not one.startswith("<!--"):
            kinds.append(("table" if one.startswith("|") else "prose", one))
    for kind, run in groupby(kinds, key=lambda pair: pair[0]):
        yield kind, [one for _, one in run]


def _joined(lines: Sequence[str]) -> list[str]:
    """Each paragraph and each item of a list in one line."""
    found: list[str] = []
    for one in lines:
        words = _ADDRESS.sub(r"\1", _PICTURE.sub(r"(a picture: \1)", one))
        if _BEGINS.match(words) or not found or _ends(found[-1]):
            found.append(words)
        else:
            found[-1] += " " + words.strip()
    return found


def _ends(before: str) -> bool:
    return not before or before.startswith("#")


def _table(lines: Sequence[str], width: int) -> list[Line]:
    """A table in columns: its head strong, long cells on several rows. Where it does not fit, each
    row is a paragraph that names the columns."""
    cells = [
        [inline(cell.strip().replace(r"\|", "|"), "text") for cell in _CELL.split(one)[1:-1]]
        for one in lines
        if not re.fullmatch(r"[|:\- ]+", one) or one == lines[0]
    ]
    if not any("".join(text for text, _ in cell).strip() for cell in cells[0]):
        cells = cells[1:]
    else:
        cells[0] = [[(text, "strong") for text, _ in cell] for cell in cells[0]]
    count = max(map(len, cells), default=0)
    cells = [[*row, *([[("", "text")]] * (count - len(row)))] for row in cells]
    widths = _widths(
        [max(_width(row[column]) for row in cells) for column in range(count)],
        width - len(GAP) * count,
    )
    if sum(widths) > width - len(GAP) * count:
        return [one for row in cells[1:] for one in _told(cells[0], row, width)]
    return [one for row in cells for one in _row(row, widths)]


def _widths(wanted: Sequence[int], room: int) -> list[int]:
    """What each column gets: all it wants, or the widest give way."""
    given = list(wanted)
    while sum(given) > room and max(given) > NARROWEST:
        given[given.index(max(given))] -= 1
    return given


def _row(cells: Sequence[Sequence[Piece]], widths: Sequence[int]) -> Iterator[Line]:
    broken = [wrap(cell, size) for cell, size in zip(cells, widths, strict=True)]
    for number in range(max(map(len, broken))):
        pieces: list[Piece] = []
        for rows, size in zip(broken, widths, strict=True):
            here = rows[number] if number < len(rows) else ()
            pieces += [(GAP, "text"), *pad(here, size)]
        yield Line(tuple(pieces))


def _told(
    heads: Sequence[Sequence[Piece]], cells: Sequence[Sequence[Piece]], width: int
) -> Iterator[Line]:
    pieces: list[Piece] = []
    for head, cell in zip(heads, cells, strict=True):
        pieces += [("; " if pieces else "", "muted"), *head, (" ", "text"), *cell]
    for row in wrap(pieces, width - len(GAP), len(GAP)):
        yield Line(((GAP, "text"), *row))


def _width(pieces: Sequence[Piece]) -> int:
    return cell_len(plain(Line(tuple(pieces))))
