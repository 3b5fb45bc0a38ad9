"""The day index: a list of a day's notes that a day page carries between two markers.

The block is the only part of a daily note that is ever written, and it is no part of what the page
says: hashes and readings leave it out (DESIGN, *Day index*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vault_dream.engine.dream.compose import Spelling
from vault_dream.engine.dream.edits import CreateNote, FileChange, ReplaceText, text_hash
from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.notes import Note, Span
from vault_dream.engine.vault.obsidian import DEFAULT_FORMAT
from vault_dream.engine.vault.plain import plain
from vault_dream.engine.vault.resolve import Resolver, spell_link

OPEN = "<!-- notes:auto -->"
CLOSE = "<!-- /notes:auto -->"
IN_FULL = Spelling()
_BLOCK = re.compile(
    rf"^{re.escape(OPEN)}[ \t]*\r?\n(?P<list>.*?)^{re.escape(CLOSE)}[ \t]*\r?$", re.S | re.M
)


@dataclass(frozen=True, slots=True)
class DayPage:
    """The page of a day whose folder holds notes. ``note`` is ``None`` where there is no page."""

    path: str
    title: str
    note: Note | None
    entries: tuple[str, ...]


def index_span(note: Note) -> Span | None:
    """The span of the list between the markers, where the note carries exactly one such block.

    A block in code is none; one in which another opens was never closed, and what stands in it is
    the owner's.
    """
    if OPEN not in note.text:
        return None
    found = list(_BLOCK.finditer(_code_masked(note), note.body_start))
    if len(found) != 1 or OPEN in found[0]["list"]:
        return None
    return Span(found[0].start("list"), found[0].end("list"))


def _code_masked(note: Note) -> str:
    """The text with code blanked out, every offset as it is."""
    pieces: list[str] = []
    at = 0
    for block in note.blocks:
        if block.kind == "code" and block.start >= at:
            pieces += (note.text[at : block.start], " " * (block.end - block.start))
            at = block.end
    return "".join((*pieces, note.text[at:]))


def may_create(layout: DailyLayout) -> bool:
    """Whether a missing day page may be made: only where days are kept as the seeds keep them, a
    folder of ``YYYY-MM-DD.md``, and not by Obsidian's settings, where two devices could make it."""
    return not layout.governed and layout.format == DEFAULT_FORMAT and layout.folder != ""


def without_index(note: Note) -> bytes:
    """The bytes of ``note`` with the list between the markers left out."""
    span = index_span(note)
    if span is None:
        return note.raw
    return (note.text[: span.start] + note.text[span.end :]).encode("utf-8")


def refresh(
    page: DayPage,
    *,
    may_create: bool,
    resolver: Resolver | None = None,
    spelling: Spelling = IN_FULL,
) -> FileChange | None:
    """The change that makes the page list its day's notes; ``None`` where nothing is to do.

    A page without the block is its owner's and is left alone; a missing page is created only where
    ``may_create`` says that the days are kept in the seeds' own layout. Links are spelled as
    ``spelling`` has it, as far as ``resolver`` finds the note again.
    """
    if not page.entries:
        return None
    lines = "".join(
        f"- {_entry(path, page.path, resolver, spelling)}\n" for path in sorted(page.entries)
    )
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
    return FileChange(page.path, text_hash(text), (_replacement(text, span, lines),))


def _replacement(text: str, span: Span, lines: str) -> ReplaceText:
    """The operation that puts ``lines`` between the markers: quoted from the opening marker on, and
    back from there as far as it takes to be the only such place in the note."""
    start, end = text.rfind(OPEN, 0, span.start), span.end + len(CLOSE)
    while start > 0 and text.count(text[start:end]) > 1:
        start = text.rfind("\n", 0, start - 1) + 1
    return ReplaceText(text[start:end], text[start : span.start] + lines + text[span.end : end])


def _entry(path: str, page: str, resolver: Resolver | None, spelling: Spelling) -> str:
    """A link, or plain words where no link can spell the path (case ob-22)."""
    try:
        return spell_link(
            path,
            label=_title(path) if spelling.style == "full" else None,
            source=page,
            resolver=resolver,
            style=spelling.style,
            markdown=spelling.markdown,
        )
    except PathError:
        return plain(_title(path)).replace("`", "'") or "(no name)"


def _title(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md")
