"""The timetable by itself: no time is lost and none is served twice, whatever goes wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from vault_dream.config import Settings
from vault_dream.cron import missed, zone_named
from vault_dream.engine.vault.machine import vault_state_folder
from vault_dream.pipeline import DEFAULT_STEPS, Job
from vault_dream.serving.last_runs import LastRuns
from vault_dream.serving.timetable import PATIENCE, Timetable

START = datetime(2026, 3, 20, tzinfo=UTC)

MINUTES = st.integers(1, 60 * 40)
HAPPENS = st.lists(
    st.tuples(MINUTES, st.sampled_from(["done", "failed", "restarted", "idle"])), max_size=25
)
LINES = st.sampled_from(["30 2 * * *", "*/40 * * * *", "0 3 * * 1", "15 2,14 * * *"])


def settings_of(line: str) -> dict[str, Settings]:
    job = Job.of(*DEFAULT_STEPS, name="n", cron=line)
    return {"n": Settings(timezone="Europe/Berlin", jobs={"n": job}, job="n")}


@given(LINES, HAPPENS)
def test_each_time_is_served_once_and_in_its_order(
    tmp_path: Path, line: str, happens: list[tuple[int, str]]
) -> None:
    jobs = settings_of(line)
    (vault_state_folder(tmp_path) / "jobs.json").unlink(missing_ok=True)
    table = Timetable(LastRuns(tmp_path), troubled=_raised)
    table.due(jobs, START)  # from here on its times count
    now, served = START, list[datetime]()
    for minutes, what in happens:
        now += timedelta(minutes=minutes)
        if what == "restarted":
            table = Timetable(LastRuns(tmp_path), troubled=_raised)
        due = table.due(jobs, now)
        if due is None:
            continue
        if what == "failed":
            assert table.put_off(due.job, now) in PATIENCE
            assert table.due(jobs, now) is None
            assert now < table.next(jobs, now)["n"] <= now + PATIENCE[-1]
        elif what == "done":
            served += due.times
            table.done(due.job, now, "run")
            assert table.due(jobs, now) is None
            assert table.next(jobs, now)["n"] > now
    table.hurry()
    rest = table.due(jobs, now)
    served += rest.times if rest is not None else ()
    assert served == missed(line, START, now, zone_named("Europe/Berlin"))


def _raised(error: Exception) -> None:
    raise error
