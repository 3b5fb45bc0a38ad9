"""Globs over vault paths: ``*`` stays inside a folder, ``**`` crosses folders, a folder covers all
that is in it. Matching ignores case and Unicode form, as Obsidian's links do."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Sequence

from vault_dream.engine.vault.paths import key

Segment = Callable[[str], object] | None
"""A test for one name of a path; None is ``**``, any number of names."""


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """A test whether one of ``patterns`` matches a vault path or a folder above it.

    A pattern without a slash matches a name at any depth, as in ``.gitignore``.
    """
    rows = [_segments(key(pattern)) for pattern in patterns if pattern.strip("/")]
    if not rows:
        return lambda path: False

    def matches(path: str) -> bool:
        names = key(path).split("/")
        return any(_covers(row, names) for row in rows)

    return matches


def _segments(pattern: str) -> list[Segment]:
    # A translation is only ever used whole: what it looks like differs from Python to Python.
    row: list[Segment] = [
        None if part == "**" else re.compile(fnmatch.translate(part)).match
        for part in pattern.strip("/").split("/")
    ]
    return row if "/" in pattern.rstrip("/") else [None, *row]


def _covers(row: Sequence[Segment], names: Sequence[str]) -> bool:
    """Whether the row matches the first names, or all of them; a last ``**`` needs one more."""
    last = len(row) - 1
    places = {0}
    for name in names:
        for place in sorted(places):
            while row[place] is None and place < last:
                place += 1
                places.add(place)
        passed = set()
        for place in places:
            segment = row[place]
            if segment is None or segment(name):
                if place == last:
                    return True
                passed.add(place if segment is None else place + 1)
        places = passed
    return False
