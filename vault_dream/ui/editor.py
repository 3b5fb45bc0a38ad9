"""The editor: the whole text of a node, with links that complete themselves."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import TextArea

from vault_dream.engine.vault.resolve import spell_link
from vault_dream.ui.desk import Desk
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import columns, line
from vault_dream.ui.markdown_area import MarkdownArea
from vault_dream.ui.page import own_keys
from vault_dream.ui.picker import Choice, Picker


class EditPage(ModalScreen[str | None]):
    """Asks for a new text. Stateful: holds the desk, for links. ``None``: nothing is taken over."""

    BINDINGS = own_keys({"escape": "finish", "f2": "finish", "f4": "throw_away"}, first=True)

    DEFAULT_CSS = """
    EditPage LineList { height: 1; padding: 0 1; }
    EditPage TextArea, EditPage TextArea:focus { height: 1fr; border: none; padding: 0 1; }
    """

    def __init__(self, path: str, text: str, desk: Desk) -> None:
        super().__init__()
        self._path = path
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._desk = desk
        self._before = text

    def compose(self) -> ComposeResult:
        head, keys = LineList(id="head"), LineList(id="keys")
        head.can_focus = keys.can_focus = False
        yield head
        yield MarkdownArea(self._text)
        yield keys

    def on_mount(self) -> None:
        self.query_one("#head", LineList).show(
            lambda width: [columns([("Edit  ", "strong"), (self._path, "muted")], (), width)]
        )
        keys = (("esc", "keep it"), ("f4", "discard"), ("[[", "link to a node"))
        pieces = [piece for key, name in keys for piece in ((key, "key"), (f" {name}   ", "muted"))]
        self.query_one("#keys", LineList).show([line(*pieces)])
        area = self.query_one(TextArea)
        area.cursor_blink = False
        area.focus()

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        """Two brackets just typed ask for the node that is meant."""
        area, text = event.text_area, event.text_area.text
        row, column = area.cursor_location
        typed = len(text) == len(self._before) + 1
        self._before = text
        if typed and area.document.get_line(row)[:column].endswith("[["):
            self.app.push_screen(Picker("Link to which node?", self._find), self._complete)

    def _find(self, query: str) -> Sequence[Choice]:
        digest = self._desk.open_session.digest
        hits = digest.search(query, 30) if query else ()
        return [Choice(hit.path, (hit.name, (f"  {hit.path}", "faint"))) for hit in hits]

    def _complete(self, path: str | None) -> None:
        if path is None:
            return
        name = self._desk.name_of(path)
        area = self.query_one(TextArea)
        row, column = area.cursor_location
        area.replace(spell_link(path, label=name), (row, column - 2), (row, column))

    def action_finish(self) -> None:
        text = self.query_one(TextArea).text
        if self._newline == "\r\n":
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        self.dismiss(text)

    def action_throw_away(self) -> None:
        self.dismiss(None)
