"""Recorded good conversations, played over a socket: what the program does with a strong model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recorded.player import (
    RECORDED,
    Night,
    Way,
    approve_the_rest,
    changed_notes,
    dreamt,
    recorded_units,
)
from tests.support import SAMPLE_VAULT, TODAY, contents
from vault_dream.engine.model.ledger import Ledger
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.machine import state_home
from vault_dream.headless import dream

COFFEE = "digest/personal/coffee-after-two-in-the-afternoon-ends-in-a-migraine.md"
FLOUR = "digest/personal/when-aldersyke-closes-the-flour-order.md"
RESTORE = "digest/procedure/restore-the-orders-database.md"
ACTIONS = {
    "digest/procedure/按太婆的方子做酱肉.md": "CREATE",
    "digest/personal/take-the-iron-tablet-every-second-morning.md": "CREATE",
    "digest/wiki/why-standing-orders-lapse-after-six-weeks.md": "CREATE",
    COFFEE: "CORROBORATE",
    RESTORE: "REFINE",
    FLOUR: "CORRECT",
    "digest/procedure/set-the-label-printer-to-black-mark-rolls.md": "CREATE",
}
GOOD = {
    file.relative_to(RECORDED / "notes").as_posix(): file.read_bytes().decode("utf-8")
    for file in sorted((RECORDED / "notes").rglob("*.md"))
}

ways = pytest.mark.parametrize("way", ["tools", "structured"])


def results(night: Night) -> dict[str, dict[str, object]]:
    return {r["target_path"]: r for r in night.finished.report["integrate_results"]}


@ways
def test_a_night_and_a_morning_make_the_notes_that_their_owner_would_want(
    way: Way, tmp_path: Path
) -> None:
    with dreamt(tmp_path / "vault", way) as night:
        assert night.player.faults == []
        assert night.notes() == {path: text for path, text in GOOD.items() if path != FLOUR}
        approve_the_rest(night.session)
        assert night.notes() == GOOD


@ways
def test_the_report_says_what_became_of_each_unit(way: Way, tmp_path: Path) -> None:
    with dreamt(tmp_path / "vault", way) as night:
        report = night.finished.report
        assert (report["status"], report["failed_units"], report["errors"]) == ("ok", [], [])
        assert {path: r["action"] for path, r in results(night).items()} == ACTIONS
        decisions = {path: r["decision"] for path, r in results(night).items()}
        assert decisions == dict.fromkeys(ACTIONS, "committed") | {FLOUR: "queued"}
        assert not any(r["links_lost"] for r in results(night).values())
        levels = {
            f["level"] for p, r in results(night).items() if p != FLOUR for f in r["findings"]
        }
        assert levels == set()  # good proposals are not cried at
        assert sorted(report["auto_tag"]["tagged"]) == sorted(
            p for p in ACTIONS if ACTIONS[p] == "CREATE"
        )
        assert report["auto_tag"]["failed"] == []
        units = {unit["name"]: unit for unit in report["units"]}
        assert len(units["Why standing orders lapse after six weeks"]["paths"]) == 3
        assert all(item["line"] for unit in units.values() for item in unit["evidence"])
        assert report["day_pages"] == ["daily/2026-11-30.md"]


@ways
def test_what_the_owner_keeps_back_was_sent_in_no_request(way: Way, tmp_path: Path) -> None:
    with dreamt(tmp_path / "vault", way) as night:
        sent = json.dumps(night.server.chats, ensure_ascii=False)
        for words in ("Counted days again", "信不寄了", "deposit came out as badly"):
            assert words not in sent, words
        assert "Aldersyke closes the order sheet on Wednesday" in sent


@ways
def test_every_request_is_in_the_ledger_and_every_answer_in_the_usage(
    way: Way, tmp_path: Path
) -> None:
    foreseen = []

    def look(session: ReviewSession) -> None:
        foreseen.append(session.estimate())

    with dreamt(tmp_path / "vault", way, look=look) as night:
        sent = Ledger(state_home() / "sent.jsonl").entries()
        usage = night.finished.report["usage"]
        turns = sum(len(unit.turns) for unit in recorded_units().values())
        integrations = turns if way == "tools" else len(ACTIONS)
        tagged = len(ACTIONS) - 1
        purposes = [entry.purpose for entry in sent]
        assert len(sent) == len(night.server.chats) == usage["calls"] == 1 + integrations + tagged
        assert [purposes.count(p) for p in ("extract", "integrate", "tag")] == [
            1,
            integrations,
            tagged,
        ]
        assert usage["cost"] == pytest.approx(
            (usage["prompt_tokens"] * 2 + usage["completion_tokens"] * 8) / 1_000_000
        )
        assert foreseen[0].sources == 6 and foreseen[0].calls >= usage["calls"] / 2


@ways
def test_the_next_night_sends_nothing_and_changes_nothing(way: Way, tmp_path: Path) -> None:
    with dreamt(tmp_path / "vault", way) as night:
        approve_the_rest(night.session)
        before, calls = contents(night.vault), len(night.server.chats)
        report = dream(night.session, policy="safe", day=TODAY).report
        assert report["integrate_results"] == [] and len(night.server.chats) == calls
        after = contents(night.vault)
        changed = {p for p in before | after if before.get(p) != after.get(p)}
        assert not {path for path in changed if not path.startswith("metadata/")}


def test_the_recordings_leave_the_sample_vault_as_it_is(tmp_path: Path) -> None:
    before = contents(SAMPLE_VAULT)
    with dreamt(tmp_path / "vault", "structured"):
        pass
    assert contents(SAMPLE_VAULT) == before
    assert dict(changed_notes(SAMPLE_VAULT)) == {}
