"""Dataview's inline fields in their three forms, with spans.

A whole line ``Key:: value`` (also as a list item or in a quote), ``[key:: value]`` and
``(key:: value)`` inside text. A line with a bracketed field is no line field. Nesting and ``\\``
are respected in values; a bracketed key holds no brackets (blacksmithgu/obsidian-dataview,
docs/annotation/add-metadata.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vault_dream.engine.vault.notes import Note


@dataclass(frozen=True, slots=True)
class Field:
    """One field: ``form`` is line, bracket or paren; the span of it and of its value; its line."""

    key: str
    value: str
    form: str
    start: int
    end: int
    value_start: int
    value_end: int
    line: int


LINE_FIELD = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[^\]]\][ \t]+)?)?"
    r"([*_~]*)([^\W_][^:\[\](){}|`<>#*~]*?)[ \t]*([*_~]*)::"
)
EMOJI_KEY = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?()([^\x00-\xbf:]+?)[ \t]*()::")
BRACKETED = re.compile(r"([\[(])([^\[\]()\n]*?)::")
BRACKETS = re.compile(r"\\.|[\[\]()]")
CLOSER = {"[": "]", "(": ")"}


def fields_in(note: Note) -> tuple[Field, ...]:
    """Return the body's fields in order; none in code, math, comments or Templater code."""
    text = note.text
    at = text.find("::", note.body_start)
    if at < 0:
        return ()
    closed = sorted((*note.opaque(), *note.hidden()), key=lambda span: span.start)
    fields: list[Field] = []
    place, reach = 0, 0
    while at >= 0:
        line = note.line_at(at)
        source = text[line.start : line.end]
        for field in _fields_of_line(source, line.start, note.line_of(at)):
            while place < len(closed) and closed[place].start <= field.start:
                reach = max(reach, closed[place].end)
                place += 1
            if field.start >= reach:
                fields.append(field)
        at = text.find("::", line.end)
    return tuple(fields)


def _fields_of_line(line: str, offset: int, number: int) -> Iterator[Field]:
    found = list(_bracketed(line, offset, number))
    if found:
        yield from found
        return
    match = LINE_FIELD.match(line) or EMOJI_KEY.match(line)
    if match is not None and match[1] == match[3][::-1]:
        end = len(line.rstrip())
        start, key = match.start(1), match[2]
        yield _field(
            key, line, match.end(), end, "line", (start, max(end, match.end())), offset, number
        )


def _bracketed(line: str, offset: int, number: int) -> Iterator[Field]:
    """The bracketed fields of a line, those inside another's value left out."""
    if "[" not in line and "(" not in line:
        return
    closers: dict[int, int] | None = None
    done = 0
    for match in BRACKETED.finditer(line):
        start = match.start()
        key = match[2].strip().strip("*_~").strip()
        if start < done or not key:
            continue
        if closers is None:
            closers = _matching(line)
        close = closers.get(start)
        if close is None:
            continue
        form = "bracket" if match[1] == "[" else "paren"
        yield _field(key, line, match.end(), close, form, (start, close + 1), offset, number)
        done = close + 1


def _matching(line: str) -> dict[int, int]:
    """Where each bracket that opens is closed; round and square ones nest apart from each other."""
    pairs: dict[int, int] = {}
    open_at: dict[str, list[int]] = {"]": [], ")": []}
    for match in BRACKETS.finditer(line):
        mark = match[0]
        if mark in CLOSER:
            open_at[CLOSER[mark]].append(match.start())
        elif open_at.get(mark):
            pairs[open_at[mark].pop()] = match.start()
    return pairs


def _field(
    key: str,
    line: str,
    value_start: int,
    value_end: int,
    form: str,
    span: tuple[int, int],
    offset: int,
    number: int,
) -> Field:
    raw = line[value_start:value_end]
    value = raw.strip()
    begin = value_start + (len(raw) - len(raw.lstrip()) if value else 0)
    return Field(
        key.strip(),
        value,
        form,
        span[0] + offset,
        span[1] + offset,
        begin + offset,
        begin + len(value) + offset,
        number,
    )
