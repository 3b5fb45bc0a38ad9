"""Older days, read oldest first: what is left, what it may cost, and how far a backfill has come.

The catalog knows what was read, so a plan is only a range and the day that was reached. Days that
were already read cost nothing, and an interrupted backfill loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from vault_dream.engine.dream.extract import request_for
from vault_dream.engine.dream.kept import Backfill
from vault_dream.engine.dream.reader import Sender
from vault_dream.engine.dream.scan import Scanner, Source, window
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.intake import Intake
from vault_dream.engine.journal import FileWrite

DAYS_PER_RUN = 30
"""Days that one run of a backfill takes where nobody says how many."""
SAMPLED = 12
"""Days, evenly spread, that are read for an estimate; the others are taken to be like them."""
REMEMBERED = 20
"""Past runs that the time is foreseen from."""
OLDEST = date(1900, 1, 1)


@dataclass(frozen=True, slots=True)
class OldDay:
    """A day with something to read: the paths of its notes that were never read, changed since, or
    failed, and their bytes together."""

    day: date
    paths: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What reading some days may take: ``cost`` is ``None`` without prices, ``seconds`` where no
    run tells how fast the reader is. ``sampled`` days were looked at for it."""

    days: int = 0
    notes: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    seconds: float | None = None
    sampled: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "days": self.days,
            "notes": self.notes,
            "calls": self.calls,
            "tokens": self.tokens,
            "cost": self.cost,
            "seconds": self.seconds,
            "sampled_days": self.sampled,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """The days of ``range`` that are left to read, the oldest first; a run takes the first ``cap``
    of them (0: all)."""

    range: Backfill
    days: tuple[OldDay, ...]
    cap: int
    this_run: Foreseen
    whole: Foreseen

    @property
    def now(self) -> tuple[OldDay, ...]:
        return self.days[: self.cap] if self.cap else self.days

    @property
    def left(self) -> int:
        """Days that are left for later runs."""
        return len(self.days) - len(self.now)

    def as_json(self) -> dict[str, Any]:
        now = self.now
        return {
            "from": self.range.first.isoformat(),
            "to": self.range.last.isoformat(),
            "days": len(self.days),
            "days_this_run": [day.day.isoformat() for day in now],
            "this_run": self.this_run.as_json(),
            "whole": self.whole.as_json(),
        }


class OlderDays(Intake):
    """The part of a session that plans a backfill and remembers it. Stateful, as the open vault is;
    it asks no reader for anything but an estimate."""

    def plan_backfill(
        self, first: date | None = None, last: date | None = None, *, cap: int = DAYS_PER_RUN
    ) -> Plan:
        """What is left to read from ``first`` (the oldest day) to ``last`` (the day before those
        that a run reads by itself).

        With neither, the range that was begun goes on. :class:`SettingsError` where none was though
        a day is unread, where there is no dated note, or where the range is none.
        """
        self.vault.listing(refresh=True)
        catalog = self.catalog()
        scanner = Scanner(self.vault, self.layout, self.settings, catalog)
        begun = self.state.backfill()
        if first is None and last is None:
            if begun is None:
                begun = self._nothing_begun(scanner)
            wanted = begun
        else:
            wanted = Backfill(*self._range(scanner, first, last))
        days = tuple(_unread_days(scanner, wanted))
        now = days[:cap] if cap else days
        return Plan(wanted, days, cap, self._foresee(scanner, now), self._foresee(scanner, days))

    def keep_backfill(self, backfill: Backfill | None) -> None:
        """Save how far a backfill has come, or that it is over."""
        if self.dry_run:
            return
        known, path = self.state.backfill(), self.state.backfill_path
        if backfill == known:
            return
        if backfill is None:
            write = FileWrite(path, self._disk.read(self.vault.root / path), None)
        else:
            made = self.state.write(path, backfill.as_json())
            if made is None:
                return
            write = made
        self.journal.commit(self._run_id(), (), lambda landing: self.state.tidied([write]))

    def _range(self, scanner: Scanner, first: date | None, last: date | None) -> tuple[date, date]:
        begin = first or self._oldest(scanner)
        end = last or self._newest(scanner)
        if end > self.today:
            raise SettingsError(
                "--to", f"{end.isoformat()} has not come yet", f"today is {self.today.isoformat()}"
            )
        if begin > end:
            raise SettingsError(
                "--from",
                f"{begin.isoformat()} is after {end.isoformat()}, so there is no day to read",
                "give a --from that is on or before --to",
            )
        return begin, end

    def _oldest(self, scanner: Scanner) -> date:
        days = scanner.days()
        if not days:
            what = f"no daily notes were found, such as {self.layout.path_for(self.today)}"
            raise SettingsError("backfill", what, "set daily_dir and daily_format if yours differ")
        return days[0]

    def _newest(self, scanner: Scanner) -> date:
        """The day before those that a run reads by itself."""
        dates = window(self.today, self.settings.scan_days, scanner.catalog.last_completed)
        return dates[0] - timedelta(days=1)

    def _nothing_begun(self, scanner: Scanner) -> Backfill:
        """The whole range where all of it is read; :class:`SettingsError` where a day is not."""
        first, last = self._oldest(scanner), self._newest(scanner)
        older = (day for day in scanner.days() if day <= last)
        unread = [day for day in older if any(scanner.unread(scanner.inputs(day)))]
        if not unread:
            return Backfill(min(first, last), last)
        first, last = unread[0], unread[-1]
        are = "1 older day is" if len(unread) == 1 else f"{len(unread):,} older days are"
        raise SettingsError(
            "backfill",
            f"no backfill was begun, and {are} unread",
            f"give a range: --from {first.isoformat()} --to {last.isoformat()}",
        )

    def _foresee(self, scanner: Scanner, days: Sequence[OldDay]) -> Foreseen:
        notes = sum(len(day.paths) for day in days)
        sample = _spread(days)
        calls = tokens = 0
        costs: list[float] = []
        for day in sample:
            read = map(scanner.read, day.paths)
            fresh = [source for source in read if isinstance(source, Source) and source.fresh]
            if not fresh or not isinstance(self.reader, Sender):
                continue
            about = self.reader.estimate(
                request_for(
                    fresh,
                    max_units=self.settings.max_units,
                    hint="",
                    language=self.settings.language,
                )
            )
            calls, tokens = calls + about.calls, tokens + about.tokens
            if about.cost is not None:
                costs.append(about.cost)
        share = len(days) / len(sample) if sample else 0.0
        calls, tokens = round(calls * share), round(tokens * share)
        return Foreseen(
            days=len(days),
            notes=notes,
            calls=calls,
            tokens=tokens,
            cost=sum(costs) * share if costs else None,
            seconds=self._time_for(calls, notes),
            sampled=len(sample),
        )

    def _time_for(self, calls: int, notes: int) -> float | None:
        """How long so many calls, or without any so many notes, will take at the pace of the last
        runs with the same reader; ``None`` where there was none."""
        spent = made = 0.0
        for report in self._like_this():
            usage = report["usage"]
            count = usage["calls"] if calls else report["files"]["changed"]
            if usage["seconds"] and count:
                spent, made = spent + float(usage["seconds"]), made + float(count)
        return spent / made * (calls or notes) if made else None

    def _like_this(self) -> Iterator[Mapping[str, Any]]:
        """The reports of the last runs that the same reader made."""
        reader = self.reader
        if reader is None:
            return
        for run_id in self.state.run_ids()[-REMEMBERED:]:
            report = self.state.report(run_id)
            if report is None:
                continue
            try:
                numbers = report["usage"]["seconds"], report["usage"]["calls"]
                same = (report["provider"], report["model"]) == (reader.provider, reader.model)
                if same and all(isinstance(n, int | float) for n in numbers):
                    _ = int(report["files"]["changed"])
                    yield report
            except (KeyError, TypeError, ValueError):
                continue  # a report that somebody edited


def _unread_days(scanner: Scanner, wanted: Backfill) -> Iterator[OldDay]:
    entries = scanner.vault.listing().entries
    for day in _days(scanner, wanted):
        if wanted.reached is not None and day <= wanted.reached:
            continue
        readable = (path for path in scanner.inputs(day) if not scanner.left_out(path))
        paths = tuple(scanner.unread(readable, failed=True))
        if paths:
            yield OldDay(day, paths, sum(entries[path].size for path in paths))


def _days(scanner: Scanner, wanted: Backfill) -> Iterator[date]:
    """The days of the range that can have notes, oldest first."""
    if not scanner.settings.extra_inputs:
        yield from (day for day in scanner.days() if wanted.first <= day <= wanted.last)
        return
    first = max(wanted.first, OLDEST).toordinal()
    yield from map(date.fromordinal, range(first, wanted.last.toordinal() + 1))


def _spread(days: Sequence[OldDay]) -> list[OldDay]:
    """At most :data:`SAMPLED` of ``days``, evenly spread, the first and the last among them."""
    if len(days) <= SAMPLED:
        return list(days)
    step = (len(days) - 1) / (SAMPLED - 1)
    return [days[round(number * step)] for number in range(SAMPLED)]
