"""The quick way to headings and opaque spans, for the many notes whose structure is simple.

A pass over every line costs many times what reading the file costs. Here one pattern stops only at
the lines that matter, and a body that holds more than headings, fences, HTML, inline code and
comments at their plainest is left to ``scanner.py``, which gives the same answer to what is
answered here (the tests hold the two together). A search for one character is nearly free, one for
two is not: hence the tests for one character before all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from vault_dream.engine.vault.sketch_inline import Pairs, in_lines, inline_code, inside, may_be_math
from vault_dream.engine.vault.soundness import SOUND
from vault_dream.engine.vault.structure import Heading, Span, atx_heading


class Sketch(NamedTuple):
    """A body's headings and inline spans; without ``tables`` there is surely none."""

    headings: tuple[Heading, ...]
    opaque: tuple[Span, ...]
    hidden: tuple[Span, ...]
    tables: bool


class _Lines(NamedTuple):
    """What the lines of a body hold: headings, with offsets in the note; with offsets in the body
    the fenced blocks; whether there may be tables, indented lines, HTML."""

    headings: list[Heading]
    fences: Pairs
    tables: bool
    indented: bool
    html: bool


# The beginnings of script, style, pre and textarea: no Markdown follows, wherever these stand
RAW_HTML = re.compile(r"<(?:[sS][cC][rR]|[sS][tT][yY]|[pP][rR][eE]|[tT][eE][xX])")
# The lines that matter: 2 a heading (1 its marks), 4 and 6 a fence (3 and 5 its marks), 7 a whole
# fenced block in a quote, 8 a line that makes a heading of the prose above it, 9 HTML, 10 an
# indented heading, 11 what may be a table's second line, 12 what may be indented code.
LINE = re.compile(
    r"\n(?=[#\-=|:`~> \t<])(?:(#{1,6})(?=[ \t\n]|\Z)([^\n]*)"
    r"|(`{3,})([^`\n]*)(?=\n|\Z)"
    r"|(~{3,})([^\n]*)"
    r"|> ?(`{3,})[^`\n]*(?:\n>(?![ \t]*`{3})[^\n]*)*+\n> {0,3}\7`*+[ \t]*(?=\n|\Z)"
    r"|((?<=[^\n]\n) {0,3}(?:-+|=+)[ \t]*(?=\n|\Z))"
    r"|( {0,3}<(?!https?:)(?:[A-Za-z/]|!(?!--)))"
    r"|( {1,3}\#)"
    r"|([ \t]*(?:\|[ \t]*:?-|:?-+:?[ \t]*\|))"
    r"|((?: {4}| {0,3}\t)[ \t]*(?=[^ \t\n])))"
)
BACKTICKS, TILDES, QUOTED, UNDERLINE, HTML, TABLE, INDENTED = 4, 6, 7, 8, 9, 11, 12
BLANK = re.compile(r"\n[ \t]*(?=\n|\Z)")
# A line under which an indented line goes on with a paragraph or a list, whatever it holds: prose,
# perhaps in a list item, that starts no block of another kind.
PROSE = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]) +)?(?!\d{1,9}[.)](?:\s|\Z))"
    r"(?:[^\s#>*+\-_`~|:<$%=\^]|\#[^\s#]|\*\*?(?:[^\W_]|\[\[))"
)
# An indented line is code after all where it stands between the columns of an item's marker and of
# its content, and so outside of the item. That cannot be where all columns are even and all bullets
# have one blank after them; nor where a numbered item stands at column 0, or all at fours.
MARK = r"(?:[-*+]|\d++[.)])"
ODD_ITEM = re.compile(
    r"\n(?=[ \t\-*+\d])(?: +\t"
    rf"|(?:\t++(?: {{2}})*+|(?: {{2}})++) (?:[-*+\d\#>~<$%]|`{{3}})"
    rf"| (?:\d{{2,}}+[.)]|{MARK}(?: {{2}}| ?\t))|[ \t]++(?:\d{{3,}}+[.)]|{MARK}(?: {{2}}| ?\t))"
    rf"|(?:[-*+] {{4}}|\d[.)] {{3}}|\d\d[.)] {{2}}|\d{{3,}}+[.)]|{MARK} *\t)"
    rf"|[ \t]*+{MARK} +{MARK}[ \t])"
)
NUMBERED_INSIDE = re.compile(r"\n[ \t]++\d++[.)] ")
HALF_WAY = re.compile(r"\n(?:(?:\t| {4})++ {2}(?=[^ \t\n])| {2}\d)")
# A line that surely is no paragraph outside lists: a quote, or an item with something in it.
NO_PARAGRAPH = re.compile(r">|[-*+] [^\s]")
WORD = re.compile(r"[A-Za-z]")


def sketch(text: str, body_start: int, first_line: int) -> Sketch | None:
    """Return the sketch of the body, or None when it is not simple."""
    if not SOUND:
        return None
    # the newline before the body makes its first line like every other
    body = "\n" + text[body_start:]
    if "\r" not in body:
        return _sketch(body, body_start - 1, first_line)
    size = len(body)
    body = body.replace("\r\n", "\n")
    if "\r" in body or size - len(body) != body.count("\n") - 1:
        return None
    found = _sketch(body, body_start - 1, first_line)
    return None if found is None else _with_returns(found, body, body_start - 1, first_line)


def _sketch(body: str, shift: int, first_line: int) -> Sketch | None:
    """The sketch of a body without returns; ``shift`` is added to its offsets."""
    angle = "<" in body
    if angle and (RAW_HTML.search(body) or _mixed_templates(body)):
        return None
    lines = _lines(body, shift, first_line)
    if lines is None:
        return None
    headings, opaque, tables, indented, html = lines
    hidden: Pairs = []
    if ("%" in body and ("%%" in body or "<%" in body)) or (angle and "<!--" in body):
        closed = in_lines(body, opaque, html)
        if closed is None:
            return None
        opaque, hidden, long = closed
        if long:
            if indented:
                return None  # where a comment ends on the line above, it may be code after all
            headings = [one for one in headings if not inside(one.start - shift, hidden)]
            headings = [one for one in headings if not inside(one.start - shift, opaque)]
    elif "`" in body:
        code = inline_code(body, opaque)
        if code is None:
            return None
        opaque = code
    if "$" in body and body.count("$") > 1 and may_be_math(body, opaque, html):
        return None
    new = tuple.__new__  # a third of the time that ``Span(...)`` takes
    return Sketch(
        tuple(headings),
        tuple([new(Span, (start + shift, end + shift)) for start, end in opaque]) if opaque else (),
        tuple([new(Span, (start + shift, end + shift)) for start, end in hidden]) if hidden else (),
        tables,
    )


def _mixed_templates(body: str) -> bool:
    """Whether there is Templater code whose opener may be escaped or stand in a comment."""
    return "<%" in body and ("%%" in body or "\\<%" in body)


def _lines(body: str, shift: int, first_line: int) -> _Lines | None:
    """What the lines hold; None when the body is not simple: an indented fence is not, for one."""
    headings: list[Heading] = []
    fences: Pairs = []
    tables = indented = False
    mark, opened, ticks, tildes, quiet = "", 0, 0, 0, 0
    line, counted = first_line, 1
    new, count = tuple.__new__, body.count  # a third of the time that ``Heading(...)`` takes
    for found in LINE.finditer(body):
        what = found.lastindex
        start, end = found.span()
        if start < quiet and what != HTML:
            return None  # until a blank line it may stand in HTML
        if what == 2 and not mark:
            marks, text = found.group(1, 2)
            start += 1
            line += count("\n", counted, start)
            counted = start
            text = text.strip(" \t")
            if text[-1:] == "#":
                atx = atx_heading(body[start:end])
                if atx is None:
                    return None
                level, text = atx
            else:
                level = len(marks)
            headings.append(new(Heading, (level, text, start + shift, end + shift, line)))
        elif what in (BACKTICKS, TILDES):
            marks, info = found.group(what - 1, what)
            ticks += what == BACKTICKS
            tildes += what == TILDES
            if not mark:
                mark, opened = marks, start + 1
            elif marks.startswith(mark) and not info.strip(" \t"):
                fences.append((opened, end))
                mark = ""
        elif mark:
            ticks += 2 * (what == QUOTED)
        elif what == INDENTED:
            indented = True
            above = body.rfind("\n", 0, start) + 1
            if not PROSE.match(body, above, start) or body[end] == ">":
                return None
        elif what == QUOTED:
            ticks += 2
            fences.append((found.start(QUOTED), end))
        elif what == UNDERLINE:
            ends = (headings and headings[-1].end == start + shift) or (
                fences and fences[-1][1] == start
            )
            if ends:
                continue
            above = body.rfind("\n", 0, start) + 1
            if NO_PARAGRAPH.match(body, above):
                continue
            if not WORD.match(body, above) or (above > 1 and body[above - 2] != "\n"):
                return None  # perhaps prose of several lines, perhaps in a list
            line += count("\n", counted, above)
            counted = above
            level = 1 if "=" in found[UNDERLINE] else 2
            text = " ".join(body[above:start].split())
            headings.append(new(Heading, (level, text, above + shift, end + shift, line)))
        elif what == TABLE:
            tables = True
            if found[TABLE][0] in " \t":
                return None  # may be code, too
        elif what == HTML:
            if start >= quiet:
                blank = BLANK.search(body, end)
                quiet = blank.start() + 1 if blank else len(body)
        else:
            return None
    if mark:
        fences.append((opened, len(body) - 1 if body.endswith("\n") else len(body)))
    if indented and _code_may_be(body):
        return None
    if "`" in body and ticks != body.count("```"):
        return None  # a fence that is indented, in an item, or in a quote of another shape
    if "~" in body and tildes != body.count("~~~"):
        return None
    return _Lines(headings, fences, tables, indented, quiet > 0)


def _code_may_be(body: str) -> bool:
    """Whether an indented line may stand outside of the items above it, and so be code."""
    return bool(ODD_ITEM.search(body) or (NUMBERED_INSIDE.search(body) and HALF_WAY.search(body)))


def _with_returns(found: Sketch, body: str, before: int, first_line: int) -> Sketch:
    """The sketch of a body with returns, from that of the ``body`` without them."""
    headings, opaque, hidden, tables = found
    if not (headings or opaque or hidden):
        return found
    new = tuple.__new__
    moved: list[Heading] = []
    for level, text, start, end, line in headings:
        returns = line - first_line
        below = body[start - before] != "#"  # the heading has a second line
        moved.append(new(Heading, (level, text, start + returns, end + returns + below, line)))
    return Sketch(tuple(moved), _moved(opaque, body, before), _moved(hidden, body, before), tables)


def _moved(spans: Sequence[tuple[int, int]], body: str, before: int) -> tuple[Span, ...]:
    """The spans in order, each end moved on by the returns of the lines before it."""
    moved: list[Span] = []
    returns, counted = 0, 1
    for start, end in spans:
        returns += body.count("\n", counted, start - before)
        begin = start + returns
        counted = end - before
        returns += body.count("\n", start - before, counted)
        moved.append(Span(begin, end + returns))
    return tuple(moved)
