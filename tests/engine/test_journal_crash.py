"""Killed (SIGKILL) before and after every call that changes the disk, the vault is whole."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from journal_scenes import (
    CATALOG,
    DAY,
    NEW,
    PLAN,
    RUN,
    SCENES,
    UNDO,
    World,
    each_point,
    several,
)

from vault_dream.engine.errors import FilesystemError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")


class Fresh:
    """Worlds under one folder, one after another; the one before is removed."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._number = 0

    def __call__(self) -> World:
        shutil.rmtree(self._base / str(self._number), ignore_errors=True)
        self._number += 1
        return World(self._base / str(self._number))


def without_trash(found: dict[str, bytes | None]) -> dict[str, bytes | None]:
    return {path: data for path, data in found.items() if not path.startswith(".trash")}


def recovered_whole(
    world: World, old: dict[str, bytes | None], new: dict[str, bytes | None], where: str
) -> bool:
    """Recover, and check that the vault is all old or all new. True when it is new."""
    world.journal().recover()
    found = world.snapshot()
    assert world.litter() == [], where
    assert found in (old, new), (where, {p for p in found if found[p] not in (old.get(p), 0)})
    assert world.journal().recover() == (), where
    assert world.snapshot() == found, where
    return found == new


def after_whole_run(fresh: Fresh, scene: str) -> dict[str, bytes | None]:
    world = fresh()
    landing = world.journal().commit(RUN, SCENES[scene](world), world.states)
    assert not landing.stale and not landing.refused and world.litter() == []
    return world.snapshot()


@pytest.mark.parametrize("scene", SCENES)
def test_a_commit_killed_at_any_point_is_finished_or_taken_back(scene: str, tmp_path: Path) -> None:
    fresh = Fresh(tmp_path)
    new = after_whole_run(fresh, scene)
    world = fresh()
    old = world.snapshot()
    outcomes = []
    for point, op, side in each_point(
        lambda before, after: world.journal(before, after).commit(
            RUN, SCENES[scene](world), world.states
        )
    ):
        outcomes.append(recovered_whole(world, old, new, f"{point}: {side} {op}"))
        world = fresh()
    decided = outcomes.index(True)
    assert outcomes == [False] * decided + [True] * (len(outcomes) - decided), "one commit point"
    print(f"{scene}: {len(outcomes)} points, taken back up to {decided}, finished from there on")
    assert len(outcomes) > 20


@pytest.mark.parametrize("scene", ["several files", "move"])
def test_a_recovery_killed_at_any_point_is_recovered_by_the_next(
    scene: str, tmp_path: Path
) -> None:
    """For commits killed at every point that leaves something to recover (every twelfth, unless
    VAULT_DREAM_LONG_TESTS is set), the recovery is killed at each of its own points."""
    fresh = Fresh(tmp_path / "worlds")
    new = after_whole_run(fresh, scene)
    world = fresh()
    old = world.snapshot()
    stride = 1 if os.environ.get("VAULT_DREAM_LONG_TESTS") else 12
    tried = 0
    for point, op, side in each_point(
        lambda before, after: world.journal(before, after).commit(
            RUN, SCENES[scene](world), world.states
        )
    ):
        if point % stride == 0:
            tried += killed_recoveries(world, tmp_path / "kept", old, new, f"{side} {op}")
        world = fresh()
    print(f"recovery of {scene}: {tried} points")
    assert tried > 60


def killed_recoveries(
    world: World,
    kept: Path,
    old: dict[str, bytes | None],
    new: dict[str, bytes | None],
    where: str,
) -> int:
    """Recover the same wreck, killed at each point in turn; the number of points."""
    shutil.copytree(world.base, kept)
    tried = 0
    outcomes = set()
    for point, op, side in each_point(lambda before, after: world.journal(before, after).recover()):
        where_now = f"{where}, then recovery {point}: {side} {op}"
        outcomes.add(recovered_whole(world, old, new, where_now))
        shutil.rmtree(world.base)
        shutil.copytree(kept, world.base)
        tried += 1
    outcomes.add(recovered_whole(world, old, new, where))
    assert len(outcomes) == 1, f"{where}: once decided, always decided the same way"
    shutil.rmtree(kept)
    return tried


def test_an_undo_killed_at_any_point_is_finished_or_taken_back(tmp_path: Path) -> None:
    def committed() -> World:
        world = fresh()
        world.journal().commit(RUN, several(world), world.states)
        return world

    fresh = Fresh(tmp_path)
    untouched = fresh().snapshot()
    world = committed()
    old = world.snapshot()
    world.journal().undo(RUN)
    new = world.snapshot()
    assert {p: new[p] for p in (PLAN, DAY)} == {p: untouched[p] for p in (PLAN, DAY)}
    assert NEW not in new and new[".trash/tea.md"] == old[NEW]
    world = committed()
    points = 0
    for point, op, side in each_point(lambda before, after: world.journal(before, after).undo(RUN)):
        recovered_whole(world, old, new, f"{point}: {side} {op}")
        world = committed()
        points += 1
    print(f"undo: {points} points")
    assert points > 40


@pytest.mark.parametrize("size", [0, 1, 40, 64, 65, 200, -2, -1])
def test_a_journal_that_was_cut_off_means_that_nothing_had_begun(size: int, tmp_path: Path) -> None:
    world = World(tmp_path)
    old = world.snapshot()
    journal = whole_journal(world)
    journal.write_bytes(journal.read_bytes().split(b"\n")[0][:size])
    done = world.journal().recover()
    assert [each.outcome for each in done] == ["dropped"]
    assert world.snapshot() == old and world.litter() == []


def test_a_damaged_journal_is_set_aside_and_means_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = world.snapshot()
    journal = whole_journal(world)
    raw = bytearray(journal.read_bytes())
    raw[100] ^= 1
    journal.write_bytes(raw)
    (done,) = world.journal().recover()
    assert done.outcome == "dropped" and "damaged" in done.note
    assert world.snapshot() == old
    assert [p.name for p in world.state.glob("commit.journal*")] == [
        "commit.journal.unreadable-20261130T033000000000"
    ]


def whole_journal(world: World) -> Path:
    """The journal of a commit that was killed as soon as it was written."""
    for _, op, side in each_point(
        lambda before, after: world.journal(before, after).commit(RUN, several(world), world.states)
    ):
        journal = world.state / "commit.journal"
        if (op, side) == ("sync", "after") and journal.exists():
            return journal
        world.journal().recover()
    raise AssertionError("never written")


def wreck(world: World, *, decided: bool) -> None:
    """A commit killed half way: its notes are in place, and it is decided, or not."""
    untouched = world.read(PLAN)
    for _, op, side in each_point(
        lambda before, after: world.journal(before, after).commit(RUN, several(world), world.states)
    ):
        journal = world.state / "commit.journal"
        has_decision = journal.exists() and journal.read_bytes().count(b"\n") == 3
        if world.read(PLAN) != untouched and has_decision == decided and not world.read(UNDO):
            return
        world.journal().recover()
    raise AssertionError("no such point")


def test_the_owners_edit_after_a_crash_is_left_alone(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = world.snapshot()
    wreck(world, decided=False)
    world.put(PLAN, b"I have seen this and go on writing.\n")
    done = world.journal().recover()
    assert ("left alone", PLAN) in [(each.outcome, each.path) for each in done]
    assert world.snapshot() == {**old, PLAN: b"I have seen this and go on writing.\n"}
    assert world.litter() == []


def test_a_vault_out_of_a_backup_is_not_told_of_notes_it_does_not_have(tmp_path: Path) -> None:
    world = World(tmp_path)
    shutil.copytree(world.root, tmp_path / "backup")
    old = world.snapshot()
    wreck(world, decided=True)
    shutil.rmtree(world.root)
    shutil.copytree(tmp_path / "backup", world.root)
    done = world.journal().recover()
    assert [each.outcome for each in done] == ["dropped"]
    assert world.snapshot() == old and world.litter() == []


def test_a_vault_that_is_not_mounted_keeps_its_journal(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = world.snapshot()
    wreck(world, decided=False)
    world.root.rename(tmp_path / "unplugged")
    world.root.mkdir()
    with pytest.raises(FilesystemError, match="missing or empty"):
        world.journal().recover()
    world.root.rmdir()
    (tmp_path / "unplugged").rename(world.root)
    world.journal().recover()
    assert world.snapshot() == old and world.litter() == []


def test_a_vault_that_moved_is_not_touched_by_what_is_left_behind(tmp_path: Path) -> None:
    world = World(tmp_path)
    wreck(world, decided=False)
    shutil.rmtree(world.root)
    other = World(tmp_path / "new")
    other.put(PLAN, b"Another vault altogether.\n")
    other.root.rename(world.root)
    old = world.snapshot()
    world.journal().recover()
    assert world.snapshot() == old
    assert world.read(CATALOG) is not None
