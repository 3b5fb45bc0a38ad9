"""What the next start does about a commit that was cut off: finish it, or take it back.

Done twice, or cut off itself and done again, it comes to the same: each step looks at the bytes on
the disk and changes them only from one known state to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal.ground import Ground
from vault_dream.engine.journal.record import (
    Decision,
    Intent,
    NewerJournal,
    Staging,
    read_journal,
)
from vault_dream.engine.journal.values import Recovered


def recover(ground: Ground, journal: Path, now: datetime) -> tuple[Recovered, ...]:
    """Put right what ``journal`` says was begun, then remove it.

    FilesystemError when the disk does not let us, or the journal is a newer program's; it then
    stays for another try.
    """
    disk = ground.disk
    raw = disk.read(journal)
    if raw is None:
        return ()
    try:
        recorded = read_journal(raw)
    except NewerJournal:
        raise FilesystemError(
            str(journal),
            "a newer Vault Dream was interrupted while writing to this vault",
            "start the newer version once, so that it can finish",
        ) from None
    intent, decision = recorded.intent, recorded.decision
    if intent is None:
        return (_drop_unread(ground, journal, raw, now),)
    _require_vault(ground, journal, intent)
    if decision is None:
        done = tuple(_roll_back(ground, intent, recorded.staging))
    elif _was_restored(ground, intent, decision):
        done = (*_settle(ground, intent), _restored(intent))
        _remove_staged(ground, recorded.staging)
    else:
        done = tuple(_roll_forward(ground, intent, decision))
    disk.remove(journal)
    return done


def _require_vault(ground: Ground, journal: Path, intent: Intent) -> None:
    """FilesystemError when the vault is not there: its drive may only not be mounted."""
    root = ground.disk.root
    if root.is_dir() and (
        any(root.iterdir()) or all(step.write.before is None for step in intent.steps)
    ):
        return
    raise FilesystemError(
        str(root),
        "is missing or empty, and an interrupted run has to be repaired in it",
        f"mount or restore it; if you emptied it yourself, remove {journal}",
    )


def _drop_unread(ground: Ground, journal: Path, raw: bytes, now: datetime) -> Recovered:
    """A journal that is cut off was never finished, so nothing had begun; one that is whole but
    damaged is kept for a look."""
    if b"\n" not in raw:
        ground.disk.remove(journal)
        return Recovered("", "", "dropped", "a run was interrupted before it changed anything")
    aside = journal.with_name(f"{journal.name}.unreadable-{now:%Y%m%dT%H%M%S%f}")
    ground.disk.move(journal, aside)
    return Recovered("", "", "dropped", f"a damaged journal was set aside as {aside.name}")


def _roll_back(ground: Ground, intent: Intent, staging: Staging) -> Iterator[Recovered]:
    known: dict[str, set[bytes | None]] = {}
    for step in intent.steps:
        known.setdefault(step.write.path, set()).update((step.write.before, step.write.after))
    for step in reversed(intent.steps):
        done = ground.put_back(step, intent.run_id, known[step.write.path])
        if done is not None:
            yield done
    ground.sync_what_is_there(intent.steps)
    _remove_staged(ground, staging)
    _remove_folders(ground, (*intent.folders, *staging.folders))


def _roll_forward(ground: Ground, intent: Intent, decision: Decision) -> Iterator[Recovered]:
    yield from _settle(ground, intent)
    for state in decision.states:
        left = ground.apply_state(state)
        if left is None:
            yield Recovered(intent.run_id, state.path, "finished")
        else:
            yield Recovered(intent.run_id, state.path, "left alone", left.what)
    for folder in sorted({ground.target(state.path).parent for state in decision.states}):
        if folder.is_dir():
            ground.disk.sync_folder(folder)
    _remove_folders(ground, intent.folders)


def _settle(ground: Ground, intent: Intent) -> Iterator[Recovered]:
    for step in intent.steps:
        kept = ground.settle(step, intent.run_id)
        if kept is not None:
            yield kept


def _was_restored(ground: Ground, intent: Intent, decision: Decision) -> bool:
    """Whether every note that landed is as it was before: the vault came out of a backup since.

    Its state files did too, and a record of notes that are not there would be a lie.
    """
    first: dict[str, bytes | None] = {}
    last: dict[str, bytes | None] = {}
    for step in intent.steps:
        if step.set_id in decision.landed and not step.is_guard:
            first.setdefault(step.write.path, step.write.before)
            last[step.write.path] = step.write.after
    found = {path: ground.disk.read(ground.target(path)) for path in first}
    return bool(found) and all(
        found[path] == first[path] and found[path] != last[path] for path in found
    )


def _restored(intent: Intent) -> Recovered:
    note = "the vault is as it was before the run (from a backup?), so the run counts as undone"
    return Recovered(intent.run_id, "", "dropped", note)


def _remove_staged(ground: Ground, staging: Staging) -> None:
    for name in staging.files:
        path = ground.disk.root / name
        if path.exists():
            ground.disk.remove(path)


def _remove_folders(ground: Ground, folders: Sequence[str]) -> None:
    """The ones that were made for notes that did not land; not if anything is in them."""
    for name in reversed(folders):
        folder = ground.disk.root / name
        if folder.is_dir() and not any(folder.iterdir()):
            ground.disk.remove_folder(folder)
