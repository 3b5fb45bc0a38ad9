"""The quick way to a note's headings, link targets and words, for the many notes that are simple.

``links_in`` knows each link's span, line and surroundings. An index of a whole vault asks only for
the targets; where nothing in the text could make a link something else than it looks, one pattern
finds them. Whatever is not plainly so is left to ``links_in`` (the tests hold the two together).
"""

from __future__ import annotations

import re

from vault_dream.engine.vault.links import links_in, split_target
from vault_dream.engine.vault.notes import Note

_WIKI = re.compile(r"\[\[([^\[\]\n|]+)(?:\|[^\[\]\n]*)?\]\]")
_SHOWN = re.compile(r"!?\[\[[^\[\]\n|]+(?:\|([^\[\]\n]*))?\]\]")


def _is_hard(text: str) -> bool:
    """Whether something may hide a link or a heading, or make it of another kind.

    Code, comments, math, HTML, escapes, Markdown links. A pattern takes twenty times as long, and
    to look for two characters fifteen times as long as to look for one.
    """
    return (
        "`" in text or "<" in text or "\\" in text or "$" in text or "\t" in text or "\r" in text
        or ("(" in text and "](" in text) or ("%" in text and "%%" in text)
        or ("~" in text and "~~~" in text) or "\n    " in text
    )  # fmt: skip


def targets_in(note: Note) -> tuple[str, ...]:
    """The distinct targets of the note's links to files, as written, in order of position.

    External links, links inside ``%%`` and links to the note itself are left out.
    """
    if "[" not in note.text:
        return ()
    simple = _simple_targets(note)
    if simple is not None:
        return simple
    return tuple(
        dict.fromkeys(
            link.target
            for link in links_in(note)
            if link.target and not link.external and not link.hidden
        )
    )


def words_without_targets(note: Note) -> str:
    """The body with every link replaced by its label, or by nothing where it has none."""
    body = note.text[note.body_start :]
    if "[" not in body:
        return body
    if not _is_hard(body):
        found = _WIKI.findall(body)
        if body.count("[[") == body.count("]]") == len(found) and all(map(str.strip, found)):
            return _SHOWN.sub(r"\1", body)
    parts: list[str] = []
    last = note.body_start
    for link in links_in(note):
        if link.property is None and link.start >= last:
            parts += (note.text[last : link.start], link.display or "")
            last = link.end
    parts.append(note.text[last:])
    return "".join(parts)


def _simple_targets(note: Note) -> tuple[str, ...] | None:
    body = note.text[note.body_start :]
    if _is_hard(body):
        return None
    found = _WIKI.findall(body)
    if "[[" in note.text[: note.body_start] or not _are_all(found, body):
        return None  # brackets in brackets, open ones, or links in the properties
    targets: dict[str, None] = {}
    for written in found:
        if ":" not in written and "#" not in written:
            target, external = written.strip(), False
            if not target:
                return None
        else:
            split = split_target(written)
            if split is None:
                return None
            target, _, external = split
        if target and not external:
            targets[target] = None
    return tuple(targets)


def _are_all(found: list[str], body: str) -> bool:
    """Whether no other pair of brackets opens or closes in ``body`` than those that were found."""
    pairs = len(found)
    if body.count("[") == 2 * pairs == body.count("]"):
        return True
    return body.count("[[") == pairs == body.count("]]")
