"""The quick way to headings and opaque spans, for the many notes whose structure is simple.

A pass over every line costs many times what reading the file costs. Here one pattern stops only at
the lines that matter, and a body that holds more than headings, fences, inline code and comments at
their plainest is left to ``scanner.py``, which gives the same answer to what is answered here (the
tests hold the two together). A search for one character is nearly free, one for two is not: hence
the tests for one character before all others.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from vault_dream.engine.vault.inline import OPENER
from vault_dream.engine.vault.structure import Heading, Span, atx_heading


class Sketch(NamedTuple):
    """A body's headings and inline spans; without ``tables`` there is surely none."""

    headings: tuple[Heading, ...]
    opaque: tuple[Span, ...]
    hidden: tuple[Span, ...]
    tables: bool


CLOSERS = {"%%": "%%", "<!--": "-->", "<%": "%>"}
# The beginnings of script, style, pre and textarea: no Markdown follows, wherever these stand
RAW_HTML = re.compile(r"<(?:[sS][cC][rR]|[sS][tT][yY]|[pP][rR][eE]|[tT][eE][xX])")
# The lines that matter: 2 a heading (1 its marks), 4 a fence (3 its marks), 5 what only the full
# pass understands (a line under prose that makes it a heading, an indented heading, HTML), 6 what
# may be a table's second line, 7 what may be indented code.
LINE = re.compile(
    r"\n(?=[#\-=|:` \t<])(?:(#{1,6})(?=[ \t\n]|\Z)([^\n]*)"
    r"|(`{3,})([^`\n]*)(?=\n|\Z)"
    r"|((?<=[^\n]\n) {0,3}(?:-+|=+)[ \t]*(?=\n|\Z)"
    r"| {1,3}\#| {0,3}<(?!https?:)(?:[A-Za-z/]|!(?!--)))"
    r"|([ \t]*(?:\|[ \t]*:?-|:?-+:?[ \t]*\|))"
    r"|((?: {4}| {0,3}\t)[ \t]*(?=[^ \t\n])))"
)
# A line under which an indented line goes on with a paragraph or a list, whatever it holds: prose,
# perhaps in a list item, that starts no block of another kind.
PROSE = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]) +)?(?!\d{1,9}[.)](?:\s|\Z))"
    r"(?:[^\s#>*+\-_`~|:<$%=\^]|\#[^\s#]|\*\*?(?:[^\W_]|\[\[))"
)

# List items at odd columns, numbered ones inside others, wide markers: what is indented under them
# may stand outside all of them, and so be code.
ODD_ITEM = re.compile(
    r"\n(?=[ \t\-*+\d])(?:\t*+(?: {2})*+ [-*+\d]| +\t|[ \t]*+(?:[-*+]|\d++[.)])(?: {2}|\t)"
    r"|\d\d++[.)][ \t]|[ \t]++\d++[.)][ \t])"
)


def sketch(text: str, body_start: int, first_line: int) -> Sketch | None:
    """Return the sketch of the body, or None when it is not simple."""
    # the newline before the body makes its first line like every other
    body = "\n" + text[body_start:]
    if "\r" not in body:
        return _sketch(body, body_start - 1, first_line)
    pairs = body.count("\r\n")
    if pairs != body.count("\r") or pairs + 1 != body.count("\n"):
        return None
    body = body.replace("\r\n", "\n")
    found = _sketch(body, 0, first_line)
    return None if found is None else _with_returns(found, body, body_start - 1)


def _sketch(body: str, shift: int, first_line: int) -> Sketch | None:
    if "~" in body and "~~~" in body:
        return None
    if "<" in body and (RAW_HTML.search(body) or _mixed_templates(body)):
        return None
    lines = _lines(body, first_line)
    if lines is None:
        return None
    headings, fences, tables, indented = lines
    closed: tuple[list[tuple[int, int]], list[tuple[int, int]]] | None = (fences, [])
    if ("%" in body and ("%%" in body or "<%" in body)) or ("<" in body and "<!--" in body):
        closed = _in_lines(body, fences)
    elif "`" in body:
        closed = _inline_code(body, fences)
    if closed is None:
        return None
    opaque, hidden = closed
    if "$" in body and body.count("$") > 1 and _may_be_math(body, opaque):
        return None
    if hidden and indented:
        return None  # where a comment ends on the line above, it may be code after all
    if hidden and headings:
        headings = [one for one in headings if not _inside(one[2], hidden)]
    return Sketch(
        tuple([Heading(a, b, start + shift, end + shift, n) for a, b, start, end, n in headings])
        if headings
        else (),
        tuple([Span(start + shift, end + shift) for start, end in opaque]) if opaque else (),
        tuple([Span(start + shift, end + shift) for start, end in hidden]) if hidden else (),
        tables,
    )


def _may_be_math(body: str, opaque: list[tuple[int, int]]) -> bool:
    """Whether some dollar stands outside of code, from where math could reach into it."""
    at = body.find("$")
    while at >= 0:
        place = bisect_left(opaque, (at + 1,)) - 1
        if place < 0 or at >= opaque[place][1]:
            return True
        at = body.find("$", opaque[place][1])
    return False


def _mixed_templates(body: str) -> bool:
    """Whether there is Templater code whose opener may be escaped or stand in a comment."""
    return "<%" in body and ("%%" in body or "\\<%" in body)


def _lines(
    body: str, first_line: int
) -> tuple[list[tuple[int, str, int, int, int]], list[tuple[int, int]], bool, bool] | None:
    """The headings, the fenced blocks' spans, whether there may be tables, whether indented lines.

    None when the body is not simple: a fence that is not at column 0 is not, for one.
    """
    headings: list[tuple[int, str, int, int, int]] = []
    fences: list[tuple[int, int]] = []
    tables = indented = False
    mark, opened, seen = "", 0, 0
    line, counted = first_line, 1
    for found in LINE.finditer(body):
        what = found.lastindex
        if what == 4:
            seen += 1
            if not mark:
                mark, opened = found[3], found.start() + 1
            elif len(found[3]) >= len(mark) and not found[4].strip(" \t"):
                fences.append((opened, found.end()))
                mark = ""
        elif mark:
            continue
        elif what == 2:
            start, end = found.start() + 1, found.end()
            line += body.count("\n", counted, start)
            counted = start
            text = found[2].strip(" \t")
            atx = (len(found[1]), text) if text[-1:] != "#" else atx_heading(body[start:end])
            if atx is None:
                return None
            headings.append((*atx, start, end, line))
        elif what == 7:
            indented = True
            start = found.start()
            above = body.rfind("\n", 0, start) + 1
            if not PROSE.match(body, above, start) or body[found.end()] == ">":
                return None
        elif what == 6:
            tables = True
            if found[6][0] in " \t":
                return None  # may be code, too
        else:
            return None
    if mark:
        fences.append((opened, len(body) - 1 if body.endswith("\n") else len(body)))
    if indented and ODD_ITEM.search(body):
        return None
    if "`" in body and seen != body.count("```"):
        return None
    return headings, fences, tables, indented


def _inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    place = bisect_left(spans, (offset + 1,)) - 1
    return place >= 0 and offset < spans[place][1]


def _with_returns(found: Sketch, body: str, shift: int) -> Sketch:
    """The sketch of a body with returns, from that of the ``body`` without them."""
    if not (found.headings or found.opaque or found.hidden):
        return found
    # the first break is the one before the body, and the last line ends with none
    breaks = [at - 1 for at in accumulate([len(line) + 1 for line in body.split("\n")])][1:-1]

    def moved(offset: int) -> int:
        return offset + bisect_left(breaks, offset) + shift

    return Sketch(
        tuple(
            [Heading(a, b, moved(start), moved(end), n) for a, b, start, end, n in found.headings]
        ),
        tuple([Span(moved(start), moved(end)) for start, end in found.opaque]),
        tuple([Span(moved(start), moved(end)) for start, end in found.hidden]),
        found.tables,
    )


def _inline_code(
    body: str, fences: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
    """The opaque spans of a body in which only backticks open any; no hidden ones.

    None when a run of backticks is not closed on its line.
    """
    opaque: list[tuple[int, int]] = []
    place = position = line_end = 0
    while (start := body.find("`", position)) >= 0:
        if place < len(fences) and fences[place][0] <= start:
            opaque.append(fences[place])
            position = fences[place][1]
            place += 1
            continue
        before = start
        while body[before - 1] == "\\":
            before -= 1
        if (start - before) % 2:
            position = start + 1
            continue
        position = start + 1
        while body[position : position + 1] == "`":
            position += 1
        if line_end < position:
            line_end = body.find("\n", position)
            line_end = len(body) if line_end < 0 else line_end
        end = _after_run(body, body[start:position], position, line_end)
        if end < 0:
            return None
        opaque.append((start, end))
        position = end
    return opaque, []


def _in_lines(
    body: str, fences: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
    """The (opaque, hidden) spans; None when one that opens is not closed on its line."""
    opaque: list[tuple[int, int]] = []
    hidden: list[tuple[int, int]] = []
    place = position = line_end = 0
    while (found := OPENER.search(body, position)) is not None:
        start, position = found.span()
        while place < len(fences) and fences[place][1] <= start:
            opaque.append(fences[place])
            place += 1
        if place < len(fences) and fences[place][0] <= start:
            position = fences[place][1]
            continue
        mark = found[0]
        if mark[0] in "\\[]h$":
            continue
        if line_end < position:
            line_end = body.find("\n", position)
            line_end = len(body) if line_end < 0 else line_end
        if mark[0] == "`":
            end = _after_run(body, mark, position, line_end)
        else:
            end = body.find(CLOSERS[mark], position, line_end)
            end += len(CLOSERS[mark]) if end >= 0 else 0
        if end < 0 and mark == "%%" and body[start - 1] == "\n":
            end = _comment_end(body, position)
            if place < len(fences) and fences[place][0] < end:
                return None
        if end < 0:
            return None
        (hidden if mark == "%%" else opaque).append((start, end))
        position = end
    return opaque + fences[place:], hidden


def _comment_end(body: str, position: int) -> int:
    """Where a comment that starts a line ends: after the next ``%%``, or with the last line."""
    end = body.find("%%", position)
    if end >= 0:
        return end + 2
    return len(body) - 1 if body.endswith("\n") else len(body)


def _after_run(body: str, mark: str, start: int, end: int) -> int:
    """The offset after the first run of exactly these backticks, -1 when there is none."""
    at = body.find(mark, start, end)
    while at >= 0:
        after = at + len(mark)
        while after < end and body[after] == "`":
            after += 1
        if after - at == len(mark):
            return after
        at = body.find(mark, after, end)
    return -1
