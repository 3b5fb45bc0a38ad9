"""Any order of commits, undos, crashes and the owner's own edits leaves the vault in order."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.engine.journal_scenes import CATALOG, DAY, MEMORY, NEW, PLAN, SEED, World
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal import FileWrite, Journal, Landing, Undone, WriteSet
from vault_dream.engine.vault.disk import Hook
from vault_dream.engine.vault.statefiles import json_bytes

pytestmark = pytest.mark.usefixtures("no_syncs")

LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))
Files = dict[str, bytes | None]
Action = Callable[[World, Journal], object]

notes = st.sampled_from([PLAN, SEED, NEW])
crashes = st.none() | st.integers(0, 20) | st.integers(20, 45)


class Crash(BaseException):
    """The process ends here: nobody cleans up."""


def crashing(at: int | None) -> Hook:
    seen = 0

    def before(op: str, path: Path) -> None:
        nonlocal seen
        seen += 1
        if at is not None and seen == at + 1:
            raise Crash

    return before


class Vault(RuleBasedStateMachine):
    """A twin of the vault shows what each action does undisturbed.

    The vault itself may crash in the middle of it, and must be, once recovered, as it was before
    the action or as the twin is after it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(dir=MEMORY))
        self.world = World(self.base / "world")
        self.lines = 0
        self.runs: list[str] = []
        self.unsettled: tuple[Files, Files] | None = None
        self.edited: set[str] = set()
        self.owned: dict[str, bytes | None] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    def line(self) -> bytes:
        self.lines += 1
        return b"line %d\n" % self.lines

    def files(self, world: World | None = None) -> Files:
        found = (world or self.world).snapshot()
        return {path: data for path, data in found.items() if data is not None}

    def perform(self, action: Action, crash: int | None) -> object | None:
        """The action's answer; None when it crashed."""
        self.settle(None)
        if crash is None:
            return action(self.world, self.world.journal())
        twin = self.base / "twin"
        shutil.rmtree(twin, ignore_errors=True)
        shutil.copytree(self.world.base, twin)
        undisturbed = World(twin, fill=False)
        old = self.files()
        action(undisturbed, undisturbed.journal())
        new = self.files(undisturbed)
        try:
            answer = action(self.world, self.world.journal(crashing(crash)))
        except Crash:
            self.unsettled = old, new
            for path in notes_of(old, new):  # whose words these are now, recovery decides
                self.owned.pop(path, None)
            return None
        assert self.files() == new
        return answer

    def settle(self, crash: int | None) -> None:
        """Recover, if there is anything to recover."""
        try:
            self.world.journal(crashing(crash)).recover()
        except Crash:
            return
        assert self.world.litter() == []
        if self.unsettled is not None:
            found, old, new = (
                {path: data for path, data in files.items() if path not in self.edited}
                for files in (self.files(), *self.unsettled)
            )
            assert found in (old, new)
        self.unsettled = None
        self.edited = set()

    # -- what happens ----------------------------------------------------------------------------

    @rule(path=notes, how=st.sampled_from(["add", "rewrite", "delete", "restore"]))
    def owner_edits(self, path: str, how: str) -> None:
        found = self.world.read(path)
        if how == "delete":
            (self.world.root / path).unlink(missing_ok=True)
        elif how == "restore" and self.unsettled is not None and self.unsettled[0].get(path):
            self.world.put(path, self.unsettled[0][path] or b"")
        else:
            self.world.put(path, (found or b"" if how == "add" else b"") + self.line())
        self.edited.add(path)
        self.owned[path] = self.world.read(path)

    @rule(
        paths=st.lists(st.lists(notes, min_size=1, max_size=3, unique=True), max_size=3),
        stale=st.sets(st.integers(0, 2)),
        same_run=st.booleans(),
        crash=crashes,
    )
    def commit(
        self, paths: list[list[str]], stale: set[int], same_run: bool, crash: int | None
    ) -> None:
        self.settle(None)
        before = self.files()
        run_id = self.runs[-1] if same_run and self.runs else f"run{len(self.runs)}"
        sets = self.proposals(paths, stale)
        landing = self.perform(
            lambda world, journal: journal.commit(
                run_id, sets, lambda landing: catalog(world, run_id, landing)
            ),
            crash,
        )
        self.runs.append(run_id)
        if landing is None:
            return
        assert isinstance(landing, Landing)
        good = [each for number, each in enumerate(sets) if number not in stale]
        assert list(landing.landed) == [each.id for each in good]
        assert set(landing.stale) == {each.id for each in sets} - set(landing.landed)
        expected = before | {write.path: write.after for each in good for write in each.writes}
        found = self.files()
        for path in (PLAN, SEED, NEW, DAY, ".obsidian/app.json"):
            assert found.get(path) == expected.get(path)
        for each in good:
            for write in each.writes:
                self.owned.pop(write.path, None)

    def proposals(self, paths: list[list[str]], stale: set[int]) -> list[WriteSet]:
        """Chained where they touch the same file; those in ``stale`` expect what is not there."""
        now: Files = {path: self.world.read(path) for path in (PLAN, SEED, NEW)}
        sets = []
        for number, each in enumerate(paths):
            writes = []
            for path in each:
                before = b"never was: " + self.line() if number in stale else now[path]
                after = (now[path] or b"") + self.line()
                writes.append(FileWrite(path, before, after))
                if number not in stale:
                    now[path] = after
            sets.append(WriteSet(f"set{number} {self.lines}", tuple(writes)))
        return sets

    @precondition(lambda self: self.runs)
    @rule(
        data=st.data(),
        paths=st.none() | st.sets(notes, min_size=1),
        merge=st.booleans(),
        crash=crashes,
    )
    def undo(
        self, data: st.DataObject, paths: set[str] | None, merge: bool, crash: int | None
    ) -> None:
        self.settle(None)
        run_id = data.draw(st.sampled_from(self.runs))
        before = self.files()
        try:
            undone = self.perform(
                lambda world, journal: journal.undo(run_id, paths, merge=merge), crash
            )
        except FilesystemError as error:
            assert "no undo record" in error.what, "nothing of this run landed"
            return
        if undone is None:
            return
        assert isinstance(undone, Undone)
        found = self.files()
        for file in undone.files:
            if file.outcome == "trashed":
                assert file.path not in found and found[file.trash] == before[file.path]
            elif not file.done:
                assert found.get(file.path) == before.get(file.path)
            if file.outcome == "merged":
                self.owned[file.path] = found[file.path]
            elif file.done:
                self.owned.pop(file.path, None)

    @rule(crash=crashes)
    def start_again(self, crash: int | None) -> None:
        self.settle(crash)

    # -- what always holds -----------------------------------------------------------------------

    @invariant()
    def what_the_owner_wrote_last_is_on_the_disk(self) -> None:
        if self.unsettled is None:
            for path, text in self.owned.items():
                assert self.world.read(path) == text

    @invariant()
    def the_daily_note_is_untouched(self) -> None:
        assert self.world.read(DAY) == b"# Sunday\n\nGarlic is in.\n"


def notes_of(old: Files, new: Files) -> list[str]:
    """The notes that differ."""
    return [path for path in (PLAN, SEED, NEW) if old.get(path) != new.get(path)]


def catalog(world: World, run_id: str, landing: Landing) -> list[FileWrite]:
    """The catalog gains the sets that landed."""
    if not landing.landed:
        return []
    new = [f"{run_id} {set_id}" for set_id in landing.landed]
    return [world.write(CATALOG, json_bytes({"version": 1, "landed": new}))]


TestVault = Vault.TestCase
TestVault.settings = settings(
    max_examples=1000 if LONG else 60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
