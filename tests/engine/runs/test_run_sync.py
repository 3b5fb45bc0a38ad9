"""What a sync program does to our state files, and what two machines decide apart."""

from __future__ import annotations

import itertools
import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import INDEX, REBUILD, Place, next_reader, reader, review, with_queue
from tests.support import NOON
from vault_dream.engine.digest.catalog import Catalog, Entry
from vault_dream.engine.dream.merging import WEIGHT, merge_catalogs, merge_proposals
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.units import Unit

SYNCTHING = "{stem}.sync-conflict-20261130-130000-ABCDEFG.json"
OBSIDIAN = "{stem} (Conflicted copy Laptop 202611301300).json"
DROPBOX = "{stem} (Ann's conflicted copy 2026-11-30).json"
COPIES = (SYNCTHING, OBSIDIAN, DROPBOX)
LATER = NOON + timedelta(hours=1)


def copy_name(path: str, pattern: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/{pattern.format(stem=name.removesuffix('.json'))}"


def state_files(place: Place) -> dict[str, bytes]:
    return {p: b for p, b in place.everything().items() if p.startswith("metadata/")}


@pytest.mark.parametrize("pattern", COPIES, ids=["syncthing", "obsidian", "dropbox"])
def test_a_conflict_copy_of_every_state_file_does_no_harm(pattern: str, tmp_path: Path) -> None:
    place = with_queue(Place(tmp_path / "one"))
    place.dream(reader(), at=LATER)
    before = place.digest()
    for path, raw in state_files(place).items():
        (place.root / copy_name(path, pattern)).write_bytes(raw)
    with place.session() as session:
        assert len(session.proposals) == len({p.id for p in session.proposals})
        assert len(session.state.run_ids()) == len(session.journal.runs()) + 1
    report = place.dream(reader(), at=LATER + timedelta(hours=1)).report
    assert any("conflict copy" in warning for warning in report["warnings"])
    assert place.digest() == before
    left = {Path(p).parent.name for p in state_files(place) if "onflict" in p}
    assert left <= {"runs"}, "what was merged is cleared away; copies of reports are nobody's"
    assert_agreement(place.root, before=before)


def test_two_machines_that_decided_one_proposal_end_in_the_same_state(tmp_path: Path) -> None:
    """One approves, the other rejects, and each then gets the other's files, in either way."""
    origin = with_queue(Place(tmp_path / "origin"))
    before = origin.notes()
    ends = []
    for first in ("approved", "rejected"):
        here, there = (origin.copy_to(tmp_path / first / name) for name in ("here", "there"))
        for place, state in ((here, "approved"), (there, "rejected")):
            with place.session(at=LATER) as session:
                for proposal in session.proposals:
                    session.decide(proposal.id, state)  # type: ignore[arg-type]
                session.commit()
        winner, loser = (here, there) if first == "approved" else (there, here)
        for path, raw in loser.everything().items():
            mine = winner.read(path)
            if mine is None:
                (winner.root / path).parent.mkdir(parents=True, exist_ok=True)
                (winner.root / path).write_bytes(raw)
            elif mine != raw and path.startswith("metadata/"):
                (winner.root / copy_name(path, SYNCTHING)).write_bytes(raw)
            elif path.startswith("digest/") and mine == before.get(path):
                (winner.root / path).write_bytes(raw)
        with winner.session(at=LATER + timedelta(hours=1)) as session:
            session.scan()
            session.commit()
            states = {p.unit.name: p.state for p in session.state.proposals()}
            rejected = session.state.decisions().rejected
        catalog = json.loads(winner.read("metadata/file_catalog/dream.json") or b"")
        assert not [p for p in state_files(winner) if "sync-conflict" in p and "/runs/" not in p]
        ends.append((winner.digest(), states, rejected, catalog))
    one, other = ends
    assert one == other
    assert set(one[1].values()) <= {"committed", "settled"} and one[2], "nothing is lost of either"


def test_a_proposal_that_landed_elsewhere_is_settled_not_applied_twice(tmp_path: Path) -> None:
    """The notes arrive before the state files do."""
    origin = with_queue(Place(tmp_path / "origin"))
    there = origin.copy_to(tmp_path / "there")
    with there.session(at=LATER) as session:
        for proposal in session.proposals:
            session.decide(proposal.id, "approved", by="person")
        session.commit()
    here = origin.copy_to(tmp_path / "here")
    shutil.rmtree(here.root / "digest")
    shutil.copytree(there.root / "digest", here.root / "digest")
    before = here.digest()
    with here.session(at=LATER + timedelta(minutes=1)) as session:
        for proposal in session.proposals:
            session.decide(proposal.id, "approved", by="person")
        landing = session.commit()
        assert landing.landed == () and landing.stale == {}
        assert {p.state for p in session.proposals} == {"settled"}
    assert here.digest() == before


@pytest.mark.parametrize("lost", ["file_catalog", "proposals", "runs", "decisions.json", ""])
def test_state_out_of_a_backup_makes_no_second_node(lost: str, tmp_path: Path) -> None:
    """The catalog (or all our state) is older than the digest: the same days are read again."""
    place = Place(tmp_path / "vault")
    backup = state_files(place)
    place.dream(reader(), at=NOON)
    before = place.digest()
    path = place.root / "metadata" / lost
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    assert not backup
    report = place.dream(reader(), at=LATER).report
    after = place.digest()
    assert set(after) == set(before)
    for path_, raw in before.items():
        assert raw.count(b"\n- ") == after[path_].count(b"\n- "), path_
    assert report["nodes_created"] == []


def test_late_and_repeated_deliveries_of_older_state(tmp_path: Path) -> None:
    """Every state file of a moment ago comes back over the newer one, again and again."""
    place = with_queue(Place(tmp_path / "vault"))
    older = state_files(place)
    with place.session(next_reader(), at=LATER) as session:
        review(session)
    digest = place.digest()
    for path, raw in older.items():
        (place.root / path).write_bytes(raw)
        with place.session(next_reader(), at=LATER + timedelta(hours=1)) as session:
            session.scan()
            for proposal in session.proposals:
                if proposal.unit.name in ("Rebuild the index", "First scan"):
                    session.decide(proposal.id, "approved")
            session.commit()
    assert place.digest() == digest


def test_what_another_process_decided_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    place = with_queue(Place(tmp_path / "vault"))
    with place.session(at=LATER) as app, place.session(at=LATER) as other:
        ids = [proposal.id for proposal in app.proposals]
        other.decide(ids[0], "approved")
        other.decide(ids[2], "rejected")
        other.commit()
        app.decide(ids[0], "rejected")
        app.decide(ids[2], "later")
        app.commit()
        states = {p.id: p.state for p in app.state.proposals()}
    assert (states[ids[0]], states[ids[2]]) == ("committed", "rejected")
    assert place.read(REBUILD) is not None
    with place.session(at=LATER) as late, place.session(at=LATER) as early:
        left = [p.id for p in early.proposals]
        for session in (early, late):
            for each in left:
                session.decide(each, "approved")
        early.commit()
        text = place.read(INDEX)
        assert late.commit().landed == ()
    assert place.read(INDEX) == text


def proposal(state: str, at: str) -> Proposal:
    unit = Unit("A", "wiki", "b", ())
    made = Proposal("run/1", "run", unit, "CREATE", "digest/wiki/a.md", ())
    return made.decided(state, "person", at)  # type: ignore[arg-type]


proposals = st.builds(proposal, st.sampled_from(WEIGHT), st.sampled_from(["1", "2", "3"]))
entries = st.builds(
    Entry,
    hash=st.sampled_from(["a", "b"]),
    blocks=st.lists(st.sampled_from("xyz"), unique=True).map(sorted).map(tuple),
    state=st.sampled_from(["done", "queued", "failed", "gone"]),
    run_id=st.sampled_from(["1", "2"]),
    attempts=st.integers(0, 3),
)
catalogs = st.builds(Catalog, st.dictionaries(st.sampled_from("pq"), entries))


@given(proposals, proposals, proposals)
def test_decisions_merge_in_any_order(one: Proposal, two: Proposal, three: Proposal) -> None:
    merged = {
        merge_proposals(merge_proposals(a, b), c)
        for a, b, c in itertools.permutations((one, two, three))
    }
    assert len(merged) == 1 and merge_proposals(one, one) == one


@given(catalogs, catalogs, catalogs)
def test_catalogs_merge_in_any_order(one: Catalog, two: Catalog, three: Catalog) -> None:
    merged = [
        merge_catalogs(merge_catalogs(a, b), c)
        for a, b, c in itertools.permutations((one, two, three))
    ]
    assert all(each == merged[0] for each in merged)
    assert merge_catalogs(merged[0], one) == merged[0]


def test_a_decision_can_be_taken_back_after_it_was_saved(tmp_path: Path) -> None:
    """What this very session stored is no other machine's decision, whatever its scores' digits."""
    place = Place(tmp_path / "vault")
    with place.session(reader()) as session:
        session.scan()
        session.extract()
        session.integrate()
        ids = [p.id for p in session.proposals]
        for state in ("approved", "rejected", "later", "open"):
            for each in ids:
                session.decide(each, state)  # type: ignore[arg-type]
            session.save()
            assert {p.state for p in session.proposals} == {state}
            assert bool(session.state.decisions().rejected) == (state == "rejected")
    with place.session() as session:
        assert {p.state for p in session.proposals} == {"open"}
