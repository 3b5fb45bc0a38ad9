"""`?`: the keys that work on a page, from the registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.widget import Widget

from vault_dream.ui.action import HELP, KEY_NAMES
from vault_dream.ui.actions import actions_of
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page

KEYS = 14


class HelpPage(Page[None]):
    """The actions of another page. Stateful: knows that page."""

    PLACE = HELP

    DEFAULT_CSS = """
    HelpPage #page { height: 1fr; padding: 0 1; }
    """

    def __init__(self, page: Page[Any]) -> None:
        super().__init__()
        self._page = page

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page")

    def on_mount(self) -> None:
        self.show_head([("Keys here", "strong")], [("esc goes back", "muted")])
        self.query_one("#page", LineList).show(self._lines)

    def _lines(self, width: int) -> list[Line]:
        rows = [BLANK]
        for action in actions_of(self._page.PLACE):
            keys = self.dream_app.keys_of(action, self._page.PLACE)
            shown = " ".join(KEY_NAMES.get(key, key) for key in keys)
            reason = action.reason(self._page)
            rows += wrapped(
                [action.help, (f" Not now: {reason}." if reason else "", "faint")],
                width - 2,
                first=["  ", (f"{shown:<{KEYS}}", "faint" if reason else "key")],
            )
        file = "keys.yaml beside the user's settings"
        rows += [
            BLANK,
            *wrapped(
                [(f"Other keys: {file}, as in  approve: y", "muted")], width - 2, first=["  "]
            ),
        ]
        rows.append(line("  ", ("f1 reads the guide; : finds any action by its name", "muted")))
        return rows
