"""The quick way to read properties that are written at their plainest, as nearly all are.

``key: value`` lines at column 0, lists of plain or simply quoted words in either form, comments on
lines of their own. Whatever is not plainly that is left to ``yaml_core.py``; where this answers,
that gives the same (the tests hold the two together).
"""

from __future__ import annotations

import re

from vault_dream.engine.vault.soundness import SOUND
from vault_dream.engine.vault.yaml_scalars import BOOLS, NULLS, NUMBER_START, scalar

# Not in the quick way: tabs, and characters that some reader breaks lines at or refuses. Asked for
# once and beforehand: character sets beyond Latin-1 are slow, to compile even more than to use.
ODD = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\xa0]")
ODD_BEYOND = "\u2028\u2029\ufeff\ufffe\uffff"
FIRST = r"[^\x00-/:-@\[-\^`{-\x7f]"  # letters, digits, underscore, and all that is not ASCII
# A plain scalar in which, outside flow collections, no YAML indicator can be seen. Parts that are
# once matched are never given back (``*+``): a long line is looked at once.
WORD = rf"{FIRST}[^:#\r\n]*+(?:(?::(?=[^\s:#])|(?<! )\#)[^:#\r\n]*+)*+"
QUOTED = r"\"[^\"\\\r\n]*+\"|'[^'\r\n]*+'"
ITEM = rf" *+(?:(?:{QUOTED}) *+|{FIRST}[^\[\]{{}},:#\"'\\\r\n]*+)"
LINE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_ \-]*+):"
    rf"(?: ++(?:({WORD})|({QUOTED}) *+|\[((?:{ITEM}(?:,{ITEM})*+)?+) *+\] *+)?+)?+\r?\n"
    rf"|( *+)-(?: ++(?:({WORD})|({QUOTED}) *+)?+)?+\r?\n"
    rf"|(?: *+\#[^\r\n]*+)?+\r?\n"
)
ONE_ITEM = re.compile(ITEM)
NOT_TEXT = NULLS | BOOLS.keys()


def read_simple(text: str) -> dict[str, object] | None:
    """Return the mapping that the YAML ``text`` is, or None when it is not simple."""
    if (
        not SOUND
        or ODD.search(text)
        or not (text.isascii() or all(character not in text for character in ODD_BEYOND))
    ):
        return None
    values: dict[str, object] = {}
    items: list[object] | None = None  # of the list that may go on
    key = indent = ""  # the key that a list may follow, the list's indent
    position = 0
    while position < len(text):
        found = LINE.match(text, position)
        if found is None:
            return None
        position = found.end()
        name, word, quoted, flow, dash, item, quoted_item = found.groups()
        if name is not None:
            if name[-1] == " ":
                name = name.rstrip(" ")
            if name in values or name in NOT_TEXT:
                return None
            key, items = "", None
            if word is not None:
                values[name] = plain(word)
            elif quoted is not None:
                values[name] = quoted[1:-1]
            elif flow is not None:
                values[name] = [_item(one) for one in ONE_ITEM.findall(flow)]
            else:
                key, values[name] = name, None
        elif dash is not None:
            if not key or (items is not None and dash != indent):
                return None
            if items is None:
                items = values[key] = []
                indent = dash
            if item is not None:
                items.append(plain(item))
            else:
                items.append(None if quoted_item is None else quoted_item[1:-1])
    return values


def simple_property_links(text: str) -> list[tuple[str, int, int, str]] | None:
    """Return (key, start, end, value) of each quoted value with ``[[`` in it, quotes in the span.

    None when the YAML ``text`` is not simple; in what is, a value with a link in it is quoted.
    """
    if read_simple(text) is None:
        return None
    links: list[tuple[str, int, int, str]] = []
    key = ""
    for found in LINE.finditer(text):
        key = (found[1] or key).rstrip(" ")
        group = 3 if found[3] is not None else 7
        if "[[" in (found[group] or ""):
            links.append((key, *found.span(group), found[group][1:-1]))
        for one in ONE_ITEM.finditer(found[4] or ""):
            if "[[" in one[0]:
                start = found.start(4) + one.start() + len(one[0]) - len(one[0].lstrip(" "))
                value = one[0].strip(" ")
                links.append((key, start, start + len(value), value[1:-1]))
    return links


def plain(word: str) -> object:
    """Return what a plain word means, blanks after it left out."""
    if word[-1] == " ":
        word = word.rstrip(" ")
    if word[0] in NUMBER_START:
        return scalar(word)
    return scalar(word) if word in NOT_TEXT else word


def _item(written: str) -> object:
    written = written.strip(" ")
    return written[1:-1] if written[0] in "\"'" else plain(written)
