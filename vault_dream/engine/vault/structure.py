"""The parts of a note's body as values with spans, and the rules of a single line.

Finding them is for ``scanner.py`` (blocks and regions) and ``inline.py`` (what stands in lines).
What a vault has hundreds of thousands of is a NamedTuple here: it is made in a third of the time
that a frozen dataclass takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """The characters from ``start`` up to ``end`` of a note's text."""

    start: int
    end: int


class Heading(NamedTuple):
    """A heading: its text without marks, the span of its line or lines, its line (from 1)."""

    level: int
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest unit of prose, as whole lines without the last line's newline.

    ``kind`` is paragraph, item (one list item without its children), code, table, callout, quote,
    heading, html, comment, math, template or rule. ``headings`` are the texts of the headings it
    stands under, outermost first; ``depth`` is 0 outside lists, 1 in a top-level item.
    """

    kind: str
    start: int
    end: int
    line: int
    end_line: int
    headings: tuple[str, ...]
    block_id: str | None
    depth: int


Row = tuple[str, int, int, int, int, tuple[str, ...], str | None, int]
"""A block's fields: half of the pass's time would go into making Blocks that few ask for."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What one pass over the lines finds. ``opaque`` and ``hidden`` hold whole regions only;
    what stands inside a line is found by ``inline.py``."""

    headings: tuple[Heading, ...]
    rows: list[Row]
    opaque: tuple[Span, ...]
    hidden: tuple[Span, ...]
    unclosed: bool


LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def lines_of(text: str, start: int = 0) -> Iterator[tuple[str, int, int]]:
    """Yield each line from ``start`` as (text, offset, offset after its newline), no newline in it.

    ``\\n``, ``\\r\\n`` and a lone ``\\r`` end a line, as in CommonMark and in Obsidian's editor.
    """
    if "\r" not in text:
        position = start
        for line in text[start:].split("\n"):
            after = position + len(line) + 1
            if after > len(text):
                if line:
                    yield line, position, len(text)
                return
            yield line, position, after
            position = after
        return
    for found in LINE.finditer(text, start):
        yield found[0].rstrip("\r\n"), found.start(), found.end()


def indent_of(line: str) -> tuple[int, int]:
    """Return (columns of leading white space, its number of characters); a tab goes to fours."""
    rest = line.lstrip(" \t")
    width = len(line) - len(rest)
    if "\t" not in line[:width]:
        return width, width
    columns = 0
    for character in line[:width]:
        columns += 4 - columns % 4 if character == "\t" else 1
    return columns, width


def atx_heading(line: str) -> tuple[int, str] | None:
    """Return (level, text) of a line that starts with ``#`` and is a heading, without its marks."""
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if level > 6 or (rest and rest[0] not in " \t"):
        return None
    text = rest.strip(" \t")
    if text.endswith("#"):
        before = text.rstrip("#")
        if not before or before[-1] in " \t":
            text = before.rstrip(" \t")
    return level, text
