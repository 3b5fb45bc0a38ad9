"""Markdown as a person reads it in a terminal: properties as a small table, links by their labels.

Not a Markdown widget: its cost grows with the note, it knows neither properties nor wikilinks.
"""

from __future__ import annotations

import re

from vault_dream.ui.diff_rows import pieces_of
from vault_dream.ui.lines import BLANK, Line, Piece, line, wrap, wrapped
from vault_dream.ui.literal import literal

_LINK = re.compile(r"!?\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+(?:\[(.)\]\s+)?(.*)")
_QUOTE = re.compile(r"\s*>\s?(.*)")
_EMPHASIS = re.compile(r"(\*\*|__|==|\*|_|`)(?=\S)(.+?)(?<=\S)\1")
_STYLES = {"**": "strong", "__": "strong", "==": "accent", "*": "quote", "_": "quote", "`": "code"}
WIDEST = 92
"""Cells of a line of prose: longer ones are hard to read."""


def link_of(key: str | None) -> str:
    """The target that an item of a rendered page stands for."""
    return key.partition(":")[2].partition(":")[2] if key and key.startswith("link:") else ""


def rendered(text: str, width: int) -> list[Line]:
    """The rows of a note. A block with links is an item for each of them, the first one first."""
    width = min(width, WIDEST)
    lines = text.lstrip("\ufeff").splitlines()
    rows: list[Line] = [BLANK]
    body = 0
    if lines and lines[0] == "---" and "---" in lines[1:]:
        body = lines.index("---", 1) + 1
        rows += _properties(lines[1 : body - 1], width)
    fence = ""
    for number, one in enumerate(lines[body:], start=body):
        mark = re.match(r"\s*(```+|~~~+)", one)
        if fence or mark:
            fence = "" if mark and fence else mark[1] if mark else fence
            rows += [
                Line((("  ", "text"), *row)) for row in wrap([(literal(one), "code")], width - 2)
            ]
            continue
        rows += _block(one, number, width)
    return rows


def _properties(lines: list[str], width: int) -> list[Line]:
    rows: list[Line] = []
    for one in lines:
        name, colon, value = one.partition(":")
        if colon and not one.startswith((" ", "-")):
            pieces = pieces_of(value.strip().strip("\"'"), "muted")
            head = (f"{literal(name):<13} ", "faint")
            rows += [
                Line(((head if i == 0 else (" " * 14, "text")), *row))
                for i, row in enumerate(wrap(pieces or [("", "muted")], width - 14))
            ]
        else:
            rows += wrapped([(one.strip(), "muted")], width - 14, first=[(" " * 14, "text")])
    return [*rows, BLANK]


def _block(one: str, number: int, width: int) -> list[Line]:
    targets = [match[1] for match in _LINK.finditer(one)]
    key = f"link:{number}:{targets[0]}" if targets else None
    if not one.strip():
        return [BLANK]
    if heading := _HEADING.match(one):
        return [Line(row, key=key) for row in wrap(inline(heading[2], "heading"), width)]
    if item := _ITEM.match(one):
        indent, marker, task, words = item.groups()
        sign = f"[{task}]" if task is not None else marker
        first = f"{indent}{sign} "
        return _hanging(first, inline(words, "text"), width, key)
    if quote := _QUOTE.match(one):
        return _hanging("| ", inline(quote[1], "quote"), width, key, every=True)
    return [Line(row, key=key) for row in wrap(inline(one, "text"), width)]


def _hanging(
    first: str, pieces: list[Piece], width: int, key: str | None, *, every: bool = False
) -> list[Line]:
    first = literal(first)
    later = first if every else " " * len(first)
    return [
        Line(((first if i == 0 else later, "muted"), *row), key=key)
        for i, row in enumerate(wrap(pieces, width - len(first)))
    ]


def inline(text: str, style: str) -> list[Piece]:
    """The pieces of a line: inline marks taken off, and what they mean put on."""
    pieces: list[Piece] = []
    at = 0
    for match in _EMPHASIS.finditer(text):
        if "[[" in match[2] or match.start() < at:
            continue
        pieces += pieces_of(text[at : match.start()], style)
        marked = _STYLES[match[1]]
        pieces += [(literal(match[2]), marked)] if marked == "code" else inline(match[2], marked)
        at = match.end()
    pieces += pieces_of(text[at:], style)
    return pieces or list(line((" ", style)).pieces)
