"""Home as it was seen last: drawn before the vault is open, and never in the way."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support import open_session
from tests.ui.scenes import NOON, app_over, press, reader, screen_text, settled, vault
from vault_dream.engine.glance import GLANCE_FILE, Glance, keep_glance, last_glance
from vault_dream.engine.overview import overview
from vault_dream.places import index_file, index_folder
from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.home_page import home_lines
from vault_dream.ui.lines import Line


@pytest.fixture
def glance(tmp_path: Path) -> Glance:
    with open_session(vault(tmp_path / "seen" / "vault"), reader()) as session:
        session.scan()
        session.extract()
        session.integrate()
        session.save()
        return Glance(overview(session), "Nobody.", "", NOON)


def test_what_was_seen_comes_back(glance: Glance, tmp_path: Path) -> None:
    glance = replace(glance, view=replace(glance.view, failed_units=("A name of a note",)))
    keep_glance(tmp_path, glance)
    assert "A name of a note" not in (tmp_path / GLANCE_FILE).read_text()
    back = last_glance(tmp_path)
    assert back is not None and len(back.view.failed_units) == 1
    assert back == replace(glance, view=replace(glance.view, failed_units=("",)))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"view": {"days": {"x": "read"}}}', "null"])
def test_what_cannot_be_read_is_forgotten(text: str, tmp_path: Path) -> None:
    (tmp_path / GLANCE_FILE).write_text(text)
    assert last_glance(tmp_path) is None


def test_it_goes_with_a_note_that_is_forgotten(glance: Glance, tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    keep_glance(Path(index_folder(root)), glance)
    with open_session(root, index_file=index_file(root)) as session:
        session.forget("daily/2026-11-29.md")
    assert last_glance(Path(index_folder(root))) is None


def test_a_node_that_is_only_proposed_is_not_counted(tmp_path: Path) -> None:
    with open_session(vault(tmp_path / "vault"), reader()) as session:
        session.scan()
        session.extract()
        before = overview(session).nodes
        made = session.integrate()
        assert any(proposal.action == "CREATE" for proposal in made)
        assert overview(session).nodes == before


def test_what_the_next_dream_reads_is_by_its_day(tmp_path: Path) -> None:
    with open_session(vault(tmp_path / "vault"), reader()) as session:
        day = date(2026, 11, 20)
        changed = overview(session, day).changed
        assert changed != overview(session).changed
        found = session.scan(day)
        assert changed == tuple(sorted(source.path for source in found.changed))


def test_home_is_drawn_before_the_vault_is_open(
    glance: Glance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = vault(tmp_path / "vault")
    keep_glance(Path(index_folder(root)), replace(glance, view=replace(glance.view, nodes=4_321)))
    may_open = threading.Event()

    async def walk() -> None:
        app: Any = app_over(root)
        opened = app.desk.open

        def waits() -> Any:
            may_open.wait()
            return opened()

        monkeypatch.setattr(app.desk, "open", waits)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            before = screen_text(app)
            await pilot.press("h")
            word = app.screen.bar.word
            may_open.set()
            await settled(pilot)
            after = screen_text(app)
            await press(pilot, "q")
        assert "4,321 nodes" in before and "looking again" in before
        assert "still being read" in word
        assert "3 nodes" in after and "looking again" not in after

    asyncio.run(asyncio.wait_for(walk(), 60))


def test_a_run_that_was_undone_is_said_to_be(tmp_path: Path) -> None:
    with open_session(vault(tmp_path / "vault"), reader()) as session:
        session.scan()
        session.extract()
        session.integrate()
        for proposal in session.proposals:
            session.decide(proposal.id, "approved")
        session.commit()
        assert [run.undone for run in overview(session).runs] == [False]
        session.undo()
        view = overview(session)
        assert [run.undone for run in view.runs] == [True]
        page = home_lines(view, 100, Glyphs(), now=NOON, reader="Nobody.", no_reader="")
        assert any("new, " in row and row.endswith("  undone") for row in map(plain_text, page))


def plain_text(row: Line) -> str:
    return "".join(text for text, _ in row.pieces)
