"""What the desk has a reader do: a dream over what changed, older days, and leave to send."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from vault_dream.engine.errors import NoModelError, SettingsError
from vault_dream.ui.readings import Readings
from vault_dream.ui.sent import Sent, SentLog
from vault_dream.ui.sights import Ahead, OlderPlan

if TYPE_CHECKING:
    from vault_dream.engine.backfill import Plan
    from vault_dream.engine.dream.reader import FirstSend, Reader
    from vault_dream.engine.dream.units import Unit

DECLINED = "Nothing was sent, and nothing counts as read."


class Dreams(Readings):
    """The part of the desk that reads with a reader. Stateful: whether a dream goes on, and what
    was sent."""

    def __init__(self, reader: Reader | None, day: date | None) -> None:
        self.day = day
        self.dreaming = False
        self.sent = SentLog()
        self._reader = reader
        self._dream_over = threading.Event()

    def need_reader(self, *, fresh: bool = False, days: int = 1) -> None:
        """Make the reader, where there is none yet; a ``fresh`` one for each run, because it counts
        what is spent against the ceilings of one run over ``days``. Raises :class:`NoModelError`.
        """
        from vault_dream.readers import make_reader

        session = self.open_session
        if session.reader is None or (fresh and self._reader is None):
            session.reader = make_reader(
                session.settings, session.vault.root, on_send=self.sent.add, days=days
            )
        if session.reader is None:
            raise NoModelError(
                "vault-dream.yaml", "no model is configured", "set one, or provider: offline"
            )

    def dream(
        self,
        settle: Callable[[tuple[Unit, ...]], tuple[Unit, ...] | None],
        agree: Callable[[Ahead], bool],
    ) -> str:
        """Read what changed, let ``settle`` decide on the units, and integrate them.

        ``agree`` is asked before anything goes to an endpoint for the first time. Both block until
        a person decided; ``None`` of ``settle`` stops. Nothing lands. Returns a word on why it
        ended early. Raises :class:`BusyError`, :class:`NoModelError` and the like.
        """
        session = self.open_session
        self.dreaming = True
        self._dream_over.clear()
        try:
            with session.dreaming("review"):
                self.need_reader(fresh=True)
                session.scan(self.day)
                ahead = self._ahead()
                if ahead is not None and not agree(ahead):
                    return DECLINED
                units = session.extract()
                if session.run.extract_failed:
                    if not session.cancelled:
                        session.save()
                    return session.run.extract_failed
                kept = settle(units) if units else ()
                if kept is None:
                    session.cancel()
                else:
                    session.set_units(kept)
                session.integrate()
                session.save()
        finally:
            self.dreaming = False
            self._dream_over.set()
        return ""

    def _ahead(self) -> Ahead | None:
        """What the run is about to send to an endpoint that is new."""
        session = self.open_session
        first = session.first_send()
        if first is None:
            return None
        retries, fresh = session.to_read()
        again = (path for unit in retries for path in unit.unit.paths)
        paths = dict.fromkeys((*(source.path for source in fresh), *again))
        return Ahead(first, session.estimate(), tuple(paths))

    def preview(self) -> tuple[Sent, ...]:
        """What would be sent if the dream went on, once it has scanned."""
        bodies = self.open_session.preview()
        return tuple(Sent("", "extract", body) for body in bodies)

    def new_endpoint(self) -> FirstSend | None:
        """The endpoint that a single request would go to, where nothing was sent to it before.
        Raises :class:`NoModelError`."""
        self.need_reader()
        return self.open_session.first_contact()

    # Older days ----------------------------------------------------------------------------------

    def plan_older(self, range: tuple[date, date] | None, cap: int | None) -> OlderPlan:
        """What is left to read of older days and what that may take: of ``range``, else of the one
        that was begun, else of all; ``cap`` days at once (0: all). Raises :class:`SettingsError`
        and :class:`NoModelError`.
        """
        from vault_dream.engine.backfill import DAYS_PER_RUN
        from vault_dream.summary_older import plan_text

        session = self.open_session
        cap = DAYS_PER_RUN if cap is None else cap
        self.need_reader(fresh=True, days=cap or DAYS_PER_RUN)
        plan = self._plan(range, cap)
        words = plan_text(plan.as_json(), session.settings.budget.tokens).splitlines()[1:]
        days = plan.days
        return OlderPlan(
            len(days),
            days[0].day if days else plan.range.first,
            days[-1].day if days else plan.range.last,
            tuple(f"{word.strip()[:1].upper()}{word.strip()[1:]}." for word in words),
            session.first_contact(),
            plan,
        )

    def _plan(self, range: tuple[date, date] | None, cap: int) -> Plan:
        from vault_dream.engine.backfill import OLDEST

        session = self.open_session
        if range is not None:
            return session.plan_backfill(*range, cap=cap)
        try:
            return session.plan_backfill(cap=cap)
        except SettingsError:  # none was begun
            return session.plan_backfill(OLDEST, cap=cap)

    def read_older(
        self, older: OlderPlan, begin: Callable[[int, int, date], None]
    ) -> tuple[str, ...]:
        """Read the days of a plan, oldest first; what is found waits. Returns what became of it, in
        lines. Raises :class:`BusyError` and :class:`FilesystemError`."""
        from vault_dream.backfilling import backfill
        from vault_dream.summary_older import backfill_text

        self.dreaming = True
        self._dream_over.clear()
        try:
            done = backfill(self.open_session, older.plan, policy="queue", begin=begin)
        finally:
            self.dreaming = False
            self._dream_over.set()
        return tuple(backfill_text(done.as_json()).splitlines())
