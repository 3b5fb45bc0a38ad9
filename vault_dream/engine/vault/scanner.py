"""The pass over a body's lines that finds its blocks, headings and regions.

After CommonMark 0.31 with Obsidian's additions (callouts, ``%%`` comments, ``$$`` math, Templater).
Two places are laxer than CommonMark because no rule here needs more: a quote or callout is one
block whatever stands in it, and so is a list item with the quote that starts on its first line.
Where Obsidian's behaviour is unproven the careful side is taken: a heading in a comment, in math or
in Templater code is no heading, and a ``%%`` that starts a line and is never closed hides the rest
of the note.
"""

from __future__ import annotations

import re

from vault_dream.engine.vault.regions import (
    FENCE,
    PAIRS,
    RAW_HTML,
    REGION_STARTS,
    Region,
    after_quotes,
)
from vault_dream.engine.vault.structure import (
    Heading,
    Row,
    Span,
    Structure,
    atx_heading,
    indent_of,
    lines_of,
)

RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
SETEXT = re.compile(r"(=+|-+)[ \t]*$")
MARKER = re.compile(r"([-*+]|\d{1,9}[.)])(?=[ \t]|$)")
QUOTES = re.compile(r"[ \t]*>(?:[ \t]*>)*[ \t]?")
CALLOUT = re.compile(r"[ \t]*>[ \t]*\[![^\]\n]+\]")
DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
BLOCK_ID = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$")
OWN_BLOCK_ID = re.compile(r"[ \t]*\^([A-Za-z0-9-]+)[ \t]*$")
HTML = re.compile(r"</?(?:[A-Za-z][A-Za-z0-9-]*(?=[\s/>]|$)|!DOCTYPE)", re.IGNORECASE)
# CommonMark's list of tags that start an HTML block and may interrupt a paragraph.
HTML_TAG = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|"
    r"details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|"
    r"head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|"
    r"option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)"
    r"(?=[\s/>]|$)",
    re.IGNORECASE,
)
WHOLE_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?>[ \t]*$")
BLANK = frozenset(("", " ", "\t"))
PLAIN_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def scan(text: str, body_start: int, first_line: int) -> Structure:
    """Return the structure of the body; ``first_line`` is the number of its first line."""
    scanner = _Scanner(text, first_line)
    for line, start, _ in lines_of(text, body_start):
        scanner.feed(line, start)
    return scanner.finish()


class _Scanner:
    """State of the pass: the list items that are open, the open block, the open region."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.line = first_line - 1
        self.headings: list[Heading] = []
        self.path: list[tuple[int, str]] = []
        self.under: tuple[str, ...] = ()
        self.rows: list[Row] = []
        self.opaque: list[Span] = []
        self.hidden: list[Span] = []
        self.items: list[int] = []  # the content column of each open list item
        self.region: Region | None = None
        self.kind = ""  # of the open block, "" when none is
        self.start = self.start_line = self.end = self.end_line = self.depth = 0
        self.last_start = self.last_end = 0  # the open block's last line
        self.blank = False  # the line before was blank
        self.here, self.here_start = "", 0  # the line that is being taken
        self.templates = "<%" in text

    # -- the lines ---------------------------------------------------------------------------

    def feed(self, line: str, start: int) -> None:
        """Take the next line, which starts at the offset ``start``."""
        self.line += 1
        self.here, self.here_start = line, start
        if self.region is not None and self._in_region(self.region):
            return
        if self.kind == "paragraph" and line[:1] in PLAIN_START and not self.templates:
            self._extend()
            return
        columns = width = 0
        if line[:1] in BLANK:  # an empty line, too
            columns, width = indent_of(line)
            if width == len(line):
                self._blank_line()
                return
        rest = line[width:] if width else line
        if self.kind == "code" and self._continues_indented_code(columns):
            return
        if rest[0] == "^" and OWN_BLOCK_ID.match(rest) and self._attach_id():
            return
        lazy = bool(self.items) and self._leave_items(columns, rest)
        relative = columns - (self.items[-1] if self.items else 0)
        if relative >= 4 and self.kind in ("", "code"):
            self._open("code")
        elif relative >= 4 or lazy:
            self._extend()
        else:
            self._content(rest, start + width, columns)
        self.blank = False

    def finish(self) -> Structure:
        """Close what is open at the end of the note."""
        unclosed = self.region is not None
        if self.region is not None:
            self._close_region(self.end)
        self._close()
        return Structure(
            tuple(self.headings),
            self.rows,
            tuple(self.opaque),
            tuple(self.hidden),
            unclosed,
        )

    def _blank_line(self) -> None:
        if self.kind != "code":  # indented code goes on after blank lines if more of it follows
            self._close()
        self.blank = True

    def _continues_indented_code(self, columns: int) -> bool:
        if columns >= 4 + (self.items[-1] if self.items else 0):
            self._extend()
            self.blank = False
            return True
        self._close()
        return False

    def _leave_items(self, columns: int, rest: str) -> bool:
        """Close the list items this line is not in; True when it lazily continues a paragraph."""
        if columns >= self.items[-1]:
            return False
        if self.kind in ("item", "paragraph") and not self._starts_block(rest):
            return True
        while self.items and columns < self.items[-1]:
            self.items.pop()
        self._close()
        return False

    def _starts_block(self, rest: str) -> bool:
        """Whether this line interrupts the paragraph of a list item that it is not in."""
        first = rest[0]
        if first in PLAIN_START:
            return False
        return bool(
            first == ">"
            or MARKER.match(rest)
            or (first == "#" and atx_heading(rest))
            or FENCE.match(rest)
            or RULE.match(rest)
            or HTML_TAG.match(rest)
            or RAW_HTML.match(rest)
            or rest.startswith(("%%", "$$", "<!--", "<%"))
        )

    # -- one line's content ------------------------------------------------------------------

    def _content(self, rest: str, at: int, columns: int) -> None:
        """Dispatch a line by what its content (at offset ``at``) starts with."""
        first = rest[0]
        if first in PLAIN_START and self.kind in ("", "paragraph", "item") and not self.templates:
            if self.kind:
                self._extend()
            else:
                self._open("paragraph")
            return
        if self.kind == "html":
            self._extend()  # only a blank line ends it
            return
        if self.kind in ("quote", "callout"):
            if first == ">":
                self._quote_line()
                return
            if first in PLAIN_START or not self._starts_block(rest):
                self._extend()  # a lazy line of the quote
                return
            self._close()
        if first == "#" and (atx := atx_heading(rest)):
            self._close()
            self._heading(*atx, self.here_start, self.line)
        elif first == ">":
            self._close()
            self._open("callout" if CALLOUT.match(self.here) else "quote")
            self._quote_line()
        elif first in "=-" and self._setext(rest):
            return
        elif first in "*-_" and RULE.match(rest):
            self._close()
            self._open("rule")
            self._close()
        elif not (
            ((first in "-*+" or first.isdigit()) and self._item(rest, at, columns))
            or (first in "|:-" and self._table(rest))
            or self._opens(rest, at, 0)
        ):
            self._prose(rest)

    def _prose(self, rest: str) -> None:
        if self.kind in ("paragraph", "item", "table"):
            if rest[0] != "<" or not HTML_TAG.match(rest):
                self._extend()
                return
            self._close()
        html = rest[0] == "<" and (HTML_TAG.match(rest) or WHOLE_TAG.match(rest))
        self._open("html" if html else "paragraph")

    def _setext(self, rest: str) -> bool:
        """A line of ``=`` or ``-`` under a top-level paragraph makes it a heading."""
        if self.kind != "paragraph" or self.items or not SETEXT.match(rest):
            return False
        level = 1 if rest[0] == "=" else 2
        text = " ".join(self.text[self.start : self.end].split())
        begin, line_number = self.start, self.start_line
        self.kind = ""
        self._heading(level, text, begin, line_number)
        return True

    def _heading(self, level: int, text: str, start: int, line: int) -> None:
        """A heading that starts there and ends with the current line."""
        end = self.here_start + len(self.here)
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.under = tuple(name for _, name in self.path)
        text = text.strip(" \t")
        if not self.items:  # Obsidian's outline has no headings of list items
            self.headings.append(Heading(level, text, start, end, line))
        self.kind, self.start, self.start_line = "heading", start, line
        self.end, self.end_line, self.depth = end, self.line, len(self.items)
        self.last_start, self.last_end = max(start, end - 200), end
        self._close()
        if not self.items:
            self.path.append((level, text))
        self.under = tuple(name for _, name in self.path)

    def _item(self, rest: str, at: int, columns: int) -> bool:
        """Open the list items whose markers this line starts with."""
        marker = MARKER.match(rest)
        if marker is None:
            return False
        after = rest[marker.end() :]
        if self.kind == "paragraph" and not self.blank and self._inside_paragraph():
            first_number = marker[1][0].isdigit() and marker[1][:-1] != "1"
            if first_number or not after.strip(" \t"):
                return False  # cannot interrupt a paragraph
        self._close()
        position = 0
        tail = rest.rstrip(" \t")
        dashes = len(tail.rstrip(tail[-1] + " \t")) if tail[-1] in "*-_" else len(rest)
        while marker is not None:
            self.items.append(0)
            body, gap = self._after_marker(rest, position + marker.end() - marker.start())
            self.items[-1] = columns + (marker.end() - marker.start()) + gap
            columns, position = self.items[-1], body
            rule = position >= dashes and RULE.match(rest, position)
            marker = None if rule else MARKER.match(rest, position)
        self._open("item")
        self._opens(rest[position:], at + position, 0)
        return True

    def _inside_paragraph(self) -> bool:
        return self.depth == len(self.items)

    @staticmethod
    def _after_marker(rest: str, position: int) -> tuple[int, int]:
        """Where an item's content starts after its marker, and how many columns further."""
        body = position
        while body < len(rest) and rest[body] in " \t":
            body += 1
        gap = body - position
        if body == len(rest) or gap > 4:
            return (body, 1) if body == len(rest) else (position + 1, 1)
        return body, 4 if "\t" in rest[position:body] else gap

    def _table(self, rest: str) -> bool:
        """A row of dashes under a line with a pipe starts a table with that line as its head."""
        if self.kind not in ("paragraph", "item") or "|" not in rest:
            return False
        if not DELIMITERS.match(rest) or "|" not in self.text[self.last_start : self.last_end]:
            return False
        head_start, head_line = self.last_start, self.line - 1
        depth = self.depth
        if head_start > self.start:
            self.end, self.end_line = self._before(head_start), self.line - 2
            self.last_start = self.text.rfind("\n", self.start, self.end) + 1 or self.start
            self.last_end = self.end
            self._close()
        elif self.kind == "item":
            return False  # the head is the item's own first line
        else:
            self.kind = ""
        self._open("table")
        self.start, self.start_line, self.depth = head_start, head_line, depth
        return True

    def _before(self, offset: int) -> int:
        """The end of the line before the one at ``offset``, without its newline."""
        end = offset - 1
        return end - 1 if self.text[end - 1 : end + 1] == "\r\n" else end

    def _quote_line(self) -> None:
        """A line of a quote: look for regions that open in it."""
        self._extend()
        marks = QUOTES.match(self.here)
        if marks is None:
            return
        content = self.here[marks.end() :]
        inner = content.lstrip(" \t")
        item = MARKER.match(inner)
        if item is not None:
            inner = inner[item.end() :].lstrip(" \t")
        if inner and inner[0] in "`~%$<":
            self._opens(inner, self.end - len(inner), marks[0].count(">"))

    # -- regions -----------------------------------------------------------------------------

    def _opens(self, rest: str, at: int, quotes: int) -> bool:
        """Open the region that starts at ``at``, if one does; a block of its own unless quoted."""
        if rest[:1] not in REGION_STARTS:
            return self._opens_template(rest, at, quotes)
        fence = FENCE.match(rest)
        if fence is not None:
            self._open_region(Region("code", fence[1] or fence[2], at, quotes, fence=True))
            return True
        for opener, kind, closer in PAIRS:
            if rest.startswith(opener):
                return self._opens_pair(rest, opener, Region(kind, closer, at, quotes))
        raw = RAW_HTML.match(rest)
        if raw is not None:
            region = Region("html", f"</{raw[1].lower()}", at, quotes)
            self._open_region(region)
            end = region.end_in(rest, 0)
            if end >= 0:
                self._close_region(at + end)
            return True
        return self._opens_template(rest, at, quotes)

    def _opens_pair(self, rest: str, opener: str, region: Region) -> bool:
        closer = region.closer
        inside = rest.find(closer, len(opener))
        if inside >= 0:
            if rest[inside + len(closer) :].strip(" \t") or region.quotes or self.kind:
                return False  # prose follows, or it stands in a paragraph: an inline span
            self._open_region(region)
            self._close_region(region.start + inside + len(closer))
            return True
        if region.kind == "math" and self.text.find(closer, region.start + len(opener)) < 0:
            return False  # never closed: dollars, not math
        self._open_region(region)
        return True

    def _opens_template(self, rest: str, at: int, quotes: int) -> bool:
        """Templater code that goes on over the end of this line."""
        if not self.templates:
            return False
        opener = rest.rfind("<%")
        if opener < 0 or rest.find("%>", opener) >= 0 or rest.count("`", 0, opener) % 2:
            return False
        if self.text.find("%>", at + opener) < 0:
            self.templates = False  # nothing closes a later one either
            return False
        if opener == 0 and not quotes:
            self._open_region(Region("template", "%>", at, 0))
        else:
            if self.kind in ("paragraph", "item", "quote", "callout", "table", "html"):
                self._extend()
            else:
                self._open("paragraph")
            self.region = Region("template", "%>", at + opener, 0)
        return True

    def _open_region(self, region: Region) -> None:
        if not region.quotes:
            if self.kind == "item" and self.start == self.here_start:
                self.kind = region.kind  # the item is nothing but this region
            else:
                self._close()
                self._open(region.kind)
        region.indent = self.items[-1] if self.items else 0
        self.region = region

    def _in_region(self, region: Region) -> bool:
        """Take a line of the open region; False when its quote or list item ended before it."""
        line = self.here
        content = 0
        if region.quotes:
            content = after_quotes(line, region.quotes)
            if content < 0:
                self._close_region(self.last_end)
                return False
        elif region.indent and line.strip(" \t") and indent_of(line)[0] < region.indent:
            self._close_region(self.last_end)
            self._close()
            return False
        end = region.end_in(line, content)
        self._extend()
        if end >= 0:
            kind = self.kind
            self._close_region(self.here_start + end)
            if not region.quotes and kind == region.kind:
                self._close()
        return True

    def _close_region(self, end: int) -> None:
        region, self.region = self.region, None
        assert region is not None
        span = Span(region.start, max(region.start, end))
        (self.hidden if region.closer == "%%" else self.opaque).append(span)

    # -- blocks ------------------------------------------------------------------------------

    def _open(self, kind: str) -> None:
        if self.kind:
            self._close()
        self.kind, self.start, self.start_line = kind, self.here_start, self.line
        self.depth = len(self.items)
        self._extend()

    def _extend(self) -> None:
        self.last_start = self.here_start
        self.end = self.last_end = self.here_start + len(self.here)
        self.end_line = self.line

    def _close(self) -> None:
        if not self.kind:
            return
        found = None
        if self.text.find("^", self.last_start, self.last_end) >= 0 and self.kind != "code":
            found = BLOCK_ID.search(self.text[self.last_start : self.last_end])
        if self.kind == "code" and (not self.opaque or self.opaque[-1].end <= self.start):
            self.opaque.append(Span(self.start, self.end))  # indented code
        self.rows.append(
            (
                self.kind,
                self.start,
                self.end,
                self.start_line,
                self.end_line,
                self.under,
                found[1] if found else None,
                self.depth,
            )
        )
        self.kind = ""

    def _attach_id(self) -> bool:
        """``^id`` on its own line names the list, quote, table or code above it."""
        if self.kind == "paragraph":
            return False
        self._close()
        found = OWN_BLOCK_ID.match(self.here)
        if not self.rows or found is None:
            return False
        kind, begin, _, first, last, headings, known, depth = self.rows[-1]
        if kind in ("heading", "paragraph", "rule") or known or self.line - last > 2:
            return False
        end = self.here_start + len(self.here)
        self.rows[-1] = (kind, begin, end, first, self.line, headings, found[1], depth)
        self.last_end = end
        return True
