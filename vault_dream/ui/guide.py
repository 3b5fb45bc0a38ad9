"""The guide: the help pages that travel with the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.widget import Widget

from vault_dream.places import guide_pages
from vault_dream.ui.action import GUIDE
from vault_dream.ui.guide_text import guide_rows
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line
from vault_dream.ui.page import Page


class GuidePage(Page[None]):
    """All pages below each other, from ``topic`` on."""

    PLACE = GUIDE

    DEFAULT_CSS = """
    GuidePage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self, topic: str = "") -> None:
        super().__init__()
        self._topic = topic

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page")

    def on_mount(self) -> None:
        self.show_head([("Guide", "strong")], [("vault-dream help reads it too", "muted")])
        self.later(guide_pages, self._show)

    def _show(self, pages: dict[str, str]) -> None:
        order = sorted(pages, key=lambda name: (name != self._topic, name))

        def rows(width: int) -> list[Line]:
            out: list[Line] = []
            for name in order:
                out += [Line(row.pieces) for row in guide_rows(pages[name], width)]
                out += [BLANK, BLANK]
            return out

        self.query_one("#page", LineList).show(rows, top=True)

    def hear(self, event: Any) -> None:
        """The guide stays as it is."""
