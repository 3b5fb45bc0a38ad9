"""Markdown as the words that a reader sees, which are the words that a search is for."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"<!--|-->|%%")
_EMBED = re.compile(r"!\[\[[^\[\]\n]{0,1000}\]\]")
_WIKILINK = re.compile(r"\[\[([^\[\]|\n]{0,1000})(?:\|([^\[\]\n]{0,1000}))?\]\]")
_MARKDOWN_LINK = re.compile(r"(!?)\[([^\[\]\n]{0,1000})\]\([^()\n]{0,2000}\)")
_FIELD_KEY = re.compile(r"(^|[\[(])[ \t]*[\w-]{1,40}::", re.MULTILINE)
_BLOCK_ID = re.compile(r"(?<=\s)\^[A-Za-z0-9-]{1,64}[ \t]*$", re.MULTILINE)


def prose(markdown: str) -> str:
    """Markdown as the words that a reader sees: link labels stay, link targets go.

    A target that is not labelled stays only when it is a bare note name, which is then what
    the reader sees; a path, an embed, a URL behind a label, a Dataview key and a block id are
    nobody's prose, and would make every node findable by its neighbours' names.
    """
    text = _EMBED.sub(" ", markdown)
    text = _WIKILINK.sub(_link_label, text)
    text = _MARKDOWN_LINK.sub(lambda m: " " if m[1] else m[2], text)
    text = _FIELD_KEY.sub(lambda m: m[1], text)
    text = _BLOCK_ID.sub("", text)
    return _COMMENT.sub(" ", text)


def _link_label(match: re.Match[str]) -> str:
    target, label = match[1].strip(), match[2]
    if label is not None:
        return label
    name = target.rstrip("\\").split("#", 1)[0]
    return " " if "/" in name or name.endswith(".md") else name
