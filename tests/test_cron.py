"""Cron lines: what they may be, and when they come due where clocks change."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.cron import CronError, checked, missed, next_time, occurrences, zone_named

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("line", "spelt"),
    [
        ("30 3 * * *", "30 3 * * *"),
        ("  30   3 *\t* * ", "30 3 * * *"),
        ("@daily", "0 0 * * *"),
        ("@Midnight", "0 0 * * *"),
        ("*/15 2-4 1,15 jan-mar mon", "*/15 2-4 1,15 jan-mar mon"),
        ("0 0 29 2 *", "0 0 29 2 *"),
        ("0 4 L * *", "0 4 L * *"),
        ("0 4 * * 7", "0 4 * * 7"),
    ],
)
def test_a_line_that_can_be_meant_is_spelt_in_five_fields(line: str, spelt: str) -> None:
    assert checked(line) == spelt


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "five fields"),
        ("every night", "five fields"),
        ("0 30 3 * * *", "five fields"),
        ("@reboot", "five fields"),
        ("60 3 * * *", "minute"),
        ("30 24 * * *", "hour"),
        ("30 3 0 * *", "day-of-month"),
        ("30 3 * 13 *", "month"),
        ("30 3 * * 8", "day-of-week"),
        ("30 3 * * FRIDAY", "day-of-week"),
        ("-1 3 * * *", "minute"),
        ("*/0 3 * * *", "minute"),
        ("5-1 3 * * *", "minute"),
        ("30 3 30 2 *", "day-of-month"),
        ("0 0 31 4,6 *", "day-of-month"),
        ("٣ 3 * * *", "minute"),
        ("30 3 * * 5#6", "day-of-week"),
        ("30 3 * * 5#2/2", ""),
        ("1/99999999999999999999999 3 * * x", ""),
        ("9" * 5000 + " 3 * * *", "five fields"),
        ("30 3 * * " + "," * 190, ""),
    ],
)
def test_a_line_that_cannot_says_which_field_is_wrong(line: str, why: str) -> None:
    with pytest.raises(CronError) as error:
        checked(line)
    assert why in str(error.value)


PARTS = ("0", "1", "7", "59", "*", "*/5", "1-3", "L", "#", "L5", "MON#2", ",", "/", "-", "?", "5L")


@given(st.lists(st.sampled_from(PARTS), max_size=6))
def test_whatever_is_written_is_a_line_or_an_error(parts: list[str]) -> None:
    try:
        line = checked(" ".join(parts))
    except CronError:
        return
    assert next_time(line, datetime(2026, 1, 1, tzinfo=UTC), BERLIN) is not None


def days(line: str, start: str, count: int) -> list[str]:
    after = datetime.fromisoformat(start).replace(tzinfo=BERLIN)
    return [time.isoformat()[5:] for time in islice(occurrences(line, after, BERLIN), count)]


def test_a_time_that_the_clocks_skip_comes_once_when_they_have() -> None:
    assert days("30 2 * * *", "2026-03-28T00:00:00", 3) == [
        "03-28T02:30:00+01:00",
        "03-29T03:00:00+02:00",
        "03-30T02:30:00+02:00",
    ]
    assert days("*/10 2 * * *", "2026-03-29T00:00:00", 2) == [
        "03-29T03:00:00+02:00",
        "03-30T02:00:00+02:00",
    ]


def test_a_time_that_comes_twice_runs_the_first_time_only() -> None:
    assert days("30 2 * * *", "2026-10-24T12:00:00", 2) == [
        "10-25T02:30:00+02:00",
        "10-26T02:30:00+01:00",
    ]
    between = datetime(2026, 10, 25, 2, 10, tzinfo=BERLIN, fold=1)  # the second pass
    found = next_time("30 2 * * *", between, BERLIN)
    assert found is not None and found.isoformat() == "2026-10-26T02:30:00+01:00"


def test_every_hour_means_every_hour_that_passes() -> None:
    assert days("30 * * * *", "2026-10-25T01:40:00", 3) == [
        "10-25T02:30:00+02:00",
        "10-25T02:30:00+01:00",
        "10-25T03:30:00+01:00",
    ]
    assert days("30 * * * *", "2026-03-29T01:00:00", 2) == [
        "03-29T01:30:00+01:00",
        "03-29T03:30:00+02:00",
    ]


def test_a_day_that_never_was_is_made_up_for_on_the_next() -> None:
    apia = ZoneInfo("Pacific/Apia")  # went from 29 to 31 December 2011
    after = datetime(2011, 12, 29, 12, tzinfo=apia)
    assert [time.date().day for time in islice(occurrences("0 9 * * *", after, apia), 2)] == [
        31,
        31,
    ]


@given(
    st.integers(0, 59),
    st.integers(0, 23),
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata"]),
)
def test_a_daily_line_comes_once_a_day_and_always_forward(
    minute: int, hour: int, start: datetime, zone_name: str
) -> None:
    zone = ZoneInfo(zone_name)
    after = start.replace(tzinfo=UTC)
    times = list(islice(occurrences(f"{minute} {hour} * * *", after, zone), 8))
    assert all(a < b for a, b in zip([after, *times], times, strict=False))
    dates = [time.date() for time in times]
    assert dates == [dates[0] + timedelta(days=n) for n in range(8)]


def test_what_was_missed_is_counted_up_to_now() -> None:
    after = datetime(2026, 3, 27, 2, 30, tzinfo=BERLIN)
    now = datetime(2026, 3, 30, 2, 30, tzinfo=BERLIN)
    assert [time.day for time in missed("30 2 * * *", after, now, BERLIN)] == [28, 29, 30]
    assert missed("30 2 * * *", now, now, BERLIN) == []
    assert len(missed("* * * * *", after, now, BERLIN, most=50)) == 50


def test_the_machine_s_own_zone_has_the_changes_that_a_named_one_has() -> None:
    """Asked in a process of its own, whose clock is set to Berlin by the system's variable."""
    code = (
        "from datetime import *; from vault_dream.cron import *; from itertools import islice\n"
        "for at in ('2026-03-28', '2026-10-24'):\n"
        "    after = datetime.fromisoformat(at + 'T12:00:00+00:00')\n"
        "    found = islice(occurrences('30 2 * * *', after, zone_named('local')), 2)\n"
        "    print(*(time.astimezone(UTC).isoformat() for time in found))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TZ": "Europe/Berlin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [
        "2026-03-29T01:00:00+00:00",
        "2026-03-30T00:30:00+00:00",
        "2026-10-25T00:30:00+00:00",
        "2026-10-26T01:30:00+00:00",
    ]
    assert zone_named("Europe/Berlin") == BERLIN
