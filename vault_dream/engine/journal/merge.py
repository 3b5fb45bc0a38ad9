"""Three-way merge of texts by lines, only where it is clean."""

from __future__ import annotations

from collections.abc import Sequence

Change = tuple[int, int, list[str]]  # base lines [start, end) become these


def merge_bytes(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """The text with both sides' changes to ``base``; None where they touch the same or adjoining
    lines, or where a side is not UTF-8. Line endings are part of a line, so they survive."""
    try:
        texts = [data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return None
    merged = merge_lines(*(text.splitlines(keepends=True) for text in texts))
    return None if merged is None else "".join(merged).encode("utf-8")


def merge_lines(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> list[str] | None:
    """None when a change of ours and a different one of theirs overlap or adjoin."""
    mine, other = _changes(base, ours), _changes(base, theirs)
    changes: list[Change] = []
    for change in mine:
        if change not in other and any(_touch(change, each) for each in other):
            return None
        changes.append(change)
    changes.extend(change for change in other if change not in mine)
    for change in other:
        if change not in mine and any(_touch(change, each) for each in mine):
            return None
    merged: list[str] = []
    at = 0
    for start, end, lines in sorted(changes, key=lambda change: change[:2]):
        merged.extend(base[at:start])
        merged.extend(lines)
        at = end
    merged.extend(base[at:])
    return merged


def _changes(base: Sequence[str], side: Sequence[str]) -> list[Change]:
    import difflib

    matcher = difflib.SequenceMatcher(None, base, side, autojunk=False)
    return [
        (start, end, list(side[side_start:side_end]))
        for tag, start, end, side_start, side_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _touch(one: Change, other: Change) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
