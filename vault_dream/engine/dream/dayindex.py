"""The day index: a list of a day's notes that a day page carries between two markers.

The block is the only part of a daily note that is ever written, and it is no part of what the page
says: hashes and readings leave it out (DESIGN, *Day index*).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.edits import CreateNote, FileChange, Op, ReplaceText, text_hash
from vault_dream.engine.vault.notes import Note, Span
from vault_dream.engine.vault.resolve import spell_link

OPEN = "<!-- notes:auto -->"
CLOSE = "<!-- /notes:auto -->"
_BLOCK = re.compile(
    rf"^{re.escape(OPEN)}[ \t]*\r?\n(?P<list>.*?)^{re.escape(CLOSE)}[ \t]*$", re.S | re.M
)


@dataclass(frozen=True, slots=True)
class DayPage:
    """The page of a day whose folder holds notes. ``note`` is ``None`` where there is no page."""

    path: str
    title: str
    note: Note | None
    entries: tuple[str, ...]


def index_span(note: Note) -> Span | None:
    """The span of the list between the markers, where the note carries exactly one such block."""
    if OPEN not in note.text:
        return None
    code = [block for block in note.blocks if block.kind == "code"]
    found = [
        match
        for match in _BLOCK.finditer(note.text, note.body_start)
        if not any(block.start <= match.start() < block.end for block in code)
    ]
    return Span(found[0].start("list"), found[0].end("list")) if len(found) == 1 else None


def without_index(note: Note) -> bytes:
    """The bytes of ``note`` with the list between the markers left out."""
    span = index_span(note)
    if span is None:
        return note.raw
    return (note.text[: span.start] + note.text[span.end :]).encode("utf-8")


def refresh(page: DayPage, *, may_create: bool) -> FileChange | None:
    """The change that makes the page list its day's notes; ``None`` where nothing is to do.

    A page without the block is its owner's and is left alone; a missing page is created only where
    ``may_create`` says that the days are kept in the seeds' own layout.
    """
    if not page.entries:
        return None
    lines = _lines(page.entries)
    if page.note is None:
        if not may_create:
            return None
        text = f"# {page.title}\n\n{OPEN}\n{lines}{CLOSE}\n"
        return FileChange(page.path, None, (CreateNote(text),))
    span = index_span(page.note)
    if span is None or not page.note.editable:
        return None
    text = page.note.text
    if text[span.start : span.end].replace("\r\n", "\n") == lines:
        return None
    opener = text[text.rfind(OPEN, 0, span.start) : span.start]
    closer = text[span.end : span.end + len(CLOSE)]
    ops: tuple[Op, ...] = (
        ReplaceText(
            opener + text[span.start : span.end] + closer,
            opener + lines + closer,
        ),
    )
    return FileChange(page.path, text_hash(text), ops)


def _lines(paths: Sequence[str]) -> str:
    return "".join(f"- {spell_link(path, label=_title(path))}\n" for path in sorted(paths))


def _title(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md")
