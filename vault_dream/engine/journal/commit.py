"""One commit in progress: sets are landed one after another, then decided together."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, Problem, VaultDreamError
from vault_dream.engine.journal.ground import Ground
from vault_dream.engine.journal.record import (
    Decision,
    Intent,
    Staging,
    StateStep,
    Step,
    decision_line,
    digest,
    intent_line,
    staging_line,
)
from vault_dream.engine.journal.values import FileWrite, Landing, UnfinishedCommit, WriteSet
from vault_dream.engine.vault.disk import PRIVATE, temp_name

StateOf = Callable[[Landing], Sequence[FileWrite]]


class Commit:
    """Stateful: how far one commit has come. Used once, under the commit lock."""

    def __init__(self, ground: Ground, journal: Path, run_id: str, *, token: str, at: str) -> None:
        self._ground = ground
        self._disk = ground.disk
        self._journal = journal
        self._run_id = run_id
        self._token = token
        self._at = at
        self._steps: dict[str, tuple[Step, ...]] = {}
        self._landed: list[str] = []
        self._stale: dict[str, str] = {}
        self._refused: dict[str, Problem] = {}
        self._folders: tuple[str, ...] = ()
        self._count = 0
        self._undecided_size = 0
        self._states: list[StateStep] = []

    def run(self, sets: Sequence[WriteSet], state: StateOf) -> Landing:
        """Land the sets, then the state files that ``state`` returns for what landed.

        FilesystemError, with everything as it was before, when the journal or the state cannot be
        written; UnfinishedCommit when that happens after the decision.
        """
        self._plan(sets)
        self._open_journal()
        try:
            for each in sets:
                self._land(each)
            self._sync_landed()
            landing = self._landing()
            self._stage_states(state(landing))
            if not self._landed and not self._states:
                self._close_journal()
                return landing
            self._decide()
        except (Exception, KeyboardInterrupt):
            self._give_up()
            raise
        try:
            return self._finish(landing)
        except FilesystemError as error:
            raise UnfinishedCommit(error, landing) from error

    # -- planning --------------------------------------------------------------------------------

    def _plan(self, sets: Sequence[WriteSet]) -> None:
        """Name every file that the commit will use, and leave out the sets that cannot land.

        What is stale now stays out of the journal: where it says that we wrote something, recovery
        takes the same bytes on the disk for ours.
        """
        contents: dict[str, bytes | None] = {}
        trash: set[str] = set()
        folders: dict[str, None] = {}
        for each in sets:
            if each.id in self._steps:
                raise ValueError(f"two sets are called {each.id}")
            steps = self._steps[each.id] = tuple(self._named(each, trash))
            problem = self._refusal(steps)
            if problem is not None:
                self._refused[each.id] = problem
                continue
            try:
                reason = self._fallen_with(each) or self._stale_after(contents, steps)
            except FilesystemError as error:
                self._refused[each.id] = error.problem
                continue
            if reason:
                self._stale[each.id] = reason
                continue
            contents.update((step.write.path, step.write.after) for step in steps)
            parents = [self._ground.aside(step).parent for step in steps]
            folders.update(dict.fromkeys(f for each in parents for f in self._missing(each)))
        self._folders = tuple(folders)

    def _named(self, each: WriteSet, trash: set[str]) -> Iterator[Step]:
        for write in each.writes:
            self._count += 1
            aside = temp_name(self._token, self._count)
            if write.after is None:
                aside = self._ground.trash_path(write.path, trash)
                trash.add(aside)
            yield Step(each.id, write, aside)

    def _stale_after(self, contents: Mapping[str, bytes | None], steps: Sequence[Step]) -> str:
        """Why a set could not land even if the sets before it (leaving ``contents``) do."""
        for step in steps:
            path = step.write.path
            if path not in contents:
                reason = self._ground.stale(step)
            elif contents[path] != step.write.before:
                reason = f"{path} is changed by another proposal first"
            else:
                reason = ""
            if reason:
                return reason
        return ""

    def _refusal(self, steps: Sequence[Step]) -> Problem | None:
        try:
            for step in steps:
                problem = self._disk.refusal(self._ground.locate(step.write.path))
                if problem is None and step.write.after is None:
                    problem = self._disk.refusal(self._disk.root / step.aside)
                if problem is not None and not step.is_guard:
                    return problem
        except VaultDreamError as error:
            return error.problem
        return None

    def _missing(self, folder: Path) -> list[str]:
        """The folders that must be made for ``folder``, outermost first."""
        missing: list[str] = []
        while folder.is_relative_to(self._disk.root) and not folder.exists():
            missing.insert(0, folder.relative_to(self._disk.root).as_posix())
            folder = folder.parent
        return missing

    def _open_journal(self) -> None:
        steps = tuple(
            step
            for set_id, steps in self._steps.items()
            if set_id not in self._refused and set_id not in self._stale
            for step in steps
        )
        intent = Intent(
            self._run_id, self._token, str(self._disk.root), self._at, steps, self._folders
        )
        self._disk.make_folder(self._journal.parent)
        self._disk.stage(self._journal, intent_line(intent), mode=PRIVATE)
        try:
            self._disk.sync_folder(self._journal.parent)
        except FilesystemError:
            self._close_journal()
            raise

    # -- landing ---------------------------------------------------------------------------------

    def _land(self, each: WriteSet) -> None:
        """Land one set whole or not at all, and note which."""
        if each.id in self._refused or each.id in self._stale:
            return
        reason = self._fallen_with(each)
        if not reason:
            steps = self._steps[each.id]
            try:
                reason = self._apply(steps)
            except FilesystemError as error:
                self._undo(steps)
                self._refused[each.id] = error.problem
                return
        if reason:
            self._stale[each.id] = reason
        else:
            self._landed.append(each.id)

    def _fallen_with(self, each: WriteSet) -> str:
        """Why this set falls because another did: one it names, or one whose text it continues."""
        fallen = self._stale.keys() | self._refused.keys()
        for needed in each.needs:
            if needed in fallen or needed not in self._steps:
                return f"it builds on {needed}, which did not land"
        for write in each.writes:
            for other in fallen:
                if any(
                    step.write.path == write.path
                    and step.write.after == write.before
                    and not step.is_guard
                    for step in self._steps[other]
                ):
                    return f"it builds on {other}, which did not land"
        return ""

    def _apply(self, steps: Sequence[Step]) -> str:
        """'' when all is in place; else why not, with all put back."""
        for step in steps:
            reason = self._ground.stale(step)
            if reason:
                return reason
        writes = [step for step in steps if not step.is_guard]
        for step in writes:
            self._ground.stage(step)
        for step in writes:
            if not self._ground.apply(step):
                reason = self._ground.stale(step) or f"{step.write.path} was being saved"
                self._undo(steps)
                return reason
        return ""

    def _undo(self, steps: Sequence[Step]) -> None:
        """FilesystemError where that cannot be done now; the journal then has to stay."""
        not_yet_made = {self._disk.root / folder for folder in self._folders}
        self._ground.require(self._ground.folders(steps) - not_yet_made)
        for step in reversed(steps):
            self._ground.put_back(step, self._run_id)

    def _sync_landed(self) -> None:
        self._ground.sync([s for set_id in self._landed for s in self._steps[set_id]])

    def _landing(self) -> Landing:
        trashed = {
            step.write.path: step.aside
            for set_id in self._landed
            for step in self._steps[set_id]
            if step.write.after is None and not step.is_guard
        }
        return Landing(tuple(self._landed), dict(self._stale), dict(self._refused), trashed)

    # -- deciding --------------------------------------------------------------------------------

    def _stage_states(self, writes: Sequence[FileWrite]) -> None:
        """Everything that needs space is written before the decision, so that a full disk is found
        while the whole commit can still be taken back."""
        paths = [write.path for write in writes]
        if len(set(paths)) != len(paths):
            raise ValueError("two writes to one state file")
        self._states = [
            StateStep(
                write.path, digest(write.before), write.after, temp_name(f"{self._token}s", n)
            )
            for n, write in enumerate(writes)
            if write.before != write.after
        ]
        if not self._states:
            return
        asides = [self._ground.state_aside(state) for state in self._states]
        folders = tuple(dict.fromkeys(f for path in asides for f in self._missing(path.parent)))
        files = tuple(path.relative_to(self._disk.root).as_posix() for path in asides)
        self._folders += folders
        self._disk.append(self._journal, staging_line(Staging(files, folders)), sync=False)
        for state in self._states:
            self._ground.stage_state(state)

    def _decide(self) -> None:
        self._undecided_size = self._journal.stat().st_size
        decision = Decision(tuple(self._landed), tuple(self._states))
        self._disk.append(self._journal, decision_line(decision))

    def _give_up(self) -> None:
        """Take everything back. What cannot be is left to the journal and the next start."""
        try:
            if self._undecided_size:  # the decision may be on the disk although the sync failed
                self._disk.truncate(self._journal, self._undecided_size)
            started = [
                steps
                for set_id, steps in self._steps.items()
                if set_id not in self._refused and set_id not in self._stale
            ]
            for steps in reversed(started):
                self._undo(steps)
            for state in self._states:
                aside = self._ground.state_aside(state)
                if aside.exists():
                    self._disk.remove(aside)
            self._ground.sync_what_is_there(step for steps in started for step in steps)
            self._close_journal()
        except FilesystemError:
            return

    def _finish(self, landing: Landing) -> Landing:
        left = [problem for state in self._states if (problem := self._ground.apply_state(state))]
        for folder in sorted({self._ground.target(s.path).parent for s in self._states}):
            self._disk.sync_folder(folder)
        landed = [step for set_id in self._landed for step in self._steps[set_id]]
        for step in landed:
            kept = self._ground.settle(step, self._run_id)
            if kept is not None:
                left.append(Problem(kept.path, kept.note, "check the note, and the trash"))
        self._ground.require(self._ground.folders(landed))
        self._close_journal()
        return dataclasses.replace(landing, left=tuple(left))

    def _close_journal(self) -> None:
        """The folders go first: without the journal nobody would know that they were ours."""
        for folder in reversed(self._folders):
            path = self._disk.root / folder
            if path.is_dir() and not any(path.iterdir()):
                self._disk.remove_folder(path)
        self._disk.remove(self._journal)
