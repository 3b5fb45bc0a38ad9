"""Killed (SIGKILL) before and after every call that changes the disk, the vault is whole."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.engine.journal_scenes import (
    DAY,
    NEW,
    PLAN,
    RUN,
    SCENES,
    UNDO,
    Fresh,
    World,
    commit_of,
    each_point,
    killed_at,
    several,
)
from vault_dream.engine.errors import FilesystemError

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork"),
    pytest.mark.usefixtures("no_syncs"),
]

Snapshot = dict[str, bytes | None]
LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))


def recovered_whole(world: World, old: Snapshot, new: Snapshot, where: object) -> bool:
    """Recover, and check that the vault is all old or all new. True when it is new."""
    world.journal().recover()
    found = world.snapshot()
    assert world.litter() == [], where
    assert found in (old, new), where
    assert world.journal().recover() == (), where
    assert world.snapshot() == found, where
    return found == new


def before_and_after(base: Path, scene: str) -> tuple[Snapshot, Snapshot]:
    world = World(base / "whole run")
    old = world.snapshot()
    landing = world.journal().commit(RUN, SCENES[scene](world), world.states)
    assert not landing.stale and not landing.refused and world.litter() == []
    return old, world.snapshot()


@pytest.mark.parametrize("scene", SCENES)
def test_a_commit_killed_at_any_point_is_finished_or_taken_back(scene: str, memory: Path) -> None:
    old, new = before_and_after(memory, scene)
    outcomes = [
        recovered_whole(world, old, new, where)
        for world, where in each_point(Fresh(memory), commit_of(scene))
    ]
    decided = outcomes.index(True)
    assert outcomes == [False] * decided + [True] * (len(outcomes) - decided), "one commit point"
    assert len(outcomes) > 20
    print(f"{scene}: {len(outcomes)} points, taken back before {decided}, finished from there on")


@pytest.mark.parametrize("scene", ["several files", "move"])
def test_a_recovery_killed_at_any_point_is_recovered_by_the_next(scene: str, memory: Path) -> None:
    """Of a commit killed at every point (every 24th, unless VAULT_DREAM_LONG_TESTS is set), the
    recovery is killed at each of its own points."""
    old, new = before_and_after(memory, scene)
    tried = 0
    for wreck, where in each_point(Fresh(memory / "wrecks"), commit_of(scene)):
        if where.number % (1 if LONG else 24) == 0:
            tried += killed_recoveries(wreck, memory / "copies", old, new, str(where))
    assert tried > 40
    print(f"recovery of {scene}: {tried} points")


def killed_recoveries(wreck: World, base: Path, old: Snapshot, new: Snapshot, where: str) -> int:
    """Recover copies of one wreck, killed at each point in turn; the number of points."""

    def copy() -> World:
        shutil.rmtree(base, ignore_errors=True)
        shutil.copytree(wreck.base, base)
        return World(base, fill=False)

    outcomes = [
        recovered_whole(world, old, new, f"{where}, then in its recovery {point}")
        for world, point in each_point(
            copy, lambda world, before, after: world.journal(before, after).recover()
        )
    ]
    assert len(set(outcomes)) <= 1, f"{where}: once decided, always decided the same way"
    return len(outcomes)


def test_an_undo_killed_at_any_point_is_finished_or_taken_back(memory: Path) -> None:
    def committed(world: World) -> None:
        world.journal().commit(RUN, several(world), world.states)

    world = World(memory / "whole run")
    untouched = world.snapshot()
    committed(world)
    old = world.snapshot()
    world.journal().undo(RUN)
    new = world.snapshot()
    assert [new[p] for p in (PLAN, DAY)] == [untouched[p] for p in (PLAN, DAY)]
    assert NEW not in new and new[".trash/tea.md"] == old[NEW]
    outcomes = [
        recovered_whole(world, old, new, where)
        for world, where in each_point(
            Fresh(memory, committed),
            lambda world, before, after: world.journal(before, after).undo(RUN),
        )
    ]
    assert len(outcomes) > 40 and outcomes == sorted(outcomes)
    print(f"undo: {len(outcomes)} points")


# -- wrecks that met somebody else before they were recovered ------------------------------------


def wrecked(base: Path, *, decided: bool) -> World:
    """A commit killed half way: its notes are in place, and it is decided, or not."""
    untouched = World(base / "untouched").read(PLAN)
    for world, _ in each_point(Fresh(base), commit_of("several files")):
        journal = world.state / "commit.journal"
        has_decision = journal.exists() and journal.read_bytes().count(b"\n") == 3
        if world.read(PLAN) != untouched and has_decision == decided and not world.read(UNDO):
            return world
    raise AssertionError("no such point")


def whole_journal(base: Path) -> Path:
    """The journal of a commit that was killed as soon as it was written."""
    for world, where in each_point(Fresh(base), commit_of("several files")):
        journal = world.state / "commit.journal"
        if (where.side, where.op) == ("after", "sync") and journal.exists():
            return journal
    raise AssertionError("never written")


@pytest.mark.parametrize("size", [0, 1, 40, 64, 65, 200, -2, -1])
def test_a_journal_that_was_cut_off_means_that_nothing_had_begun(size: int, memory: Path) -> None:
    line = whole_journal(memory).read_bytes().split(b"\n")[0]
    world = World(memory / "fresh")
    old = world.snapshot()
    world.state.mkdir()
    (world.state / "commit.journal").write_bytes(line[:size])
    assert [each.outcome for each in world.journal().recover()] == ["dropped"]
    assert world.snapshot() == old and world.litter() == []


def test_a_damaged_journal_is_set_aside_and_means_nothing(memory: Path) -> None:
    raw = bytearray(whole_journal(memory).read_bytes())
    raw[100] ^= 1
    world = World(memory / "fresh")
    old = world.snapshot()
    world.state.mkdir()
    (world.state / "commit.journal").write_bytes(raw)
    (done,) = world.journal().recover()
    assert done.outcome == "dropped" and "damaged" in done.note
    assert world.snapshot() == old
    assert world.litter() == ["commit.journal.unreadable-20261130T033000000000"]


def test_a_newer_programs_journal_is_left_to_it(memory: Path) -> None:
    from vault_dream.engine.journal import record

    world = World(memory)
    world.state.mkdir()
    line = record._line({"kind": "intent", "version": 99})
    (world.state / "commit.journal").write_bytes(line)
    with pytest.raises(FilesystemError, match="newer"):
        world.journal().recover()
    assert (world.state / "commit.journal").read_bytes() == line


def test_the_owners_edit_after_a_crash_is_left_alone(memory: Path) -> None:
    world = wrecked(memory, decided=False)
    old = World(memory / "old").snapshot()
    world.put(PLAN, b"I have seen this and go on writing.\n")
    done = world.journal().recover()
    assert ("left alone", PLAN) in [(each.outcome, each.path) for each in done]
    assert world.snapshot() == {**old, PLAN: b"I have seen this and go on writing.\n"}
    assert world.litter() == []


def test_a_vault_out_of_a_backup_is_not_told_of_notes_it_does_not_have(memory: Path) -> None:
    world = wrecked(memory, decided=True)
    backup = World(memory / "backup")
    old = backup.snapshot()
    shutil.rmtree(world.root)
    backup.root.rename(world.root)
    assert [each.outcome for each in world.journal().recover()] == ["dropped"]
    assert world.snapshot() == old and world.litter() == []


def test_a_vault_that_is_not_mounted_keeps_its_journal(memory: Path) -> None:
    world = wrecked(memory, decided=False)
    world.root.rename(memory / "unplugged")
    for mount_point in ("missing", "empty"):
        if mount_point == "empty":
            world.root.mkdir()
        with pytest.raises(FilesystemError, match="missing or empty"):
            world.journal().recover()
    world.root.rmdir()
    (memory / "unplugged").rename(world.root)
    world.journal().recover()
    assert world.snapshot() == World(memory / "old").snapshot() and world.litter() == []


def test_a_vault_that_moved_in_is_not_touched_by_what_was_left_behind(memory: Path) -> None:
    world = wrecked(memory, decided=False)
    shutil.rmtree(world.root)
    other = World(memory / "other")
    other.put(PLAN, b"Another vault altogether.\n")
    other.root.rename(world.root)
    old = world.snapshot()
    world.journal().recover()
    assert world.snapshot() == old


def test_the_next_commit_puts_right_what_a_killed_one_left(memory: Path) -> None:
    world = wrecked(memory, decided=False)
    landing = world.journal().commit(RUN, [], lambda landing: [])
    assert {each.outcome for each in landing.recovered} == {"rolled back"}
    assert world.snapshot() == World(memory / "old").snapshot()


def test_the_kills_are_real(memory: Path) -> None:
    world = World(memory)
    assert killed_at(0, world, commit_of("update")) == "before mkdir"
    assert killed_at(10_000, world, commit_of("update")) is None
