"""What stands inside lines where no link or tag is: inline code, math, comments, Templater.

The text is read from left to right and the first opener wins. A span ends in the block it began
in; Templater code may go on to any later ``%>``. An escaped opener (``\\```) opens nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from vault_dream.engine.vault.structure import Span, Structure

SPECIAL = re.compile(r"[`$]|%%|<!--|<%")
# Links are stepped over as a whole: a dollar or percent sign in a target opens nothing. Each way
# begins with a certain character (hence "``*"): it is searched for several times as fast.
OPENER = re.compile(
    r"\\[\\`$%<]|``*|%%|<!--|<%|\$\$?"
    r"|\[\[(?:[^\]\[\n\r`]|\](?!\]))+\]\]"
    r"|\]\([^()\s`]*\)|https?://[^\s`<>)%$]*[%$][^\s`<>)]*"
)
TICKS = re.compile(r"`+")
MATH_END = re.compile(r"(?<![\s\\])\$(?!\d)")
QUOTED_BLANK = re.compile(r"\n[ \t]*>[ \t>]*(?=\r?\n)")


def inline_spans(
    text: str, body_start: int, structure: Structure
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the body's (opaque, hidden) spans in order, those of ``structure`` among them."""
    opaque, hidden = list(structure.opaque), list(structure.hidden)
    if SPECIAL.search(text, body_start):
        _Inline(text, structure).collect(body_start, opaque, hidden)
        opaque.sort(key=lambda span: span.start)
        hidden.sort(key=lambda span: span.start)
    return tuple(opaque), tuple(hidden)


class _Inline:
    """One pass over a body; remembers per stretch of prose which closers it has run out of."""

    def __init__(self, text: str, structure: Structure) -> None:
        self.text = text
        self.rows = structure.rows
        self.starts = [row[1] for row in structure.rows]
        self.taken = sorted(
            (*structure.opaque, *structure.hidden), key=lambda span: (span.start, span.end)
        )
        self.begin = self.end = -1  # the stretch of prose that spans stay in
        self.spent: set[str] = set()  # openers that have no closer in the rest of the stretch
        self.ticks: dict[int, list[int]] | None = None

    def collect(self, start: int, opaque: list[Span], hidden: list[Span]) -> None:
        """Add the inline spans from ``start`` on to the two lists."""
        position, region = start, 0
        while True:
            found = OPENER.search(self.text, position)
            if found is None:
                return
            begin = found.start()
            while region < len(self.taken) and self.taken[region].end <= begin:
                region += 1
            if region < len(self.taken) and self.taken[region].start <= begin:
                position = self.taken[region].end
                continue
            limit = self.taken[region].start if region < len(self.taken) else len(self.text)
            end = self._end_of(found[0], begin, found.end(), limit)
            if end < 0:
                position = found.end()
                continue
            (hidden if found[0] == "%%" else opaque).append(Span(begin, end))
            position = end

    def _end_of(self, opener: str, begin: int, after: int, limit: int) -> int:
        """Where the span that ``opener`` opens ends; -1 when it opens none."""
        if opener[0] in "\\[]h":
            return -1
        if begin >= self.end:
            self._enter(begin)
        end = min(self.end, limit)
        if opener[0] == "`":
            return self._code_end(len(opener), after, end)
        if opener in self.spent:
            return -1
        if opener == "$":
            if self.text[after : after + 1].isspace():
                return -1
            closer = MATH_END.search(self.text, after + 1, end)
            stop = closer.end() if closer else -1
        else:
            mark = {"%%": "%%", "$$": "$$", "<!--": "-->", "<%": "%>"}[opener]
            stop = self.text.find(mark, after, len(self.text) if opener == "<%" else end)
            stop += len(mark) if stop >= 0 else 0
        if stop < 0:
            self.spent.add(opener)
        return stop

    def _code_end(self, length: int, after: int, end: int) -> int:
        """Inline code ends with the next run of exactly as many backticks."""
        if self.ticks is None:
            self.ticks = {}
            for run in TICKS.finditer(self.text, after, self.end):
                self.ticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self.ticks.get(length, [])
        place = bisect_left(runs, after)
        if place < len(runs) and runs[place] + length <= end:
            return runs[place] + length
        return -1

    def _enter(self, position: int) -> None:
        """Find the stretch of prose at ``position``: its block, or less of a table or a quote."""
        self.spent.clear()
        self.ticks = None
        place = bisect_right(self.starts, position) - 1
        kind, end = (self.rows[place][0], self.rows[place][2]) if place >= 0 else ("", 0)
        if position >= end:
            self.end = position + 1
            return
        self.end = end
        if kind in ("table", "heading"):
            line_end = self.text.find("\n", position, end)
            self.end = end if line_end < 0 else line_end
        elif kind in ("quote", "callout"):
            blank = QUOTED_BLANK.search(self.text, position, end)
            self.end = blank.start() if blank else end
