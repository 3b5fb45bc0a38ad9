"""The links of a note, as Obsidian reads them: wikilinks, Markdown links, property links.

The grammar is that of OBSIDIAN "Wikilinks" (observed in Obsidian 1.13.7): only ``]]`` ends a
wikilink, of nested brackets the inner is the link, a newline inside means no link. Markdown links
follow CommonMark. Every scan is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from vault_dream.engine.vault.addresses import (
    Link,
    address,
    percent_decode,
    split_target,
    unescaped,
)
from vault_dream.engine.vault.links_simple import FILLER, masked_text, simple_links
from vault_dream.engine.vault.structure import Span
from vault_dream.engine.vault.yaml_simple import simple_property_links

if TYPE_CHECKING:
    from vault_dream.engine.vault.notes import Note
    from vault_dream.engine.vault.yaml_core import Node


__all__ = ["Link", "links_in", "percent_decode", "split_target"]


class _Found(NamedTuple):
    """A link before what surrounds it is known."""

    start: int
    end: int
    target: str
    subpath: str
    display: str | None
    kind: str
    embed: bool
    external: bool


def links_in(note: Note) -> tuple[Link, ...]:
    """All links of body and frontmatter, in order of position.

    Nothing in code, math, HTML comments or Templater commands is a link; a link inside ``%%`` is
    one, flagged ``hidden`` (Obsidian keeps it in its cache). A note is searched once.
    """
    known: tuple[Link, ...] | None = note.__dict__.get("links")
    if known is None:
        known = note.__dict__["links"] = _find(note)
    return known


def _find(note: Note) -> tuple[Link, ...]:
    text = note.text
    if "[" not in text:
        return ()
    links: list[Link] = []
    span, start = note.frontmatter, note.body_start
    if span is not None and text.find("[[", span[0], span[1]) >= 0:
        links.extend(_property_links(note, span))
    if text.find("[", start) < 0:
        return tuple(links)
    opaque = note.opaque()
    found = simple_links(text, start, opaque)
    if found is None:
        found = _links(_scan(masked_text(text, start, opaque), text, start), text)
    if found:
        links.extend(_in_their_places(note, found))
    return tuple(links)


def _links(found: Iterable[_Found], text: str) -> list[Link]:
    links: list[Link] = []
    line, counted = 1, 0
    for start, end, target, subpath, display, kind, embed, external in found:
        line += text.count("\n", counted, start)
        counted = start
        fields = (target, subpath, display, kind, embed, False, external, None)
        links.append(Link(*fields, start, end, line, False))
    return links


def _in_their_places(note: Note, links: list[Link]) -> list[Link]:
    """The links with what is around them: comments, tables, lines that a return alone ends."""
    hidden = note.hidden()
    tables = _tables(note)
    if not hidden and not tables and not note.lone_returns:
        return links
    in_comments, in_tables = _Spans(hidden), _Spans(tables)
    return [
        link._replace(
            hidden=in_comments.hold(link.start),
            line=note.line_of(link.start) if note.lone_returns else link.line,
            in_table=in_tables.hold(link.start),
        )
        for link in links
    ]


class _Spans:
    """Sorted spans that can be asked whether they hold an offset."""

    __slots__ = ("ends", "starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self.starts = [start for start, _ in ordered]
        self.ends = [end for _, end in ordered]

    def hold(self, offset: int) -> bool:
        at = bisect_right(self.starts, offset) - 1
        return at >= 0 and offset < self.ends[at]


def _tables(note: Note) -> list[Span]:
    """The note's tables; its blocks are not asked for where no table can be."""
    if "|" not in note.text or (note.sketch is not None and not note.sketch.tables):
        return []
    return [Span(row[1], row[2]) for row in note.structure.rows if row[0] == "table"]


def _scan(masked: str, text: str, start: int) -> list[_Found]:
    wiki = list(_wiki_links(masked, text, start))
    if masked.find("](", start) < 0:
        return wiki
    return sorted([*wiki, *_markdown_links(masked, text, start, wiki)])


# Wikilinks -----------------------------------------------------------------------------------


def _wiki_links(masked: str, text: str, at: int) -> Iterator[_Found]:
    """Wikilinks from offset ``at``: each ``]]`` closes at the nearest ``[[`` before it."""
    find, rfind = masked.find, masked.rfind
    while True:
        opened = find("[[", at)
        if opened < 0:
            return
        closed = find("]]", opened + 2)
        if closed < 0:
            return
        start = rfind("[[", opened, closed)
        at = closed + 2
        if find("\n", start, closed) >= 0 or find("\r", start, closed) >= 0:
            continue
        if _escaped(masked, start):
            continue
        target, pipe, display = text[start + 2 : closed].partition("|")
        if "<%" in target or FILLER in masked[start + 2 : start + 2 + len(target)]:
            continue  # part of it is code, or a template will write it
        if pipe and target.endswith("\\"):
            target = target[:-1]
        split = split_target(target)
        if split is None:
            if not pipe:
                continue
            split = ("", "", False)  # `[[|label]]` is parsed, `[[]]` is not (tasks-demo, Test Data)
        embed = start > 0 and masked[start - 1] == "!" and not _escaped(masked, start - 1)
        yield _Found(
            start - embed,
            at,
            split[0],
            split[1],
            display.replace("\\|", "|") if pipe else None,
            "wiki",
            embed,
            split[2],
        )


def _escaped(text: str, offset: int) -> bool:
    """Whether an odd number of backslashes stands before ``offset``."""
    count = 0
    while offset > count and text[offset - 1 - count] == "\\":
        count += 1
    return count % 2 == 1


# Markdown links ------------------------------------------------------------------------------

_BRACKETS = re.compile(r"\\.|[\[\]]|\n[ \t]*\n")


def _markdown_links(masked: str, text: str, at: int, wiki: list[_Found]) -> Iterator[_Found]:
    """``[text](destination "title")`` from offset ``at``; brackets of wikilinks do not count."""
    skip = iter([(link.start + link.embed, link.end) for link in wiki])
    skip_start, skip_end = next(skip, (len(text), len(text)))
    for begin, end in _with_markdown_links(masked, at):
        stack: list[int] = []
        for token in _BRACKETS.finditer(masked, begin, end):
            start = token.start()
            while start >= skip_end:
                skip_start, skip_end = next(skip, (len(text), len(text)))
            if skip_start <= start:
                continue
            mark = masked[start]
            if mark == "[":
                stack.append(start)
            elif mark == "\n":
                stack.clear()
            elif mark == "]" and stack:
                opened = stack.pop()
                if masked.startswith("(", start + 1) and not masked.startswith("^", opened + 1):
                    found = _destination(masked, start + 2)
                    if found is not None:
                        yield _markdown_link(masked, text, opened, start, found)


def _with_markdown_links(masked: str, at: int) -> Iterator[tuple[int, int]]:
    """The stretches between blank lines that may hold a Markdown link."""
    while (found := masked.find("](", at)) >= 0:
        begin = masked.rfind("\n\n", at, found)
        end = masked.find("\n\n", found)
        end = len(masked) if end < 0 else end
        yield (at if begin < 0 else begin), end
        at = end


def _markdown_link(
    masked: str, text: str, opened: int, closed: int, found: tuple[str, int]
) -> _Found:
    destination, end = found
    embed = opened > 0 and masked[opened - 1] == "!" and not _escaped(masked, opened - 1)
    display = unescaped(text[opened + 1 : closed])
    target, subpath, external = address(destination)
    return _Found(opened - embed, end, target, subpath, display, "markdown", embed, external)


_ANGLED = re.compile(r"<((?:[^<>\n\\\x00]|\\.)*)>")
_PLAIN = re.compile(r"[^()\s\\\x00-\x1f\x7f]+|\\[!-/:-@\[-`{-~]|[()\\]")
_TITLE = re.compile(
    r"""\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))""", re.DOTALL
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_SPACE = re.compile(r"[ \t]*(?:\n[ \t]*)?")
_MAX_NESTED = 12  # CommonMark asks for three; a limit keeps `[a](` repeated linear


def _destination(masked: str, at: int) -> tuple[str, int] | None:
    """The destination at ``at`` (just after ``(``), unescaped, and the offset after ``)``."""
    at = _space_end(masked, at)
    angled = _ANGLED.match(masked, at)
    if angled is not None:
        destination, at = angled[1], angled.end()
    elif masked.startswith("<", at):
        return None
    else:
        end = _plain_end(masked, at)
        if end <= at:
            return None
        destination, at = masked[at:end], end
    title = _TITLE.match(masked, at)
    if title is not None and not _BLANK_LINE.search(masked, at, title.end()):
        at = title.end()
    at = _space_end(masked, at)
    if not destination or not masked.startswith(")", at):
        return None
    return unescaped(destination), at + 1


def destination_span(text: str, link: Link) -> tuple[int, int]:
    """Where the destination of a Markdown link stands in ``text``, angle brackets left out.

    ``ValueError`` where ``link`` is no link of that text.
    """
    at = text.find("](", link.start, link.end)
    while at >= 0:
        begin = at + 2
        found = _destination(text, begin)
        if found is not None and found[1] == link.end:
            begin = _space_end(text, begin)
            angled = _ANGLED.match(text, begin)
            return angled.span(1) if angled is not None else (begin, _plain_end(text, begin))
        at = text.find("](", begin, link.end)
    raise ValueError(link.target)


def _space_end(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _plain_end(text: str, at: int) -> int:
    """The end of an unbracketed destination: balanced parentheses, no spaces."""
    depth = 0
    while (token := _PLAIN.match(text, at)) is not None:
        mark = text[at]
        if mark == "(":
            depth += 1
            if depth > _MAX_NESTED:
                return -1
        elif mark == ")":
            if depth == 0:
                break
            depth -= 1
        at = token.end()
    return at if depth == 0 else -1


# Links in properties -------------------------------------------------------------------------

_WHOLE = re.compile(r"\s*\[\[((?:(?!\[\[|\]\])[^\n\r])+)\]\]\s*")


def _property_links(note: Note, span: Span) -> Iterator[Link]:
    """Links that are a whole property value or a whole item of a list (Obsidian 1.4 and later).

    An unquoted ``up: [[Home]]`` is a list in a list and no link: ``Properties.malformed_links``.
    """
    written = note.text[span.start : span.end]
    quoted = simple_property_links(written)
    for key, begin, end, value in _property_texts(written) if quoted is None else quoted:
        found = _WHOLE.fullmatch(value)
        inside = found[1] if found is not None else ""
        target, pipe, display = inside.partition("|")
        split = split_target(target)
        if split is not None:
            start = span.start + begin
            uneven = note.lone_returns
            line = note.line_of(start) if uneven else note.text.count("\n", 0, start) + 1
            yield Link(
                target=split[0],
                subpath=split[1],
                display=display if pipe else None,
                kind="wiki",
                embed=False,
                hidden=False,
                external=split[2],
                property=key,
                start=start,
                end=span.start + end,
                line=line,
                in_table=False,
            )


def _property_texts(written: str) -> Iterator[tuple[str, int, int, str]]:
    """``(top-level key, start, end, value)`` of every text with a wikilink; none if broken."""
    from vault_dream.engine.vault.yaml_core import YamlError, compose

    try:
        root = compose(written)
    except YamlError:
        return
    for key, value in root.pairs() if root is not None and root.kind == "map" else ():
        waiting: list[Node] = [value]
        while waiting:
            node = waiting.pop()
            if node.kind == "scalar" and isinstance(node.value, str) and "[[" in node.value:
                yield str(key.value), node.start, node.end, node.value
            children = node.children[1::2] if node.kind == "map" else node.children
            waiting.extend(reversed(children))
