"""What a run changed, kept beside its report: enough to show it, and to put it back exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal.merge import merge_bytes
from vault_dream.engine.journal.record import decode_bytes, digest, encode_bytes
from vault_dream.engine.journal.values import FileWrite, Landing, WriteSet

VERSION = 1

Outcome = Literal[
    "restored", "merged", "trashed", "changed since", "gone", "undone before", "forgotten", "failed"
]


TakenBack = Literal["no", "partly", "wholly"]
"""How far a run was undone."""


@dataclass(frozen=True, slots=True)
class RecordedWrite:
    """One file of one set as it landed. ``forgotten``: its text was taken out on request."""

    set_id: str
    path: str
    before: bytes | None
    after: bytes | None
    at: str
    trash: str = ""
    undone: str = ""
    forgotten: bool = False
    continues: str = ""


@dataclass(frozen=True, slots=True)
class UndoneFile:
    """What undo did about one file, and why. ``trash``: where the note is now."""

    path: str
    outcome: Outcome
    note: str = ""
    trash: str = ""

    @property
    def done(self) -> bool:
        return self.outcome in ("restored", "merged", "trashed")


@dataclass(frozen=True, slots=True)
class Undone:
    """``sets``: ids of the sets of which nothing stands any more after this undo; ``moved_back``:
    old and new path of files that are called by the old one again."""

    run_id: str
    files: tuple[UndoneFile, ...]
    sets: tuple[str, ...]
    landing: Landing = field(default_factory=Landing)
    moved_back: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a run did to one file, over all its sets."""

    path: str
    before: bytes | None
    after: bytes | None
    undone: bool
    forgotten: bool
    diff: str
    continues: str = ""


# -- the record ----------------------------------------------------------------------------------


def record_of(run_id: str, writes: Iterable[RecordedWrite]) -> dict[str, object]:
    """The JSON value of an undo record."""
    return {"version": VERSION, "run_id": run_id, "writes": [_as_json(each) for each in writes]}


def _as_json(write: RecordedWrite) -> dict[str, object]:
    value: dict[str, object] = {
        "set": write.set_id,
        "path": write.path,
        "at": write.at,
        "trash": write.trash,
        "undone": write.undone,
    }
    if write.continues:
        value["continues"] = write.continues
    if write.forgotten:
        return {**value, "forgotten": True}
    return {
        **value,
        "before": encode_bytes(write.before),
        "after": encode_bytes(write.after),
        "before_sha256": digest(write.before),
        "after_sha256": digest(write.after),
    }


def writes_of(value: Mapping[str, object], where: str) -> tuple[RecordedWrite, ...]:
    """The writes that an undo record holds.

    FilesystemError when it was damaged: its texts do not have the sums that stand beside them.
    """
    writes = value.get("writes")
    if not isinstance(writes, list):
        raise _damaged(where)
    try:
        return tuple(_from_json(each) for each in writes)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(where) from None


def _damaged(where: str) -> FilesystemError:
    return FilesystemError(
        where, "is damaged, so what it says cannot be trusted", "put a good copy in its place"
    )


def _from_json(value: Mapping[str, object]) -> RecordedWrite:
    write = RecordedWrite(
        str(value["set"]),
        str(value["path"]),
        decode_bytes(value.get("before")),
        decode_bytes(value.get("after")),
        str(value["at"]),
        str(value["trash"]),
        str(value["undone"]),
        value.get("forgotten") is True,
        str(value.get("continues", "")),
    )
    if not write.forgotten and (
        digest(write.before) != value["before_sha256"]
        or digest(write.after) != value["after_sha256"]
    ):
        raise ValueError(write.path)
    return write


def landed_writes(sets: Sequence[WriteSet], landing: Landing, at: str) -> list[RecordedWrite]:
    """What landed, as the undo record keeps it."""
    landed = set(landing.landed)
    return [
        RecordedWrite(
            each.id,
            write.path,
            write.before,
            write.after,
            at,
            landing.trashed.get(write.path, "") if write.after is None else "",
            continues=write.continues,
        )
        for each in sets
        if each.id in landed
        for write in each.writes
        if write.before != write.after
    ]


# -- showing -------------------------------------------------------------------------------------


def changes_of(writes: Sequence[RecordedWrite]) -> Iterator[FileChange]:
    """Per file, in order of first change, with a unified diff. A file that was moved is shown once,
    under its new name, by what changed in it."""
    found = chains(writes)
    moved = {chain[0].continues for chain in found.values()} - {""}
    for path, chain in found.items():
        forgotten = any(write.forgotten for write in chain)
        before, after, earlier = chain[0].before, chain[-1].after, chain[0].continues
        if forgotten or path in moved:
            diff = ""
        elif earlier in found:
            diff = _moved_diff(earlier, found[earlier][0].before, path, after)
        else:
            diff = unified_diff(path, before, after)
        undone = all(write.undone for write in chain)
        yield FileChange(path, before, after, undone, forgotten, diff, earlier)


def _moved_diff(old: str, before: bytes | None, new: str, after: bytes | None) -> str:
    names = f"--- a/{old}\n+++ b/{new}\n"
    return names + "".join(unified_diff(new, before, after).splitlines(keepends=True)[2:])


def chains(writes: Sequence[RecordedWrite]) -> dict[str, list[RecordedWrite]]:
    found: dict[str, list[RecordedWrite]] = {}
    for write in writes:
        found.setdefault(write.path, []).append(write)
    return found


def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """As ``diff -u`` spells it; undecodable bytes are shown as U+FFFD."""
    import difflib

    lines = difflib.unified_diff(
        _lines(before),
        _lines(after),
        "/dev/null" if before is None else f"a/{path}",
        "/dev/null" if after is None else f"b/{path}",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    return [line + "\n" for line in text.split("\n")[:-1]] + [t for t in text.split("\n")[-1:] if t]


# -- planning ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlannedUndo:
    """``write`` is None where ``file`` says why nothing is to be done."""

    file: UndoneFile
    write: FileWrite | None = None


def plan_undo(
    path: str, chain: Sequence[RecordedWrite], found: bytes | None, *, merge: bool
) -> PlannedUndo:
    """How the file at ``path``, now ``found``, gets back the bytes it had before ``chain``.

    The chain is taken back link by link, last first, so that text which its owner wrote between two
    links stands in the way like any other.
    """
    standing = [write for write in chain if not write.undone]
    if not standing:
        return PlannedUndo(UndoneFile(path, "undone before"))
    if any(write.forgotten for write in standing):
        return PlannedUndo(UndoneFile(path, "forgotten", "its text was removed from the record"))
    text, merged = found, False
    for write in reversed(standing):
        if text == write.after:
            text = write.before
            continue
        if text is None:
            return PlannedUndo(UndoneFile(path, "gone", "it was moved or deleted since"))
        if write.before is None or write.after is None:
            return PlannedUndo(UndoneFile(path, "changed since", "it was edited since"))
        result = merge_bytes(write.after, text, write.before) if merge else None
        if result is None:
            note = "both changed the same lines" if merge else "it was edited since"
            return PlannedUndo(UndoneFile(path, "changed since", note))
        text, merged = result, True
    outcome: Outcome = "trashed" if text is None else "merged" if merged else "restored"
    trashed = standing[-1].trash if found is None else ""
    return PlannedUndo(UndoneFile(path, outcome), FileWrite(path, found, text, trashed))


def with_moves(
    writes: Sequence[RecordedWrite], plans: Iterable[PlannedUndo]
) -> tuple[list[PlannedUndo], list[WriteSet]]:
    """The plans and their sets, so that a move is taken back whole or not at all.

    A file under its new name is the pivot of the set that moved it: where it cannot be taken back,
    the file of the old name and the links to it stay as they are too.
    """
    planned = {plan.file.path: plan for plan in plans}
    pivots = {w.set_id: w.path for w in writes if w.continues and not w.undone}
    pivot_of = {w.path: pivots[w.set_id] for w in writes if w.set_id in pivots and not w.undone}
    found, sets = [], []
    for path in sorted(planned, key=lambda path: pivot_of.get(path) != path):
        plan, pivot = planned[path], pivot_of.get(path, path)
        if pivot != path and (pivot not in planned or planned[pivot].write is None):
            note = f"it follows {pivot}, whose move was not undone; move that back instead"
            plan = PlannedUndo(UndoneFile(path, "changed since", note))
        found.append(plan)
        if plan.write is not None:
            needs = () if pivot == path else (pivot,)
            sets.append(WriteSet(path, (plan.write,), needs))
    return found, sets


def moves_undone(
    writes: Iterable[RecordedWrite], landed: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Old and new path of each file that an undo gave its old name again."""
    paths = set(landed)
    return tuple(
        (write.continues, write.path)
        for write in writes
        if write.continues and not write.undone and write.path in paths
    )


def marked(
    writes: Sequence[RecordedWrite], paths: Iterable[str], at: str
) -> tuple[RecordedWrite, ...]:
    """The record with the writes to ``paths`` marked as undone."""
    undone = set(paths)
    return tuple(
        replace(write, undone=at) if write.path in undone and not write.undone else write
        for write in writes
    )


def sets_undone(before: Sequence[RecordedWrite], now: Sequence[RecordedWrite]) -> tuple[str, ...]:
    """Sets that stood, in part at least, and of which nothing stands now."""
    stood = dict.fromkeys(write.set_id for write in before if not write.undone)
    standing = {write.set_id for write in now if not write.undone}
    return tuple(set_id for set_id in stood if set_id not in standing)
