"""History: past runs, what each changed, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from textual import on
from textual.containers import Horizontal
from textual.widget import Widget

from vault_dream.ui.action import HISTORY
from vault_dream.ui.dialogs import Confirm
from vault_dream.ui.diff_rows import DiffView, diff_rows
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.sights import PastRun


class HistoryPage(Page[None]):
    """The runs that wrote something, the newest first. Stateful: what was read of them."""

    PLACE = HISTORY
    AUTO_FOCUS = "#runs"

    DEFAULT_CSS = """
    HistoryPage #panes { height: 1fr; border-top: solid $vd-rule; }
    HistoryPage #runs { width: 27; padding: 0 1 0 0; }
    HistoryPage #run { width: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.runs: tuple[PastRun, ...] = ()
        self._beside: bool | None = None

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="panes"):
            yield LineList(id="runs", bar=self.glyphs.bar)
            yield LineList(id="run", classes="pane")

    def on_mount(self) -> None:
        self.show_head([("History", "strong")])
        self._read()

    def _read(self) -> None:
        self.later(self.desk.past_runs, self._show, group="runs")

    def _show(self, runs: tuple[PastRun, ...]) -> None:
        self.runs = runs
        self.query_one("#runs", LineList).show(self._run_rows)
        self._show_run()
        self.show_keys()

    def _run_rows(self, width: int) -> list[Line]:
        if not self.runs:
            return [BLANK, *wrapped([("No runs yet.", "muted")], width)]
        rows: list[Line] = []
        for run in self.runs:
            rows.append(line(stamp(run.at), key=run.run_id))
            undone = all(change.undone for change in run.changes)
            words = f"  {len(run.changes)} {'note' if len(run.changes) == 1 else 'notes'}"
            words += ", undone" if undone else ""
            rows.append(line((words, "muted"), key=run.run_id))
        return rows

    @property
    def chosen(self) -> PastRun | None:
        cursor = self.query_one("#runs", LineList).cursor
        return next((run for run in self.runs if run.run_id == cursor), None)

    @property
    def landed(self) -> PastRun | None:
        """The run under the cursor, if there is something to take back."""
        run = self.chosen
        return run if run is not None and any(not c.undone for c in run.changes) else None

    @on(LineList.Moved, "#runs")
    def _moved(self) -> None:
        self._show_run()
        self.show_keys()

    def _show_run(self) -> None:
        run = self.chosen
        pane = self.query_one("#run", LineList)
        if run is None:
            pane.show([])
            return
        pane.show(lambda width: self._changes(run, width), top=True)

    def _changes(self, run: PastRun, width: int) -> list[Line]:
        beside = width >= 116 if self._beside is None else self._beside
        view = DiffView(side_by_side=beside, plain=self.app.has_class("-plain"))
        rows: list[Line] = [BLANK]
        for change in run.changes:
            state = "undone" if change.undone else "forgotten" if change.forgotten else ""
            rows += wrapped([(change.path, "strong"), (f"   {state}", "warn")], width)
            rows.append(BLANK)
            if not change.forgotten:
                before = None if change.before is None else change.before.decode("utf-8", "replace")
                after = (change.after or b"").decode("utf-8", "replace")
                found = diff_rows(
                    before, self.desk.hunks_between(before or "", after), view, width, self.glyphs
                )
                rows += [Line(row.pieces, None, row.fill) for row in found]
            rows.append(BLANK)
        return rows

    def do_side_by_side(self) -> None:
        self._beside = not self._beside
        self._show_run()

    def do_choose(self) -> None:
        self.do_next_pane()

    def do_undo_run(self) -> None:
        run = self.landed
        assert run is not None

        def rows(width: int) -> list[Line]:
            standing = [change for change in run.changes if not change.undone]
            return [
                row
                for change in standing
                for row in wrapped(
                    [
                        change.path,
                        (
                            "  goes to .trash" if change.before is None else "  as it was before",
                            "muted",
                        ),
                    ],
                    width,
                )
            ]

        def done(yes: bool | None) -> None:
            if yes:
                self.later(lambda: self.desk.undo_run(run.run_id), self._undone, group="undo")

        self.app.push_screen(
            Confirm(f"Undo the run of {stamp(run.at)}?", rows, yes="undo it"), done
        )

    def _undone(self, words: tuple[str, ...]) -> None:
        self.say("; ".join(words))
        self._read()

    def hear(self, event: Any) -> None:
        """Nothing that is told changes the past."""


def stamp(at: datetime) -> str:
    """A time as a person says it."""
    return f"{at.day} {at:%b %Y, %H:%M}"
