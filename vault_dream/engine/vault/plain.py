"""Markdown as inert words: what is left when nothing in a text may act in somebody's vault.

A quote that goes into another note must not bring links, embeds, tags, tasks, Dataview fields,
comments, block ids, HTML or templates with it: they would act there (DESIGN rule 7).
"""

from __future__ import annotations

import re

_COMMENTS = {"%%": "%%", "<!--": "-->", "<%": "%>"}
_OPENER = re.compile("|".join(map(re.escape, _COMMENTS)))
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]\([^()\n]*\)")
_WIKI = re.compile(r"\[\[([^\[\]\n|]*)(?:\\?\|([^\[\]\n]*))?\]\]")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)")
_TASK = re.compile(r"(?m)^([ \t]*(?:[-*+]|\d+[.)])[ \t]+)\[[^\]\n]\][ \t]+")
_FIELD = re.compile(r"(?m)([\w)\]*~][\w \-/]{0,60}?)::(?=\s|$)")
_TAG = re.compile(r"(?<!\S)#(?=[^\s#])")
_BLOCK_ID = re.compile(r"(?m)[ \t]+\^[A-Za-z0-9-]+[ \t]*$")
_TAGLIKE_HTML = re.compile(r"</?[A-Za-z][^<>\n]*>")
_MARKER = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d+[.)])[ \t]+|#{1,6}[ \t]+)?")
_CALLOUT = re.compile(r"(?m)^[ \t]*>[ \t]?\[!\w[^\]\n]*\][-+]?[ \t]*")
_EMPHASIS = re.compile(r"(\*\*|__|==|~~)(?=\S)(.{1,300}?)(?<=\S)\1")
_DOUBLED = re.compile(r"(\[|\])\1+")
_SPACE = re.compile(r"\s+")

INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that show nothing but can reorder, hide or command: controls, bidi, tag characters.

The zero-width joiners U+200C and U+200D are not among them: emoji and several scripts need them.
"""


def visible(text: str) -> str:
    """``text`` without the characters of :data:`INVISIBLE`."""
    return INVISIBLE.sub("", text)


def inert(text: str) -> str:
    """``text`` with every active construct reduced to its visible words; lines are kept."""
    text = visible(text)
    text = _without_comments(text)
    text = _EMBED.sub("", text)
    text = _WIKI.sub(lambda m: (m[2] or _last_part(m[1])).strip(), text)
    text = _MARKDOWN_LINK.sub(r"\1", text)
    text = _TASK.sub(r"\1", text)
    text = _FIELD.sub(r"\1:", text)
    text = _TAG.sub("", text)
    text = _BLOCK_ID.sub("", text)
    text = _TAGLIKE_HTML.sub("", text)
    # What is left of odd nesting must not form a link when it stands elsewhere.
    return _DOUBLED.sub(r"\1", text)


def plain(text: str) -> str:
    """``text`` as one line of words: inert, and without list markers, quotes and emphasis."""
    text = _CALLOUT.sub("", text)
    text = inert(text)
    text = _MARKER.sub("", text)
    text = _EMPHASIS.sub(r"\2", text)
    return _SPACE.sub(" ", text).strip()


def _without_comments(text: str) -> str:
    """``text`` without comments and templates; one that is never closed stays. Linear in the
    text.
    """
    kept: list[str] = []
    at = 0
    unclosed: set[str] = set()
    for found in _OPENER.finditer(text):
        opener = found[0]
        if found.start() < at or opener in unclosed:
            continue
        end = text.find(_COMMENTS[opener], found.end())
        if end < 0:
            unclosed.add(opener)
            continue
        kept.append(text[at : found.start()])
        at = end + len(_COMMENTS[opener])
    kept.append(text[at:])
    return "".join(kept)


def _last_part(target: str) -> str:
    """What a reader sees of a link without a label: the note's name and the heading."""
    name, _, heading = target.partition("#")
    name = name.rsplit("/", 1)[-1].removesuffix(".md")
    return name or heading
