"""The quick way to a body's links, for the many in which no bracket depends on another one.

Where this answers, the scan in ``links.py`` gives the same (the tests hold the two together).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vault_dream.engine.vault.addresses import WIKI_SCHEME, Link, address, unescaped
from vault_dream.engine.vault.soundness import SOUND
from vault_dream.engine.vault.structure import Span

# What stands in for opaque text while brackets are matched: no note that is read has a NUL.
FILLER = "\x00"

# Every ``[`` of a simple text opens one of these (or else the last group says that it is not
# simple): a wikilink (1 target, 2 subpath, 3 label), a footnote's mark, or a pair of brackets that
# holds none and makes a Markdown link with an address after it (4 label, 5 address) or nothing.
ADDRESS = r"[^()\[\]\s<>\\\x00-\x1f\x7f]"
BRACKETS = re.compile(
    r"\[(?:\[([^\[\]\n\r\x00|#<]*)(#[^\[\]\n\r\x00|<]*)?(?:\|([^\[\]\n\r]*))?\]\]"
    r"|\^[^\[\]\n]*\]"
    r"|([^\[\]\n^][^\[\]\n]*)?\]"
    rf"(?:\(({ADDRESS}++(?:\({ADDRESS}*+\){ADDRESS}*+)*+)\)|(?!\())"
    r"|())"
)
# A backslash before what else would matter to a link; both stand for nothing then.
ESCAPE = re.compile(r"\\[\[\]()!|\\<>]")


def simple_links(text: str, start: int, opaque: Sequence[Span]) -> list[Link] | None:
    """The links from ``start`` on, in order; what is around them (hidden, tables) is not looked at.

    None where brackets nest or are never closed.
    """
    if not SOUND:
        return None
    escapes = text.find("\\", start) >= 0 and ESCAPE.search(text, start) is not None
    masked = text
    if opaque:
        links = None if escapes else _links(text, text, _gaps(text, start, opaque))
        if links is not None:
            return links
        masked = masked_text(text, start, opaque)
    if escapes:
        masked = ESCAPE.sub(FILLER * 2, masked)
    return _links(masked, text, ((start, len(text)),))


def _gaps(text: str, start: int, opaque: Sequence[Span]) -> list[tuple[int, int]]:
    """The stretches between opaque spans in which there is a bracket."""
    gaps: list[tuple[int, int]] = []
    for begin, end in opaque:
        if start < begin and text.find("[", start, begin) >= 0:
            gaps.append((start, begin))
        if end > start:
            start = end
    gaps.append((start, len(text)))
    return gaps


def _links(masked: str, text: str, gaps: Sequence[tuple[int, int]]) -> list[Link] | None:
    """The links in these stretches of ``masked``; None when one holds a bracket that is not simple.

    No bracket of a simple text depends on another one, so neither matching nor order matters.
    """
    links: list[Link] = []
    new, count = tuple.__new__, text.count  # a third of the time that ``Link(...)`` takes
    line, counted = 1, 0
    for begin, finish in gaps:
        for found in BRACKETS.finditer(masked, begin, finish):
            kind = found.lastindex
            if kind is None or kind == 4:
                continue  # a pair of brackets
            start, end = found.span()
            line += count("\n", counted, start)
            counted = start
            external = False
            if kind < 4:
                target, subpath, label = found.group(1, 2, 3)
                if label is not None and FILLER in label:
                    label = text[found.start(3) : found.end(3)].replace("\\|", "|")
                if ":" in target and WIKI_SCHEME.match(target.lstrip()):
                    target, subpath, external = (target + (subpath or "")).strip(), "", True
                else:
                    target = target.strip()
                    if subpath is None:
                        if not target and label is None:
                            continue
                        subpath = ""
                    else:
                        subpath = subpath.rstrip()
                        subpath = "" if subpath == "#" else subpath
                spelled = "wiki"
            elif kind == 5:
                label = unescaped(text[start + 1 : found.end(4)]) if found[4] else ""
                target, subpath, external = address(found[5])
                spelled = "markdown"
            else:
                return None
            embed = start > begin and masked[start - 1] == "!"
            fields = (target, subpath, label, spelled, embed, False, external, None)
            links.append(new(Link, (*fields, start - embed, end, line, False)))
    return links


def masked_text(text: str, start: int, opaque: Sequence[Span]) -> str:
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
        pieces.append("\n".join([FILLER * len(line) for line in inside.split("\n")]))
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces)
