"""The queue over days: one proposal for each target, old ones parked, sources that move, undo."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import (
    DAY,
    HALF,
    INDEX,
    LOG,
    REBUILD,
    SLOW,
    STOP,
    YESTERDAY,
    Place,
    reader,
    with_queue,
)
from tests.support import NOON, ScriptedReader, claim
from vault_dream.engine.dream.kept import Decisions

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "vault")


def names(place: Place, **given: object) -> dict[str, str]:
    with place.session(**given) as session:  # type: ignore[arg-type]
        return {proposal.unit.name: proposal.state for proposal in session.proposals}


def test_queued_proposals_for_one_target_are_one(place: Place) -> None:
    before = place.notes()
    with_queue(place)
    with place.session() as session:
        waiting = {p.unit.name: p for p in session.proposals}
        assert set(waiting) == {"Rebuild the index", "First scan", "Index"}
        both = waiting["Index"]
        assert both.action == "REFINE" and set(both.unit.paths) == {YESTERDAY, LOG}
        assert len(both.unit.evidence) == 2
        session.decide(both.id, "approved")
        session.commit()
        states = {p.unit.name: (p.state, p.decision.reason) for p in session.state.proposals()}
    assert states["Index"][0] == "committed"
    assert states["Index again"] == ("settled", f"it is part of {both.id} now")
    text = (place.read(INDEX) or b"").decode()
    assert "as near as can be" in text and "Index was read" in text and "Index again was" in text
    assert_agreement(place.root, before=before)


def test_a_month_untouched_is_parked_and_can_come_back(place: Place) -> None:
    with_queue(place)
    assert names(place, at=NOON + timedelta(days=30))
    month = NOON + timedelta(days=32)
    assert names(place, at=month) == {}
    with place.session(at=month) as session:
        assert {p.unit.name for p in session.parked} >= {"Rebuild the index", "Index"}
        assert session.digest.staged() == {}
        session.scan()
        session.commit()
    with place.session(at=month) as session:
        assert session.proposals == ()
        (parked,) = (p for p in session.parked if p.target == REBUILD)
        assert parked.state == "parked"
        session.unpark(parked.id)
        session.decide(parked.id, "approved")
        assert session.commit().landed == (parked.id,)
    assert place.read(REBUILD) is not None


def test_what_waits_follows_its_source_when_the_owner_moves_it(place: Place) -> None:
    before = place.notes()
    with_queue(place)
    moved = "daily/2026-11-30/renamed.md"
    (place.root / LOG).rename(place.root / moved)
    with place.session(ScriptedReader(), at=LATER) as session:
        session.scan()
        for proposal in session.proposals:
            session.decide(proposal.id, "approved")
        session.commit()
    assert f"[[{moved}|" in (place.read(SLOW) or b"").decode()
    assert LOG.encode() not in (place.read(SLOW) or b"")
    assert_agreement(place.root, before=before, owners=[LOG])


def test_a_vanished_target_is_for_the_person_to_decide(place: Place) -> None:
    with_queue(place)
    (place.root / INDEX).unlink()
    with place.session(at=LATER) as session:
        (stale,) = (p for p in session.proposals if p.target == INDEX)
        session.decide(stale.id, "approved")
        session.commit()
    with place.session(at=LATER) as session:
        (stale,) = (p for p in session.proposals if p.target == INDEX)
        assert (stale.state, stale.decision.reason) == ("stale", f"{INDEX} is gone")
        session.decide(stale.id, "rejected")
        session.commit()
    assert INDEX not in place.digest()
    assert not any(p.target == INDEX for p in place.session().proposals)


def test_undone_units_stay_away_unless_they_are_read_again(place: Place) -> None:
    before = place.notes()
    place.dream(reader())
    with place.session(at=LATER) as session:
        undone = session.undo(paths=[REBUILD])
        assert [(f.path, f.outcome) for f in undone.files] == [(REBUILD, "trashed")]
    (place.root / DAY).write_bytes((place.read(DAY) or b"").replace(b"After", b"Note: after"))
    report = place.dream(reader(), at=LATER + timedelta(hours=1)).report
    assert "Rebuild the index" in {d["name"] for d in report["dropped_units"]}
    assert place.read(REBUILD) is None
    assert_agreement(place.root, before=before, owners=[DAY, REBUILD])


def test_undo_again_reads_them_again(place: Place) -> None:
    place.dream(reader())
    with place.session(at=LATER) as session:
        session.undo(again=True)
        assert session.state.decisions() == Decisions()
    assert place.read(REBUILD) is None
    place.dream(reader(), at=LATER + timedelta(hours=1))
    assert place.read(REBUILD) is not None


def test_undo_and_merge_say_what_they_did(place: Place) -> None:
    place.dream(reader())
    mine = b"My words stand here. " + HALF.encode()
    text = (place.read(INDEX) or b"").replace(b"\n## Sources", mine + b"\n\n## Sources")
    (place.root / INDEX).write_bytes(text)
    with place.session(at=LATER) as session:
        outcomes = {f.path: f.outcome for f in session.undo().files}
        assert outcomes[INDEX] == "changed since" and place.read(INDEX) == text
        outcomes = {
            f.path: f.outcome for f in session.undo(session.journal.runs()[0], merge=True).files
        }
    assert outcomes[INDEX] in ("merged", "changed since")
    assert mine in (place.read(INDEX) or b"")


def test_the_log_shows_a_run_as_diffs(place: Place) -> None:
    report = place.dream(reader()).report
    with place.session() as session:
        changes = {c.path: c.diff for c in session.journal.changes(report["run_id"])}
    assert set(changes) == {REBUILD, SLOW, INDEX, *report["day_pages"]}
    assert "+name: Rebuild the index" in changes[REBUILD] and "/dev/null" in changes[REBUILD]
    assert "\n+- Index was read in [[" in changes[INDEX]


def test_a_note_that_was_only_looked_at_is_not_finished(place: Place) -> None:
    """A person who decides what waits, and does not dream, has read nothing of today."""
    before = place.notes()
    for until in ("scan", "extract"):
        with place.session(reader()) as session:
            session.scan()
            if until == "extract":
                session.extract()
            session.commit()
            assert session.state.catalog().files == {}
            assert session.state.catalog().last_completed is None
    with_queue(place)
    (place.root / YESTERDAY).write_bytes((place.read(YESTERDAY) or b"") + b"- A new line of it.\n")
    with place.session(at=LATER) as session:
        session.scan()
        for proposal in session.proposals:
            session.decide(proposal.id, "approved")
        session.commit()
    asked = ScriptedReader()
    place.dream(asked, at=LATER + timedelta(hours=1))
    fresh = [b.text for r in asked.asked for s in r.sources for b in s.blocks if b.fresh]
    assert "- A new line of it." in fresh
    assert_agreement(place.root, before=before)


def test_a_unit_that_waits_is_not_proposed_again_when_its_source_is_read_again(
    place: Place,
) -> None:
    """Another unit of the same day failed, so that the whole day is read again once it changes."""
    with_queue(place)
    (place.root / DAY).write_bytes((place.read(DAY) or b"") + b"\r\nOne more line was added.\r\n")
    says = ScriptedReader(
        [claim("Rebuild the index", (1, STOP), summary="Stop the watcher first.")]
    )
    report = place.dream(says, "queue", at=LATER).report
    (again,) = (r for r in report["integrate_results"] if r["unit"] == "Rebuild the index")
    assert (again["decision"], again["target_path"]) == ("settled", REBUILD)
    with place.session(at=LATER) as session:
        assert [p.target for p in session.proposals].count(REBUILD) == 1
