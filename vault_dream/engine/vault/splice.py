"""Edits as replacements of spans: what no splice names stays as it is, byte for byte."""

from __future__ import annotations

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


def replace_once(text: str, old: str, new: str, *, where: str) -> str:
    """Return ``text`` with its one occurrence of ``old`` replaced by ``new``.

    Raises EditError (naming ``where``) when ``old`` is empty, absent, there more than once
    (overlapping occurrences count), or equal to ``new``.
    """
    if not old:
        raise EditError(where, "the text to replace is empty", "quote the text to replace")
    if old == new:
        raise EditError(where, "the edit changes nothing", "give a new text that differs")
    start = text.find(old)
    if start < 0:
        raise EditError(where, "the text to replace is not there", "quote it exactly as it stands")
    if text.find(old, start + 1) >= 0:
        raise EditError(
            where,
            f"the text to replace is there {_occurrences(text, old)} times",
            "quote more of its surroundings",
        )
    return text[:start] + new + text[start + len(old) :]


def _occurrences(text: str, old: str) -> str:
    """The number of occurrences, overlapping ones too; counting stops where nobody cares."""
    start, number = text.find(old), 0
    while start >= 0:
        number += 1
        if number > 99:
            return "more than 99"
        start = text.find(old, start + 1)
    return str(number)


def _span(splice: Splice) -> str:
    return f"characters {splice.start} to {splice.end}"
