"""Tags by Obsidian's grammar (H: Tags): in the body after white space, and in the properties.

Letters and digits of every script, emoji, ``_ - /``; at least one character that is no digit;
upper and lower case are one tag. A ``#`` in code, a link, an HTML tag or after any other character
than white space starts none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.structure import Span

# What ends a tag in Obsidian: white space, controls, ASCII punctuation, and the two Unicode blocks
# of general punctuation, of which the joiners stay, since emoji are made with them.
STOPS = (
    r"\s\x00-\x1f\x7f-\x9f!\"#$%&'()*+,.:;<=>?@\[\\\]^`{|}~"
    r"\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\ufeff"
)
TAG = re.compile(rf"[^{STOPS}]+")
NOT_TAG = re.compile(rf"[{STOPS}]+")
IN_BODY = re.compile(rf"#([^{STOPS}]+)")
# Where a tag is none: in a link, in a link's address, in an HTML tag.
CLOSED = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)|<[A-Za-z/][^<>\n]*>")


def tags_in(note: Note, *, hidden: bool = False) -> tuple[str, ...]:
    """Return the note's tags without ``#``, properties first, each in its first spelling.

    Tags in ``%%`` comments are left out unless ``hidden``. A note is searched once without them.
    """
    known: tuple[str, ...] | None = None if hidden else note.__dict__.get("tags")
    if known is None:
        known = _find(note, hidden)
        if not hidden:
            note.__dict__["tags"] = known
    return known


def _find(note: Note, hidden: bool) -> tuple[str, ...]:
    found: dict[str, str] = {}
    if note.frontmatter is not None:
        for tag in note.properties.tags:
            if is_tag(tag):
                found.setdefault(tag.casefold(), tag)
    for tag, _ in _in_body(note, hidden):
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def body_tags(note: Note, *, hidden: bool = False) -> tuple[tuple[str, Span], ...]:
    """Return each tag of the body with its span, ``#`` included, in order."""
    return tuple(
        [(tag, Span(start, start + 1 + len(tag))) for tag, start in _in_body(note, hidden)]
    )


def _in_body(note: Note, hidden: bool) -> list[tuple[str, int]]:
    """Each tag of the body, and where its ``#`` is."""
    text, body_start = note.text, note.body_start
    if text.find("#", body_start) < 0:
        return []
    matches = [
        found
        for found in IN_BODY.finditer(text, body_start)
        if (start := found.start()) == body_start or text[start - 1].isspace()
    ]
    if not matches:
        return []
    closed = [*note.opaque(), *(() if hidden else note.hidden()), *_links(text, matches)]
    closed.sort()
    closed.append((len(text), 0))
    tags: list[tuple[str, int]] = []
    place = reach = 0
    for found in matches:
        start = found.start()
        while closed[place][0] <= start:
            reach = max(reach, closed[place][1])
            place += 1
        tag = found[1].rstrip("/")
        if start < reach or not tag or tag.isdecimal() or ("/" in tag and "//" in tag):
            continue
        if tag[0] != "/":
            tags.append((tag, start))
    return tags


def _links(text: str, matches: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The links and HTML tags in the lines with matches: none of them goes over a line's end."""
    done = 0
    for found in matches:
        at = found.start()
        if at >= done:
            begin, done = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            done = len(text) if done < 0 else done
            for closed in CLOSED.finditer(text, begin, done):
                yield closed.span()


def is_tag(text: str) -> bool:
    """Whether ``text``, without ``#``, is a tag in Obsidian."""
    if text.isascii() and text.isalnum():  # as most are
        return not text.isdecimal()
    if TAG.fullmatch(text) is None or text.isdecimal():
        return False
    return "/" not in text or all(text.split("/"))


def to_tag(text: str) -> str:
    """Return ``text`` as a tag without ``#``: words joined by ``-``; '' when nothing is left."""
    text = NOT_TAG.sub("-", unicodedata.normalize("NFC", text))
    levels = (re.sub(r"-{2,}", "-", level).strip("-") for level in text.split("/"))
    tag = "/".join(level for level in levels if level)
    return tag if is_tag(tag) else ""
