"""What lands, what is stale, what is refused, and that nobody else's bytes are touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.engine.journal_scenes import (
    CATALOG,
    DAY,
    NEW,
    PLAN,
    RUN,
    SEED,
    UNDO,
    World,
    create,
    several,
    update,
)
from vault_dream.engine.errors import BusyError, FilesystemError, PathError
from vault_dream.engine.journal import FileWrite, Landing, WriteSet
from vault_dream.engine.vault import rename
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.engine.vault.statefiles import json_bytes


@pytest.fixture(params=["swap", "replace"], autouse=True)
def _both_kinds_of_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "replace":
        monkeypatch.setattr(rename, "_system_rename", lambda: None)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def no_state(landing: Landing) -> list[FileWrite]:
    return []


def test_a_run_lands_and_everything_else_stays_byte_for_byte(world: World) -> None:
    old = world.snapshot()
    landing = world.journal().commit(RUN, several(world), world.states)
    assert landing == Landing(("split", "more"))
    new = world.snapshot()
    changed = {path for path in new if new[path] != old.get(path, 0)}
    folders = {"digest/personal", "metadata/runs"}
    assert changed == {PLAN, NEW, SEED, CATALOG, UNDO, *folders} | {
        path for path in new if path.startswith("metadata/proposals/") and path.endswith("json")
    }
    assert world.litter() == []


def test_the_state_hears_what_landed_and_private_files_are_private(world: World) -> None:
    seen = []

    def state(landing: Landing) -> list[FileWrite]:
        seen.append(landing)
        return [FileWrite("metadata/new.json", None, b"{}")]

    sets = [*create(world), WriteSet("stale", (FileWrite(PLAN, b"other", b"x"),))]
    landing = world.journal().commit(RUN, sets, state)
    assert [each.landed for each in seen] == [landing.landed] == [("create",)]
    assert landing.stale == {"stale": f"{PLAN} has changed since the proposal was made"}
    for path in (UNDO, "metadata/new.json"):
        assert stat.S_IMODE((world.root / path).stat().st_mode) == 0o600


def test_a_set_that_lands_nowhere_leaves_no_undo_record(world: World) -> None:
    old = world.snapshot()
    sets = [
        WriteSet("gone", (FileWrite("digest/no.md", b"x", b"y"), world.write(PLAN, b"z"))),
        WriteSet("there", (FileWrite(SEED, None, b"y"), world.write(PLAN, b"z"))),
    ]
    landing = world.journal().commit(RUN, sets, no_state)
    assert landing.stale == {
        "gone": "digest/no.md is gone",
        "there": f"{SEED} exists already",
    }
    assert world.snapshot() == old and world.litter() == []


def test_sets_on_one_file_are_a_chain_and_fall_together(world: World) -> None:
    plan = world.read(PLAN)
    sets = [
        WriteSet("one", (FileWrite(PLAN, plan, b"1"), FileWrite(SEED, b"not so", b"x"))),
        WriteSet("two", (FileWrite(PLAN, b"1", b"2"),)),
        WriteSet("three", (FileWrite(PLAN, b"2", b"3"),)),
        WriteSet("apart", (FileWrite(PLAN, plan, b"4"),)),
    ]
    landing = world.journal().commit(RUN, sets, no_state)
    assert landing.landed == ("apart",)
    assert landing.stale["two"] == "it builds on one, which did not land"
    assert landing.stale["three"] == "it builds on two, which did not land"
    assert world.read(PLAN) == b"4"


def test_a_set_falls_with_one_that_it_needs(world: World) -> None:
    sets = [
        WriteSet("one", (FileWrite(SEED, b"not so", b"x"),)),
        WriteSet("two", (world.write(PLAN, b"links to one"),), needs=("one",)),
        WriteSet("lost", (world.write(NEW, b"links to nothing"),), needs=("unknown",)),
    ]
    landing = world.journal().commit(RUN, sets, no_state)
    assert landing.landed == () and set(landing.stale) == {"one", "two", "lost"}


def test_a_guard_must_hold_but_is_not_written(world: World) -> None:
    before = (world.root / DAY).stat()
    good = WriteSet("good", (world.write(DAY, world.read(DAY)), world.write(PLAN, b"x")))
    bad = WriteSet("bad", (FileWrite(DAY, b"?", b"?"), world.write(SEED, b"x")))
    landing = world.journal().commit(RUN, [good, bad], no_state)
    assert landing.landed == ("good",) and set(landing.stale) == {"bad"}
    after = (world.root / DAY).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_second_run_with_nothing_to_say_writes_nothing(world: World) -> None:
    old = {p: p.stat().st_mtime_ns for p in world.root.rglob("*")}
    unchanged = [world.write(CATALOG, world.read(CATALOG))]
    world.journal().commit(RUN, [], lambda landing: unchanged)
    assert {p: p.stat().st_mtime_ns for p in world.root.rglob("*")} == old


def test_links_hard_links_and_read_only_files(world: World, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_bytes(b"o")
    (world.root / "out.md").symlink_to(tmp_path / "outside.md")
    (world.root / "in.md").symlink_to(PLAN)
    os.link(world.root / SEED, world.root / "hard.md")
    (world.root / DAY).chmod(0o400)
    plan = world.read(PLAN)
    sets = [
        WriteSet("out", (FileWrite("out.md", b"o", b"x"),)),
        WriteSet("in", (FileWrite("in.md", plan, b"through"),)),
        WriteSet("hard", (FileWrite("hard.md", world.read(SEED), b"x"),)),
        WriteSet("locked", (FileWrite(DAY, world.read(DAY), b"x"),)),
        WriteSet("locked twin", (world.write(NEW, b"n"), FileWrite(DAY, b"x", b"y"))),
    ]
    landing = world.journal().commit(RUN, sets, no_state)
    assert landing.landed == ("in",)
    assert set(landing.refused) == {"out", "hard", "locked", "locked twin"}
    assert world.read(PLAN) == b"through" and (world.root / "in.md").is_symlink()
    assert (tmp_path / "outside.md").read_bytes() == b"o" and world.read(NEW) is None


def test_the_trash_must_be_the_vaults_own(world: World, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (world.root / ".trash").symlink_to(tmp_path / "elsewhere")
    landing = world.journal().commit(RUN, [WriteSet("1", (world.write(SEED, None),))], no_state)
    assert "leaves the vault" in landing.refused["1"].what
    assert world.read(SEED) is not None


def test_the_longest_name_that_a_disk_takes_can_be_written(world: World) -> None:
    path = "digest/" + "ü" * 126 + ".md"
    assert len(Path(path).name.encode()) == 255
    landing = world.journal().commit(RUN, [WriteSet("1", (world.write(path, b"a"),))], no_state)
    assert landing.landed == ("1",)
    too_long = WriteSet("2", (FileWrite("digest/" + "ü" * 127 + ".md", None, b"a"),))
    landing = world.journal().commit(RUN, [too_long], no_state)
    assert "too long" in landing.refused["2"].what and world.litter() == []


def test_a_folder_where_a_note_should_be_costs_that_set_alone(world: World) -> None:
    (world.root / NEW).mkdir(parents=True)
    sets = [WriteSet("folder", (FileWrite(NEW, None, b"x"),)), *update(world)]
    landing = world.journal().commit(RUN, sets, no_state)
    assert landing.landed == ("update",) and set(landing.refused) == {"folder"}


def test_bytes_that_are_not_text_come_through_journal_and_record(world: World) -> None:
    world.put(PLAN, b"caf\xe9\x00")
    world.journal().commit(RUN, [WriteSet("1", (world.write(PLAN, b"\xff\xfe"),))], no_state)
    world.journal().undo(RUN)
    assert world.read(PLAN) == b"caf\xe9\x00"


def test_a_state_file_that_was_changed_a_moment_ago_takes_everything_back(world: World) -> None:
    old = world.snapshot()
    with pytest.raises(FilesystemError, match="another program"):
        world.journal().commit(
            RUN, create(world), lambda landing: [FileWrite(CATALOG, b"earlier", b"{}")]
        )
    assert world.snapshot() == old and world.litter() == []


def test_a_state_file_that_a_sync_program_delivers_in_the_middle_is_left_alone(
    world: World,
) -> None:
    theirs = json_bytes({"version": 1, "from": "another machine"})

    def delivered(op: str, path: Path) -> None:
        if op == "sync" and path.name == "commit.journal" and path.read_bytes().count(b"\n") == 3:
            world.put(CATALOG, theirs)

    landing = world.journal(delivered).commit(RUN, create(world), world.states)
    assert landing.landed == ("create",) and world.read(CATALOG) == theirs
    assert [problem.where for problem in landing.left] == [CATALOG]
    assert world.litter() == []


def test_a_state_file_may_be_removed(world: World) -> None:
    world.journal().commit(RUN, [], lambda landing: [world.write(CATALOG, None)])
    assert world.read(CATALOG) is None and not (world.root / ".trash").exists()


def test_a_busy_vault_and_a_wrong_run_id_are_told_so(world: World) -> None:
    journal = world.journal()
    journal._patience = 0
    with (
        VaultLock(world.root, "commit", state_folder=world.state).acquire("review"),
        pytest.raises(BusyError, match="review"),
    ):
        journal.commit(RUN, [], no_state)
    for run_id in ("", "../x", "a/b", ".hidden", "a\nb"):
        with pytest.raises(PathError):
            world.journal().commit(run_id, [], no_state)


def test_two_sets_of_one_name_and_two_writes_to_one_state_file_are_mistakes(world: World) -> None:
    old = world.snapshot()
    with pytest.raises(ValueError, match="two sets"):
        world.journal().commit(RUN, [*create(world), *create(world)], no_state)
    twice = [FileWrite("metadata/x", None, b"1"), FileWrite("metadata/x", None, b"2")]
    with pytest.raises(ValueError, match="two writes"):
        world.journal().commit(RUN, create(world), lambda landing: twice)
    assert world.snapshot() == old and world.litter() == []
