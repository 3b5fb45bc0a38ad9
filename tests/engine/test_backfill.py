"""A backfill: older days, oldest first, planned before, capped, paused and resumed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support import TODAY, ScriptedReader, claim, make_vault, open_session, snapshot
from vault_dream.backfilling import backfill
from vault_dream.engine.dream.extras import ExtraInputs
from vault_dream.engine.dream.kept import Backfill
from vault_dream.engine.dream.reader import Estimate, ExtractAnswer, ExtractRequest, FirstSend
from vault_dream.engine.errors import BudgetError, NoModelError, ReaderError, SettingsError
from vault_dream.engine.session import ReviewSession

FIRST = date(2026, 9, 1)


def diary(root: Path, days: int, first: date = FIRST) -> Path:
    return make_vault(
        root,
        {
            f"daily/{day}.md": f"On day {n} we found the leak in pipe number {n} again.\n"
            for n, day in ((n, first + timedelta(days=n)) for n in range(days))
        },
    )


class DayReader(ScriptedReader):
    """Finds one unit a day, named after the day; ``trouble`` says what happens on which day."""

    trouble: dict[date, Exception] = {}  # noqa: RUF012
    session: ReviewSession | None = None
    pause_on: date | None = None

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        self.asked.append(request)
        day = request.sources[0].date
        assert day is not None
        if day == self.pause_on and self.session is not None:
            self.session.cancel()
        if day in self.trouble:
            raise self.trouble[day]
        quote = request.sources[0].blocks[0].text
        return ExtractAnswer((claim(f"Leak of {day}", (1, quote)),))

    def first_send(self, request: ExtractRequest) -> FirstSend | None:
        return None

    def estimate(self, request: ExtractRequest, waiting: int = 0) -> Estimate:
        return Estimate(len(request.sources), 1000 * len(request.sources), 7, 0.5)


def read(reader: DayReader) -> list[str]:
    return [str(request.sources[0].date) for request in reader.asked]


def run(root: Path, reader: DayReader, *span: Any, cap: int = 0, **settings: Any) -> Any:
    with open_session(root, reader, **settings) as session:
        reader.session = session
        plan = session.plan_backfill(*span, cap=cap)
        return backfill(session, plan, policy="apply")


def test_days_are_read_oldest_first_and_each_is_a_run_of_its_own(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 5), DayReader()
    done = run(root, reader, FIRST, FIRST + timedelta(days=3))
    assert (done.ended, done.left) == ("done", 0)
    assert read(reader) == ["2026-09-01", "2026-09-02", "2026-09-03", "2026-09-04"]
    assert len({report["run_id"] for report in done.reports}) == 4
    assert len(list((root / "digest/procedure").iterdir())) == 4
    assert not (root / "metadata/backfill.json").exists()


def test_a_backfill_leaves_the_window_of_the_next_run_where_it_was(tmp_path: Path) -> None:
    root = diary(tmp_path / "v", 3)
    run(root, DayReader(), FIRST, None)
    catalog = json.loads((root / "metadata/file_catalog/dream.json").read_text())
    assert catalog["last_completed"] is None
    with open_session(root, ScriptedReader()) as session:
        assert session.scan().dates[0] == TODAY - timedelta(days=1)


def test_a_cap_ends_a_run_and_the_next_goes_on_without_a_range(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 5), DayReader()
    done = run(root, reader, FIRST, FIRST + timedelta(days=4), cap=2)
    assert (done.ended, done.left) == ("capped", 3)
    done = run(root, reader, cap=2)
    assert (done.ended, done.left) == ("capped", 1)
    done = run(root, reader, cap=2)
    assert (done.ended, done.left) == ("done", 0)
    assert len(read(reader)) == 5 and read(reader) == sorted(read(reader))
    done = run(root, reader)
    assert (done.ended, len(done.reports), done.left) == ("done", 0, 0)


def test_days_that_were_read_cost_nothing_again(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 3), DayReader()
    run(root, reader, FIRST, None)
    before = snapshot(root)
    done = run(root, reader, FIRST, None)
    assert (done.ended, len(done.reports), len(reader.asked)) == ("done", 0, 3)
    assert snapshot(root) == before


def test_a_changed_old_day_is_read_for_its_new_words_only(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 2), DayReader()
    run(root, reader, FIRST, None)
    note = root / "daily/2026-09-02.md"
    note.write_text(note.read_text() + "\nThe valve behind it had been painted shut for years.\n")
    run(root, reader, FIRST, None)
    blocks = reader.asked[-1].sources[0].blocks
    assert [block.fresh for block in blocks] == [False, True]
    assert len(reader.asked) == 3


def test_a_budget_ends_it_with_the_day_still_to_do(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 4), DayReader()
    reader.trouble = {date(2026, 9, 3): BudgetError("budget: tokens", "they are used", "")}
    done = run(root, reader, FIRST, None)
    assert (done.ended, done.left) == ("budget", 2)
    assert done.problem is not None and "tokens" in done.problem.where
    reader.trouble = {}
    assert run(root, reader).ended == "done"
    assert read(reader)[-2:] == ["2026-09-03", "2026-09-04"]


def test_a_pause_keeps_what_was_made_and_looks_at_the_day_again(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 3), DayReader()
    reader.pause_on = date(2026, 9, 2)
    done = run(root, reader, FIRST, None)
    assert (done.ended, done.left) == ("paused", 2)
    reader.pause_on = None
    assert run(root, reader).ended == "done"
    names = sorted(path.stem for path in (root / "digest/procedure").iterdir())
    assert names == ["leak-of-2026-09-01", "leak-of-2026-09-02", "leak-of-2026-09-03"]


def test_an_endpoint_that_is_gone_ends_it_at_once(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 3), DayReader()
    reader.trouble = {date(2026, 9, 2): NoModelError("http://x", "does not answer", "")}
    done = run(root, reader, FIRST, None)
    assert (done.ended, done.left) == ("no_model", 2)


def test_one_bad_day_costs_that_day_and_many_in_a_row_stop_it(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 6), DayReader()
    bad = ReaderError("reader", "it said nothing that can be read", "")
    reader.trouble = {date(2026, 9, 2): bad}
    assert run(root, reader, FIRST, None, cap=3).ended == "capped"
    reader.trouble = {date(2026, 9, n): bad for n in (4, 5, 6)}
    done = run(root, reader)
    assert (done.ended, done.left) == ("failing", 1)
    assert done.problem is not None and "nothing that can be read" in done.problem.what


def test_a_run_that_is_cut_off_between_two_days_loses_nothing(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 3), DayReader()

    def die(number: int, total: int, day: date) -> None:
        if number == 2:
            raise SystemExit

    with open_session(root, reader) as session, pytest.raises(SystemExit):
        backfill(session, session.plan_backfill(FIRST, None), policy="apply", begin=die)
    assert run(root, reader).ended == "done"
    assert read(reader) == ["2026-09-01", "2026-09-02", "2026-09-03"]


def test_the_reports_of_the_days_count_their_own_calls(tmp_path: Path) -> None:
    class Counting(DayReader):
        def usage(self) -> Any:
            from vault_dream.engine.dream.reader import Usage

            return Usage(calls=len(self.asked), prompt_tokens=10 * len(self.asked), cost=None)

    done = run(diary(tmp_path / "v", 3), Counting(), FIRST, None)
    assert [report["usage"]["calls"] for report in done.reports] == [1, 1, 1]
    assert done.as_json()["usage"]["prompt_tokens"] == 30


def test_an_estimate_grows_with_the_days_and_knows_the_pace_of_past_runs(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 40), DayReader()
    with open_session(root, reader) as session:
        plan = session.plan_backfill(FIRST, None, cap=10)
    assert (plan.this_run.calls, plan.this_run.tokens) == (70, 10_000)
    assert (plan.whole.days, plan.whole.calls, plan.whole.sampled) == (40, 280, 12)
    assert plan.whole.cost == pytest.approx(20.0)
    assert plan.whole.seconds is None
    report = run(root, reader, FIRST, None, cap=1).reports[0]
    path = root / f"metadata/runs/{report['run_id']}.json"
    told = json.loads(path.read_text())
    told["usage"] |= {"calls": 10, "seconds": 30.0}
    path.write_text(json.dumps(told))
    with open_session(root, reader) as session:
        plan = session.plan_backfill(cap=10)
    assert plan.this_run.seconds == pytest.approx(210.0)


def test_a_plan_reads_few_of_ten_years_of_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = diary(tmp_path / "v", 3650, date(2016, 1, 1))
    with open_session(root, DayReader(), extra_inputs=("Meetings/YYYY-MM-DD*.md",)) as session:
        opened: list[str] = []
        look = session.vault.read
        monkeypatch.setattr(
            session.vault, "read", lambda path: (opened.append(path), look(path))[1]
        )
        plan = session.plan_backfill(None, date(2025, 12, 28))
    assert len(plan.days) == 3650 and plan.days == tuple(sorted(plan.days, key=lambda d: d.day))
    assert len(set(opened)) <= 24


@pytest.mark.parametrize(
    ("span", "word"),
    [
        ((date(2026, 10, 2), date(2026, 10, 1)), "is after"),
        ((FIRST, date(2027, 1, 1)), "has not come"),
    ],
)
def test_a_range_that_is_none_is_refused(
    tmp_path: Path, span: tuple[date, date], word: str
) -> None:
    with (
        open_session(diary(tmp_path / "v", 2), DayReader()) as session,
        pytest.raises(SettingsError, match=word),
    ):
        session.plan_backfill(*span)


def test_without_a_range_the_error_names_the_one_to_give(tmp_path: Path) -> None:
    with (
        open_session(diary(tmp_path / "v", 2), DayReader()) as session,
        pytest.raises(SettingsError) as caught,
    ):
        session.plan_backfill()
    assert "--from 2026-09-01 --to 2026-09-02" in caught.value.next


def test_what_is_never_read_is_not_planned(tmp_path: Path) -> None:
    root = diary(tmp_path / "v", 3)
    (root / "daily/2026-09-02.md").write_text("")
    with open_session(root, DayReader(), exclude=("daily/2026-09-01.md",)) as session:
        plan = session.plan_backfill(FIRST, None)
    assert [day.day for day in plan.days] == [date(2026, 9, 3)]


def test_a_dry_run_keeps_no_plan(tmp_path: Path) -> None:
    root = diary(tmp_path / "v", 2)
    before = snapshot(root)
    with open_session(root, DayReader(), dry_run=True) as session:
        session.keep_backfill(session.plan_backfill(FIRST, None).range)
    assert snapshot(root) == before


def test_two_machines_plans_become_one_that_leaves_nothing_out() -> None:
    one = Backfill(FIRST, date(2026, 9, 30), date(2026, 9, 9))
    other = Backfill(date(2026, 8, 1), date(2026, 9, 20), date(2026, 8, 3))
    assert one.merged(other) == Backfill(date(2026, 8, 1), date(2026, 9, 30), date(2026, 8, 3))
    assert one.merged(Backfill(FIRST, FIRST)).reached is None
    assert Backfill.from_json(one.as_json()) == one


@pytest.mark.parametrize(
    ("patterns", "day", "found"),
    [
        (("Meetings/YYYY-MM-DD*.md",), date(2026, 9, 1), ["Meetings/2026-09-01 a.md"]),
        (("M/YYYY-MM.md",), date(2026, 9, 17), ["M/2026-09.md"]),
        (("**/YY.MM.DD.md",), date(2026, 9, 1), ["x/26.09.01.md"]),
        (("*YYYY-MM-DD*",), date(2025, 1, 2), ["2026-09-01 of 2025-01-02.md"]),
        (("SUMMARY.md",), date(2026, 9, 1), ["SUMMARY.md"]),
        (("SUMMARY.md", "M/YYYY-MM.md"), date(2026, 9, 1), ["M/2026-09.md", "SUMMARY.md"]),
    ],
)
def test_extra_inputs_belong_to_their_days(
    patterns: Sequence[str], day: date, found: list[str]
) -> None:
    paths = (
        "2026-09-01 of 2025-01-02.md",
        "M/2026-09.md",
        "Meetings/2026-09-01 a.md",
        "Meetings/2026-09-02.md",
        "SUMMARY.md",
        "x/26.09.01.md",
    )
    assert list(ExtraInputs(patterns, paths).of(day)) == found


def test_what_the_owner_keeps_back_is_not_waiting_to_be_read(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 3), DayReader()
    kept_back = root / "daily/2026-09-10.md"
    kept_back.write_text("---\ndream: false\n---\n\nNobody is to read this.\n")
    (root / "daily/2026-09-11.md").write_text("Out by the settings.\n")
    out = {"exclude": ("daily/2026-09-11.md",)}
    with open_session(root, reader, **out) as session:
        assert session.scan().older_unread == 3
    done = run(root, reader, FIRST, None, **out)
    assert (done.ended, len(done.reports)) == ("done", 3)
    with open_session(root, reader, **out) as session:
        assert session.scan().older_unread == 0
        assert session.plan_backfill().days == session.plan_backfill(FIRST, None).days == ()
    kept_back.write_text("On day 9 we let everybody read about the leak.\n")
    with open_session(root, reader, **out) as session:
        assert session.scan().older_unread == 1


def test_an_unread_day_without_a_range_is_named(tmp_path: Path) -> None:
    root, reader = diary(tmp_path / "v", 1), DayReader()
    with pytest.raises(SettingsError) as raised:
        run(root, reader)
    assert raised.value.what == "no backfill was begun, and 1 older day is unread"
    assert raised.value.next == "give a range: --from 2026-09-01 --to 2026-09-01"
