"""A found note as a search shows it: its text, line numbers and headings, and no more.

A whole ``Note`` knows structure and properties; loading what finds them takes longer than a search.
"""

from __future__ import annotations

from vault_dream.engine.digest.chunks import headings_in


class Sheet:
    """The text of one note. ``aliases`` is their text as the index keeps it."""

    __slots__ = ("aliases", "body_start", "path", "text", "title")

    def __init__(self, path: str, raw: bytes, aliases: str) -> None:
        name = path.rpartition("/")[2]
        self.path = path
        self.title = name[:-3] if name[-3:].lower() == ".md" else name
        self.aliases = aliases
        self.text = raw.decode("utf-8", "replace")
        self.body_start = self._body_start()

    def _body_start(self) -> int:
        """Where the body starts, by Obsidian's fences."""
        text = self.text
        if not text.startswith(("---\n", "---\r\n")):
            return 0
        at = text.find("\n---", 3)
        while at >= 0:
            rest = text[at + 4 : at + 6]
            if not rest or rest[0] == "\n" or rest == "\r\n":
                end = text.find("\n", at + 4)
                return end + 1 if end >= 0 else len(text)
            at = text.find("\n---", at + 1)
        return 0

    def line_of(self, offset: int) -> int:
        """The number, from 1, of the line that the character at ``offset`` is in."""
        return self.text.count("\n", 0, offset) + 1

    def line_at(self, offset: int) -> str:
        """That line's text."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def headings(self, start: int, end: int) -> str:
        """The texts of the headings between two offsets, a line each."""
        return "\n".join(headings_in(self.text[start:end]))

    def heading_over(self, offset: int) -> str:
        """The text of the last heading at or before the line at ``offset``, '' if none."""
        end = self.text.find("\n", offset)
        lines = self.headings(self.body_start, end if end >= 0 else len(self.text))
        return lines.rpartition("\n")[2]
