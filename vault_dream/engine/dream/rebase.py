"""Rebase: a proposal's operations done on the bytes that are there now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from vault_dream.engine.dream.edits import (
    AppendToProperty,
    CreateNote,
    FileChange,
    Op,
    ReplaceText,
    SetProperties,
    apply_ops,
    text_hash,
)
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import EditError
from vault_dream.engine.journal import FileWrite
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.properties import read_properties


@dataclass(frozen=True, slots=True)
class Rebased:
    """The writes of a proposal on today's bytes, or why it is stale. ``moved`` says that a base had
    changed, so that the checks must speak again; ``stands``, that its effect is there already:
    it landed on another machine, say, whose notes came here before its state files did."""

    writes: tuple[FileWrite, ...] = ()
    stale: str = ""
    moved: bool = False
    stands: bool = False


def rebase(proposal: Proposal, current: Callable[[str], bytes | None]) -> Rebased:
    """What ``proposal`` would write over the bytes that ``current`` gives for each path.

    Nothing that changed since is overwritten: an operation that does not fit any more makes the
    proposal stale.
    """
    if all(_stands(change, current(change.path)) for change in proposal.changes):
        return Rebased(stands=True)
    writes: list[FileWrite] = []
    moved = False
    for change in proposal.changes:
        raw = current(change.path)
        try:
            text = None if raw is None else raw.decode("utf-8")
        except UnicodeDecodeError:
            return Rebased(stale=f"{change.path} is no longer UTF-8 text")
        base = None if text is None else text_hash(text)
        moved = moved or base != change.base
        if change.base is None and raw is not None:
            return Rebased(stale=f"a note at {change.path} was created meanwhile")
        if change.base is not None and raw is None:
            return Rebased(stale=f"{change.path} is gone")
        try:
            after = apply_ops(change.path, text, change.ops)
        except EditError as error:
            return Rebased(stale=f"{change.path} changed meanwhile: {error.what}")
        writes.append(FileWrite(change.path, raw, after.encode("utf-8")))
    return Rebased(tuple(writes), "", moved)


def _stands(change: FileChange, raw: bytes | None) -> bool:
    """Whether ``raw``, other bytes than the change was made from, show its effect already."""
    try:
        text = None if raw is None else raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if text is None or text_hash(text) == change.base:
        return False
    said = [op for op in change.ops if isinstance(op, CreateNote | ReplaceText)]
    if said:
        flat = text.replace("\r\n", "\n")
        return all(_says(op, said[i + 1 :], change.path, flat) for i, op in enumerate(said))
    note = parse_note(change.path, text.encode("utf-8"))
    values = read_properties(note).values
    return all(_holds(op, values) for op in change.ops)


def _says(
    op: CreateNote | ReplaceText, later: list[CreateNote | ReplaceText], path: str, text: str
) -> bool:
    if isinstance(op, CreateNote):
        new = parse_note(path, op.text.encode("utf-8"))
        lines = {line.rstrip() for line in text.split("\n")}
        body = new.text[new.body_start :].split("\n")
        return all(line.rstrip() in lines for line in body if line.strip())
    new_text, old_text = op.new.replace("\r\n", "\n"), op.old.replace("\r\n", "\n")
    if new_text.strip() and new_text in text:
        return old_text in new_text or old_text not in text
    # What a later operation of the same change rewords need not stand any more.
    return any(isinstance(other, ReplaceText) and other.old in op.new for other in later)


def _holds(op: Op, values: Mapping[str, Any]) -> bool:
    if isinstance(op, AppendToProperty):
        found = values.get(op.key)
        return isinstance(found, list) and set(op.items) <= {str(item) for item in found}
    if isinstance(op, SetProperties):
        return all(
            _plain(values.get(key)) == _plain(value)
            for key, value in op.values.items()
            if key != "updated"
        )
    return False


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
