"""Undo: the exact bytes back, nothing of the owner's touched, and the answer says what happened."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.journal_scenes import (
    CATALOG,
    NEW,
    NOW,
    PLAN,
    RUN,
    SEED,
    UNDO,
    World,
    create,
    moved,
    several,
    update,
)
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal import FileWrite, Landing, Undone, WriteSet


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def no_state(landing: Landing) -> list[FileWrite]:
    return []


def outcomes(undone: Undone) -> dict[str, str]:
    return {file.path: file.outcome for file in undone.files}


def notes(world: World) -> dict[str, bytes | None]:
    return {
        path: data
        for path, data in world.snapshot().items()
        if data is not None and not path.startswith(("metadata", ".trash"))
    }


def test_exact_bytes_come_back_and_a_created_note_goes_to_the_trash(world: World) -> None:
    old = notes(world)
    world.put(".trash/tea.md", b"something else that the owner threw away")
    world.journal().commit(RUN, several(world), no_state)
    created = world.read(NEW)
    undone = world.journal().undo(RUN)
    assert outcomes(undone) == {PLAN: "restored", NEW: "trashed", SEED: "restored"}
    assert undone.sets == ("split", "more")
    assert notes(world) == old
    (new,) = (file for file in undone.files if file.path == NEW)
    assert new.trash == ".trash/tea-2.md" and world.read(new.trash) == created
    assert world.read(".trash/tea.md") == b"something else that the owner threw away"
    assert world.litter() == []


def test_a_move_is_undone_whole(world: World) -> None:
    old = notes(world)
    landing = world.journal().commit(RUN, moved(world), no_state)
    assert landing.trashed == {SEED: ".trash/seed-garlic.md"}
    undone = world.journal().undo(RUN)
    assert notes(world) == old
    assert set(outcomes(undone).values()) == {"restored", "trashed"}


def test_one_node_of_a_run(world: World) -> None:
    old = world.read(PLAN)
    world.journal().commit(RUN, several(world), no_state)
    undone = world.journal().undo(RUN, [PLAN])
    assert outcomes(undone) == {PLAN: "restored"}
    assert world.read(PLAN) == old and world.read(NEW) is not None
    assert undone.sets == (), "of both sets some files still stand"
    assert world.journal().undo(RUN).sets == ("split", "more")
    assert set(outcomes(world.journal().undo(RUN)).values()) == {"undone before"}


def test_a_file_changed_since_is_not_touched(world: World) -> None:
    world.journal().commit(RUN, several(world), no_state)
    world.put(PLAN, b"the owner's own words")
    (world.root / SEED).unlink()
    for merge in (False, True):
        undone = world.journal().undo(RUN, merge=merge)
        assert outcomes(undone)[PLAN] == "changed since"
        assert outcomes(undone)[SEED] == "gone"
        assert world.read(PLAN) == b"the owner's own words" and world.read(SEED) is None


def test_an_edited_creation_is_never_taken_away(world: World) -> None:
    world.journal().commit(RUN, create(world), no_state)
    world.put(NEW, b"Tea at four. And biscuits.\n")
    for merge in (False, True):
        assert outcomes(world.journal().undo(RUN, merge=merge)) == {NEW: "changed since"}
    assert world.read(NEW) == b"Tea at four. And biscuits.\n"


def test_a_clean_merge_keeps_both_the_owners_edit_and_the_undo(world: World) -> None:
    world.put(PLAN, b"one\ntwo\nthree\n")
    world.journal().commit(RUN, update(world), no_state)
    world.put(PLAN, b"ONE\ntwo\nthree\nTwo beds.\r\n")
    assert outcomes(world.journal().undo(RUN)) == {PLAN: "changed since"}
    undone = world.journal().undo(RUN, merge=True)
    assert outcomes(undone) == {PLAN: "merged"}
    assert world.read(PLAN) == b"ONE\ntwo\nthree\n"


def test_what_the_owner_wrote_between_two_commits_of_a_run_is_kept(world: World) -> None:
    world.put(PLAN, b"one\n")
    world.journal().commit(RUN, [WriteSet("1", (world.write(PLAN, b"one\ntwo\n"),))], no_state)
    world.put(PLAN, b"mine\none\ntwo\n")
    last = world.write(PLAN, b"mine\none\ntwo\nthree\n")
    world.journal().commit(RUN, [WriteSet("2", (last,))], no_state)
    assert outcomes(world.journal().undo(RUN)) == {PLAN: "changed since"}
    assert outcomes(world.journal().undo(RUN, merge=True)) in (
        {PLAN: "merged"},
        {PLAN: "changed since"},
    )
    assert b"mine\n" in (world.read(PLAN) or b"")


def test_a_later_run_stands_in_the_way_of_an_earlier_one(world: World) -> None:
    old = world.read(PLAN)
    world.journal().commit("run1", update(world), no_state)
    world.journal().commit("run2", update(world), no_state)
    assert outcomes(world.journal().undo("run1")) == {PLAN: "changed since"}
    assert outcomes(world.journal().undo("run2")) == {PLAN: "restored"}
    assert outcomes(world.journal().undo("run1")) == {PLAN: "restored"}
    assert world.read(PLAN) == old


def test_the_state_goes_with_the_undo_and_hears_which_sets_are_gone(world: World) -> None:
    world.journal().commit(RUN, several(world), world.states)
    heard = []

    def state(undone: Undone) -> list[FileWrite]:
        heard.append(undone)
        return [world.write(CATALOG, b'{"version": 1}')]

    undone = world.journal().undo(RUN, state=state)
    assert world.read(CATALOG) == b'{"version": 1}'
    (early,) = heard
    assert (early.sets, early.files) == (undone.sets, undone.files)


def test_the_changes_of_a_run_are_shown_as_diffs(world: World) -> None:
    world.journal().commit(RUN, several(world), no_state)
    changes = {change.path: change for change in world.journal().changes(RUN)}
    assert list(changes) == [PLAN, NEW, SEED]
    assert "+See tea soon.\r\n" in changes[PLAN].diff and "+See tea.\r" not in changes[PLAN].diff
    assert changes[NEW].diff == (f"--- /dev/null\n+++ b/{NEW}\n@@ -0,0 +1 @@\n+Tea, split off.\n")
    assert changes[SEED].diff.count("\\ No newline at end of file") == 2
    assert not changes[SEED].undone
    world.journal().undo(RUN)
    assert all(change.undone for change in world.journal().changes(RUN))


def test_an_unknown_run_and_a_damaged_record_are_errors(world: World) -> None:
    with pytest.raises(FilesystemError, match="no undo record"):
        world.journal().undo("nothing")
    world.journal().commit(RUN, create(world), no_state)
    record = json.loads(world.read(UNDO) or b"")
    record["writes"][0]["after"]["text"] += "!"
    world.put(UNDO, json.dumps(record).encode())
    with pytest.raises(FilesystemError, match="damaged"):
        world.journal().undo(RUN)
    world.put(UNDO, b"garbage")
    with pytest.raises(FilesystemError, match="set aside"):
        world.journal().undo(RUN)
    assert world.read(NEW) == b"Tea at four.\n"


def test_old_undo_records_are_pruned(world: World) -> None:
    world.journal().commit("run1", create(world), no_state)
    later = world.journal()
    later._clock = lambda: NOW + timedelta(days=400)
    later.commit("run2", update(world), no_state)
    assert later.runs() == ("run1", "run2")
    assert later.prune(365) == ("run1",)
    assert later.runs() == ("run2",)
    assert world.read(NEW) is not None


def test_a_forgotten_note_is_in_no_record_any_more(world: World) -> None:
    world.journal().commit(RUN, several(world), no_state)
    (world.state / "commit.journal.unreadable-1").write_bytes(b"Tea, split off the plan.")
    held = world.journal().forget(NEW)
    assert UNDO in held
    for folder in (world.root / "metadata", world.state):
        for path in folder.rglob("*"):
            assert path.is_dir() or b"Tea, split" not in path.read_bytes(), path
    undone = world.journal().undo(RUN)
    assert outcomes(undone) == {PLAN: "restored", NEW: "forgotten", SEED: "restored"}
    assert world.read(NEW) is not None
    assert world.journal().forget(NEW) == ()
