"""A node moves with every link to it and all that our state says of it, whole or not at all."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.journal_scenes import killed_at
from tests.engine.runs.scenes import FILES, INDEX, REBUILD, Place, reader, with_queue
from tests.support import NOON, node_text
from vault_dream.engine.digest.catalog import Catalog, Entry
from vault_dream.engine.errors import EditError, FilesystemError, PathError, VaultDreamError
from vault_dream.engine.vault import disk
from vault_dream.engine.vault.disk import Hook
from vault_dream.engine.vault.statefiles import json_bytes

NEW = "digest/wiki/the-index.md"
NEAR = "digest/procedure/near.md"
LINKS = (
    "Near [[index]], [[digest/procedure/index|it]], [[index#Sources|there]], ![[index#^a1]] and\n"
    "[the page](index.md#Sources), %% [[index]] %%, as `[[index]]` is not.\n"
)
MORE = {
    NEAR: node_text("Near", LINKS).replace(
        "kind:", 'depends_on: ["[[digest/procedure/index.md|Index]]"]\nkind:'
    ),
    "notes/mine.md": "My own [[index]] and [[digest/procedure/index.md|that]].\n",
    "notes/board.canvas": '{"nodes": [{"file": "digest/procedure/index.md"}]}',
    INDEX: str(FILES[INDEX]).replace("near the notes", "near [[watcher]] and [[near]]"),
}


@pytest.fixture
def place(memory: Path) -> Place:
    return Place(memory / "origin", {**FILES, **MORE})


def move(place: Place, new: str = NEW, old: str = INDEX, everywhere: bool = False) -> str:
    with place.session(at=NOON - timedelta(hours=1)) as session:
        return session.move(session.plan_move(old, new, everywhere=everywhere))


def text(place: Place, path: str) -> str:
    return (place.read(path) or b"").decode()


def test_every_link_in_the_digest_follows_and_nothing_else_changes(place: Place) -> None:
    before = place.notes()
    move(place)
    after = place.notes()
    near = text(place, NEAR)
    assert "[[the-index]], [[digest/wiki/the-index|it]], [[the-index#Sources|there]]" in near
    assert "![[the-index#^a1]]" in near
    assert "[the page](the-index.md#Sources)" in near
    assert "%% [[the-index]] %%, as `[[index]]` is not." in near
    assert 'depends_on: ["[[digest/wiki/the-index.md|Index]]"]' in near
    assert INDEX not in after and set(after) - set(before) == {NEW}
    kept = set(before) - {INDEX, NEAR}
    assert {path: before[path] for path in kept} == {path: after[path] for path in kept}


def test_the_node_keeps_its_bytes_but_for_its_kind(place: Place) -> None:
    before = text(place, INDEX)
    move(place)
    assert text(place, NEW) == before.replace("kind: procedure", "kind: wiki")


def test_links_of_the_node_itself_lead_where_they_led(place: Place) -> None:
    place_of = place.root / INDEX
    place_of.write_text(text(place, INDEX).replace("[[near]]", "[[./near]] [n](near.md)"))
    (place.root / "digest/wiki").mkdir()
    (place.root / "digest/wiki/near.md").write_text("another\n")
    move(place)
    assert "[[../procedure/near]] [n](digest/procedure/near.md)" in text(place, NEW)


def test_a_link_that_the_new_name_would_catch_keeps_its_note(place: Place) -> None:
    (place.root / "notes/long/way").mkdir(parents=True)
    (place.root / "notes/long/way/the-index.md").write_text("mine\n")
    (place.root / NEAR).write_text(node_text("Near", "See [[the-index]]."))
    move(place)
    assert "See [[notes/long/way/the-index]]." in text(place, NEAR)


def test_own_notes_are_listed_and_changed_only_on_request(place: Place) -> None:
    with place.session() as session:
        plan = session.plan_move(INDEX, NEW)
        assert [(each.path, each.write) for each in plan.outside] == [
            ("Home.md", None),
            ("notes/mine.md", None),
        ]
        assert plan.naming == ("notes/board.canvas",)
        listed = {each.path for each in session.plan_move(INDEX, NEW, everywhere=True).outside}
    before = place.notes()
    move(place, everywhere=True)
    assert text(place, "notes/mine.md") == (
        "My own [[the-index]] and [[digest/wiki/the-index.md|that]].\n"
    )
    changed = {path for path, raw in place.notes().items() if before.get(path) != raw}
    assert changed - {NEW, NEAR} == listed


def test_a_note_that_changed_since_it_was_listed_stops_the_whole_move(place: Place) -> None:
    with place.session() as session:
        plan = session.plan_move(INDEX, NEW, everywhere=True)
        (place.root / "notes/mine.md").write_text("something else [[index]]\n")
        before = place.everything()
        with pytest.raises(FilesystemError, match="changed"):
            session.move(plan)
    assert place.everything() == before


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (INDEX, "digest/procedure/Watcher.md", "exists already"),
        (INDEX, INDEX, "already"),
        (INDEX, "notes/index.md", "is not in digest/"),
        (INDEX, "../index.md", "leaves"),
        (INDEX, "digest/.hidden/x.md", "is hidden"),
        (INDEX, "digest/wiki/a|b.md", "does not work"),
        (INDEX, "digest/wiki/con.md", "does not work"),
        (INDEX, "digest/wiki/a#b", "does not work"),
        ("notes/mine.md", NEW, "is not a node"),
        ("digest/wiki/nobody.md", NEW, "is not a node"),
    ],
)
def test_what_cannot_be_is_refused(place: Place, old: str, new: str, word: str) -> None:
    before = place.everything()
    with place.session() as session, pytest.raises(PathError, match=word):
        session.plan_move(old, new)
    assert place.everything() == before


def test_names_that_differ_in_unicode_form_only_collide(place: Place) -> None:
    (place.root / "digest/wiki").mkdir(exist_ok=True)
    (place.root / "digest/wiki/cafe\u0301.md").write_text("x\n")
    with place.session() as session, pytest.raises(PathError, match="exists already"):
        session.plan_move(INDEX, "digest/wiki/Café")


def test_a_node_that_nobody_can_edit_stops_a_move_that_would_break_its_link(place: Place) -> None:
    (place.root / NEAR).write_bytes(b"---\nname: x\n---\n[[digest/procedure/index]] \xff\n")
    with place.session() as session, pytest.raises(EditError, match="cannot be updated"):
        session.plan_move(INDEX, NEW)


def test_a_hard_linked_node_is_refused(place: Place) -> None:
    os.link(place.root / INDEX, place.root / "notes/twin.md")
    with place.session() as session, pytest.raises(VaultDreamError, match="several names"):
        session.plan_move(INDEX, NEW)


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ("keeper", "digest/procedure/keeper.md"),
        ("digest/wiki/", "digest/wiki/index.md"),
        ("digest/wiki/deep/in/x", "digest/wiki/deep/in/x.md"),
        ("Index", "digest/procedure/Index.md"),
    ],
)
def test_a_new_name_may_be_short(place: Place, new: str, path: str) -> None:
    with place.session() as session:
        assert session.plan_move("procedure/index", new).new == path


def test_a_private_note_stays_private(place: Place) -> None:
    (place.root / INDEX).chmod(0o600)
    run = move(place)
    assert stat.S_IMODE((place.root / NEW).stat().st_mode) == 0o600
    with place.session() as session:
        session.undo(run)
    assert stat.S_IMODE((place.root / INDEX).stat().st_mode) == 0o600


def test_the_state_follows_there_and_back(place: Place) -> None:
    with_queue(place)
    known = place.root / "metadata/file_catalog/dream.json"
    unit = ("Index", "procedure", INDEX)
    entry = Entry("x", units=(unit, ("Other", "wiki", "digest/wiki/other.md")))
    known.write_bytes(json_bytes(Catalog({"daily/2026-11-01.md": entry}, None, (INDEX,)).as_json()))
    before = place.everything()
    run = move(place)
    with place.session() as session:
        catalog = session.state.catalog()
        assert catalog.files["daily/2026-11-01.md"].units[0] == ("Index", "procedure", NEW)
        assert catalog.untagged == (NEW,)
        targets = {p.unit.name: p.target for p in session.proposals}
        assert targets["Index"] == NEW and targets["Rebuild the index"] == REBUILD
        queued = next(p for p in session.proposals if p.unit.name == "Index")
        session.decide(queued.id, "approved")
        session.commit()
        assert session.proposal(queued.id).state == "committed"
        assert "half empty" in text(place, NEW)
        session.undo()
        session.undo(run)
    after = place.everything()
    for path in (INDEX, NEAR, "metadata/file_catalog/dream.json"):
        assert after[path] == before[path], path
    with place.session() as session:
        assert {p.target for p in session.state.proposals() if p.unit.name == "Index"} == {INDEX}


def test_the_log_shows_a_move_as_one(place: Place) -> None:
    run = move(place)
    with place.session() as session:
        diffs = {change.path: change.diff for change in session.journal.changes(run)}
    assert diffs[INDEX] == ""
    assert diffs[NEW].startswith(f"--- a/{INDEX}\n+++ b/{NEW}\n@@")
    assert diffs[NEW].count("\n-") == 1 and "+kind: wiki" in diffs[NEW]


def test_an_undo_gives_every_byte_back(place: Place) -> None:
    before = place.notes()
    run = move(place, everywhere=True)
    with place.session() as session:
        undone = session.undo(run)
    assert place.notes() == before
    assert all(file.done for file in undone.files)


def test_a_moved_node_that_was_edited_stays_and_so_do_the_links_to_it(place: Place) -> None:
    run = move(place)
    (place.root / NEW).write_text(text(place, NEW) + "\nMine.\n")
    before = place.notes()
    with place.session() as session:
        undone = session.undo(run)
    assert place.notes() == before
    assert {file.outcome for file in undone.files} == {"changed since"}


def test_one_note_of_a_move_is_not_undone_by_itself(place: Place) -> None:
    run = move(place)
    before = place.notes()
    with place.session() as session:
        session.undo(run, [NEAR])
    assert place.notes() == before


def test_the_lines_of_a_moved_node_keep_their_owners(place: Place) -> None:
    move(place)
    with place.session() as session:
        assert not any("Keep the index near" in line for line in session.written_lines(NEW))


def test_a_node_that_was_moved_and_then_deleted_counts_as_refused(place: Place) -> None:
    from vault_dream.engine.dream.refusals import refused

    place.dream(reader())
    move(place, "digest/wiki/building.md", REBUILD)
    (place.root / "digest/wiki/building.md").unlink()
    with place.session() as session:
        session.scan()
        found = refused(session.state, session.catalog(), session.digest)
    assert any(path == "daily/2026-11-30.md" for path, _ in found.rejected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
def test_a_move_killed_at_any_point_is_whole_or_never_was(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_sync", lambda fd: None)
    with_queue(place)
    outcome = place.copy_to(place.base.parent / "whole")
    old = outcome.notes()
    move(outcome, everywhere=True)
    new = outcome.notes()

    def act(world: Place, before: Hook, after: Hook) -> None:
        with world.session(before=before, after=after) as session:
            session.move(session.plan_move(INDEX, NEW, everywhere=True))

    number, seen = 0, set()
    while True:
        wreck = place.copy_to(place.base.parent / "killed")
        if killed_at(number, wreck, act) is None:  # type: ignore[arg-type]
            break
        with wreck.session() as session:
            session.recover()
            targets = {p.target for p in session.state.proposals() if p.unit.name == "Index"}
        found = wreck.notes()
        assert found in (old, new), number
        assert targets == ({NEW} if found == new else {INDEX}), number
        assert wreck.litter() == [], number
        seen.add(found == new)
        number += 3
    assert seen == {True, False} and number > 60
