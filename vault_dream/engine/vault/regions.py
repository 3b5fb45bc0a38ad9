"""The regions of a body that go over its lines until something closes them.

Fences, comments, math, raw HTML and Templater code; one ends early where the quote or the list item
it stands in ends (CommonMark 0.31, with Obsidian's additions).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vault_dream.engine.vault.structure import indent_of

FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
RAW_HTML = re.compile(r"<(script|style|pre|textarea)(?=[\s>]|$)", re.IGNORECASE)
# What has an opener and a closer of its own: opener, kind, closer.
PAIRS = (("%%", "comment", "%%"), ("$$", "math", "$$"), ("<!--", "comment", "-->"))
REGION_STARTS = ("`", "~", "%", "$", "<")


@dataclass(slots=True)
class Region:
    """An open region (stateful: ``indent`` is known when it opens) and what closes it."""

    kind: str
    closer: str
    start: int
    quotes: int  # ``>`` marks it stands under: fewer end the quote, and so the region
    fence: bool = False
    indent: int = 0  # columns of the list item it stands in: less ends the item, and so the region

    def end_in(self, line: str, content: int) -> int:
        """The offset in the line, from ``content`` on, just after the closer; -1 without one."""
        if self.fence:
            columns, _ = indent_of(line[content:])
            mark = line[content:].strip(" \t")
            mine = mark and not mark.strip(self.closer[0]) and len(mark) >= len(self.closer)
            return len(line) if mine and columns - self.indent < 4 else -1
        haystack = line.lower() if self.kind == "html" else line
        found = haystack.find(self.closer, content)
        return found + len(self.closer) if found >= 0 else -1


def after_quotes(line: str, number: int) -> int:
    """The offset after the line's first ``number`` quote marks, -1 when it has fewer."""
    position = 0
    for _ in range(number):
        while position < len(line) and line[position] in " \t":
            position += 1
        if line[position : position + 1] != ">":
            return -1
        position += 1
    return position
