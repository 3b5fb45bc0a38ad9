"""Staying resident: jobs run when their times come, and what was missed runs once on waking.

The machine may sleep, be switched off or lose the vault for a while. Each job remembers up to when
its times are over (``last_runs``); whatever came due since is one run, and the scan reads the days
between. What could not run (somebody else dreams, the model cannot be reached, the vault is away)
is tried again, ever more rarely, until it can.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from vault_dream.config import VAULT_FILE, Settings
from vault_dream.engine.dream.reader import Reader
from vault_dream.engine.dream.report import exit_code
from vault_dream.engine.dream.scan import LONGEST_WINDOW
from vault_dream.engine.errors import (
    BusyError,
    FilesystemError,
    NoModelError,
    SettingsError,
    VaultDreamError,
)
from vault_dream.engine.events import Event, Scanned, Sending
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.headless import Finished, check_machine, dream
from vault_dream.places import index_file
from vault_dream.progress import describe
from vault_dream.readers import make_reader
from vault_dream.serving.freshness import Freshness
from vault_dream.serving.last_runs import LastRuns
from vault_dream.serving.log import Log
from vault_dream.serving.standing import Standing
from vault_dream.serving.timetable import Due, Timetable
from vault_dream.serving.waking import Clock
from vault_dream.summary import count

LONGEST_WAIT = 60.0
"""Seconds of a wait at most. A machine that slept does not count the time in its waits, so this is
also how late a missed job may start after waking."""

LATE = timedelta(minutes=5)
"""From here on a job counts as missed, and the log says so."""

MOST_UNITS = 100
MOST_REMEMBERED = 1_000

MakeReader = Callable[[Settings, Path], Reader | None]


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one run of a job."""

    job: str
    at: str
    times: int
    outcome: str
    code: int
    run_id: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "at": self.at,
            "times": self.times,
            "outcome": self.outcome,
            "code": self.code,
            "run_id": self.run_id or None,
        }


class Server:
    """One vault that is served. Stateful: between ``serve`` and its end it holds the vault's
    *serve* lock, and ``stop`` may be called from any thread.

    ``standing`` has the settings, reloaded when their files change. ``fresh`` keeps the indexes.
    """

    def __init__(
        self,
        root: Path,
        standing: Standing,
        *,
        clock: Clock,
        log: Log,
        fresh: Freshness | None = None,
        reader_of: MakeReader = make_reader,
    ) -> None:
        self._root = root
        self._standing = standing
        self._clock = clock
        self._log = log
        self._fresh = fresh
        self._reader_of = reader_of
        self._marks = tuple(mark for mark in self._possible_marks() if _exists(root / mark))
        self._away = False
        self._session: ReviewSession | None = None
        self._stopped_by = ""
        self._once = False
        self._table: Timetable
        self._next_said: object = None
        self._problem_said = ""
        self.ran: deque[Ran] = deque(maxlen=MOST_REMEMBERED)
        self.runs = 0

    def stop(self, why: str) -> None:
        """Stop what runs, without harm, and then end; from any thread."""
        self._stopped_by = self._stopped_by or why
        if (session := self._session) is not None:
            session.cancel()
        self._clock.wake()

    def serve(self, *, once: bool = False) -> int:
        """Serve until somebody stops it, or, ``once``, until nothing is due; the exit code.

        Raises :class:`BusyError` where another process serves the vault, :class:`SettingsError`
        where this machine may not, and :class:`FilesystemError` where its state cannot be read.
        """
        self._once = once
        check_machine(self._standing.settings)
        with VaultLock(self._root, "serve").acquire("serve"):
            last = LastRuns(self._root)
            if (problem := last.problem) is not None:
                self._log.say("warning", "state", f"{problem.where}: {problem.what}")
            self._table = Timetable(last, lambda error: self._log.say("error", "state", str(error)))
            jobs = ", ".join(self._standing.jobs) or "no jobs with a time"
            self._log.say("info", "started", f"{self._root}: {jobs}", vault=str(self._root))
            if self._fresh is not None and not once:
                self._begin_fresh(self._fresh)
            try:
                return self._loop()
            finally:
                if self._fresh is not None:
                    self._fresh.stop()
                why = self._stopped_by or ("nothing more is due" if once else "an error")
                self._log.say("info", "stopped", why)

    def next_times(self) -> dict[str, datetime]:
        """When each job is to run next."""
        return self._table.next(self._standing.jobs, self._clock.now())

    @property
    def stopped_by(self) -> str:
        return self._stopped_by

    def _loop(self) -> int:
        codes = [0]
        while not self._stopped_by:
            if not self._is_there():
                if self._once:
                    return 6
                self._clock.wait(LONGEST_WAIT)
                continue
            self._reload()
            self._catch_up()
            due = self._table.due(self._standing.jobs, self._clock.now())
            if due is not None:
                codes.append(self._run(due))
            elif self._once:
                break
            else:
                times = self.next_times()
                self._say_next(times)
                self._clock.wait(self._seconds_to(times))
        return max(codes) if self._once else 0

    # The vault -----------------------------------------------------------------------------------

    def _possible_marks(self) -> tuple[str, ...]:
        settings = self._standing.settings
        return (".obsidian", VAULT_FILE, settings.state_dir, settings.digest_dir)

    def _is_there(self) -> bool:
        """Whether the vault is where it was. An empty folder in its place is a disk that is not
        mounted: read as a vault, it would say that every note was deleted."""
        marks = [self._root / mark for mark in self._marks] or [self._root]
        there = any(map(_exists, marks))
        if there == self._away:
            self._away = not there
            if there:
                self._log.say("info", "vault back", str(self._root))
                self._table.hurry()
                if self._fresh is not None:
                    self._begin_fresh(self._fresh)
            else:
                self._log.say("warning", "vault gone", f"{self._root}: waiting until it is back")
                if self._fresh is not None:
                    self._fresh.stop()
        return there

    def _begin_fresh(self, fresh: Freshness) -> None:
        fresh.stop()
        try:
            fresh.start(self._standing.settings)
        except (VaultDreamError, OSError) as error:
            self._log.say("error", "index", str(error))
            return
        if fresh.problem and fresh.problem != self._problem_said:
            self._problem_said = fresh.problem
            self._log.say(
                "warning", "index", f"changes are not told, so they are looked for: {fresh.problem}"
            )

    def _catch_up(self) -> None:
        if self._fresh is None:
            return
        try:
            read = self._fresh.catch_up()
        except (VaultDreamError, OSError) as error:
            self._log.say("error", "index", str(error))
            return
        if read:
            self._log.say("debug", "index", f"{count(read, 'note')} brought in", notes=read)

    def _reload(self) -> None:
        if not self._standing.files_changed():
            return
        try:
            changed = self._standing.reload(still_there=self._is_there)
        except SettingsError as error:
            self._log.say("error", "settings", f"{error}; the old ones stay", where=error.where)
            return
        if changed:
            self._log.say("info", "settings", "read again")
            self._table.hurry()
            if self._fresh is not None:
                self._begin_fresh(self._fresh)

    # The jobs ------------------------------------------------------------------------------------

    def _run(self, due: Due) -> int:
        """Run a job once for all its times that came; the exit code that it stands for."""
        settings = self._standing.jobs[due.job]
        began = self._clock.now()
        self._say_begin(due, began)
        try:
            check_machine(settings)
            finished = self._dream(_for_all_times(due, settings))
        except BusyError as error:
            return self._try_again(due, began, "busy", error, 3)
        except NoModelError as error:
            return self._try_again(due, began, "no model", error, 4)
        except FilesystemError as error:
            return self._try_again(due, began, "failed", error, 6)
        except VaultDreamError as error:
            return self._try_again(due, began, "failed", error, 2)
        except Exception as error:  # noqa: BLE001 - our fault costs this run, not all nights
            return self._try_again(due, began, "failed", error, 1)
        if self._stopped_by:
            return self._over(due, began, finished, "stopped", 0)
        if isinstance(finished.stopped, NoModelError):
            self._over(due, began, finished, "no model", 4)
            return self._try_again(due, began, "no model", finished.stopped, 4, counted=True)
        self._table.done(due.job, began, finished.report["run_id"])
        code = 5 if finished.out_of_budget else exit_code(finished.report)
        return self._over(due, began, finished, finished.report["status"], code)

    def _dream(self, settings: Settings) -> Finished:
        with ReviewSession(
            self._root,
            settings,
            reader=self._reader_of(settings, self._root),
            clock=self._clock.now,
            on_event=self._tell,
            index_file=index_file(self._root),
        ) as session:
            self._session = session
            try:
                return dream(session, policy=settings.policy)
            finally:
                self._session = None

    def _tell(self, event: Event) -> None:
        if isinstance(event, Scanned) and self._stopped_by and self._session is not None:
            self._session.cancel()  # it was asked to stop before the run could hear it
        if text := describe(event):
            self._log.say("info" if isinstance(event, Sending) else "debug", "run", text)

    def _say_begin(self, due: Due, now: datetime) -> None:
        first, last = due.times[0], due.times[-1]
        text = f"{due.job}: due {last:%Y-%m-%d %H:%M}"
        if len(due.times) > 1:
            text = f"{due.job}: due {len(due.times)} times since {first:%Y-%m-%d %H:%M}, runs once"
        elif now - last > LATE:
            text += ", missed until now"
        self._log.say("info", "job begins", text, job=due.job, times=len(due.times))

    def _over(self, due: Due, began: datetime, done: Finished, outcome: str, code: int) -> int:
        report = done.report
        made = f"{len(report['nodes_created'])} created, {len(report['nodes_updated'])} changed"
        text = f"{due.job}: {outcome}, {made}, {report['queued']} waiting for you"
        if report["failed_units"]:
            text += f", {len(report['failed_units'])} failed"
        if report["files"]["older_unread"]:
            text += f", {report['files']['older_unread']} older notes never read"
        self._log.say(
            "warning" if code else "info",
            "job done",
            text,
            job=due.job,
            outcome=outcome,
            run_id=report["run_id"],
            code=code,
        )
        self._count(due, began, outcome, code, report["run_id"])
        return code

    def _try_again(
        self,
        due: Due,
        began: datetime,
        outcome: str,
        error: Exception,
        code: int,
        *,
        counted: bool = False,
    ) -> int:
        wait = self._table.put_off(due.job, self._clock.now())
        kind = "" if isinstance(error, VaultDreamError) else f"{type(error).__name__}: "
        when = "when it is called" if self._once else f"in {wait.total_seconds() / 60:.0f} min"
        self._log.say(
            "warning" if isinstance(error, BusyError | NoModelError) else "error",
            "job waits",
            f"{due.job}: {outcome}: {kind}{error}; tried again {when}",
            job=due.job,
            outcome=outcome,
        )
        if not counted:
            self._count(due, began, outcome, code)
        return code

    def _count(self, due: Due, began: datetime, outcome: str, code: int, run_id: str = "") -> None:
        at = began.astimezone(due.times[0].tzinfo).isoformat(timespec="seconds")
        self.ran.append(Ran(due.job, at, len(due.times), outcome, code, run_id))
        self.runs += 1

    # Waiting -------------------------------------------------------------------------------------

    def _say_next(self, times: Mapping[str, datetime]) -> None:
        if not times or times == self._next_said:
            return
        self._next_said = times
        words = ", ".join(f"{job} at {time:%Y-%m-%d %H:%M}" for job, time in times.items())
        self._log.say("info", "next", words)

    def _seconds_to(self, times: Mapping[str, datetime]) -> float:
        now = self._clock.now()
        waits = [LONGEST_WAIT, *((time - now).total_seconds() for time in times.values())]
        if self._fresh is not None and (soon := self._fresh.seconds_to_next()) is not None:
            waits.append(soon)
        return max(0.05, min(waits))


def _for_all_times(due: Due, settings: Settings) -> Settings:
    """``settings`` for a run that makes up for nights that were missed: it reads the days that they
    would have read, and may bring as much as they might."""
    units = min(settings.max_units * min(due.days, LONGEST_WINDOW), MOST_UNITS)
    days = min(settings.scan_days + due.span, LONGEST_WINDOW)
    return replace(
        settings,
        max_units=max(units, settings.max_units),
        scan_days=max(days, settings.scan_days),
    )


def _exists(path: Path) -> bool:
    """Whether there is a file or folder; a network folder that went away answers with errors of all
    kinds."""
    try:
        return path.exists()
    except OSError:
        return False
