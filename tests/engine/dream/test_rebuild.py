"""A lost catalog is made anew: nothing is dreamt twice, and what cannot be known is said."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.support import ScriptedReader, claim, make_vault, node_text, open_session
from vault_dream.engine.session import ReviewSession

TODAY_PATH = "daily/2026-11-30.md"
OLD = "daily/2026-06-01.md"
SAID = "the wait was never measured but it felt too long"


def touched(root: Path, path: str, at: datetime) -> None:
    os.utime(root / path, (at.timestamp(), at.timestamp()))


@pytest.fixture
def dreamt(tmp_path: Path) -> Path:
    """A vault whose days were read, with every note older than the reading."""
    root = make_vault(
        tmp_path / "v",
        {
            TODAY_PATH: f"# Monday\n\nWe said that {SAID}.\n",
            OLD: "# June\n\nNothing that anybody would want to keep of this day.\n",
        },
    )
    for path in (TODAY_PATH, OLD):
        touched(root, path, datetime(2026, 11, 30, 8, 0, tzinfo=UTC))
    with session(root) as opened:
        opened.scan()
        opened.extract()
        for proposal in opened.integrate():
            opened.decide(proposal.id, "approved")
        opened.commit()
    with open_session(root, ScriptedReader()) as opened:
        opened.scan_day(date(2026, 6, 1))
        opened.extract()
        opened.commit()
    shutil.rmtree(root / "metadata/file_catalog")
    return root


def session(root: Path) -> ReviewSession:
    quoting = claim("Waits", (1, SAID), summary="Waits are measured, not felt.")
    return open_session(root, ScriptedReader(claims=[quoting]))


def test_a_lost_catalog_is_known_again_and_nothing_is_read_twice(dreamt: Path) -> None:
    with session(dreamt) as opened:
        found = opened.scan()
        assert (found.changed, found.older_unread) == ((), 0)
        assert found.unchanged == (TODAY_PATH,)
        opened.extract()
        assert opened.integrate() == ()
        opened.commit()
        assert any("was lost" in warning for warning in opened.report()["warnings"])
        entry = opened.state.catalog().files[TODAY_PATH]
    assert (entry.state, entry.run_id) == ("done", "rebuilt")
    assert [unit[2] for unit in entry.units] == ["digest/procedure/waits.md"]
    with session(dreamt) as opened:
        opened.scan()
        assert not any("was lost" in warning for warning in opened.report()["warnings"])


def test_a_note_of_the_window_that_changed_since_is_read_but_for_what_nodes_quote(
    dreamt: Path,
) -> None:
    node = dreamt / "digest/procedure/waits.md"
    node.write_text(node.read_text() + f'- It was said in [[{TODAY_PATH}|Monday]]: "{SAID}".\n')
    with (dreamt / TODAY_PATH).open("a") as note:
        note.write("\nThe new one was measured at four seconds.\n")
    touched(dreamt, TODAY_PATH, datetime(2026, 11, 30, 20, 0, tzinfo=UTC) + timedelta(days=1))
    with session(dreamt) as opened:
        (source,) = opened.scan().changed
    assert [block.fresh for block in source.blocks if block.kind != "heading"] == [False, True]


def test_an_older_note_is_taken_as_it_stands_and_that_is_said(dreamt: Path) -> None:
    touched(dreamt, OLD, datetime(2026, 12, 5, tzinfo=UTC))
    with session(dreamt) as opened:
        assert opened.scan().older_unread == 0
        found = opened.rebuilt()
    assert found.taken == (OLD,)
    assert "it is unknown" in found.problem("x").what


def test_without_reports_the_nodes_tell_what_was_read(dreamt: Path) -> None:
    shutil.rmtree(dreamt / "metadata")
    with session(dreamt) as opened:
        found = opened.rebuilt()
        assert not opened.state.lost_catalog()
    assert list(found.catalog.files) == [TODAY_PATH]
    assert found.catalog.last_completed == date(2026, 11, 30)


def test_sources_that_are_gone_and_nodes_that_cite_nothing_are_no_trouble(tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "v",
        {
            "digest/wiki/a.md": node_text("A", "Words.", source="daily/2020-01-01.md"),
            "digest/wiki/b.md": "no properties at all",
            "digest/wiki/c.md": "---\nname: [\n---\nbroken",
        },
    )
    with session(root) as opened:
        found = opened.rebuilt()
    assert found.gone == ("daily/2020-01-01.md",) and not found.catalog.files


def test_a_vault_that_was_never_dreamt_in_has_lost_nothing(tmp_path: Path) -> None:
    with session(make_vault(tmp_path / "v", {TODAY_PATH: "Words.\n"})) as opened:
        assert len(opened.scan().changed) == 1
        assert opened.state.stand_in is None


def test_what_waits_in_the_queue_is_queued_again(dreamt: Path) -> None:
    other = "something else was said that nobody had said before"
    (dreamt / TODAY_PATH).write_text(f"Then {other}.\n")
    with open_session(dreamt, ScriptedReader(claims=[claim("Other words", (1, other))])) as opened:
        opened.scan()
        opened.extract()
        opened.integrate()
        opened.commit()
    shutil.rmtree(dreamt / "metadata/file_catalog")
    touched(dreamt, TODAY_PATH, datetime(2026, 11, 30, 8, 0, tzinfo=UTC))
    with session(dreamt) as opened:
        assert opened.proposals
        assert opened.rebuilt().catalog.files[TODAY_PATH].state == "queued"
