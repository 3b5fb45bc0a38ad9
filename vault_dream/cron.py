"""When a cron line comes due, in a zone whose clocks change.

A line with set hours keeps to the clock on the wall: a time that the clocks skip comes once, when
they have gone ahead, and a time that they show twice comes the first time only. A line for every
hour (``*`` or ``*/2`` in the second field) keeps to the hours that really pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

SHORT = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
FIELDS = ("minute", "hour", "day-of-month", "month", "day-of-week")
LONGEST = 200
"""Characters of a line that anybody can mean."""

SOME_DAY = datetime(2024, 1, 1)


class CronError(ValueError):
    """A cron line that says nothing, with words on what of it is wrong."""


def checked(line: str) -> str:
    """``line`` spelt out in five fields. Raises :class:`CronError`."""
    parts = SHORT.get(line.strip().lower(), line).split()
    if len(parts) != len(FIELDS) or len(line) > LONGEST:
        raise CronError("it has five fields: minute hour day-of-month month day-of-week")
    spelt = " ".join(parts)
    try:
        comes = next(_on_the_wall(spelt, SOME_DAY), None)
    except ValueError as error:
        raise CronError(_explained(error, parts)) from None
    if comes is None:
        raise CronError("it never matches a date")
    return spelt


def _explained(error: ValueError, parts: list[str]) -> str:
    name = str(error).removeprefix("Bad ")
    if name in FIELDS:
        return f"its {name} cannot be {parts[FIELDS.index(name)]!r}"
    return "it cannot be read"


def _on_the_wall(line: str, start: datetime) -> Iterator[datetime]:
    """The times of ``line`` after ``start``, without regard to zones where that has none."""
    from cronsim import CronSim, CronSimError

    try:
        yield from CronSim(line, start)
    except (CronSimError, ValueError, AssertionError, TypeError, IndexError) as error:
        # What its checks let through ends in whatever the arithmetic raises.
        raise ValueError(str(error)) from None
    except OverflowError:
        return  # beyond the last year that a date can have


def occurrences(line: str, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    """The instants, later than ``after``, at which ``line`` comes due, in order, in ``zone``."""
    start = after.astimezone(zone)
    last = after
    if line.split()[1].startswith("*"):
        found = _on_the_wall(line, start)
    else:
        naive = start.replace(tzinfo=None, fold=0)
        found = (_real(time, zone) for time in _on_the_wall(line, naive))
    for instant in found:
        if instant.astimezone(UTC) > last.astimezone(UTC):
            last = instant
            yield instant


def _real(time: datetime, zone: tzinfo) -> datetime:
    """The first instant at which the clocks of ``zone`` show ``time``, or have gone past it."""
    instant = time.replace(tzinfo=zone)
    while instant != instant.astimezone(UTC).astimezone(zone):  # the clocks skip it
        time += timedelta(minutes=1)
        instant = time.replace(tzinfo=zone)
    return instant


def next_time(line: str, after: datetime, zone: tzinfo) -> datetime | None:
    """The first time ``line`` comes due after ``after``; None for never."""
    return next(occurrences(line, after, zone), None)


def missed(
    line: str, after: datetime, now: datetime, zone: tzinfo, *, most: int = 10_000
) -> list[datetime]:
    """The times that came after ``after`` and not after ``now``, the first ``most`` of them."""
    found = []
    for instant in islice(occurrences(line, after, zone), most):
        if instant.astimezone(UTC) > now.astimezone(UTC):
            break
        found.append(instant)
    return found


class LocalZone(tzinfo):
    """The zone that this machine is in, clock changes included, as the system knows it."""

    def utcoffset(self, time: datetime | None) -> timedelta:
        if time is None:
            return timedelta(0)
        wall = time.replace(tzinfo=None)
        return wall - datetime.fromtimestamp(wall.timestamp(), UTC).replace(tzinfo=None)

    def dst(self, time: datetime | None) -> timedelta | None:
        return None

    def tzname(self, time: datetime | None) -> str:
        return "local"

    def fromutc(self, time: datetime) -> datetime:
        stamp = time.replace(tzinfo=UTC).timestamp()
        return datetime.fromtimestamp(stamp).replace(tzinfo=self)

    def __repr__(self) -> str:
        return "LocalZone()"


def zone_named(name: str) -> tzinfo:
    """The zone of the setting ``timezone``."""
    if name == "local":
        return LocalZone()
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)
