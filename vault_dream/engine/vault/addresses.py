"""A link as a value, and what its address means: schemes, subpaths, percent signs.

Finding links is for ``links.py``, the simple ones' quick way for ``links_simple.py``.
"""

from __future__ import annotations

import re
from typing import NamedTuple


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


WIKI_SCHEME = re.compile(
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
    if ":" in written and WIKI_SCHEME.match(written):
        return written, "", True
    target, sign, subpath = written.partition("#")
    return target.rstrip(), sign + subpath if subpath else "", False


def address(destination: str) -> tuple[str, str, bool]:
    """``(target, subpath, external)`` of a Markdown link's destination."""
    if _MARKDOWN_SCHEME.match(destination):
        return destination, "", True
    # Decoded first: `%23` splits too, so `x #1.md` cannot be linked at all (case ob-22).
    target, sign, rest = percent_decode(destination).partition("#")
    return target, sign + rest if rest else "", False


_UNESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def unescaped(text: str) -> str:
    return _UNESCAPE.sub(r"\1", text) if "\\" in text else text


_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def percent_decode(text: str) -> str:
    """``text`` with ``%XX`` decoded as UTF-8; what is no UTF-8 stays as it is written."""
    return _PERCENT.sub(_decode_run, text) if "%" in text else text


def _decode_run(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
