"""Search: the digest's nodes by what they are about, each with its text beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual import on
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from vault_dream.ui.action import SEARCH
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, cut, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.rendered import rendered


class SearchPage(Page[None]):
    """What fits the words, best first. Stateful: the hits."""

    PLACE = SEARCH
    AUTO_FOCUS = "#query"

    DEFAULT_CSS = """
    SearchPage #query, SearchPage #query:focus { height: 1; border: none; padding: 0 1; }
    SearchPage #panes { height: 1fr; border-top: solid $vd-rule; }
    SearchPage #hits { width: 2fr; max-width: 60; padding: 0 1 0 0; }
    SearchPage #text { width: 3fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.hits: Sequence[Any] = ()
        self._words = ""

    def body(self) -> Iterable[Widget]:
        yield Input(id="query", placeholder="what are you looking for?")
        with Horizontal(id="panes"):
            yield LineList(id="hits", bar=self.glyphs.bar)
            yield LineList(id="text", classes="pane")

    def on_mount(self) -> None:
        self.show_head([("Search the digest", "strong")])
        self.query_one("#hits", LineList).show(
            [BLANK, line(("Any words: what it does, when it helps.", "muted"))]
        )

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        words = self._words = event.value.strip()
        session = self.desk.open_session
        self.later(
            lambda: session.digest.search(words, 60) if words else (), self._found, group="search"
        )

    @on(Input.Submitted, "#query")
    def _submitted(self) -> None:
        self.query_one("#hits", LineList).focus()

    def _found(self, hits: Sequence[Any]) -> None:
        self.hits = hits
        words = f"{len(hits)} found" if hits else "nothing fits" if self._words else ""
        self.show_head([("Search the digest", "strong")], [(words, "muted")])
        self.query_one("#hits", LineList).show(
            self._rows, cursor=hits[0].path if hits else None, top=True
        )
        self._show_text()

    def _rows(self, width: int) -> list[Line]:
        rows: list[Line] = []
        for hit in self.hits:
            rows += wrapped([(hit.name, "text")], width, key=hit.path)
            about = cut(line((hit.description, "muted")).pieces, 2 * width - 12)
            rows += wrapped(about, width, first=["  "], key=hit.path)
        return rows

    @property
    def chosen(self) -> str:
        """The node under the cursor."""
        return (self.query_one("#hits", LineList).cursor or "") if self.hits else ""

    @on(LineList.Moved, "#hits")
    def _moved(self) -> None:
        self._show_text()

    def _show_text(self) -> None:
        path, pane = self.chosen, self.query_one("#text", LineList)
        if not path:
            pane.show([])
            return

        def show(text: str) -> None:
            def rows(width: int) -> list[Line]:
                return [Line(row.pieces) for row in rendered(text, width)]

            pane.show(rows, top=True)

        self.later(lambda: self.desk.text_of(path), show, group="text")

    def do_search(self) -> None:
        self.query_one("#query", Input).focus()

    def do_choose(self) -> None:
        if self.chosen:
            self.dream_app.go_note(self.chosen)

    def do_neighbours(self) -> None:
        if self.chosen:
            self.dream_app.go_node(self.chosen)

    def do_open(self) -> None:
        self.dream_app.open_in_obsidian((self.chosen, ""))

    def do_copy(self) -> None:
        self.dream_app.copy_link((self.chosen, ""))

    def do_back(self) -> None:
        if isinstance(self.focused, LineList) and not self._words:
            self.query_one("#query", Input).focus()
        else:
            super().do_back()
