"""A full disk, a lost permission, a broken or vanished disk: a clear error, and the vault whole."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.journal_scenes import (
    NEW,
    RUN,
    SCENES,
    Fresh,
    World,
    commit_of,
    each_point,
)
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal import UnfinishedCommit
from vault_dream.engine.vault.disk import Hook

pytestmark = pytest.mark.usefixtures("no_syncs")


Snapshot = dict[str, bytes | None]
NEEDS_SPACE = {"create", "write", "mkdir", "sync", "sync-folder"}


class Failing:
    """A hook: the disk fails at its ``at``-th call, or from there on (in all of ``ops``)."""

    def __init__(
        self, code: int, at: int, *, lasting: bool = False, ops: set[str] | None = None
    ) -> None:
        self._code = code
        self._at = at
        self._lasting = lasting
        self._ops = ops
        self._seen = -1
        self.failed = False

    def __call__(self, op: str, path: Path) -> None:
        self._seen += 1
        later = self._seen > self._at and (self._ops is None or op in self._ops)
        if self._seen == self._at or (self._lasting and later):
            self.failed = True
            raise OSError(self._code, os.strerror(self._code), str(path))


def calls(world: World, action: Callable[[World, Hook | None], object]) -> int:
    """How many calls an undisturbed run makes."""
    count = 0

    def counting(op: str, path: Path) -> None:
        nonlocal count
        count += 1

    action(world, counting)
    return count


def commit(scene: str) -> Callable[[World, Hook | None], object]:
    return lambda world, before: world.journal(before).commit(
        RUN, SCENES[scene](world), world.states
    )


def allowed(base: Path, scene: str) -> list[Snapshot]:
    """The vault before, and as it is when the first none, one, … of the sets have landed: notes,
    catalog, proposal and undo record always agree."""
    found = [World(base / "old").snapshot()]
    for landing in range(len(SCENES[scene](World(base / "sets"))) + 1):
        world = World(base / f"first {landing}")
        world.journal().commit(RUN, SCENES[scene](world)[:landing], world.states)
        found.append(world.snapshot())
    return found


def files(found: Snapshot) -> Snapshot:
    """Without the folders: an empty one that cannot be removed just now may stay."""
    return {path: data for path, data in found.items() if data is not None}


def whole(world: World, allowed: list[Snapshot], where: str) -> None:
    assert world.litter() == [], where
    assert world.snapshot() in allowed, where


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("scene", ["create", "several files", "move"])
def test_a_disk_that_fails_at_any_call(scene: str, code: int, lasting: bool, memory: Path) -> None:
    fine = allowed(memory, scene)
    old = fine[0]
    total = calls(World(memory / "count"), commit(scene))
    for at in range(total):
        world = World(memory / str(at))
        where = f"{errno.errorcode[code]} at call {at} of {total}"
        try:
            commit(scene)(world, Failing(code, at, lasting=lasting))
        except FilesystemError as error:
            assert error.where and error.what and error.next, where
            if not lasting and not isinstance(error, UnfinishedCommit):
                assert world.snapshot() == old, where
        world.journal().recover()
        whole(world, fine, where)
        landing = world.journal().commit(RUN, [], lambda landing: [])
        assert landing.landed == (), where


@pytest.mark.parametrize("scene", ["create", "several files", "move"])
def test_a_full_disk_needs_no_recovery(scene: str, memory: Path) -> None:
    """Whatever needs space is written before the decision, and taking back needs none."""
    fine = allowed(memory, scene)
    old, new = fine[0], fine[-1]
    total = calls(World(memory / "count"), commit(scene))
    for at in range(total):
        world = World(memory / str(at))
        full = Failing(errno.ENOSPC, at, lasting=True, ops=NEEDS_SPACE - {"sync", "sync-folder"})
        try:
            commit(scene)(world, full)
        except UnfinishedCommit as error:
            assert error.landing.landed and "finished at the next start" in error.what
            world.journal().recover()
            assert world.snapshot() == new
        except FilesystemError as error:
            assert "full" in error.what
            assert world.snapshot() == old and world.litter() == []
        else:
            whole(world, fine, str(at))


def test_a_refused_set_costs_that_set_alone(memory: Path) -> None:
    world = World(memory)
    (one, two) = SCENES["create"](world)[0], SCENES["update"](world)[0]

    def no_permission(op: str, path: Path) -> None:
        if op == "rename" and path.name == Path(NEW).name:
            raise PermissionError(errno.EACCES, "denied", str(path))

    landing = world.journal(no_permission).commit(RUN, [one, two], world.states)
    assert landing.landed == ("update",)
    assert landing.refused["create"].where == NEW
    assert "no permission" in landing.refused["create"].what
    assert world.read(NEW) is None and world.litter() == []
    assert not (world.root / NEW).parent.exists()


def pulling(world: World, at: int, folder: str) -> Hook:
    """Somebody moves a folder away just before the ``at``-th call."""
    seen = -1

    def before(op: str, path: Path) -> None:
        nonlocal seen
        seen += 1
        if seen == at:
            (world.root / folder).rename(world.base / "unplugged")

    return before


@pytest.mark.parametrize("folder", ["", "digest/wiki"])
def test_a_folder_that_vanishes_at_any_call(folder: str, memory: Path) -> None:
    """The drive is pulled out (the folder moves away), and is there again at the next start."""
    fine = allowed(memory, "several files")
    total = calls(World(memory / "count"), commit("several files"))
    for at in range(total):
        world = World(memory / str(at))
        try:
            commit("several files")(world, pulling(world, at, folder))
        except FilesystemError as error:
            assert error.what and error.next
        assert not (world.root / folder).exists(), "nothing is made where the folder was"
        (world.base / "unplugged").rename(world.root / folder)
        world.journal().recover()
        whole(world, fine, f"call {at} of {total}")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_disk_that_fails_during_recovery_is_tried_again(code: int, memory: Path) -> None:
    fine = allowed(memory, "move")
    for wreck, where in each_point(Fresh(memory / "wrecks"), commit_of("move")):
        if where.number % 25:
            continue
        for at in range(100):
            shutil.rmtree(memory / "copy", ignore_errors=True)
            shutil.copytree(wreck.base, memory / "copy")
            world = World(memory / "copy", fill=False)
            hook = Failing(code, at)
            with contextlib.suppress(FilesystemError):
                world.journal(hook).recover()
                if not hook.failed:
                    break
            world.journal().recover()
            assert world.litter() == []
            found = [files(world.snapshot()), *map(files, fine)]
            assert found[0] in found[1:], f"{where}, then {errno.errorcode[code]} at call {at}"


def test_the_state_callback_failing_takes_everything_back(memory: Path) -> None:
    world = World(memory)
    old = world.snapshot()

    def broken(landing: object) -> list[object]:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        world.journal().commit(RUN, SCENES["move"](world), broken)  # type: ignore[arg-type]
    assert world.snapshot() == old and world.litter() == []


def test_a_decision_that_could_not_be_synced_is_no_decision(memory: Path) -> None:
    """It may stand in the journal all the same: a crash while everything is taken back must not
    make the next start believe it."""
    fine = allowed(memory, "several files")

    class Crash(BaseException):
        pass

    for crash_at in range(1, 60):
        world = World(memory / str(crash_at))
        calls_since = 0

        def before(op: str, path: Path, world: World = world, crash_at: int = crash_at) -> None:
            nonlocal calls_since
            journal = world.state / "commit.journal"
            if calls_since:
                calls_since += 1
                if calls_since > crash_at:
                    raise Crash
            elif op == "sync" and path == journal and journal.read_bytes().count(b"\n") == 3:
                calls_since = 1
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        with pytest.raises((FilesystemError, Crash)) as caught:
            commit("several files")(world, before)
        world.journal().recover()
        whole(world, fine[:1] if crash_at > 2 else fine, f"crash {crash_at} calls later")
        if caught.type is not Crash:
            return
    raise AssertionError("never came to its end")


def test_ctrl_c_takes_everything_back(memory: Path) -> None:
    world = World(memory)
    old = world.snapshot()

    def interrupted(op: str, path: Path) -> None:
        if op == "swap":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.journal(interrupted).commit(RUN, SCENES["update"](world), world.states)
    assert world.snapshot() == old and world.litter() == []
