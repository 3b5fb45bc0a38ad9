"""Fourteen nights with everything that happens to a program that stays, against fourteen runs that
a person started by hand.

The digests are equal byte for byte, but for the dates on which a node was made and last changed:
what a missed night would have made on its day is made on the day of the run that made up for it.
That day is known for each night, so the dates of the runs by hand are put to it, and then not one
byte may differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.serving.clock import ToldClock
from tests.serving.diary import add, moments
from tests.serving.scenes import BERLIN, Served
from tests.support import make_vault
from vault_dream.config import load_settings
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.reader import ExtractAnswer, ExtractRequest
from vault_dream.engine.errors import NoModelError
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.headless import dream

SETTINGS = """\
provider: offline
timezone: Europe/Berlin
policy: apply
jobs:
  nightly:
    cron: "30 2 * * *"
    steps:
      - {backend: dream_extract_step, scan_days: 3}
      - dream_integrate_step
      - dream_finish_step
      - auto_tag_step
"""
NIGHTS = range(1, 15)
CLOCKS_CHANGE = {"spring": date(2026, 3, 18), "autumn": date(2026, 10, 20)}
"""First days: the clocks skip half past two on the eleventh night, or show it twice on the fifth.
"""


def night(first: date, number: int) -> datetime:
    """When the nightly job comes due."""
    due = datetime.combine(first + timedelta(days=number), time(2, 30), BERLIN)
    skipped = due.astimezone().astimezone(BERLIN).hour != 2
    return due.replace(hour=3, minute=0) if skipped else due


def by_hand(root: Path, first: date) -> Path:
    """The vault after a person's fourteen runs."""
    make_vault(root, {"vault-dream.yaml": SETTINGS})
    plan = sorted(moments(first, BERLIN), key=lambda moment: moment[0].timestamp())
    settings = load_settings(root, environ={}, user_file=root / "none", job="nightly")
    for number in NIGHTS:
        due = night(first, number)
        while plan and plan[0][0].timestamp() <= due.timestamp():
            _, day, text = plan.pop(0)
            add(root, day, text)
        reader = OfflineReader()
        with ReviewSession(root, settings, reader=reader, clock=lambda due=due: due) as session:
            report = dream(session, policy=settings.policy).report
        assert report["status"] in ("ok", "nothing"), report["errors"]
    assert plan == []
    return root


class Line:
    """The way to a model. Stateful: it may be down."""

    def __init__(self) -> None:
        self.down = False
        self.tried = 0


class ReaderOnLine(OfflineReader):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        self._line.tried += 1
        if self._line.down:
            raise NoModelError("http://nas:11434/v1", "cannot be reached", "start it")
        return await super().extract(request)


def served_fortnight(root: Path, first: date, line: Line) -> Served:
    """The vault after a fortnight in which much went wrong."""
    make_vault(root, {"vault-dream.yaml": SETTINGS})

    def on(day: int, at: str) -> datetime:
        return datetime.combine(first + timedelta(days=day), time.fromisoformat(at), BERLIN)

    clock = ToldClock(on(0, "10:00"))
    for when, day, text in moments(first, BERLIN):
        clock.at(when, lambda day=day, text=text: add(root, day, text))
    served = Served(root, clock, reader_of=lambda settings, root: ReaderOnLine(line))

    clock.nap(on(2, "23:00"), on(4, "10:00"))  # nights 3 and 4: the lid was closed

    clock.at(on(5, "20:00"), lambda: setattr(line, "down", True))  # nights 6, 7 and 8
    clock.at(on(8, "09:00"), lambda: setattr(line, "down", False))

    away = root.with_name("elsewhere")
    clock.at(on(9, "22:00"), lambda: root.rename(away))  # night 10
    clock.at(on(10, "11:00"), lambda: away.rename(root))

    served.start(until=on(11, "23:00"))  # nights 12 and 13: the machine was off
    clock.nap(on(11, "23:00"), on(13, "08:00"))

    lock = VaultLock(root, "dream")
    clock.at(on(14, "02:00"), lambda: lock.acquire("review"))  # somebody was up late
    clock.at(on(14, "02:50"), lock.release)
    served.start(until=on(14, "12:00"))
    return served


def nodes(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted((root / "digest").rglob("*"))
        if path.is_file()
    }


def known(root: Path) -> dict[str, Any]:
    """What the catalog holds of each source, without the run and the time that it was read in."""
    catalog = json.loads((root / "metadata/file_catalog/dream.json").read_text())
    return {
        path: (entry["hash"], entry["blocks"], entry["state"], entry["units"])
        for path, entry in catalog["files"].items()
    }


def put_to(dates: Mapping[date, date], text: str) -> str:
    """``text`` with the dates of a run by hand put to the run that did its work."""
    return re.sub(
        r"(?m)^(created|updated): (\d{4}-\d\d-\d\d)$",
        lambda found: f"{found[1]}: {dates[date.fromisoformat(found[2])]}",
        text,
    )


@pytest.mark.parametrize("season", CLOCKS_CHANGE)
def test_a_fortnight_ends_in_the_digest_of_fourteen_runs_by_hand(
    tmp_path: Path, season: str
) -> None:
    first = CLOCKS_CHANGE[season]
    line = Line()
    hand = by_hand(tmp_path / "hand" / "vault", first)
    served = served_fortnight(tmp_path / "served" / "vault", first, line)
    done = [(datetime.fromisoformat(ran.at), ran.times) for ran in served.runs if ran.code == 0]
    days = [(at.astimezone(BERLIN).date() - first).days for at, _ in done]
    assert days == [1, 2, 4, 5, 8, 9, 10, 11, 13, 14]
    assert [times for _, times in done] == [1, 1, 2, 1, 3, 1, 1, 1, 2, 1]
    outcomes = [ran.outcome for ran in served.runs if ran.code]
    assert set(outcomes) == {"no model", "busy"} and outcomes[-1] == "busy"

    # Each night's work was done by the first run that came to an end after it.
    dates = {
        night(first, number).date(): next(
            at.astimezone(BERLIN).date() for at, _ in done if at >= night(first, number)
        )
        for number in NIGHTS
    }
    assert sum(made != due for due, made in dates.items()) == 4  # made up for on another day
    expected = {path: put_to(dates, text) for path, text in nodes(hand).items()}
    assert len(expected) > 12
    assert nodes(served.root) == expected
    assert known(served.root) == known(hand)

    assert [served.said_of("vault gone"), served.said_of("vault back")] == [
        [f"vault gone: {served.root}: waiting until it is back"],
        [f"vault back: {served.root}"],
    ]
    assert 10 < line.tried < 100, "a model that is away is asked again, and not in a frenzy"


def test_the_clocks_change_at_the_hour_of_the_job() -> None:
    spring, autumn = CLOCKS_CHANGE.values()
    assert night(spring, 11).isoformat() == "2026-03-29T03:00:00+02:00"
    assert night(autumn, 5).isoformat() == "2026-10-25T02:30:00+02:00"
