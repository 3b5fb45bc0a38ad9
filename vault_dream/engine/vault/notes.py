"""A note as Obsidian sees it: its bytes, its frontmatter, its headings, blocks and opaque spans.

The text is the bytes decoded strictly as UTF-8, newlines and a byte order mark (U+FEFF at offset 0)
left in place, so that ``text.encode() == raw`` and an edit is a splice of characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.lazy import lazy
from vault_dream.engine.vault.sketch import Sketch, sketch
from vault_dream.engine.vault.structure import Block, Heading, Span, Structure

if TYPE_CHECKING:
    from vault_dream.engine.vault.properties import Properties

__all__ = ["Block", "Heading", "Note", "Span", "append", "insert_in_section", "parse_note"]

BOM = "\ufeff"
CLOSING = re.compile(r"\n---(?:\r?\n|\Z)")
# Most blocks are seen to be a mapping by their first line; only the others are parsed to find out.
MAPPING = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[A-Za-z_][\w .\-/]*:(?=[ \t\r\n]|\Z)")
BREAK = re.compile(r"\r\n|\n|\r")


class Parts(NamedTuple):
    """The spans of the fenced block and of the YAML in it, and where the body starts."""

    fences: Span | None
    frontmatter: Span | None
    body_start: int


def _parts(text: str) -> Parts:
    start = 0
    if not text.startswith(("---\n", "---\r\n")):
        start = 1 if text.startswith(BOM) else 0
        if not start or not text.startswith(("---\n", "---\r\n"), start):
            return Parts(None, None, start)
    opened = start + (4 if text[start + 3] == "\n" else 5)
    closing = CLOSING.search(text, opened - 1)
    if closing is None:
        return Parts(None, None, start)
    end, after = closing.start() + 1, closing.end()
    new = tuple.__new__  # a third of the time that ``Span(...)`` takes
    fences, yaml = new(Span, (start, after)), new(Span, (opened, end))
    if not MAPPING.match(text, opened, end):
        from vault_dream.engine.vault.yaml_core import may_be_mapping

        if not may_be_mapping(text[opened:end]):
            return Parts(fences, None, start)
    parts: Parts = new(Parts, (fences, yaml, after))
    return parts


@dataclass(frozen=True)
class Note:
    """One note. ``reason`` says why it is not ``editable``; all else is computed on first use.

    All offsets are in characters of ``text``. If the bytes are not UTF-8 or contain a NUL, ``text``
    is what can be shown of them (U+FFFD where they cannot be read) and no edit is possible.
    """

    path: str
    raw: bytes
    text: str
    reason: str

    @property
    def editable(self) -> bool:
        """Whether the text is exactly what is on disk, so that it may be changed."""
        return not self.reason

    @property
    def bom(self) -> bool:
        """Whether the note starts with a byte order mark."""
        return self.text.startswith(BOM)

    @lazy
    def sha256(self) -> str:
        """The hash of the bytes, in hexadecimal."""
        from hashlib import sha256

        return sha256(self.raw).hexdigest()

    @lazy
    def newline(self) -> str:
        """The most common line ending; in a tie the first line's; ``\\n`` if there is none."""
        if "\r" not in self.text or "\r\n" not in self.text:
            return "\n"
        pairs = self.text.count("\r\n")
        single = self.text.count("\n") - pairs
        if pairs == single:
            return "\r\n" if self.text.find("\r\n") == self.text.find("\n") - 1 else "\n"
        return "\r\n" if pairs > single else "\n"

    @lazy
    def parts(self) -> Parts:
        """Where the note's properties and its body are."""
        return _parts(self.text)

    @property
    def fences(self) -> Span | None:
        """The span of text from Obsidian's opening fence through its closing one, if both are.

        The opener is exactly ``---`` and a newline at the start (a byte order mark may be before
        it); the closer is the first later line that is exactly ``---``, ended by a newline or by
        the end of the file (OBSIDIAN.md, Properties).
        """
        return self.parts[0]

    @property
    def frontmatter(self) -> Span | None:
        """The span of the YAML between the fences; None when the note has no properties block.

        Text between two rules that is no mapping (``---``, prose, ``---``) is body, not YAML.
        """
        return self.parts[1]

    @property
    def body_start(self) -> int:
        """Where the body starts: after the closing fence's line, or after a byte order mark."""
        return self.parts[2]

    @lazy
    def properties(self) -> Properties:
        """The properties as ``properties.read_properties`` gives them."""
        from vault_dream.engine.vault.properties import parse_properties

        return parse_properties(self)

    @lazy
    def structure(self) -> Structure:
        """The body's headings, blocks and regions, from one pass over its lines."""
        from vault_dream.engine.vault.scanner import scan

        return scan(self.text, self.body_start, self.line_of(self.body_start))

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The real headings: none in code, comments, quotes, callouts or list items."""
        sketch = self.sketch
        return sketch[0] if sketch is not None else self.structure.headings

    @lazy
    def blocks(self) -> tuple[Block, ...]:
        """The body's blocks in order; they do not overlap, and only blank lines are in none."""
        return tuple([Block(*row) for row in self.structure.rows])

    def block_text(self, block: Block) -> str:
        """The text of a block, as it is in the note."""
        return self.text[block.start : block.end]

    def section(self, heading_text: str) -> Span | None:
        """The first section so headed: from its heading's line to the next heading of the same or
        a higher level, or to the end. Without an exact match, upper and lower case are one."""
        wanted = heading_text.strip()
        for fold in (str, str.casefold):
            for place, heading in enumerate(self.headings):
                if fold(heading.text) == fold(wanted):
                    return self._section_at(place)
        return None

    def _section_at(self, place: int) -> Span:
        heading = self.headings[place]
        for later in self.headings[place + 1 :]:
            if later.level <= heading.level:
                return Span(heading.start, later.start)
        return Span(heading.start, len(self.text))

    def line_of(self, offset: int) -> int:
        """The line number, from 1, of the character at ``offset``."""
        return bisect_right(self._line_starts, offset)

    def line_at(self, offset: int) -> Span:
        """The line that the character at ``offset`` is in, without its newline."""
        number = self.line_of(offset)
        start = self._line_starts[number - 1]
        later = self._line_starts[number] if number < len(self._line_starts) else len(self.text)
        return Span(start, start + len(self.text[start:later].rstrip("\r\n")))

    @lazy
    def lone_returns(self) -> bool:
        """Whether some line ends with a carriage return alone."""
        return "\r" in self.text and self.text.count("\r") != self.text.count("\r\n")

    @lazy
    def _line_starts(self) -> list[int]:
        if self.lone_returns:
            return [0, *(found.end() for found in BREAK.finditer(self.text))]
        starts = [0, *accumulate([len(line) + 1 for line in self.text.split("\n")])]
        starts.pop()  # what the last line would end with
        return starts

    @lazy
    def sketch(self) -> Sketch | None:
        """What the quick way finds in the body; None when it leaves the body to the full pass."""
        first_line = self.text.count("\n", 0, self.body_start) + 1
        return sketch(self.text, self.body_start, first_line)

    @lazy
    def _inline(self) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        if self.sketch is not None:
            return self.sketch[1:3]
        from vault_dream.engine.vault.inline import inline_spans

        return inline_spans(self.text, self.body_start, self.structure)

    def opaque(self) -> tuple[Span, ...]:
        """Where no link and no tag is: code, math, HTML comments, Templater; in order."""
        return self._inline[0]

    def hidden(self) -> tuple[Span, ...]:
        """The ``%% … %%`` comments, in order: links in them count, their text is never shown."""
        return self._inline[1]


def parse_note(path: str, raw: bytes) -> Note:
    """Return the note at ``path`` (vault-relative) whose file contains ``raw``."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        text = raw.decode("utf-8", "replace").replace("\0", "\ufffd")
        return Note(path, raw, text, f"line {line} is not UTF-8")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return Note(path, raw, text.replace("\0", "\ufffd"), f"line {line} holds a NUL byte")
    note: Note = object.__new__(Note)  # a frozen dataclass takes four times as long to fill
    note.__dict__.update(path=path, raw=raw, text=text, reason="")
    return note


def insert_in_section(note: Note, heading: str, text: str) -> str:
    """Return the note's text with ``text`` at the end of the section under ``heading``.

    It goes on lines of its own after the section's last line that is not blank; a blank line is
    put between where ``text`` would else become part of the block above or swallow what follows.
    Raises EditError when there is no such section, or its end is inside code or a comment.
    """
    check_editable(note)
    section = note.section(heading)
    if section is None:
        raise EditError(note.path, f"there is no section {heading!r}", "use one of its headings")
    at = section.start + len(note.text[section.start : section.end].rstrip("\r\n\t "))
    line_end = BREAK.search(note.text, at)
    return _insert(note, line_end.start() if line_end else len(note.text), text)


def append(note: Note, text: str) -> str:
    """Return the note's text with ``text`` added at its end, on lines of its own.

    A final newline, or its absence, stays as it was. Raises EditError as insert_in_section does.
    """
    check_editable(note)
    end = len(note.text)
    last = BREAK.search(note.text, end - 2 if note.text.endswith("\r\n") else end - 1)
    return _insert(note, last.start() if last else end, text)


def check_editable(note: Note) -> None:
    """Raise EditError for a note that must not be changed."""
    if not note.editable:
        raise EditError(note.path, note.reason, "save it as UTF-8 text first")
    if not note.raw:
        raise EditError(note.path, "the note is empty", "it may still be syncing; try again later")


def _insert(note: Note, at: int, text: str) -> str:
    """Put ``text`` on lines of its own after the line that ends at ``at``."""
    lines = BREAK.sub("\n", text).strip("\n")
    if not lines.strip():
        raise EditError(note.path, "there is nothing to insert", "give some text")
    new = lines.replace("\n", note.newline)
    for before, after in ((1, 0), (2, 0), (1, 1), (2, 1)):
        piece = note.newline * before + new + note.newline * after
        edited = parse_note(note.path, (note.text[:at] + piece + note.text[at:]).encode())
        start = at + len(note.newline) * before
        if _stands_alone(note, edited, at, start, start + len(new)):
            return edited.text
    raise EditError(note.path, "the place to insert is inside code or a comment", "close it first")


def _stands_alone(old: Note, new: Note, at: int, start: int, end: int) -> bool:
    """Whether the inserted lines are blocks of their own and all other blocks are as before."""
    shift = len(new.text) - len(old.text)
    inner = [block for block in new.blocks if start <= block.start < end]
    others = [block for block in new.blocks if not start <= block.start < end]
    if not inner or inner[0].start != start or inner[-1].end > end:
        return False
    was = [
        (block.kind, block.start + (shift if block.start >= at else 0), block.block_id)
        for block in old.blocks
    ]
    return was == [(block.kind, block.start, block.block_id) for block in others]
