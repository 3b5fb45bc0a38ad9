"""Request: exactly what was sent to the model, or is about to be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from textual import on
from textual.containers import Horizontal
from textual.widget import Widget

from vault_dream.ui.action import REQUEST
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.sent import Sent, text_of

ROLES = {
    "system": "what it is told to do",
    "user": "what it is given",
    "assistant": "what it answered, sent back to it",
    "tool": "what a tool told it",
}
PURPOSES = {"extract": "finding units", "integrate": "integrating", "tag": "tags"}
NOTHING = (
    "Nothing was sent since the app was started.",
    "What a model is sent is kept in memory while the app runs, and is never written anywhere. "
    "Of other runs only the amount is known.",
)


class RequestPage(Page[None]):
    """Requests, the newest first, each word for word. Stateful: what ``look`` last returned.

    ``about`` puts the cursor on the newest that was for it; ``note`` stands at the top.
    """

    PLACE = REQUEST
    AUTO_FOCUS = "#requests"

    DEFAULT_CSS = """
    RequestPage #panes { height: 1fr; border-top: solid $vd-rule; }
    RequestPage #requests { width: 27; padding: 0 1 0 0; }
    RequestPage #request { width: 1fr; }
    """

    def __init__(
        self,
        look: Callable[[], Sequence[Sent]],
        *,
        about: str = "",
        note: str = "",
        empty: str = "",
    ) -> None:
        super().__init__()
        self._look = look
        self._about = about
        self._note = note
        self._empty = empty
        self.sent: tuple[Sent, ...] = ()

    def body(self) -> Iterable[Widget]:
        with Horizontal(id="panes"):
            yield LineList(id="requests", bar=self.glyphs.bar)
            yield LineList(id="request", bar=self.glyphs.bar, classes="pane", quiet=True)

    def on_mount(self) -> None:
        self.show_head([("What is sent", "strong")], [(self._note, "muted")])
        self._read()

    def hear(self, event: Any) -> None:
        """The dream goes on, and may have sent something."""
        self._read()

    def _read(self) -> None:
        self.later(self._look, self._show, group="requests")

    def _show(self, found: Sequence[Sent]) -> None:
        self.sent = tuple(found)
        requests = self.query_one("#requests", LineList)
        wanted = [str(n) for n, each in enumerate(self.sent) if each.about == self._about]
        cursor = requests.cursor or (wanted[-1] if wanted and self._about else None)
        requests.show(self._rows, cursor=cursor)
        self._show_request()

    def _rows(self, width: int) -> list[Line]:
        if not self.sent:
            return [BLANK, *wrapped([("Nothing yet", "muted")], width)]
        rows: list[Line] = []
        for number in reversed(range(len(self.sent))):
            each = self.sent[number]
            purpose = PURPOSES.get(each.purpose, each.purpose)
            name = purpose if each.about in ("", each.purpose) else each.about
            rows += wrapped([name], width, key=str(number))[:2]
            calls = f" in {each.calls} calls" if each.calls > 1 else ""
            words = f"{each.characters:,} characters{calls}"
            rows += wrapped([(words, "muted")], width, first=["  "], key=str(number))
        return rows

    @property
    def chosen(self) -> Sent | None:
        """The request under the cursor."""
        cursor = self.query_one("#requests", LineList).cursor or ""
        return self.sent[int(cursor)] if cursor.isdigit() and int(cursor) < len(self.sent) else None

    @on(LineList.Moved, "#requests")
    def _moved(self) -> None:
        self._show_request(top=True)

    @on(LineList.Resized, "#request")
    def _resized(self) -> None:
        self._show_request()

    def _show_request(self, *, top: bool = False) -> None:
        pane, sent = self.query_one("#request", LineList), self.chosen
        if sent is None:
            words = (self._empty,) if self._empty else NOTHING
            pane.show(
                lambda width: [
                    row
                    for word in words
                    for row in (BLANK, *wrapped([(word, "muted")], min(width, 72)))
                ]
            )
            return
        width = pane.room
        self.later(lambda: request_lines(sent, width), lambda rows: pane.show(rows, top=top))

    def do_choose(self) -> None:
        self.do_next_pane()


def request_lines(sent: Sent, width: int) -> list[Line]:
    """A request word for word: its messages in their order, then all else that goes with them."""
    rows: list[Line] = []
    for number, message in enumerate(sent.messages):
        key = f"message:{number}"
        role = str(message.get("role", ""))
        rows.append(line((role, "heading"), (f"   {ROLES.get(role, '')}", "faint"), key=key))
        rows.append(Line(key=key))
        for text in text_of(message).splitlines():
            rows += wrapped([text], width, key=key) if text.strip() else [Line(key=key)]
        rows.append(BLANK)
    rest = {name: value for name, value in sent.body.items() if name != "messages"}
    rows.append(line(("with it", "heading"), key="rest"))
    rows.append(Line(key="rest"))
    for text in json.dumps(rest, ensure_ascii=False, indent=2).splitlines():
        indent = len(text) - len(text.lstrip())
        rows += wrapped([(text, "muted")], width, indent=indent + 2, key="rest")
    return rows
