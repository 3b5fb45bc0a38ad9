"""The program that stays, event by event, with a clock that is told the time."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.serving.clock import ToldClock
from tests.serving.scenes import BERLIN, Served, berlin
from tests.support import ScriptedReader, claim, make_vault, snapshot
from vault_dream.config import Settings
from vault_dream.engine.dream.reader import ExtractAnswer, ExtractRequest, Reader, TagRequest
from vault_dream.engine.errors import (
    BusyError,
    FilesystemError,
    NoModelError,
    SettingsError,
)
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.engine.vault.machine import vault_state_folder

QUOTE = "We decided to keep the old index because the new one loses accents."
NIGHTLY = (
    'timezone: Europe/Berlin\npolicy: apply\njobs: {n: {cron: "30 3 * * *", steps: auto_dream}}\n'
)
START = berlin("2026-06-01T12:00")


@dataclass
class Bench:
    """A served vault with a scripted reader. Stateful: ``asked`` are the requests that came."""

    served: Served
    asked: list[tuple[datetime, ExtractRequest]] = field(default_factory=list)
    fails: Exception | None = None
    during: Callable[[], object] = lambda: None

    @property
    def root(self) -> Path:
        return self.served.root

    @property
    def clock(self) -> ToldClock:
        return self.served.clock

    @property
    def outcomes(self) -> list[str]:
        return [ran.outcome for ran in self.served.runs]

    def at(self, when: str, what: Callable[[], object]) -> None:
        self.clock.at(berlin(when), what)

    def settings(self, text: str) -> None:
        (self.root / "vault-dream.yaml").write_text(text, "utf-8")

    def serve(self, until: str, **more: Any) -> int:
        return self.served.start(until=berlin(until), **more)

    def reader(self, settings: Settings, root: Path) -> Reader:
        bench = self

        class Told(ScriptedReader):
            async def extract(self, request: ExtractRequest) -> ExtractAnswer:
                bench.asked.append((bench.clock.now().astimezone(BERLIN), request))
                bench.during()
                if bench.fails is not None:
                    raise bench.fails
                return await super().extract(request)

        return Told(claims=[claim("Keep the old index", (1, QUOTE))])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = make_vault(tmp_path / "vault", {"daily/2026-06-01.md": QUOTE + "\n"})
    made = Bench(Served(root, ToldClock(START)))
    made.served.reader_of = made.reader
    made.settings(NIGHTLY)
    return made


def times(bench: Bench) -> list[str]:
    return [at.isoformat()[5:16] for at, _ in bench.asked]


# When jobs run -----------------------------------------------------------------------------------


def test_a_job_runs_at_its_time_in_the_zone_of_the_vault_and_not_before(bench: Bench) -> None:
    assert bench.serve("2026-06-02T12:00") == 0
    assert times(bench) == ["06-02T03:30"]
    assert bench.outcomes == ["ok"]
    assert list((bench.root / "digest").rglob("*.md"))
    assert bench.served.said_of("next")[0] == "next: n at 2026-06-02 03:30"
    assert bench.served.log[-1] == "stopped: SIGTERM"


def test_a_new_job_begins_with_its_next_time_and_a_changed_one_too(bench: Bench) -> None:
    assert bench.serve("2026-06-01T13:00") == 0
    bench.settings(NIGHTLY.replace("30 3", "30 12"))  # half past twelve is over for today
    assert bench.serve("2026-06-02T13:00") == 0
    assert times(bench) == ["06-02T12:30"]


def test_nights_that_were_missed_are_one_run_that_may_bring_as_much_as_they(bench: Bench) -> None:
    bench.serve("2026-06-01T13:00")
    bench.clock.nap(berlin("2026-06-01T13:00"), berlin("2026-06-05T09:00"))
    bench.serve("2026-06-05T12:00")
    (asked,) = bench.asked
    assert (times(bench), asked[1].max_units) == (["06-05T09:01"], 4 * 5), "within a minute"
    (ran,) = bench.served.runs
    assert (ran.times, ran.at) == (4, "2026-06-05T09:01:00+02:00")
    assert (
        "n: due 4 times since 2026-06-02 03:30, runs once" in bench.served.said_of("job begins")[0]
    )


def test_a_job_of_every_few_minutes_that_slept_does_not_ask_for_the_moon(bench: Bench) -> None:
    bench.settings(NIGHTLY.replace("30 3", "*/5 *"))
    bench.clock.nap(berlin("2026-06-01T12:01"), berlin("2026-06-01T20:02"))
    bench.serve("2026-06-01T20:03")
    assert [request.max_units for _, request in bench.asked] == [5]
    assert [ran.times for ran in bench.served.runs] == [96]


def test_after_a_year_only_thirty_nights_count(bench: Bench) -> None:
    bench.serve("2026-06-01T13:00")
    (bench.root / "daily/2027-06-01.md").write_text(QUOTE, "utf-8")
    bench.clock.nap(berlin("2026-06-01T13:00"), berlin("2027-06-01T09:00"))
    bench.serve("2027-06-01T12:00")
    assert [request.max_units for _, request in bench.asked] == [100]
    assert "1 older notes never read" in bench.served.said_of("job done")[0]


def test_two_jobs_run_one_after_the_other_the_longest_overdue_first(bench: Bench) -> None:
    bench.settings(
        "provider: offline\ntimezone: Europe/Berlin\n"
        "jobs:\n"
        "  late: {cron: '30 3 * * *', steps: auto_dream}\n"
        "  early: {cron: '0 1 * * *', steps: auto_dream}\n"
        "  called: {steps: auto_dream}\n"
    )
    bench.clock.nap(berlin("2026-06-01T13:00"), berlin("2026-06-02T09:00"))
    bench.serve("2026-06-02T12:00")
    assert [ran.job for ran in bench.served.runs] == ["early", "late"]


def test_once_runs_what_is_due_and_ends(bench: Bench) -> None:
    assert bench.served.start(once=True) == 0
    assert bench.served.runs == [], "it begins now"
    bench.clock.nap(START, berlin("2026-06-02T09:00"))
    bench.clock.wait(1)
    assert bench.served.start(once=True) == 0
    assert bench.outcomes == ["ok"]
    assert bench.served.start(once=True) == 0
    assert bench.outcomes == ["ok"]


@pytest.mark.parametrize(
    ("error", "code"), [(NoModelError("x", "away"), 4), (FilesystemError("x", "full"), 1)]
)
def test_once_ends_with_the_code_of_what_went_wrong(
    bench: Bench, error: Exception, code: int
) -> None:
    bench.served.start(once=True)
    bench.clock.nap(START, berlin("2026-06-02T09:00"))
    bench.clock.wait(1)
    bench.fails = error
    assert bench.served.start(once=True) == code


# What is in the way ------------------------------------------------------------------------------


def test_who_dreams_already_is_waited_for_ever_more_patiently(bench: Bench) -> None:
    lock = VaultLock(bench.root, "dream")
    bench.at("2026-06-02T03:00", lambda: lock.acquire("review"))
    bench.at("2026-06-02T07:40", lock.release)
    bench.serve("2026-06-02T12:00")
    assert bench.outcomes == ["busy"] * 8 + ["ok"]
    tries = [datetime.fromisoformat(ran.at).strftime("%H:%M") for ran in bench.served.runs]
    assert tries == [
        "03:30",
        "03:31",
        "03:36",
        "03:51",
        "04:21",
        "05:21",
        "06:21",
        "07:21",
        "08:21",
    ]
    assert "review" in bench.served.said_of("job waits")[0]


def test_a_model_that_fails_halfway_is_tried_again_and_nothing_is_asked_twice(bench: Bench) -> None:
    (bench.root / "daily/2026-06-01.md").write_text(QUOTE, "utf-8")
    broken: list[bool] = [True]

    def plan(request: Any, tools: Any) -> Any:
        if broken and broken.pop():
            raise NoModelError("http://nas", "went away", "")
        from tests.support import create

        return create(request, tools)

    def reader(settings: Settings, root: Path) -> Reader:
        made = bench.reader(settings, root)
        assert isinstance(made, ScriptedReader)
        made.plans = {"Keep the old index": plan}
        return made

    bench.served.reader_of = reader
    bench.serve("2026-06-02T12:00")
    assert bench.outcomes == ["no model", "ok"]
    assert times(bench) == ["06-02T03:30"], "the unit is tried again, not the reading"


def test_a_fault_of_the_program_costs_the_run_and_not_the_nights_to_come(bench: Bench) -> None:
    def broken(settings: Settings, root: Path) -> Reader:
        raise RuntimeError("a bug\x1b[2J")

    bench.served.reader_of = broken
    bench.at("2026-06-02T03:35", lambda: setattr(bench.served.server, "_reader_of", bench.reader))
    bench.serve("2026-06-02T12:00")
    assert bench.outcomes == ["failed", "failed", "ok"]
    assert "RuntimeError: a bug[2J" in bench.served.said_of("job waits")[0]
    assert "\x1b" not in bench.served.said.getvalue()


def test_a_vault_that_is_away_is_said_once_and_waited_for(bench: Bench) -> None:
    away = bench.root.with_name("away")
    bench.at("2026-06-02T01:00", lambda: bench.root.rename(away))
    bench.at("2026-06-02T08:00", lambda: away.rename(bench.root))
    bench.serve("2026-06-02T12:00")
    assert times(bench) == ["06-02T08:00"]
    assert bench.served.said_of("vault gone") == [
        f"vault gone: {bench.root}: waiting until it is back"
    ]
    assert len(bench.served.said_of("vault back")) == 1
    assert bench.served.said_of("settings") == [], (
        "its settings went with it, and count for nothing"
    )


def test_an_empty_folder_in_its_place_is_no_vault_whose_notes_were_deleted(bench: Bench) -> None:
    bench.serve("2026-06-02T12:00")
    before = snapshot(bench.root)
    away = bench.root.with_name("away")

    def unmount() -> None:
        bench.root.rename(away)
        bench.root.mkdir()

    def mount() -> None:
        bench.root.rmdir()  # nothing was written into it
        away.rename(bench.root)

    bench.at("2026-06-03T01:00", unmount)
    bench.at("2026-06-05T08:00", mount)
    bench.serve("2026-06-05T12:00")
    assert snapshot(bench.root) == before
    assert bench.outcomes == ["ok", "nothing"]


def test_a_vault_that_goes_while_it_is_read_is_waited_for_too(bench: Bench) -> None:
    away = bench.root.with_name("away")

    def go() -> None:
        bench.during = lambda: None
        bench.root.rename(away)

    bench.during = go
    bench.at("2026-06-02T05:00", lambda: away.rename(bench.root))
    bench.serve("2026-06-02T12:00")
    assert bench.outcomes[-1] == "ok"
    assert len(list((bench.root / "digest").rglob("*.md"))) == 1


# Settings ----------------------------------------------------------------------------------------


def test_settings_are_read_again_and_a_mistake_in_them_leaves_the_old_ones(bench: Bench) -> None:
    bench.at("2026-06-01T18:00", lambda: bench.settings(NIGHTLY.replace("30 3", "61 3")))
    bench.at("2026-06-03T12:00", lambda: bench.settings(NIGHTLY.replace("30 3", "0 4")))
    bench.serve("2026-06-04T12:00")
    assert [ran.at[5:16] for ran in bench.served.runs] == [
        "06-02T03:30",
        "06-03T03:30",
        "06-04T04:00",
    ]
    wrong, again = bench.served.said_of("settings")
    assert "vault-dream.yaml:3: the cron line of n makes no sense" in wrong
    assert wrong.endswith("the old ones stay") and again == "settings: read again"


def test_who_waits_for_a_model_is_helped_at_once_by_new_settings(bench: Bench) -> None:
    bench.fails = NoModelError("x", "away", "")
    bench.at("2026-06-02T06:00", lambda: setattr(bench, "fails", None))
    bench.at("2026-06-02T06:01", lambda: bench.settings(NIGHTLY + "model: another\n"))
    bench.serve("2026-06-02T12:00")
    assert bench.served.runs[-1].at[11:16] == "06:01"


def test_only_the_machines_of_runs_on_serve(bench: Bench) -> None:
    bench.settings(NIGHTLY + "runs_on: [other]\n")
    with pytest.raises(SettingsError, match="not in runs_on"):
        bench.serve("2026-06-02T12:00")
    bench.settings(NIGHTLY + f"runs_on: [{socket.gethostname()}]\n")
    bench.at("2026-06-02T01:00", lambda: bench.settings(NIGHTLY + "runs_on: [other]\n"))
    bench.serve("2026-06-02T03:40")
    assert bench.asked == []
    assert set(bench.outcomes) == {"failed"}


# Stopping ----------------------------------------------------------------------------------------


def test_a_stop_in_the_middle_of_a_run_ends_it_without_harm_and_it_is_made_up_for(
    bench: Bench,
) -> None:
    def stop() -> None:
        bench.during = lambda: None
        bench.served.stop()

    bench.during = stop
    note = (bench.root / "daily/2026-06-01.md").read_bytes()
    assert bench.served.start() == 0
    assert bench.outcomes == ["stopped"]
    assert not (bench.root / "digest").exists()
    assert (bench.root / "daily/2026-06-01.md").read_bytes() == note
    assert bench.serve("2026-06-02T12:00") == 0
    assert bench.outcomes == ["stopped", "ok"]
    assert len(list((bench.root / "digest").rglob("*.md"))) == 1


def test_a_stop_before_the_run_could_hear_it_is_heard(bench: Bench) -> None:
    def reader(settings: Settings, root: Path) -> Reader:
        bench.served.stop()  # no session is open yet
        return bench.reader(settings, root)

    bench.served.reader_of = reader
    assert bench.served.start() == 0
    assert (bench.outcomes, bench.asked) == (["stopped"], [])


def test_nodes_that_a_stop_left_without_tags_get_them_from_the_next_run(bench: Bench) -> None:
    tagged: list[str] = []

    def reader(settings: Settings, root: Path) -> Reader:
        class Tags(ScriptedReader):
            async def tag(self, request: TagRequest) -> tuple[str, ...]:
                tagged.append(request.path)
                if len(tagged) == 1:
                    bench.served.stop()
                    await asyncio.Event().wait()  # an answer that would never come
                return ("index",)

        return Tags(claims=[claim("Keep the old index", (1, QUOTE))])

    bench.served.reader_of = reader
    bench.served.start()
    bench.serve("2026-06-02T12:00")
    (node,) = (bench.root / "digest").rglob("*.md")
    assert tagged == [node.relative_to(bench.root).as_posix()] * 2
    assert "memory_tags: [index]" in node.read_text() or "- index" in node.read_text()


# What is remembered ------------------------------------------------------------------------------


def test_a_second_program_on_the_same_vault_is_refused(bench: Bench) -> None:
    other = Served(bench.root, ToldClock(START))

    def second() -> None:
        with pytest.raises(BusyError, match="serves this vault"):
            other.start(once=True)

    bench.at("2026-06-01T12:30", second)
    assert bench.serve("2026-06-01T13:00") == 0
    assert other.start(once=True) == 0


SPOILT = (
    "",
    "{",
    "[]",
    '{"version": 1, "jobs": [1]}',
    '{"version": 1, "jobs": {"n": {"after": "x"}}}',
    '{"version": 1, "jobs": {"n": {"line": "x", "zone": "x", "after": "x", "run_id": ""}}}',
)


@pytest.mark.parametrize("raw", SPOILT)
def test_a_memory_that_cannot_be_read_begins_anew(bench: Bench, raw: str) -> None:
    folder = vault_state_folder(bench.root)
    folder.mkdir(parents=True)
    (folder / "jobs.json").write_text(raw)
    assert bench.serve("2026-06-02T12:00") == 0
    assert times(bench) == ["06-02T03:30"]


def test_a_memory_of_a_newer_version_is_left_alone(bench: Bench) -> None:
    folder = vault_state_folder(bench.root)
    folder.mkdir(parents=True)
    (folder / "jobs.json").write_text('{"version": 2}')
    with pytest.raises(FilesystemError, match="newer"):
        bench.serve("2026-06-02T12:00")
    assert (folder / "jobs.json").read_text() == '{"version": 2}'


def test_a_clock_that_was_ahead_does_not_silence_the_jobs(bench: Bench) -> None:
    bench.clock.nap(START, berlin("2036-06-01T12:00"))
    bench.serve("2036-06-02T12:00")
    again = Served(bench.root, ToldClock(berlin("2026-06-05T12:00")), bench.reader)
    again.start(until=berlin("2026-06-06T12:00"))
    assert [ran.at[:16] for ran in again.runs] == ["2026-06-06T03:30"]


def test_a_memory_that_cannot_be_written_is_said_and_the_night_runs_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vault_dream.serving import last_runs

    def full(*given: object, **more: object) -> None:
        raise FilesystemError("jobs.json", "the disk is full", "free some space")

    monkeypatch.setattr(last_runs, "atomic_write_json", full)
    bench.serve("2026-06-02T12:00")
    assert bench.outcomes == ["ok"]
    assert "the disk is full" in bench.served.said_of("state")[0]


def test_what_is_remembered_is_on_this_machine_and_holds_no_words_of_notes(bench: Bench) -> None:
    bench.serve("2026-06-02T12:00")
    value = json.loads((vault_state_folder(bench.root) / "jobs.json").read_text())
    assert value["jobs"]["n"].keys() == {"line", "zone", "after", "run_id"}
    assert value["jobs"]["n"]["after"] == "2026-06-02T01:30:00+00:00"


def test_an_idle_day_is_hardly_a_stir(bench: Bench) -> None:
    shutil.rmtree(bench.root / "daily")
    bench.serve("2026-06-02T12:00")
    minutes = timedelta(days=1) / timedelta(minutes=1)
    assert bench.clock.waits <= minutes + 10
