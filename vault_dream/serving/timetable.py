"""Which job is due: times by their cron lines, what was done of them, and tries that failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from vault_dream import cron
from vault_dream.config import Settings
from vault_dream.engine.errors import FilesystemError
from vault_dream.serving.last_runs import LastRun, LastRuns

PATIENCE = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
"""How long after each failed try the next one comes; the last goes on for ever."""


@dataclass(frozen=True, slots=True)
class Due:
    """A job whose ``times`` came and are not done; one run serves them all."""

    job: str
    times: tuple[datetime, ...]

    @property
    def days(self) -> int:
        """On how many days of the calendar it came due."""
        return len({time.date() for time in self.times})

    @property
    def span(self) -> int:
        """How many days there are from the first time to the last."""
        return (self.times[-1].date() - self.times[0].date()).days


@dataclass(slots=True)
class _State:
    """A job now. ``next`` is its first time after ``last``, as reckoned at ``offset`` from UTC."""

    last: LastRun
    offset: timedelta | None = None
    next: datetime | None = None
    tries: int = 0
    not_before: datetime | None = None


class Timetable:
    """The times of the jobs of one vault. Stateful: it remembers what was done, here and on disk.

    ``troubled`` is told where the memory cannot be written; the times are kept all the same.
    """

    def __init__(self, last: LastRuns, troubled: Callable[[FilesystemError], object]) -> None:
        self._last = last
        self._troubled = troubled
        self._states: dict[str, _State] = {}

    def due(self, jobs: Mapping[str, Settings], now: datetime) -> Due | None:
        """The job that is longest overdue, of those that are not put off; None for none."""
        found = []
        for job, settings in jobs.items():
            state = self._state(job, settings, now)
            if state.next is None or state.next > now:
                continue
            if state.not_before is not None and state.not_before > now:
                continue
            zone = cron.zone_named(settings.timezone)
            times = cron.missed(state.last.line, state.last.after, now, zone)
            found.append(Due(job, tuple(times)))
        return min(found, key=lambda due: due.times[0], default=None)

    def done(self, job: str, began: datetime, run_id: str) -> None:
        """A run that began at ``began`` did all that was due of ``job``."""
        state = self._states[job]
        self._keep(job, _State(replace(state.last, after=began, run_id=run_id)))

    def put_off(self, job: str, now: datetime) -> timedelta:
        """A try failed; how long it is until the next one."""
        state = self._states[job]
        wait = PATIENCE[min(state.tries, len(PATIENCE) - 1)]
        state.tries += 1
        state.not_before = now + wait
        return wait

    def hurry(self) -> None:
        """What was in the way may be gone: what is put off is due at once."""
        for state in self._states.values():
            state.tries, state.not_before = 0, None

    def next(self, jobs: Mapping[str, Settings], now: datetime) -> dict[str, datetime]:
        """When each job is to run next, further tries included, in the zone of the vault."""
        found = {}
        for job, settings in jobs.items():
            state = self._state(job, settings, now)
            zone = cron.zone_named(settings.timezone)
            at = state.next
            if at is not None and at <= now:
                at = cron.next_time(state.last.line, now, zone)
                if (again := state.not_before) is not None:
                    at = again if at is None else min(at, again, key=datetime.timestamp)
            if at is not None:
                found[job] = at.astimezone(zone)
        return found

    def _state(self, job: str, settings: Settings, now: datetime) -> _State:
        """What is known of a job. One that is new, or has another time, begins now; a clock that
        was ahead is forgotten."""
        line, zone = settings.pipeline.cron, settings.timezone
        state = self._states.get(job)
        if state is None and (remembered := self._last.get(job)) is not None:
            state = self._states[job] = _State(remembered)
        if state is None or (state.last.line, state.last.zone) != (line, zone):
            run_id = state.last.run_id if state is not None else ""
            state = self._keep(job, _State(LastRun(line, zone, now, run_id)))
        elif state.last.after > now:
            state = self._keep(job, _State(replace(state.last, after=now)))
        where = cron.zone_named(zone)
        offset = now.astimezone(where).utcoffset()
        if state.offset != offset:  # the first look, or the machine is in another zone now
            state.next = cron.next_time(line, state.last.after, where)
            state.offset = offset
        return state

    def _keep(self, job: str, state: _State) -> _State:
        self._states[job] = state
        try:
            self._last.put(job, state.last)
        except FilesystemError as error:
            self._troubled(error)
        return state
