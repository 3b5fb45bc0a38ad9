"""The tags of a vault and how many notes have each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag as it is written most often; ``notes`` have it or a tag below it (``a/b`` is an ``a``
    too, as in Obsidian's tag pane), ``own`` have it itself."""

    tag: str
    notes: int
    own: int


def count_tags(notes: Iterable[Collection[str]]) -> tuple[TagCount, ...]:
    """The tags of notes, each given by its own tags, with those above them; the most used first."""
    having: Counter[str] = Counter()
    own: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for tags in notes:
        levels: set[str] = set()
        for tag in tags:
            parts = tag.split("/")
            for size in range(1, len(parts) + 1):
                level = "/".join(parts[:size])
                levels.add(level.casefold())
                written.setdefault(level.casefold(), Counter())[level] += 1
        having.update(levels)
        own.update({tag.casefold() for tag in tags})
    ordered = sorted(having.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        TagCount(
            min(written[tag].items(), key=lambda item: (-item[1], item[0]))[0], notes, own[tag]
        )
        for tag, notes in ordered
    )


def is_under(tag: str, wanted: str) -> bool:
    """Whether ``tag`` is ``wanted``, or below it; both folded."""
    return tag == wanted or tag.startswith(wanted + "/")
