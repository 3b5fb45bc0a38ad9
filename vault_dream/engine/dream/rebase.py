"""Rebase: a proposal's operations done on the bytes that are there now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_dream.engine.dream.edits import apply_ops, text_hash
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import EditError
from vault_dream.engine.journal import FileWrite


@dataclass(frozen=True, slots=True)
class Rebased:
    """The writes of a proposal on today's bytes, or why it is stale. ``moved`` says that a base had
    changed, so that the checks must speak again."""

    writes: tuple[FileWrite, ...] = ()
    stale: str = ""
    moved: bool = False


def rebase(proposal: Proposal, current: Callable[[str], bytes | None]) -> Rebased:
    """What ``proposal`` would write over the bytes that ``current`` gives for each path.

    Nothing that changed since is overwritten: an operation that does not fit any more makes the
    proposal stale.
    """
    writes: list[FileWrite] = []
    moved = False
    for change in proposal.changes:
        raw = current(change.path)
        try:
            text = None if raw is None else raw.decode("utf-8")
        except UnicodeDecodeError:
            return Rebased(stale=f"{change.path} is not UTF-8 text any more")
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
