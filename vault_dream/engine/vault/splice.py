"""Edits as replacements of spans: what no splice names stays as it is, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from vault_dream.engine.errors import EditError


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the characters from ``start`` up to ``end`` by ``text``."""

    start: int
    end: int
    text: str


def apply(text: str, splices: Iterable[Splice]) -> str:
    """Return ``text`` with every splice done; offsets are those of ``text`` as given.

    Insertions at one offset keep the order they were given in. Raises EditError when a splice
    lies outside the text or two of them overlap.
    """
    pieces: list[str] = []
    position = 0
    for splice in sorted(splices, key=lambda each: (each.start, each.end)):
        if not 0 <= splice.start <= splice.end <= len(text):
            raise EditError(_span(splice), f"the text has only {len(text)} characters")
        if splice.start < position:
            raise EditError(_span(splice), "two edits overlap", "make them one after another")
        pieces += (text[position : splice.start], splice.text)
        position = splice.end
    pieces.append(text[position:])
    return "".join(pieces)


def replace_once(text: str, old: str, new: str, *, where: str, newline: str = "\n") -> str:
    """``text`` with the one place where ``old`` stands replaced by ``new``.

    A line feed in ``old`` matches the note's own line end, and those in ``new`` are written as
    ``newline``. Raises EditError (naming ``where``) where ``old`` is empty or does not
    stand exactly once (places that overlap are two), or where nothing would change.
    """
    if not old:
        raise EditError(where, "the text to replace is empty", "quote the text to replace")
    pattern = re.escape(old.replace("\r\n", "\n")).replace("\\\n", r"\r?\n")
    # Places that overlap are two, but one that starts with `\r\n` does not count again at its `\n`.
    found = list(re.finditer(rf"(?!(?<=\r)\n)(?=({pattern}))", text))
    if not found:
        raise EditError(
            where, "the text to replace is not in the note", "quote it as `read` shows it"
        )
    if len(found) > 1:
        raise EditError(
            where,
            f"the text to replace occurs {len(found)} times in the note",
            "quote more of its surroundings",
        )
    start, end = found[0].span(1)
    replaced = apply(text, [Splice(start, end, new.replace("\r\n", "\n").replace("\n", newline))])
    if replaced == text:
        raise EditError(where, "old and new text are the same", "change something, or leave it out")
    return replaced


def _span(splice: Splice) -> str:
    return f"characters {splice.start} to {splice.end}"
