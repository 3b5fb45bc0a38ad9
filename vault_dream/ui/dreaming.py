"""Dreaming: what is being read, the units that were found, and what becomes of each."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from textual.widget import Widget

from vault_dream.engine.dream.units import BUCKETS, Unit, to_bucket
from vault_dream.engine.errors import BusyError, NoModelError, VaultDreamError
from vault_dream.engine.events import (
    Answering,
    Extracted,
    Extracting,
    Integrated,
    Integrating,
    Scanned,
)
from vault_dream.ui.action import DREAM, Action
from vault_dream.ui.dialogs import Ask
from vault_dream.ui.dream_page import Progress, dream_lines, trouble_lines
from vault_dream.ui.linelist import LineList
from vault_dream.ui.page import Done, Page
from vault_dream.ui.picker import Choice, Picker
from vault_dream.ui.sights import Ahead
from vault_dream.ui.waiting import Waiting


class DreamPage(Page[None]):
    """One dream, from the scan to the proposals. Stateful: its progress and the units."""

    PLACE = DREAM

    DEFAULT_CSS = """
    DreamPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.progress = Progress()
        self.units: list[Unit] = []
        self.dropped: set[str] = set()
        self.waits_for_units = False
        self.ahead: Ahead | None = None
        self._settling: Waiting[tuple[Unit, ...] | None] = Waiting(None)
        self._agreeing = Waiting(False)
        self._began = time.monotonic()

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page", bar=self.glyphs.bar)

    def on_mount(self) -> None:
        self.redraw()
        self.set_interval(1.0, self._tick, name="clock")
        self.desk.dreaming = True
        self.later(
            lambda: self.desk.dream(self._settle, self._agree),
            self._through,
            group="dream",
            failed=self._failed,
        )

    def _agree(self, ahead: Ahead) -> bool:
        """In the dream's thread: say what is about to be sent, and wait for a yes."""
        self.post_message(Done("dream", self.number("dream"), lambda: self._ask_consent(ahead)))
        return self._agreeing.wait()

    def _ask_consent(self, ahead: Ahead) -> None:
        self.ahead = ahead
        self.redraw()

    @property
    def waits_for_consent(self) -> bool:
        """Whether the dream goes on only with a person's leave to send."""
        return self.ahead is not None

    @property
    def can_go_on(self) -> bool:
        """Whether a word of the person lets the dream go on."""
        return self.waits

    @property
    def waits(self) -> bool:
        """Whether the dream waits for a word."""
        return self.waits_for_consent or self.waits_for_units

    def _settle(self, units: tuple[Unit, ...]) -> tuple[Unit, ...] | None:
        """In the dream's thread: hand the units over, and wait."""
        self.post_message(Done("dream", self.number("dream"), lambda: self._show_units(units)))
        return self._settling.wait()

    def _show_units(self, units: tuple[Unit, ...]) -> None:
        self.units = list(units)
        self.waits_for_units = True
        self.redraw()
        self.say("look them over: they cost nothing until you press enter")

    # Drawing -------------------------------------------------------------------------------------

    @property
    def page(self) -> LineList:
        return self.query_one("#page", LineList)

    def redraw(self) -> None:
        """Show the progress as it stands."""
        self.show_head([("Dream", "strong")], [(self._spent(), "muted")])
        self.page.show(
            lambda width: dream_lines(
                self.progress,
                self.units,
                self.dropped,
                width,
                self.glyphs,
                settling=self.waits_for_units,
                ahead=self.ahead,
            )
        )
        self.show_keys()

    def _spent(self) -> str:
        session = self.desk.session
        words = f"{time.monotonic() - self._began:.0f} s" if self.progress.going else ""
        if session is not None and session.reader is not None:
            usage = session.reader.usage()
            tokens = usage.prompt_tokens + usage.completion_tokens
            if tokens:
                words = f"{tokens:,} tokens   {words}"
            if usage.cost:
                words = f"{usage.cost:.2f}   {words}"
        return words

    def _tick(self) -> None:
        if self.progress.going and self.is_current:
            self.show_head([("Dream", "strong")], [(self._spent(), "muted")])

    def hear(self, event: Any) -> None:
        """The dream says how far it is."""
        self.progress = self.progress.after(event)
        if isinstance(
            event, Scanned | Extracting | Answering | Extracted | Integrating | Integrated
        ):
            self.redraw()

    def _through(self, problem: str) -> None:
        self.waits_for_units = False
        self.ahead = None
        self.progress = replace(self.progress, going=False, problem=problem)
        self.redraw()
        if problem:
            return
        number = len([p for p in self.desk.proposals if p.state == "open"])
        self.say(f"done; enter reviews {number}" if number else "done; nothing waits for you")

    def _failed(self, error: VaultDreamError) -> None:
        self.desk.dreaming = False
        self.waits_for_units = False
        self.ahead = None
        self.progress = replace(self.progress, going=False, problem=error.what)
        self.show_head([("Dream", "strong")])
        kind = (
            "busy"
            if isinstance(error, BusyError)
            else "model"
            if isinstance(error, NoModelError)
            else ""
        )
        self.page.show(lambda width: trouble_lines(error, kind, width))
        self.show_keys()

    # Units ---------------------------------------------------------------------------------------

    @property
    def unit(self) -> Unit | None:
        """The unit under the cursor."""
        number = self._at()
        return None if number is None else self.units[number]

    def _at(self) -> int | None:
        key = self.page.cursor or ""
        kind, _, number = key.partition(":")
        return int(number) if kind == "unit" and int(number) < len(self.units) else None

    def _put(self, unit: Unit) -> None:
        number = self._at()
        if number is not None:
            old = self.units[number].id
            self.units[number] = unit
            if old in self.dropped:
                self.dropped.discard(old)
                self.dropped.add(unit.id)
            self.redraw()

    def do_rename(self) -> None:
        unit = self.unit
        if unit is not None:
            self._ask("Name", unit.name, lambda text: replace(unit, name=text))

    def do_summarise(self) -> None:
        unit = self.unit
        if unit is not None:
            self._ask("Summary", unit.summary, lambda text: replace(unit, summary=text))

    def _ask(self, title: str, value: str, change: Any) -> None:
        def done(text: str | None) -> None:
            if text:
                self._put(change(text))

        self.app.push_screen(Ask(title, "enter keeps it, esc goes back", value), done)

    def do_bucket(self) -> None:
        unit = self.unit
        if unit is None:
            return
        words = {
            "procedure": "how something is done",
            "personal": "about you and the people around you",
            "wiki": "how something is",
        }

        def find(query: str) -> Sequence[Choice]:
            return [
                Choice(name, (f"{name:<12}", (words[name], "muted")))
                for name in BUCKETS
                if query.lower() in name
            ]

        def done(name: str | None) -> None:
            if name is not None:
                self._put(replace(unit, bucket=to_bucket(name)))

        self.app.push_screen(Picker("Which bucket?", find), done)

    def do_drop(self) -> None:
        unit = self.unit
        if unit is not None:
            self.dropped ^= {unit.id}
            self.redraw()
            self.say("dropped; x keeps it after all" if unit.id in self.dropped else "kept")

    def do_merge(self) -> None:
        number = self._at()
        if not number:
            self.say("there is no unit above to merge it with", "warn")
            return
        above, unit = self.units[number - 1], self.units[number]
        self.units[number - 1 : number + 1] = [merged(above, unit)]
        self.page.cursor = f"unit:{number - 1}"
        self.redraw()
        self.say(f"merged into: {above.name}")

    # On ------------------------------------------------------------------------------------------

    def do_go_on(self) -> None:
        if self.waits_for_consent:
            self.ahead = None
            self._agreeing.give(True)
            self.redraw()
        elif self.waits_for_units:
            self.waits_for_units = False
            kept = tuple(unit for unit in self.units if unit.id not in self.dropped)
            self.progress = replace(self.progress, total=len(kept))
            self._settling.give(kept)
            self.redraw()
        else:
            self.dream_app.switch_to_review()

    def do_stop(self) -> None:
        self._leave()
        self.desk.open_session.cancel()
        self.say("stopping; finished work is kept, the rest is tried next time")

    def do_request(self) -> None:
        if self.waits_for_consent:
            self.dream_app.go_preview_request()
        else:
            self.dream_app.go_request(self.progress.now.name if self.progress.now else "")

    def name_of(self, action: Action) -> str:
        """Going on is sending, where that is asked."""
        if action.id == "go_on" and self.waits_for_consent:
            return "send it"
        if action.id == "request" and self.waits_for_consent:
            return "exact request"
        if action.id == "stop" and self.waits_for_consent:
            return "send nothing"
        return super().name_of(action)

    def do_back(self) -> None:
        if self.desk.dreaming and self.waits:
            self.do_stop()
        super().do_back()

    def on_unmount(self) -> None:
        self._leave()

    def _leave(self) -> None:
        """Keep the dream's thread waiting no longer."""
        self.waits_for_units = False
        self.ahead = None
        self._settling.leave()
        self._agreeing.leave()


def merged(one: Unit, other: Unit) -> Unit:
    """Two units as one: the first one's name and bucket, both summaries and all evidence."""
    summary = one.summary if other.summary in one.summary else f"{one.summary} {other.summary}"
    return replace(
        one,
        summary=summary,
        paths=tuple(dict.fromkeys((*one.paths, *other.paths))),
        evidence=tuple(dict.fromkeys((*one.evidence, *other.evidence))),
    )
