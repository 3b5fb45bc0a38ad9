"""Small questions: a line of words, a yes to a list, one of a few."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import Line, line
from vault_dream.ui.page import own_keys

BOX = """
    {name} {{ align: center middle; background: $background 60%; }}
    {name} #box {{
        width: 78; max-width: 96%; height: auto; max-height: 90%;
        background: $panel; border: round $vd-rule; padding: 0 1;
    }}
"""


def _quiet(rows: Sequence[Line] | Callable[[int], Sequence[Line]], id: str) -> LineList:
    found = LineList(id=id)
    found.can_focus = False
    found.show(rows)
    return found


class Ask(ModalScreen[str | None]):
    """Asks for a line of words; ``None`` where the person went back."""

    BINDINGS = own_keys({"escape": "dismiss(None)"})
    DEFAULT_CSS = (
        BOX.format(name="Ask")
        + """
    Ask LineList { height: 1; }
    Ask Input, Ask Input:focus {
        border: none; height: 1; padding: 0; margin: 1 0; background: $surface;
    }
    """
    )

    def __init__(self, title: str, hint: str = "", value: str = "") -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield _quiet([line((self._title, "strong"))], "title")
            yield Input(self._value, select_on_focus=False)
            yield _quiet([line((self._hint, "muted"))], "hint")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class Confirm(ModalScreen[bool]):
    """Shows exactly what is about to happen, and asks. Only enter or y says yes."""

    BINDINGS = own_keys(
        {
            "escape,n,q": "dismiss(False)",
            "enter,y": "dismiss(True)",
            "j,down": "move(1)",
            "k,up": "move(-1)",
            "pagedown": "move(10)",
            "pageup": "move(-10)",
        }
    )
    DEFAULT_CSS = (
        BOX.format(name="Confirm")
        + """
    Confirm #title, Confirm #hint { height: 1; }
    Confirm #what { height: auto; max-height: 70%; margin: 1 0; }
    """
    )

    def __init__(
        self, title: str, rows: Callable[[int], Sequence[Line]], *, yes: str = "go ahead"
    ) -> None:
        super().__init__()
        self._title = title
        self._rows = rows
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield _quiet([line((self._title, "strong"))], "title")
            yield LineList(id="what")
            yield _quiet(
                [line(("enter", "key"), f" {self._yes}   ", ("esc", "key"), " go back")], "hint"
            )

    def on_mount(self) -> None:
        rows = self._rows(min(78, self.app.size.width * 96 // 100) - 6)
        what = self.query_one("#what", LineList)
        what.styles.height = min(len(rows), max(3, self.app.size.height - 10))
        what.show(rows)
        what.focus()

    def action_move(self, steps: int) -> None:
        self.query_one("#what", LineList).move(steps)
