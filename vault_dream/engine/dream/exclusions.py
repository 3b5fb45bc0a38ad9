"""What the owner keeps from readers: notes, sections, blocks and comments.

Where a note could be read either way, the careful way holds: what was shown to a model once cannot
be taken back.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from vault_dream.config import Settings
from vault_dream.engine.digest.unseen import Unseen
from vault_dream.engine.vault.conflicts import merge_marker_line
from vault_dream.engine.vault.globs import matcher
from vault_dream.engine.vault.notes import Block, Note, Span
from vault_dream.engine.vault.plain import plain
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.tags import IN_BODY, body_tags

FOREIGN_FORMATS = {"excalidraw-plugin": "an Excalidraw drawing", "kanban-plugin": "a Kanban board"}
UNSEEN_KINDS = frozenset({"comment", "rule"})

_SAYS_NO = frozenset({"false", "no", "off"})
_COMMENT = re.compile(r"%%.*?(?:%%|\Z)", re.S)
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
# What somebody meant for properties, whether Obsidian can read it or not.
_MEANT = re.compile(
    r"\A\ufeff?\s*-{3,}[ \t]*\r?\n(.{0,5000}?)(?:^(?:-{3,}|\.{3})[ \t]*\r?$|\Z)", re.S | re.M
)
_MEANT_DREAM = re.compile(r"^[ \t]*[\"']?dream[\"']?[ \t]*:[ \t]*[\"']?(\w+)", re.I | re.M)
_MEANT_WORD = re.compile(r"[^\s,\[\]{}\"':#]+")
_TAG_IN_HEADING = re.compile(r"(?:^|(?<=\s))" + IN_BODY.pattern)


class Exclusions:
    """The owner's wishes of one vault, as its settings and its notes say them."""

    def __init__(self, settings: Settings) -> None:
        self._headings = frozenset(map(_heading_key, settings.exclude_headings))
        self._tags = tuple(tag.strip().lstrip("#").casefold() for tag in settings.exclude_tags)

    def why_not(self, note: Note) -> str:
        """Why no reader sees anything of ``note``, ``""`` where one may."""
        if not note.editable:
            return note.reason
        if not note.text[note.body_start :].strip():
            return "empty; it may still be syncing"
        if merge_marker_line(note.text):
            return "contains merge conflict markers"
        for name in read_properties(note).values:
            if name.casefold() in FOREIGN_FORMATS:
                return FOREIGN_FORMATS[name.casefold()]
        return self.withheld(note)

    def withheld(self, note: Note) -> str:
        """Why the owner keeps all of ``note`` from readers, ``""`` where nothing in it says so."""
        properties = read_properties(note)
        if note.frontmatter is None or properties.error:
            return self._meant(note.text)
        values = {name.casefold(): value for name, value in properties.values.items()}
        if "dream" in values and _no(values["dream"]):
            return "dream: false"
        if any(map(self._excluded_tag, properties.tags)):
            return "carries an excluded tag"
        return ""

    def _meant(self, text: str) -> str:
        """The same for properties that cannot be read: a line that says so counts."""
        found = _MEANT.match(text)
        if found is None:
            return ""
        said = _MEANT_DREAM.search(found[1])
        if said and said[1].lower() in _SAYS_NO:
            return "dream: false"
        if self._tags and any(map(self._excluded_tag, _MEANT_WORD.findall(found[1]))):
            return "carries an excluded tag"
        return ""

    def unseen(self, globs: Iterable[str]) -> Unseen:
        """What of the digest no reader may see: these exclusions and the setting ``exclude``.

        Obsidian's excluded files are what its search leaves out; who keeps the digest out of that
        still wants it kept up.
        """
        return Unseen(matcher(globs), lambda note: bool(self.withheld(note)), "\n".join(self._tags))

    def kept_back(self, note: Note) -> frozenset[int]:
        """Where the blocks of ``note`` start that no reader sees: comments, and what carries an
        excluded tag or stands under an excluded heading, with all that hangs on it."""
        return frozenset(self._kept_back(note))

    def _kept_back(self, note: Note) -> Iterator[int]:
        titles = {heading.start: heading.text for heading in note.headings}
        tagged = self._tagged_blocks(note)
        depth: int | None = None
        for block in note.blocks:
            if depth is not None and block.depth > depth:
                yield block.start
                continue
            depth = None
            over = (*block.headings, *([titles[block.start]] if block.start in titles else ()))
            if block.kind in UNSEEN_KINDS or any(map(self._excluded_heading, over)):
                yield block.start
            elif block.start in tagged:
                depth = block.depth if block.kind == "item" else None
                yield block.start

    def _tagged_blocks(self, note: Note) -> frozenset[int]:
        if not self._tags:
            return frozenset()
        starts = [block.start for block in note.blocks]
        return frozenset(
            starts[bisect_right(starts, span.start) - 1]
            for tag, span in body_tags(note, hidden=True)
            if starts and span.start >= starts[0] and self._excluded_tag(tag)
        )

    def _excluded_heading(self, text: str) -> bool:
        if not self._headings and not self._tags:
            return False
        if self._tags and any(map(self._excluded_tag, _TAG_IN_HEADING.findall(text))):
            return True
        return _heading_key(text) in self._headings

    def _excluded_tag(self, tag: str) -> bool:
        """A tag covers those that are nested in it, as in Obsidian's search."""
        folded = tag.strip().lstrip("#").casefold()
        return any(folded == one or folded.startswith(f"{one}/") for one in self._tags)


def _no(value: object) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() in _SAYS_NO)


@lru_cache(maxsize=1024)
def _heading_key(text: str) -> str:
    """A heading as it is compared: its words, without tags, markup and the colon at its end."""
    words = plain(_TAG_IN_HEADING.sub("", text)).rstrip(" :：")
    return unicodedata.normalize("NFC", words).casefold()


def comments_in(note: Note) -> Iterator[Span]:
    """Where comments stand that Obsidian does not show: ``%%`` and HTML ones, outside code."""
    yield from note.hidden()
    for block in note.blocks:
        if block.kind != "code":
            for found in _HTML_COMMENT.finditer(note.text, block.start, block.end):
                yield Span(*found.span())


def shown_texts(note: Note) -> Mapping[int, str]:
    """The text of each block by its start, without comments: what is hidden in Obsidian is not for
    readers. Lines stay where they are."""
    hidden = note.hidden()
    ends = [span.end for span in hidden]
    return {block.start: _shown(note, block, ends) for block in note.blocks}


def _shown(note: Note, block: Block, ends: list[int]) -> str:
    hidden = note.hidden()
    pieces: list[str] = []
    at = block.start
    for span in hidden[bisect_right(ends, block.start) :]:
        if span.start >= block.end:
            break
        pieces.append(note.text[at : max(at, span.start)])
        end = min(block.end, span.end)
        pieces.append("\n" * note.text.count("\n", max(at, span.start), end))
        at = end
    pieces.append(note.text[at : block.end])
    text = "".join(pieces)
    if block.kind == "code":
        return text
    return _HTML_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def shown_heading(text: str) -> str:
    """A heading's text without comments."""
    return _HTML_COMMENT.sub("", _COMMENT.sub("", text)).strip()
