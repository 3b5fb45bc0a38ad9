"""State files that people edit and sync programs spoil: set aside and told; never a crash.

A proposal file is data: whatever it says, it lands nowhere but where the checks let it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import (
    ScriptedReader,
    add_source,
    claim,
    contents,
    make_vault,
    node_text,
    open_session,
)
from vault_dream.config import Settings
from vault_dream.engine.dream.edits import text_hash
from vault_dream.engine.errors import EditError
from vault_dream.engine.status import vault_status
from vault_dream.headless import dream
from vault_dream.summary import status_text

DAY = "daily/2026-11-30.md"
TEXT = "- After a schema change stop the watcher before the index is dropped.\n"
QUOTE = "stop the watcher before the index is dropped"
NODE = "digest/procedure/index.md"
DATA = dict[str, Any]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with one queued CREATE."""
    files = {
        DAY: TEXT,
        "daily/2026-11-01.md": "words that were said on that day\n",
        NODE: node_text("Index", "Keep the index near."),
        "Home.md": "Home.\n",
    }
    root = make_vault(tmp_path / "vault", files)
    with open_session(root, ScriptedReader([claim("Rebuild it all", (1, QUOTE))])) as session:
        dream(session, policy="queue")
    return root


def only_proposal(root: Path) -> Path:
    (file,) = root.glob("metadata/proposals/*/*.json")
    return file


def spoil(root: Path, change: Callable[[DATA], object]) -> None:
    file = only_proposal(root)
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


def approved(data: DATA) -> None:
    data["decision"] |= {"state": "approved", "by": "person"}


def notes(root: Path) -> dict[str, str]:
    return {p: h for p, h in contents(root).items() if not p.startswith("metadata/")}


def aimed_at(path: str, old: str, new: str) -> Callable[[DATA], None]:
    def change(data: DATA) -> None:
        base = text_hash(TEXT if path == DAY else "Home.\n")
        data["changes"] = [
            {"path": path, "base": base, "ops": [{"op": "replace", "old": old, "new": new}]}
        ]
        data["action"], data["target"] = "REFINE", path

    return change


HOSTILE: dict[str, Callable[[DATA], object]] = {
    "a daily note": aimed_at(DAY, "stop the watcher", "start the watcher"),
    "another note": aimed_at("Home.md", "Home.", "Away."),
    "a plugin": lambda d: d["changes"][0].update(path=".obsidian/plugins/x/main.md"),
    "a new note outside": lambda d: (
        d["changes"][0].update(path="Notes/x.md"),
        d.update(target="Notes/x.md"),
    ),
    "two files": lambda d: d["changes"].append(
        {"path": "digest/wiki/y.md", "base": None, "ops": [{"op": "create", "text": "x"}]}
    ),
    "no source": lambda d: d["changes"][0]["ops"][0].update(
        text="---\nname: a\ndescription: b\n---\nWords.\n"
    ),
    "a dead link": lambda d: d["changes"][0]["ops"][0].update(
        text=d["changes"][0]["ops"][0]["text"] + "\nSee also [[Nowhere]] for more.\n"
    ),
    "findings that are told away": lambda d: (
        d["changes"][0]["ops"][0].update(text="---\nname: a\ndescription: b\n---\nWords.\n"),
        d.update(
            findings=[
                {
                    "check": "sources_present",
                    "level": "error",
                    "message": f"the source {DAY} is not linked",
                }
            ]
        ),
    ),
    "a surrogate": lambda d: d["changes"][0]["ops"][0].update(text="\ud800"),
    "a kind that skips checks": lambda d: (
        d.update(kind="tags"),
        d["changes"][0]["ops"][0].update(text="---\nname: a\ndescription: b\n---\n[[Nowhere]].\n"),
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_an_approved_proposal_lands_nowhere_but_where_the_checks_let_it(
    vault: Path, case: str
) -> None:
    before = notes(vault)
    spoil(vault, lambda data: (approved(data), HOSTILE[case](data)))
    with open_session(vault, ScriptedReader()) as session:
        report = dream(session, policy="apply").report
    assert notes(vault) == before
    assert report["nodes_created"] == report["nodes_updated"] == []


def test_the_same_proposal_unspoilt_lands(vault: Path) -> None:
    spoil(vault, approved)
    with open_session(vault, ScriptedReader()) as session:
        report = dream(session, policy="queue").report
    assert report["nodes_created"] == ["digest/procedure/rebuild-it-all.md"]


SPOILT: dict[str, Callable[[DATA], object]] = {
    "id": lambda d: d.update(id="../../../evil/1"),
    "run id": lambda d: d.update(run_id="20260101T000000-other"),
    "state": lambda d: d["decision"].update(state="frobnicated"),
    "level": lambda d: d.update(findings=[{"check": "x", "level": "HOLD", "message": "m"}]),
    "action": lambda d: d.update(action="DELETE"),
    "kind": lambda d: d.update(kind="spell"),
    "relation": lambda d: d.update(
        candidates=[{"path": "a", "name": "b", "score": 1, "relation": "friend", "judged": "x"}]
    ),
    "score": lambda d: d.update(
        candidates=[
            {"path": "a", "name": "b", "score": "x", "relation": "related", "judged": "related"}
        ]
    ),
    "path": lambda d: d["changes"][0].update(path="../x.md"),
    "target": lambda d: d.update(target="/etc/passwd"),
    "quote line": lambda d: d["unit"]["evidence"][0].update(line=float("inf")),
    "unit path": lambda d: d["unit"].update(paths=["../../x"]),
    "no unit": lambda d: d.pop("unit"),
    "decision": lambda d: d.update(decision="approved"),
    "when": lambda d: d["decision"].update(at=7),
    "left out": lambda d: d.update(left_out=["x"]),
    "name": lambda d: d["unit"].update(name="\ud800"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_proposal_is_set_aside_and_told(vault: Path, case: str) -> None:
    spoil(vault, SPOILT[case])
    spoilt = only_proposal(vault).read_bytes()
    assert "proposals" in status_text(vault_status(vault, Settings(timezone="UTC")))
    assert only_proposal(vault).read_bytes() == spoilt
    with open_session(vault, ScriptedReader()) as session:
        report = dream(session, policy="apply").report
    assert any("proposals" in w and "set aside" in w for w in report["warnings"])
    (aside,) = vault.glob("metadata/proposals/*/*.unreadable-*")
    assert aside.read_bytes() == spoilt
    assert report["nodes_created"] == []


CATALOG: dict[str, Callable[[DATA], object]] = {
    "infinite size": lambda e: e.update(size=float("inf")),
    "no hash": lambda e: e.pop("hash"),
    "state": lambda e: e.update(state="sleeping"),
    "blocks": lambda e: e.update(blocks="abc"),
    "attempts": lambda e: e.update(attempts="many"),
    "units": lambda e: e.update(units=[["a"]]),
    "entry": lambda e: e.clear(),
}


@pytest.mark.parametrize("case", CATALOG)
def test_a_spoilt_catalog_is_set_aside_and_the_run_goes_on_as_if_new(
    vault: Path, case: str
) -> None:
    file = vault / "metadata/file_catalog/dream.json"
    data = json.loads(file.read_text())
    CATALOG[case](data["files"][DAY])
    file.write_text(json.dumps(data))
    with open_session(vault, ScriptedReader()) as session:
        report = dream(session, policy="apply").report
    assert any("dream.json" in w and "set aside" in w for w in report["warnings"])
    assert DAY in report["checkpoint_paths"]


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 1}',
        '{"version": 1, "run_id": "x", "status": "ok"}',
        '{"version": 1, "run_id": 7, "status": [], "units": 3, "nodes_created": 1}',
        '{"version": 1, "integrate_results": [{}], "units": [{"name": 1}]}',
        '{"version": 1, "integrate_results": 5, "units": {"a": "b"}}',
        "{",
    ],
)
def test_a_spoilt_report_stops_nothing(vault: Path, text: str) -> None:
    (report,) = vault.glob("metadata/runs/*.json")
    report.write_text(text)
    status_text(vault_status(vault, Settings(timezone="UTC")))
    (vault / NODE).unlink()
    (vault / DAY).write_text(TEXT + "\nSome other words were written on this line.\n")
    data = json.loads((vault / "metadata/file_catalog/dream.json").read_text())
    data["files"][DAY]["units"] = [["Index", "procedure", NODE]]
    (vault / "metadata/file_catalog/dream.json").write_text(json.dumps(data))
    with open_session(vault, ScriptedReader()) as session:
        assert dream(session, policy="apply").report["status"] == "ok"


@pytest.mark.parametrize("name", ["failed/units.json", "decisions.json"])
@pytest.mark.parametrize(
    "text",
    [
        '{"version": 1}',
        '{"version": 1, "units": [{}], "rejected": [["a"]]}',
        '{"version": 1, "units": 7, "rejected": 7}',
        '{"version": 1, "units": [{"unit": {"name": "a", "bucket": "wiki", "summary": "b",'
        ' "paths": ["x.md"]}, "hashes": {}, "reason": "", "attempts": 1e999}], "rejected": [3]}',
    ],
)
def test_a_spoilt_list_is_set_aside(vault: Path, name: str, text: str) -> None:
    file = vault / "metadata" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    (vault / DAY).write_text(TEXT + "\nSome other words were written on this line.\n")
    with open_session(vault, ScriptedReader()) as session:
        report = dream(session, policy="apply").report
    assert report["status"] == "ok"
    assert any(file.name in warning for warning in report["warnings"])


def test_a_proposal_that_somebody_laid_out_anew_is_not_written_again(vault: Path) -> None:
    file = only_proposal(vault)
    file.write_bytes(json.dumps(json.loads(file.read_text()), indent=7).encode() + b"\r\n")
    before = contents(vault)
    with open_session(vault, ScriptedReader()) as session:
        assert dream(session, policy="queue").report["status"] == "nothing"
    assert contents(vault) == before


# What builds on what -----------------------------------------------------------------------------


def two_on_one(root: Path) -> list[str]:
    """Queue a CREATE and a second node that links to it; returns their ids."""

    def related(request: Any, tools: Any) -> Any:
        from vault_dream.engine.dream.reader import Receipt

        path = tools.write(
            "digest/procedure/second.md",
            "Second",
            "What it is.",
            "It depends on [[digest/procedure/first.md|First]] in every case.\n\n"
            f"## Sources\n\n- It is told in [[{DAY}|Monday]] as well.",
        )
        return Receipt("CREATE", path)

    reader = ScriptedReader(
        [
            claim("First", (1, QUOTE)),
            claim("Second", (1, "After a schema change stop the watcher")),
        ],
        {"Second": related},
    )
    (root / DAY).write_text(TEXT)
    with open_session(root, reader) as session:
        dream(session, policy="queue")
        return [p.id for p in session.proposals]


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT, "Home.md": "Home.\n"})


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("fate", ["rejected", "later"])
def test_a_link_to_a_node_that_did_not_land_never_lands(
    plain: Path, fate: Any, at_once: bool
) -> None:
    first, second = two_on_one(plain)
    with open_session(plain) as session:
        session.decide(first, fate)
        if at_once:
            session.decide(second, "approved")
        session.commit()
    with open_session(plain) as session:
        session.decide(second, "approved")
        assert session.commit().landed == ()
        assert session.proposal(second).state == ("stale" if fate == "rejected" else "later")
    assert not (plain / "digest").exists()


def test_both_land_in_order_and_what_lands_leads_somewhere(plain: Path) -> None:
    first, second = two_on_one(plain)
    with open_session(plain) as session:
        session.decide(second, "approved")
        session.decide(first, "approved")
        assert session.commit().landed == (first, second)


def test_a_node_that_was_taken_by_another_falls_with_what_builds_on_it(plain: Path) -> None:
    first, second = two_on_one(plain)
    (plain / "digest/procedure").mkdir(parents=True)
    (plain / "digest/procedure/First.md").write_text("The owner's own note.\n")
    (plain / "digest/procedure/first.md").write_text("The owner's own note.\n")
    with open_session(plain) as session:
        session.decide(first, "approved")
        session.decide(second, "approved")
        landing = session.commit()
        assert (landing.landed, session.proposal(first).state) == ((), "stale")
    assert (plain / "digest/procedure/first.md").read_text() == "The owner's own note.\n"


def test_what_has_landed_is_not_decided_again(vault: Path) -> None:
    spoil(vault, approved)
    with open_session(vault) as session:
        (proposal,) = session.proposals
        session.commit()
        with pytest.raises(EditError, match="settled already"):
            session.decide(proposal.id, "approved")
        assert session.commit().landed == ()


def test_a_target_that_turned_into_something_else_costs_only_its_proposal(tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "vault",
        {
            DAY: TEXT,
            "daily/2026-11-01.md": "words that were said on that day\n",
            NODE: node_text("Index", "Keep the index near."),
        },
    )
    reader = ScriptedReader(
        [claim("Index", (1, QUOTE)), claim("Other", (1, "After a schema change stop the watcher"))],
        {"Index": add_source(NODE)},
    )
    with open_session(root, reader) as session:
        session.scan()
        session.extract()
        for proposal in session.integrate():
            session.decide(proposal.id, "approved")
        (root / NODE).unlink()
        (root / NODE).mkdir()
        landing = session.commit()
        states = {p.unit.name: p.state for p in session.proposals}
    assert (len(landing.landed), states) == (1, {"Index": "stale", "Other": "committed"})


def test_a_proposal_is_the_same_value_while_its_bytes_are_the_same(vault: Path) -> None:
    with open_session(vault) as session:
        (one,) = session.state.proposals()
        (again,) = session.state.proposals()
        spoil(vault, approved)
        (changed,) = session.state.proposals()
    assert again is one
    assert one.state != "approved" and changed.state == "approved"
