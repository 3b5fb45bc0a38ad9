"""A person's changes to a proposal: hunks left out, links dropped or added, a text of their own.

Whatever a person asks for becomes operations on the target again, so that it can be rebased and is
checked like the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from vault_dream.engine.digest.edges import SOURCES_HEADINGS
from vault_dream.engine.dream.edits import CreateNote, Op, ReplaceText, apply_ops
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.properties import (
    read_properties,
    remove_property,
    set_properties,
)
from vault_dream.engine.vault.resolve import Resolver, spell_link


@dataclass(frozen=True, slots=True)
class Sides:
    """The whole text of a proposal's target without and with it; ``before`` is ``None`` for a new
    node."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that a proposal replaces, from line ``old_start``, counted from 0; ``taken`` says
    whether the hunk is part of the proposal as it stands."""

    index: int
    old_start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    taken: bool = True


def hunks(before: str, after: str, left_out: Sequence[int] = ()) -> tuple[Hunk, ...]:
    """The line hunks from ``before`` to ``after``, in order; line ends belong to their lines."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return tuple(
        Hunk(i, a, tuple(old[a:b]), tuple(new[c:d]), i not in left_out)
        for i, (_, a, b, c, d) in enumerate(changed)
    )


def with_hunks(before: str, offered: Sequence[Hunk]) -> str:
    """``before`` with the taken hunks of ``offered`` done."""
    lines = before.splitlines(keepends=True)
    for hunk in reversed(offered):
        if hunk.taken:
            lines[hunk.old_start : hunk.old_start + len(hunk.old)] = hunk.new
    return "".join(lines)


def ops_between(path: str, before: str | None, after: str) -> tuple[Op, ...]:
    """Operations that turn ``before`` into ``after``, each quoting enough to stand once.

    Raises :class:`EditError` where no quote of the text is unique (an empty note).
    """
    if before is None:
        return (CreateNote(after),)
    ops: list[Op] = []
    text = before
    # From the end of the note, so that what was done never moves what is still to do.
    for hunk in reversed(hunks(before, after)):
        op = _replacement(path, text.splitlines(keepends=True), hunk)
        text = apply_ops(path, text, [op])
        ops.append(op)
    if text != after:
        raise EditError(path, "the change cannot be said as edits", "make it smaller")
    return tuple(ops)


def _replacement(path: str, lines: list[str], hunk: Hunk) -> ReplaceText:
    """The hunk with as many lines around it as make the old text stand once."""
    whole = "".join(lines)
    start, end = hunk.old_start, hunk.old_start + len(hunk.old)
    for around in range(len(lines) + 1):
        first, last = max(0, start - around), min(len(lines), end + around)
        old = "".join(lines[first:last])
        if old.strip() and whole.count(old) == 1:
            new = "".join((*lines[first:start], *hunk.new, *lines[end:last]))
            return ReplaceText(_lf(old), _lf(new))
    raise EditError(path, "the change cannot be said as edits", "make it smaller")


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def without_link(path: str, after: str, target: str, resolver: Resolver) -> str:
    """``after`` without its links to ``target``: a list line or a sentence that is there for the
    link alone goes, elsewhere the words of the link stay."""

    def leads_there(link: Link) -> bool:
        return (
            not link.external
            and bool(link.target)
            and resolver.resolve(link.target, path).path == target
        )

    note = parse_note(path, after.encode("utf-8"))
    found = [link for link in links_in(note) if leads_there(link)]
    text = after
    for link in reversed([link for link in found if link.property is None]):
        line = _line(text, link.start)
        if _LIST_ITEM.match(text, *line):
            text = text[: line[0]] + text[line[1] :]
        else:
            label = link.display or link.target.rsplit("/", 1)[-1].removesuffix(".md")
            text = text[: link.start] + label + text[link.end :]
    for key in dict.fromkeys(link.property for link in found if link.property is not None):
        items = {after[link.start : link.end].strip("\"'") for link in found}
        text = _without_items(parse_note(path, text.encode("utf-8")), key, items)
    return text


def _without_items(note: Note, key: str, items: set[str]) -> str:
    """The text of ``note`` with ``items`` taken out of the list property ``key``."""
    kept = [value for value in read_properties(note).texts(key) if value not in items]
    return set_properties(note, {key: kept}) if kept else remove_property(note, key)


_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")


def _line(text: str, offset: int) -> tuple[int, int]:
    """The span of the line at ``offset``, with its line end."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, len(text) if end < 0 else end + 1


def with_link(note: Note, target: str, name: str, chinese: bool = False) -> str:
    """The text of ``note`` with a sentence that links to ``target``, before its sources."""
    link = spell_link(target, label=name)
    sentence = f"另见{link}，与此相关。" if chinese else f"It is related to {link}, linked by hand."
    heading = next(
        (
            heading
            for heading in note.headings
            if heading.text.strip().rstrip(":：").casefold() in SOURCES_HEADINGS
        ),
        None,
    )
    end = note.newline
    if heading is None:
        return note.text.rstrip("\r\n") + end + end + sentence + end
    return note.text[: heading.start] + sentence + end + end + note.text[heading.start :]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A quote with the lines around it, as (number, text). ``exact``: it stands there word for
    word; else ``lines`` is what stands there now, or empty where the source is gone."""

    path: str
    line: int
    quote: str
    heading: str
    exact: bool
    lines: tuple[tuple[int, str], ...]


def lines_around(text: str, line: int, context: int) -> Iterator[tuple[int, str]]:
    """The lines of ``text`` near ``line`` (1-based), with their numbers."""
    lines = text.splitlines()
    for number in range(max(1, line - context), min(len(lines), line + context) + 1):
        yield number, lines[number - 1]


def untouched_lines(before: str, after: str, is_owners: Callable[[str], bool]) -> int:
    """How many of the owner's lines of ``before`` stay as they are."""
    gone = {line for hunk in hunks(before, after) for line in hunk.old}
    return sum(
        1 for line in before.splitlines(keepends=True) if is_owners(line) and line not in gone
    )
