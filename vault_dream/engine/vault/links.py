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

from vault_dream.engine.vault.structure import Span
from vault_dream.engine.vault.yaml_simple import simple_links

if TYPE_CHECKING:
    from vault_dream.engine.vault.notes import Note
    from vault_dream.engine.vault.yaml_core import Node


class Link(NamedTuple):
    """One link of a note, external ones included; ``start`` and ``end`` cover all of its text.

    ``target`` is what was meant: percent-decoded for Markdown links, without subpath, ``""`` for
    the note itself. ``subpath`` is ``#Heading#Sub``, ``#^id`` or ``""``. ``display`` is the label,
    or an embed's size. ``property`` names the frontmatter key the link stands in.
    """

    target: str
    subpath: str
    display: str | None
    kind: str
    embed: bool
    hidden: bool
    external: bool
    property: str | None
    start: int
    end: int
    line: int
    in_table: bool


class _Found(NamedTuple):
    """A link before what surrounds it is known; ``inner`` is where its target and label are."""

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
    one, flagged ``hidden`` (Obsidian keeps it in its cache).
    """
    text = note.text
    if "[" not in text:
        return ()
    links: list[Link] = []
    span = note.frontmatter
    if span is not None and text.find("[[", span[0], span[1]) >= 0:
        links.extend(_property_links(note, span))
    start, opaque = note.body_start, note.opaque()
    masked = _masked(text, start, opaque) if opaque else text
    found = _simple_links(masked, text, start)
    if found is None:
        found = _scan(masked, text, start)
    if not found:
        return tuple(links)
    hidden = _Spans(note.hidden()) if note.hidden() else _NOWHERE
    tables = _tables(note)
    line, counted, uneven = 1, 0, note.lone_returns
    for begin, end, target, subpath, display, kind, embed, external in found:
        if uneven:
            line = note.line_of(begin)
        else:
            line += text.count("\n", counted, begin)
            counted = begin
        hid = hidden is not _NOWHERE and hidden.hold(begin)
        table = tables is not _NOWHERE and tables.hold(begin)
        links.append(
            Link(
                target, subpath, display, kind, embed, hid, external, None, begin, end, line, table
            )
        )
    return tuple(links)


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


_NOWHERE = _Spans(())


def _tables(note: Note) -> _Spans:
    """The note's tables; its blocks are not asked for where no table can be."""
    if "|" not in note.text or (note.sketch is not None and not note.sketch.tables):
        return _NOWHERE
    return _Spans(Span(row[1], row[2]) for row in note.structure.rows if row[0] == "table")


# What stands in for opaque text while brackets are matched: no note that is read has a NUL.
_FILLER = "\x00"


def _masked(text: str, start: int, opaque: tuple[Span, ...]) -> str:
    """``text`` with opaque spans blanked out (newlines kept), same length, from ``start`` on."""
    if not opaque:
        return text
    pieces: list[str] = []
    at = 0
    for span in opaque:
        if span.end <= max(at, start):
            continue
        begin = max(span.start, at)
        inside = text[begin : span.end]
        pieces.append(text[at:begin])
        pieces.append("\n".join([_FILLER * len(line) for line in inside.split("\n")]))
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces)


def _scan(masked: str, text: str, start: int) -> list[_Found]:
    wiki = list(_wiki_links(masked, text, start))
    if masked.find("](", start) < 0:
        return wiki
    return sorted([*wiki, *_markdown_links(masked, text, start, wiki)])


# Every ``[`` of a simple text opens one of these (or else the last group says that it is not
# simple): a wikilink (1 target, 2 subpath, 3 label), a footnote's mark, or a pair of brackets that
# holds none and makes a Markdown link with an address after it (4 label, 5 address) or nothing.
_SIMPLE = re.compile(
    r"\[(?:\[([^\[\]\n\x00|#<]*)(#[^\[\]\n\x00|<]*)?(?:\|([^\[\]\n]*))?\]\]"
    r"|\^[^\[\]\n]*\]"
    r"|([^\[\]\n^][^\[\]\n]*)?\](?:\(([^()\[\]\s<>\x00-\x1f\x7f]+)\)|(?!\())"
    r"|())"
)


def _simple_links(masked: str, text: str, at: int) -> list[_Found] | None:
    """What ``_scan`` gives, by one pattern; None where brackets nest, escape or are never closed.

    No bracket of a simple text depends on another one, so neither matching nor order matters.
    """
    if masked.find("\\", at) >= 0:
        return None
    links: list[_Found] = []
    for found in _SIMPLE.finditer(masked, at):
        kind = found.lastindex
        if kind is None or kind == 4:
            continue  # a pair of brackets
        if kind == 6:
            return None
        start, end = found.span()
        embed = start > 0 and masked[start - 1] == "!"
        if kind == 5:
            display = _unescaped(text[start + 1 : found.end(4)]) if found[4] else ""
            links.append(_to_address(found[5], start, end, display, embed))
            continue
        target, subpath, label, _, _, _ = found.groups("")
        if kind == 3 and "\x00" in label:
            label = text[found.start(3) : found.end(3)].replace("\\|", "|")
        if ":" in target and _WIKI_SCHEME.match(target.lstrip()):
            target, subpath, external = (target + subpath).strip(), "", True
        else:
            target, subpath, external = target.strip(), subpath.rstrip(), False
            if not target and not subpath and kind != 3:
                continue
            if subpath == "#":
                subpath = ""
        shown = label if kind == 3 else None
        links.append(_Found(start - embed, end, target, subpath, shown, "wiki", embed, external))
    return links


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
        if find("\n", start, closed) >= 0 or _escaped(masked, start):
            continue
        target, pipe, display = text[start + 2 : closed].partition("|")
        if "<%" in target or _FILLER in masked[start + 2 : start + 2 + len(target)]:
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


_WIKI_SCHEME = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|(?:data|file|javascript|mailto|obsidian|tel):", re.IGNORECASE
)
# In a Markdown link every scheme counts; one letter is a Windows drive, outside the vault too.
_MARKDOWN_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\\\")


def split_target(written: str) -> tuple[str, str, bool] | None:
    """``(target, subpath, external)`` of a wikilink's inside without label; None if it is empty.

    Path and subpath split at the first ``#`` (API parseLinktext).
    """
    written = written.strip()
    if not written:
        return None
    if ":" in written and _WIKI_SCHEME.match(written):
        return written, "", True
    target, sign, subpath = written.partition("#")
    return target.rstrip(), sign + subpath if subpath else "", False


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
    display = _unescaped(text[opened + 1 : closed])
    return _to_address(destination, opened, end, display, embed)


def _to_address(destination: str, opened: int, end: int, display: str, embed: bool) -> _Found:
    external = bool(_MARKDOWN_SCHEME.match(destination))
    target, subpath = destination, ""
    if not external:
        # Decoded first: `%23` splits too, so `x #1.md` cannot be linked at all (case ob-22).
        target, sign, rest = percent_decode(destination).partition("#")
        subpath = sign + rest if rest else ""
    return _Found(opened - embed, end, target, subpath, display, "markdown", embed, external)


_UNESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def _unescaped(text: str) -> str:
    return _UNESCAPE.sub(r"\1", text) if "\\" in text else text


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
    return _unescaped(destination), at + 1


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


_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def percent_decode(text: str) -> str:
    """``text`` with ``%XX`` decoded as UTF-8; what is no UTF-8 stays as it is written."""
    return _PERCENT.sub(_decode_run, text) if "%" in text else text


def _decode_run(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


# Links in properties -------------------------------------------------------------------------

_WHOLE = re.compile(r"\s*\[\[((?:(?!\[\[|\]\])[^\n])+)\]\]\s*")


def _property_links(note: Note, span: Span) -> Iterator[Link]:
    """Links that are a whole property value or a whole item of a list (Obsidian 1.4 and later).

    An unquoted ``up: [[Home]]`` is a list in a list and no link: ``Properties.malformed_links``.
    """
    written = note.text[span.start : span.end]
    quoted = simple_links(written)
    for key, begin, end, value in _property_texts(written) if quoted is None else quoted:
        found = _WHOLE.fullmatch(value)
        inside = found[1] if found is not None else ""
        target, pipe, display = inside.partition("|")
        split = split_target(target)
        if split is not None:
            start = span.start + begin
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
                line=note.line_of(start),
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
