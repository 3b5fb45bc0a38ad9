"""The spans inside the lines of a body that ``sketch.py`` takes to be simple.

Offsets are those of the body. Each function gives up on a span that opens and is not closed on its
line, save for a comment that has its first line to itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from vault_dream.engine.vault.inline import MATH_END, OPENER

Pairs = list[tuple[int, int]]

CLOSERS = {"%%": "%%", "<!--": "-->", "<%": "%>"}
LINE_OPENERS = ("%%", "<!--")  # these go on over whole lines
# Inline code that holds no backticks; or (2) backticks that may open some or not. A pattern is
# searched for five times as fast if it begins with a certain character, which "`+" does not.
CODE = re.compile(r"(``*)(?:[^`\n]+\1(?!`)|())")


# Where a block ends for certain, if none of HTML is there.
BLOCK_END = re.compile(r"\n(?:\n|[-*+] [^\s])")


def may_be_math(body: str, opaque: Pairs, html: bool) -> bool:
    """Whether a dollar outside of code may open math: another one in its block, in code or not,
    may close it."""
    at = body.find("$")
    end = spent = 0  # of the block; before the second no dollar may close math
    while at >= 0:
        place = bisect_left(opaque, (at + 1,)) - 1
        if place >= 0 and at < opaque[place][1]:
            at = body.find("$", opaque[place][1])
            continue
        if at >= end:
            found = None if html else BLOCK_END.search(body, at)
            end = found.start() if found else len(body)
        after = body[at + 1 : at + 2]
        if after == "$":
            return True
        if at >= spent:
            closer = MATH_END.search(body, at + 1, end)
            spent = end if closer is None else closer.start()
        if at < spent < end and not after.isspace():
            return True
        at = body.find("$", at + 1)
    return False


def inside(offset: int, spans: Pairs) -> bool:
    place = bisect_left(spans, (offset + 1,)) - 1
    return place >= 0 and offset < spans[place][1]


def inline_code(body: str, fences: Pairs) -> Pairs | None:
    """The opaque spans of a body in which only backticks open any, fenced blocks among them."""
    if "\\" in body and "\\`" in body:
        found = in_lines(body, fences, False)
        return None if found is None else found[0]
    opaque: Pairs = []
    at = 0
    for fence in (*fences, (len(body), 0)):
        for code in CODE.finditer(body, at, fence[0]):
            if code.lastindex == 2:  # backticks of several lengths, or none that close
                found = in_lines(body, fences, False)
                return None if found is None else found[0]
            opaque.append(code.span())
        if fence[1]:
            opaque.append(fence)
            at = fence[1]
    return opaque


def in_lines(body: str, fences: Pairs, html: bool) -> tuple[Pairs, Pairs, bool] | None:
    """The (opaque, hidden) spans of a body, perhaps one with HTML; whether one has whole lines."""
    opaque: Pairs = []
    hidden: Pairs = []
    long = False
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
        if end < 0 and mark[0] == "`":
            block_end = body.find("\n\n", position)
            if _after_run(body, mark, position, len(body) if block_end < 0 else block_end) < 0:
                continue  # nothing closes it in its block
        if end < 0 and mark in LINE_OPENERS and body[start - 1] == "\n":
            if html:
                return None  # the comment may stand in it, and end where it does
            long = True
            end = _comment_end(body, CLOSERS[mark], position)
            while place < len(fences) and fences[place][0] < end:
                if fences[place][1] > end:
                    return None
                place += 1  # lines of the comment
        if end < 0:
            return None
        (hidden if mark == "%%" else opaque).append((start, end))
        position = end
    return opaque + fences[place:], hidden, long


def _comment_end(body: str, closer: str, position: int) -> int:
    """Where a comment that starts a line ends: after its closer, or with the last line."""
    end = body.find(closer, position)
    if end >= 0:
        return end + len(closer)
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
