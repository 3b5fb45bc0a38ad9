"""The one way anything gets into a vault, and back out of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, PathError, VaultDreamError
from vault_dream.engine.journal.commit import Commit, StateOf
from vault_dream.engine.journal.ground import Ground
from vault_dream.engine.journal.recovery import recover
from vault_dream.engine.journal.undo import (
    VERSION,
    FileChange,
    PlannedUndo,
    RecordedWrite,
    TakenBack,
    Undone,
    UndoneFile,
    chains,
    changes_of,
    landed_writes,
    marked,
    moves_undone,
    plan_undo,
    record_of,
    sets_undone,
    with_moves,
    writes_of,
)
from vault_dream.engine.journal.values import FileWrite, Landing, Recovered, WriteSet
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.engine.vault.statefiles import Loaded, json_bytes, parse_state, read_json

UNDO_SUFFIX = ".undo.json"
COMMIT_PATIENCE = 30.0  # seconds that a commit waits for another process's: a commit takes far less


class Journal:
    """Commits, recovers and undoes, under the vault's commit lock. Stateful only through the disk:
    any process may make one at any time.

    ``locate`` maps a vault path to the real path on the disk; ``state_folder`` is this machine's
    folder for this vault (see ``locks.vault_state_folder``), where the live journal is;
    ``state_dir`` is the vault folder that undo records go to.
    """

    def __init__(
        self,
        root: Path,
        *,
        locate: Callable[[str], Path],
        disk: Disk,
        state_folder: Path,
        state_dir: str = "metadata",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience: float = COMMIT_PATIENCE,
    ) -> None:
        self.root = root
        self._ground = Ground(disk, locate)
        self._disk = disk
        self._folder = state_folder
        self._runs = f"{state_dir}/runs"
        self._clock = clock
        self._patience = patience

    @property
    def path(self) -> Path:
        """The live journal: there only while a commit is under way, or was cut off."""
        return self._folder / "commit.journal"

    # -- committing ------------------------------------------------------------------------------

    def commit(self, run_id: str, sets: Sequence[WriteSet], state: StateOf) -> Landing:
        """Write the sets to the vault, each whole or not at all, together with the state files.

        ``state`` is called once, under the lock, when it is known what landed, and returns the
        writes of the state files that go with it; the undo record is added. BusyError when another
        process is writing; FilesystemError, with the vault as it was, when the journal or the state
        cannot be written; UnfinishedCommit when that happens after the decision.
        """
        at = self._now()
        with self._locked(f"committing {run_id}"):
            recovered = self._recover()
            loaded = self._load(run_id)
            kept = self._writes(run_id, loaded)

            def with_record(landing: Landing) -> list[FileWrite]:
                new = landed_writes(sets, landing, at)
                writes = list(state(landing))
                if new:
                    writes.append(self._record_write(run_id, loaded, (*kept, *new)))
                return writes

            landing = self._run(run_id, sets, with_record, at)
        left = (*landing.left, *((loaded.problem,) if loaded.problem else ()))
        return replace(landing, left=left, recovered=recovered)

    def _run(self, run_id: str, sets: Sequence[WriteSet], state: StateOf, at: str) -> Landing:
        commit = Commit(self._ground, self.path, run_id, token=os.urandom(6).hex(), at=at)
        return commit.run(sets, state)

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or take back what a killed process left, and say what was done.

        To be called at every start. BusyError when another process is writing at this moment.
        """
        with self._locked("recovering"):
            return self._recover()

    def _recover(self) -> tuple[Recovered, ...]:
        return recover(self._ground, self.path, self._clock())

    # -- undoing ---------------------------------------------------------------------------------

    def undo(
        self,
        run_id: str,
        paths: Collection[str] | None = None,
        *,
        merge: bool = False,
        state: Callable[[Undone], Sequence[FileWrite]] = lambda undone: (),
    ) -> Undone:
        """Give the files of a run (or those of ``paths``) the exact bytes they had before it.

        A file that was changed since stays as it is, unless ``merge`` and a clean three-way merge
        exists. A note that the run created moves to ``.trash/``. ``state`` returns the state writes
        that go with the undo. FilesystemError when there is no such run, or as for a commit.
        """
        at = self._now()

        def undone_by(landing: Landing, now: Sequence[RecordedWrite]) -> Undone:
            return Undone(
                run_id,
                _outcomes(plans, landing),
                sets_undone(writes, now),
                landing,
                moves_undone(writes, landing.landed),
            )

        with self._locked(f"undoing {run_id}"):
            recovered = self._recover()
            loaded = self._load(run_id)
            if loaded.value is None:
                raise self._no_record(run_id, loaded)
            writes = self._writes(run_id, loaded)
            plans, sets = with_moves(writes, self._plans(writes, paths, merge))

            def with_record(landing: Landing) -> list[FileWrite]:
                now = marked(writes, landing.landed, at)
                wanted = list(state(undone_by(landing, now)))
                if landing.landed:
                    wanted.append(self._record_write(run_id, loaded, now))
                return wanted

            landing = self._run(run_id, sets, with_record, at)
        landing = replace(landing, recovered=recovered)
        return undone_by(landing, marked(writes, landing.landed, at))

    def _plans(
        self, writes: Sequence[RecordedWrite], paths: Collection[str] | None, merge: bool
    ) -> list[PlannedUndo]:
        plans = []
        for path, chain in chains(writes).items():
            if paths is None or path in paths:
                try:
                    found = self._disk.read(self._ground.target(path))
                except VaultDreamError as error:
                    plans.append(PlannedUndo(UndoneFile(path, "failed", error.what)))
                    continue
                plans.append(plan_undo(path, chain, found, merge=merge))
        return plans

    def changes(self, run_id: str) -> tuple[FileChange, ...]:
        """What a run did to each file, with diffs. FilesystemError when there is no such run."""
        loaded = self._load(run_id)
        if loaded.value is None:
            raise self._no_record(run_id, loaded)
        return tuple(changes_of(self._writes(run_id, loaded)))

    def undone(self, run_id: str) -> TakenBack:
        """How far a run was undone; not at all where no record tells. Changes no file."""
        value = parse_state(self._disk.read(self._record_path(run_id)) or b"")
        try:
            writes = writes_of(value, self._record_name(run_id)) if value else ()
        except FilesystemError:
            return "no"
        done = [all(write.undone for write in chain) for chain in chains(writes).values()]
        return "wholly" if done and all(done) else "partly" if any(done) else "no"

    def runs(self) -> tuple[str, ...]:
        """Ids of the runs that have an undo record, oldest first (ids begin with their time)."""
        folder = self._ground.locate(self._runs)
        names = (path.name for path in folder.glob(f"*{UNDO_SUFFIX}"))
        return tuple(sorted(n.removesuffix(UNDO_SUFFIX) for n in names if not n.startswith(".")))

    # -- keeping ---------------------------------------------------------------------------------

    def prune(self, keep_days: int) -> tuple[str, ...]:
        """Remove undo records whose last write is older than ``keep_days``; returns their runs."""
        limit = self._clock() - timedelta(days=keep_days)
        pruned = []
        with self._locked("pruning undo records"):
            self._recover()
            for run_id in self.runs():
                try:
                    writes = self._writes(run_id, self._load(run_id))
                except FilesystemError:
                    continue  # damaged, or a newer program's: not ours to throw away
                times = [_time(write.at) for write in writes]
                if times and max(times) < limit:
                    self._disk.remove(self._record_path(run_id))
                    pruned.append(run_id)
        return tuple(pruned)

    def forget(
        self, path: str, holds: Callable[[str], bool] = lambda text: False
    ) -> tuple[str, ...]:
        """Take a note's text out of every journal and undo record; returns the names of the files
        that held it. That part of those runs can then be neither shown nor undone.

        ``holds`` tells of a text of another note whether it has the words of this one in it.
        """

        def told(write: RecordedWrite) -> bool:
            texts = (raw.decode("utf-8", "replace") for raw in (write.before, write.after) if raw)
            return not write.forgotten and (write.path == path or any(map(holds, texts)))

        held = []
        with self._locked(f"forgetting {path}"):
            self._recover()
            for run_id in self.runs():
                writes = self._writes(run_id, self._load(run_id))
                if any(map(told, writes)):
                    record = record_of(run_id, (_forgotten(w) if told(w) else w for w in writes))
                    self._disk.put(self._record_path(run_id), json_bytes(record))
                    held.append(self._record_name(run_id))
            for aside in self._set_aside():
                self._disk.remove(aside)  # nobody can tell whose text is in it
                held.append(self._disk.where(aside))
        return tuple(held)

    def _set_aside(self) -> list[Path]:
        """Journals and undo records that could not be read, and what a sync program copied."""
        journals = self._folder.glob(f"{self.path.name}.unreadable-*")
        state = self._ground.locate(self._runs).parent
        unread = state.rglob("*.unreadable-*")
        copies = (file for file in state.rglob("*") if conflict_copy(file.name))
        return sorted({*journals, *unread, *copies})

    # -- the records -----------------------------------------------------------------------------

    def _record_name(self, run_id: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", run_id):
            raise PathError(run_id, "is not a run's id", "see `vault-dream log`")
        return f"{self._runs}/{run_id}{UNDO_SUFFIX}"

    def _record_path(self, run_id: str) -> Path:
        return self._ground.target(self._record_name(run_id))

    def _load(self, run_id: str) -> Loaded:
        return read_json(self._disk, self._record_path(run_id), version=VERSION, clock=self._clock)

    def _writes(self, run_id: str, loaded: Loaded) -> tuple[RecordedWrite, ...]:
        return writes_of(loaded.value, self._record_name(run_id)) if loaded.value else ()

    def _record_write(
        self, run_id: str, loaded: Loaded, writes: Sequence[RecordedWrite]
    ) -> FileWrite:
        return FileWrite(
            self._record_name(run_id), loaded.raw, json_bytes(record_of(run_id, writes))
        )

    def _no_record(self, run_id: str, loaded: Loaded) -> FilesystemError:
        if loaded.problem is not None:
            return FilesystemError(loaded.problem.where, loaded.problem.what, loaded.problem.next)
        return FilesystemError(
            self._record_name(run_id),
            "there is no undo record of this run",
            "see `vault-dream log` for the runs that have one",
        )

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    @contextmanager
    def _locked(self, what: str) -> Iterator[None]:
        lock = VaultLock(
            self.root, "commit", state_folder=self._folder, disk=self._disk, clock=self._clock
        )
        with lock.acquire(what, timeout=self._patience):
            yield


def _outcomes(plans: Sequence[PlannedUndo], landing: Landing) -> tuple[UndoneFile, ...]:
    """What was planned, corrected by what happened."""
    files = []
    for plan in plans:
        file = plan.file
        if file.path in landing.stale:
            file = UndoneFile(file.path, "changed since", landing.stale[file.path])
        elif file.path in landing.refused:
            file = UndoneFile(file.path, "failed", landing.refused[file.path].what)
        elif file.path in landing.trashed:
            file = UndoneFile(file.path, file.outcome, file.note, landing.trashed[file.path])
        files.append(file)
    return tuple(files)


def _forgotten(write: RecordedWrite) -> RecordedWrite:
    return RecordedWrite(
        write.set_id,
        write.path,
        None,
        None,
        write.at,
        write.trash,
        write.undone,
        True,
        write.continues,
    )


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
