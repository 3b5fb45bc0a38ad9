"""Picker: a line to type in and what fits it, for nodes, actions and anything else by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import Line, Piece, columns, line
from vault_dream.ui.literal import content
from vault_dream.ui.page import Done, own_keys


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to pick: what is shown at the left and, smaller, at the right."""

    key: str
    left: tuple[Piece | str, ...]
    right: tuple[Piece | str, ...] = ()


class Picker(ModalScreen[str | None]):
    """Asks for one of what ``find`` returns for the typed words. Stateful: numbers its searches."""

    BINDINGS = own_keys(
        {
            "escape": "dismiss(None)",
            "down": "move(1)",
            "up": "move(-1)",
            "pagedown": "move(10)",
            "pageup": "move(-10)",
        }
    )

    DEFAULT_CSS = """
    Picker { align: center middle; background: $background 60%; }
    Picker #box {
        width: 84; max-width: 96%; height: 20; max-height: 90%;
        background: $panel; border: round $vd-rule; padding: 0 1;
    }
    Picker Input, Picker Input:focus { border: none; height: 1; padding: 0; background: $panel; }
    Picker LineList { height: 1fr; }
    Picker #title { height: 1; }
    """

    def __init__(
        self, title: str, find: Callable[[str], Sequence[Choice]], *, hint: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._find = find
        self._hint = hint
        self._number = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            title = LineList(id="title")
            title.can_focus = False
            yield title
            yield Input(placeholder=content(self._hint or "type to find").plain)
            yield LineList(id="choices", bar=self.app.glyphs.bar)  # type: ignore[attr-defined]

    def on_mount(self) -> None:
        self.query_one("#title", LineList).show([line((self._title, "strong"))])
        self.query_one(Input).focus()
        self._search("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def _search(self, query: str) -> None:
        number = self._number = self._number + 1

        def run() -> None:
            found = self._find(query)
            self.post_message(Done("find", number, lambda: self._show(found)))

        self.run_worker(run, thread=True, group="find")

    @on(Done)
    def _found(self, event: Done) -> None:
        event.stop()
        if event.number == self._number:
            event.deliver()

    def _show(self, found: Sequence[Choice]) -> None:
        def rows(width: int) -> list[Line]:
            if not found:
                return [line(("nothing fits", "muted"))]
            return [columns(one.left, one.right, width, key=one.key) for one in found]

        choices = self.query_one("#choices", LineList)
        choices.show(rows, cursor=found[0].key if found else None, top=True)

    def action_move(self, steps: int) -> None:
        self.query_one("#choices", LineList).move(steps)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.dismiss(self.query_one("#choices", LineList).cursor)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        self.dismiss(event.key)
