"""The quick way to headings and opaque spans, for the many notes whose structure is simple.

A pass over every line costs many times what reading the file costs. Here a handful of substring
searches prove that a body holds nothing but headings, fences and inline code at their plainest;
anything else is left to ``scanner.py``, which gives the same answer to what is answered here
(the tests hold the two together).
"""

from __future__ import annotations

import re

from vault_dream.engine.vault.inline import OPENER
from vault_dream.engine.vault.structure import Heading, Span, atx_heading

Sketch = tuple[tuple[Heading, ...], tuple[Span, ...], tuple[Span, ...]]

# What only the full pass understands: other line ends, tildes, display math, indented headings.
HARD = ("\r", "~~~", "$$", "\n #", "\n  #", "\n   #")
UNDERLINE = re.compile(r"\n {0,3}(?:-+|=+)[ \t]*(?=\n|\Z)")
MARKS = ("`", "%%", "<!--", "<%")
CLOSERS = {"%%": "%%", "<!--": "-->", "<%": "%>"}
HTML = re.compile(r"\n {0,3}<(?:[A-Za-z/]|!(?!--))")
# The beginnings of script, style, pre and textarea: no Markdown follows, wherever these stand
RAW_HTML = re.compile(r"<(?:[sS][cC][rR]|[sS][tT][yY]|[pP][rR][eE]|[tT][eE][xX])")
HEADING = re.compile(r"\n(#{1,6}(?=[ \t\n]|\Z)[^\n]*)")
FENCE_LINE = re.compile(r"\n(`{3,})([^`\n]*)(?=\n|\Z)")
INDENTED = re.compile(r"\n(?:    |\t| \t|  \t|   \t)[ \t]*(?=[^\s])")
# A line under which an indented line goes on with a paragraph or a list, whatever it holds.
PROSE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]) +)?(?:\[.\] )?[^\W_]")


def sketch(text: str, body_start: int, first_line: int) -> Sketch | None:
    """Return the body's (headings, opaque spans, hidden spans), or None when it is not simple."""
    # the newline before the body makes its first line like every other
    body = "\n" + text[body_start:]
    for needle in HARD:
        if needle in body:
            return None
    if "<" in body and (HTML.search(body) or RAW_HTML.search(body)):
        return None
    if body.count("$") > 1 or _may_be_setext(body):
        return None
    fences = _fences(body) if "```" in body else []
    if fences is None or _may_be_indented_code(body, fences):
        return None
    closed: tuple[list[tuple[int, int]], list[tuple[int, int]]] | None = (fences, [])
    if any(mark in body for mark in MARKS):
        closed = _in_lines(body, fences)
    if closed is None:
        return None
    shift = body_start - 1
    headings: tuple[Heading, ...] = ()
    if "\n#" in body:
        headings = _headings(body, sorted(fences + closed[1]), shift, first_line)
    opaque, hidden = (
        tuple([Span(start + shift, end + shift) for start, end in spans]) for spans in closed
    )
    return headings, opaque, hidden


def _may_be_setext(body: str) -> bool:
    """Whether a line of dashes stands right under another line that is not blank."""
    return any(
        found.start() > 0 and body[found.start() - 1] != "\n" for found in UNDERLINE.finditer(body)
    )


def _fences(body: str) -> list[tuple[int, int]] | None:
    """The spans of the fenced blocks, all at column 0; None when a fence may stand elsewhere."""
    fences: list[tuple[int, int]] = []
    mark, start, seen = "", 0, 0
    for found in FENCE_LINE.finditer(body):
        seen += 1
        if not mark:
            mark, start = found[1], found.start() + 1
        elif len(found[1]) >= len(mark) and not found[2].strip(" \t"):
            fences.append((start, found.end()))
            mark = ""
    if mark:
        fences.append((start, len(body) - 1 if body.endswith("\n") else len(body)))
    return fences if seen == body.count("```") else None


def _may_be_indented_code(body: str, fences: list[tuple[int, int]]) -> bool:
    if "\n    " not in body and "\t" not in body:
        return False
    place = 0
    for found in INDENTED.finditer(body):
        while place < len(fences) and fences[place][1] <= found.start():
            place += 1
        if place < len(fences) and fences[place][0] <= found.start():
            continue
        above = body.rfind("\n", 0, found.start()) + 1
        if not PROSE.match(body, above, found.start()):
            return True
    return False


def _in_lines(
    body: str, fences: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
    """The (opaque, hidden) spans; None when one that opens is not closed on its line."""
    opaque: list[tuple[int, int]] = []
    hidden: list[tuple[int, int]] = []
    place = position = 0
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


def _headings(
    body: str, closed: list[tuple[int, int]], shift: int, first_line: int
) -> tuple[Heading, ...]:
    """The headings that stand in none of the ``closed`` spans."""
    headings: list[Heading] = []
    line, counted, place = first_line, 1, 0
    for found in HEADING.finditer(body):
        start, end = found.span(1)
        while place < len(closed) and closed[place][1] <= start:
            place += 1
        if place < len(closed) and closed[place][0] <= start:
            continue
        line += body.count("\n", counted, start)
        counted = start
        atx = atx_heading(found[1])
        if atx is not None:
            headings.append(Heading(*atx, start + shift, end + shift, line))
    return tuple(headings)
