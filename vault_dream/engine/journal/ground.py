"""One write on the disk: how it is done, undone after a failure or a crash, and tidied up after.

The rule behind all of it: bytes that are neither the ones we found nor the ones we wrote belong to
somebody else, and are never overwritten and never removed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, PathError, Problem
from vault_dream.engine.journal.record import StateStep, Step, digest
from vault_dream.engine.journal.values import Recovered
from vault_dream.engine.vault.disk import PRIVATE, Disk

TRASH = ".trash"


@dataclass(frozen=True, slots=True)
class Ground:
    """The vault as the journal sees it: ``locate`` maps a vault path to the path on the disk."""

    disk: Disk
    locate: Callable[[str], Path]

    def target(self, path: str) -> Path:
        """The real file behind a vault path, links followed."""
        return Path(os.path.realpath(self.locate(path)))

    def aside(self, step: Step) -> Path:
        if step.write.after is None:
            return self.disk.root / step.aside
        return self.target(step.write.path).parent / step.aside

    def state_aside(self, state: StateStep) -> Path:
        return self.target(state.path).parent / state.aside

    def trash_path(self, path: str, taken: Collection[str]) -> str:
        """A free vault path in the trash for the note at ``path``."""
        name = Path(path)
        short = name.stem.encode()[:240].decode(errors="ignore")  # room for the number
        number = 1
        while True:
            unique = name.name if number == 1 else f"{short}-{number}{name.suffix}"
            found = f"{TRASH}/{unique}"
            if found not in taken and not os.path.lexists(self.disk.root / found):
                return found
            number += 1

    # -- doing -----------------------------------------------------------------------------------

    def stale(self, step: Step) -> str:
        """Why the file is no longer the one the write was made from; '' when it is."""
        found = self.disk.read(self.target(step.write.path))
        if found == step.write.before:
            return ""
        path = step.write.path
        if found is None:
            return f"{path} is gone"
        if step.write.before is None:
            return f"{path} exists already"
        return f"{path} has changed since the proposal was made"

    def stage(self, step: Step) -> None:
        target, aside = self.target(step.write.path), self.aside(step)
        if step.write.before is None or step.write.after is None:
            self.disk.make_folder(aside.parent)
        if step.write.after is not None:
            earlier = step.write.continues
            like = self.target(earlier) if earlier else target
            self.disk.stage(aside, step.write.after, like=like)

    def apply(self, step: Step) -> bool:
        """False, with the file as its owner left it, when its bytes are not the expected ones."""
        target, aside, write = self.target(step.write.path), self.aside(step), step.write
        if write.after is not None:
            return self.disk.place(aside, target, write.before)
        if write.before is None:
            return self.disk.read(target) is None
        return self.disk.take(target, write.before, aside)

    def sync(self, steps: Iterable[Step]) -> None:
        """Make the names durable, each folder once."""
        for folder in sorted(self.folders(steps)):
            self.disk.sync_folder(folder)

    def sync_what_is_there(self, steps: Iterable[Step]) -> None:
        """After taking back: a folder that was to be made for a note may not exist."""
        for folder in sorted(self.folders(steps)):
            if folder.is_dir():
                self.disk.sync_folder(folder)

    def folders(self, steps: Iterable[Step]) -> set[Path]:
        """The real folders that the steps change."""
        folders: set[Path] = set()
        for step in steps:
            if not step.is_guard:
                folders |= {self.target(step.write.path).parent, self.aside(step).parent}
        return folders

    def require(self, folders: Iterable[Path]) -> None:
        """FilesystemError when a folder is gone: what we left in it cannot be put right now."""
        for folder in folders:
            if not folder.is_dir():
                raise FilesystemError(
                    self.disk.where(folder),
                    "the folder vanished while notes in it were being written",
                    "bring it back; the next start repairs what was begun",
                )

    # -- undoing ---------------------------------------------------------------------------------

    def put_back(
        self, step: Step, run_id: str, known: Collection[bytes | None] = ()
    ) -> Recovered | None:
        """Make one write undone, whatever became of it; None when there was nothing to undo.

        ``known``: what the file is before and after the commit's other writes to it.
        """
        if step.is_guard:
            return None
        try:
            refused = self.disk.refusal(self.locate(step.write.path))
        except PathError as error:
            refused = error.problem
        if refused is not None:
            return Recovered(run_id, step.write.path, "left alone", refused.what)
        if step.write.after is None:
            return self._out_of_trash(step, run_id)
        outcome = self._revert(step, run_id, known)
        return self.settle(step, run_id) or outcome

    def _revert(self, step: Step, run_id: str, known: Collection[bytes | None]) -> Recovered | None:
        target, aside, write = self.target(step.write.path), self.aside(step), step.write
        assert write.after is not None
        found, kept = self.disk.read(target), self.disk.read(aside)
        if found == write.before or (found != write.after and found in known):
            return None
        if found != write.after:
            return Recovered(run_id, write.path, "left alone", "it was changed since")
        if kept is not None and kept != write.before and write.after.startswith(kept):
            return (
                None  # the staged text never left its place: whoever wrote the same, it was not us
            )
        if write.before is None:
            done = self.disk.take(target, write.after, aside)
        else:
            if kept is None:
                self.disk.stage(aside, write.before, like=target)
            done = self.disk.place(aside, target, write.after)
        if done:
            return Recovered(run_id, write.path, "rolled back")
        return Recovered(run_id, write.path, "left alone", "it was changed since")

    def _out_of_trash(self, step: Step, run_id: str) -> Recovered | None:
        target, aside, write = self.target(step.write.path), self.aside(step), step.write
        if write.before is None or self.disk.read(aside) != write.before:
            return None
        if self.disk.read(target) == write.before:
            return None
        self.disk.make_folder(target.parent)
        if self.disk.move(aside, target):
            return Recovered(run_id, write.path, "rolled back")
        return Recovered(run_id, write.path, "left alone", f"the earlier text is in {step.aside}")

    # -- tidying ---------------------------------------------------------------------------------

    def settle(self, step: Step, run_id: str) -> Recovered | None:
        """Clear away the file that was kept aside.

        Text in it that we do not know was saved by its owner at the very moment of the swap, or
        into the old file after it: it is the newest, and goes back in place; or, where something
        stands there that is not ours either, to the trash.
        """
        write = step.write
        if write.after is None or step.is_guard:
            return None
        target, aside = self.target(write.path), self.aside(step)
        kept = self.disk.read(aside)
        if kept is None:
            return None
        found = self.disk.read(target)
        torn = found != write.after and write.after.startswith(kept)
        if kept in (write.before, write.after) or torn:
            self.disk.remove(aside)
            return None
        if found is None and self.disk.move(aside, target):
            return Recovered(
                run_id, write.path, "left alone", "it was being saved; the save is kept"
            )
        if found in (write.before, write.after) and self.disk.place(aside, target, found):
            self.disk.remove(aside)
            return Recovered(
                run_id, write.path, "left alone", "it was being saved; the save is kept"
            )
        return self._to_trash(step, aside, run_id)

    def _to_trash(self, step: Step, aside: Path, run_id: str) -> Recovered:
        place = self.trash_path(step.write.path, ())
        self.disk.make_folder(self.disk.root / TRASH)
        if not self.disk.move(aside, self.disk.root / place):
            place = aside.name
        return Recovered(
            run_id, step.write.path, "kept", f"a version saved meanwhile is in {place}"
        )

    # -- state files -----------------------------------------------------------------------------

    def stage_state(self, state: StateStep) -> None:
        """FilesystemError when the file may not be written, or is not what it was a moment ago."""
        path = self.locate(state.path)
        refused = self.disk.refusal(path)
        if refused is not None:
            raise FilesystemError(refused.where, refused.what, refused.next)
        target = self.target(state.path)
        if digest(self.disk.read(target)) != state.before:
            raise FilesystemError(
                state.path, "was changed by another program at this moment", "run again"
            )
        if state.after is not None:
            self.disk.make_folder(target.parent)
            self.disk.stage(self.state_aside(state), state.after, like=target, mode=PRIVATE)

    def apply_state(self, state: StateStep) -> Problem | None:
        """Bring a decided state file to its new bytes, from wherever a crash left it. A file that
        somebody else (a sync program) changed meanwhile is left alone, and the problem says so."""
        target = self.target(state.path)
        aside = self.state_aside(state)
        found = self.disk.read(target)
        done = digest(found) == digest(state.after)
        if not done and digest(found) == state.before:
            done = self._write_state(state, target, aside, found)
        if aside.exists():
            self.disk.remove(aside)
        if done:
            return None
        return Problem(
            state.path,
            "was changed by another program while a run was being recorded, and was left alone",
            "nothing is lost; the days concerned may be read again",
        )

    def _write_state(
        self, state: StateStep, target: Path, aside: Path, found: bytes | None
    ) -> bool:
        if state.after is None:
            self.disk.remove(target)
            return True
        kept = self.disk.read(aside)
        if kept != state.after:
            if kept is not None:
                self.disk.remove(aside)
            self.disk.make_folder(target.parent)
            self.disk.stage(aside, state.after, like=target, mode=PRIVATE)
        return self.disk.place(aside, target, found)
