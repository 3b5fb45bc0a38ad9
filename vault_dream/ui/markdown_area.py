"""The editor's field: Markdown with its marks in colour, as little as it takes to find one's way.

Not by a parser of the language: what a person edits here is a short note, and the rows that are
seen are all that has to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text
from textual.widgets import TextArea

FRONTMATTER, FENCE, BODY = "frontmatter", "fence", "body"

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LINE_MARKS = (
    (re.compile(r"#{1,6}\s.*"), 0, "heading"),
    (re.compile(r"\s*(?:>\s?)+"), 0, "muted"),
    (re.compile(r"(?:\s*>)*\s*((?:[-*+]|\d+[.)])\s)"), 1, "accent"),
)
_SPAN_MARKS = (
    (re.compile(r"(\*\*|__)(?=\S).+?(?<=\S)\1"), "strong"),
    (re.compile(r"(?<![*\w])([*_])(?=[^\s*_])[^*_\n]+(?<=\S)\1(?![*\w])"), "quote"),
    (re.compile(r"==(?=\S).+?(?<=\S)=="), "accent"),
    (re.compile(r"(?<![\w/#])#[^\W\d][\w/-]*"), "accent"),
    (re.compile(r"[\w-]+::(?=\s)"), "key"),
    (re.compile(r"!?\[\[[^\[\]\n]+\]\]"), "link"),
    (re.compile(r"!?\[[^\[\]\n]*\]\([^()\n]*\)"), "link"),
    (re.compile(r"(`+)[^`\n]+\1"), "code"),
    (re.compile(r"%%.*?%%|<!--.*?-->"), "faint"),
)
_PROPERTY = re.compile(r"([^\s:#-][^:]*):(?=\s|$)")
LONGEST = 2_000
"""Characters of a line that are looked at."""


def kinds_of(lines: Sequence[str]) -> list[str]:
    """What each line is in: the frontmatter, a fence (its marks included), or the body."""
    kinds: list[str] = []
    end = 0
    if lines and lines[0].lstrip("\ufeff").rstrip() == "---":
        end = next((n for n, one in enumerate(lines[1:], start=1) if one.rstrip() == "---"), -1) + 1
    fence = ""
    for number, one in enumerate(lines):
        if number < end:
            kinds.append(FRONTMATTER)
            continue
        mark = _FENCE.match(one)
        inside = bool(fence)
        if mark is not None and not fence:
            fence = mark[1]
        elif mark is not None and mark[1].startswith(fence) and not one[mark.end() :].strip():
            fence = ""
        kinds.append(FENCE if inside or fence else BODY)
    return kinds


def marks_of(line: str, kind: str) -> list[tuple[int, int, str]]:
    """The stretches of a line that have a style of their own, as (start, end, style's name)."""
    if kind == FENCE:
        return [(0, len(line), "code")]
    if kind == FRONTMATTER:
        found = _PROPERTY.match(line)
        links = [(m.start(), m.end(), "link") for m in _SPAN_MARKS[5][0].finditer(line[:LONGEST])]
        return [(0, found.end() if found else len(line), "muted"), *links]
    marks = []
    for pattern, group, style in _LINE_MARKS:
        if (match := pattern.match(line[:LONGEST])) is not None:
            marks.append((match.start(group), match.end(group), style))
    for pattern, style in _SPAN_MARKS:
        marks += [(m.start(), m.end(), style) for m in pattern.finditer(line[:LONGEST])]
    return marks


class MarkdownArea(TextArea):
    """A field for a whole note. Stateful: knows of each line what it is in."""

    def __init__(self, text: str) -> None:
        self._kinds: list[str] | None = None
        super().__init__(text, soft_wrap=True, show_line_numbers=False, tab_behavior="indent")

    def _build_highlight_map(self) -> None:
        # Textual's word that the text is another: what the lines are in may have changed as well.
        self._kinds = None
        super()._build_highlight_map()

    def get_line(self, line_index: int) -> Text:
        """The line with its marks in the colours of the theme."""
        text = super().get_line(line_index)
        if self._kinds is None:
            self._kinds = kinds_of(self.document.lines)
        looks = self.app.looks  # type: ignore[attr-defined]
        kind = self._kinds[line_index] if line_index < len(self._kinds) else BODY
        for start, end, style in marks_of(text.plain, kind):
            text.stylize(looks[style], start, end)
        return text
