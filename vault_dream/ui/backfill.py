"""Older days: what reading them may take, then one after another, oldest first."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import date
from typing import Any

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.events import Integrated, Integrating
from vault_dream.ui.action import BACKFILL, Action
from vault_dream.ui.dialogs import Ask
from vault_dream.ui.home_page import count
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Done, Page
from vault_dream.ui.sights import OlderPlan


def day_words(day: date) -> str:
    """A day as a person writes it."""
    return f"{day.day} {day:%B %Y}"


class BackfillPage(Page[None]):
    """Plans a backfill and runs it. Stateful: the plan, and how far the run has come."""

    PLACE = BACKFILL

    DEFAULT_CSS = """
    BackfillPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.plan: OlderPlan | None = None
        self.range: tuple[date, date] | None = None
        self.cap: int | None = None
        self.problem: VaultDreamError | None = None
        self.running = False
        self.result: tuple[str, ...] = ()
        self._at: tuple[int, int, date] | None = None
        self._found: list[str] = []
        self._began = time.monotonic()

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page")

    def on_mount(self) -> None:
        self.set_interval(1.0, self._tick, name="clock")
        self._look()

    def _look(self) -> None:
        """Plan, with what was said so far."""
        self.plan = self.problem = None
        self.redraw()
        self.later(
            lambda: self.desk.plan_older(self.range, self.cap),
            self._planned,
            group="plan",
            failed=self._no_plan,
        )

    def _planned(self, plan: OlderPlan) -> None:
        self.plan = plan
        self.redraw()

    def _no_plan(self, error: VaultDreamError) -> None:
        self.problem = error
        self.redraw()

    # Drawing -------------------------------------------------------------------------------------

    @property
    def can_go_on(self) -> bool:
        """Whether there is a plan with something to read, and it does not run yet."""
        return bool(self.plan and self.plan.days and not self.running and not self.result)

    def redraw(self) -> None:
        """Show the plan, the run or its end."""
        right = f"{time.monotonic() - self._began:.0f} s" if self.running else ""
        self.show_head([("Older days", "strong")], [(right, "muted")])
        self.query_one("#page", LineList).show(self._rows)
        self.show_keys()

    def _tick(self) -> None:
        if self.running and self.is_current:
            right = f"{time.monotonic() - self._began:.0f} s"
            self.show_head([("Older days", "strong")], [(right, "muted")])

    def _rows(self, width: int) -> list[Line]:
        room = min(width - 4, 92)
        if self.problem is not None:
            return [
                BLANK,
                *wrapped([(self.problem.what, "warn")], room, first=["  "]),
                *wrapped([("Next: ", "muted"), self.problem.next], room, first=["  "]),
            ]
        if self.plan is None:
            return [BLANK, line("  ", (f"Counting the older days {self.glyphs.dots}", "muted"))]
        rows = [BLANK, *self._plan_rows(self.plan, room)]
        if self.running or self._found:
            rows += [BLANK, *self._run_rows(room)]
        for word in self.result:
            rows += wrapped([word], room, first=["  "])
        return rows

    def _plan_rows(self, plan: OlderPlan, room: int) -> list[Line]:
        if not plan.days:
            words = "Every older day has been read."
            return [line("  ", words)]
        days = day_words(plan.first)
        if plan.last != plan.first:
            days += f" to {day_words(plan.last)}"
        rows = wrapped(
            [
                (f"{count(plan.days, 'day').capitalize()} ", "strong"),
                f"with something to read, {days}.",
            ],
            room,
            first=["  "],
        )
        rows.append(BLANK)
        for word in plan.words:
            rows += wrapped([(word, "muted")], room, first=["  "])
        rows.append(BLANK)
        if plan.first_send is not None and not self.running and not self.result:
            host, model = plan.first_send.host, plan.first_send.model
            rows += wrapped(
                [("Nothing was ever sent to ", "warn"), (f"{host} ({model})", "accent"), "."],
                room,
                first=["  "],
            )
        rows += wrapped(
            [
                (
                    "What is found waits for you; nothing lands by itself. You can stop at any "
                    "moment and continue later.",
                    "muted",
                )
            ],
            room,
            first=["  "],
        )
        return rows

    def _run_rows(self, room: int) -> list[Line]:
        rows: list[Line] = []
        if self._at is not None and self.running:
            number, total, day = self._at
            words = f"{number} of {total}: {day_words(day)}"
            rows += [line("  ", (f"{self.glyphs.waiting} ", "accent"), words), BLANK]
        for name in self._found[-12:]:
            rows += wrapped([name], room, first=["    "])
        return [*rows, BLANK]

    # What happens --------------------------------------------------------------------------------

    def hear(self, event: Any) -> None:
        """A day's unit came to something."""
        if not self.running:
            return
        if isinstance(event, Integrated):
            self._found.append(f"{event.name}: {event.failure or event.target}")
        if isinstance(event, Integrated | Integrating):
            self.redraw()

    def _begin_day(self, number: int, total: int, day: date) -> None:
        """In the backfill's thread: a day begins."""

        def note() -> None:
            self._at = (number, total, day)
            self.redraw()

        self.post_message(Done("backfill", self.number("backfill"), note))

    def do_go_on(self) -> None:
        plan = self.plan
        if plan is None or not self.can_go_on:
            self.dream_app.switch_to_review()
            return
        self.running = self.desk.dreaming = True
        self._began = time.monotonic()
        self.redraw()
        self.later(
            lambda: self.desk.read_older(plan, self._begin_day),
            self._through,
            group="backfill",
            failed=self._failed,
        )

    def _through(self, words: tuple[str, ...]) -> None:
        self.running = False
        self.result = words
        self.redraw()
        number = sum(1 for p in self.desk.proposals if p.state == "open")
        self.say(f"enter reviews {number}" if number else "nothing waits for you")

    def _failed(self, error: VaultDreamError) -> None:
        self.running = self.desk.dreaming = False
        self.problem = error
        self.redraw()

    def do_stop(self) -> None:
        self.desk.open_session.cancel()
        self.say("stopping; finished work is kept, and the backfill continues from here")

    def do_days_at_once(self) -> None:
        def done(text: str | None) -> None:
            if text and text.isascii() and text.isdigit():
                self.cap = int(text)
                self._look()
            elif text:
                self.say("a number of days, such as 10; 0 reads them all", "warn")

        self.app.push_screen(Ask("How many days per run?", "such as 10; 0 reads them all"), done)

    def do_which_days(self) -> None:
        plan = self.plan
        value = f"{plan.first} {plan.last}" if plan is not None and plan.days else ""

        def done(text: str | None) -> None:
            if not text:
                return
            try:
                first, last = map(date.fromisoformat, text.split())
            except ValueError:
                self.say("two days, such as 2024-01-01 2024-12-31", "warn")
                return
            self.range = (first, last)
            self._look()

        self.app.push_screen(
            Ask("From which day to which?", "such as 2024-01-01 2024-12-31", value), done
        )

    def name_of(self, action: Action) -> str:
        if action.id == "go_on" and self.can_go_on:
            return "begin"
        return "pause" if action.id == "stop" else super().name_of(action)
