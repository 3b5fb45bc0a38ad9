"""Neighbourhood: a node with its edges drawn, in and out, walkable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from textual.widget import Widget

from vault_dream.ui.action import NODE
from vault_dream.ui.diff_rows import pieces_of
from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, Piece, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.sights import Neighbours


class NodePage(Page[None]):
    """One node in the middle. Stateful: the way that was walked."""

    PLACE = NODE

    DEFAULT_CSS = """
    NodePage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._way: list[str] = []

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page", bar=self.glyphs.bar)

    def on_mount(self) -> None:
        self._go(self.path)

    def _go(self, path: str) -> None:
        self.path = path
        self.show_head([(self.desk.name_of(path), "strong"), (f"   {path}", "muted")])
        self.later(lambda: self.desk.neighbours(path), self._show, group="node")

    def _show(self, found: Neighbours) -> None:
        self.query_one("#page", LineList).show(
            lambda width: node_lines(found, width, self.glyphs), top=True
        )

    @property
    def chosen(self) -> str:
        """The note under the cursor, else the one in the middle."""
        key = self.query_one("#page", LineList).cursor or ""
        return key.partition(":")[2].partition(":")[2] or self.path

    def do_choose(self) -> None:
        path = self.chosen
        if path == self.path:
            self.dream_app.go_note(path)
        elif self.desk.open_session.digest.contains(path):
            self._way.append(self.path)
            self._go(path)
        else:
            self.dream_app.go_note(path)

    def do_back(self) -> None:
        if self._way:
            self._go(self._way.pop())
        else:
            super().do_back()

    def do_open(self) -> None:
        self.dream_app.open_in_obsidian((self.chosen, ""))

    def do_copy(self) -> None:
        self.dream_app.copy_link((self.chosen, ""))

    def hear(self, event: Any) -> None:
        """Edges are read when a node is walked to."""


def node_lines(found: Neighbours, width: int, glyphs: Glyphs) -> list[Line]:
    """What leads here, the node, and where it leads."""
    rows: list[Line] = [BLANK]
    rows += _edges(found.incoming, "in", glyphs.arrow, width)
    if not found.incoming:
        rows.append(line("  ", ("no node leads here", "faint")))
    rows += [BLANK]
    rows += wrapped(
        [(found.name, "strong")],
        width - 4,
        first=[(f"{glyphs.done} ", "accent")],
        key=f"here:0:{found.path}",
    )
    if found.description:
        rows += wrapped([(found.description, "muted")], width - 6, first=["  "])
    rows += [BLANK]
    rows += _edges(found.outgoing, "out", glyphs.arrow, width)
    return rows


def _edges(
    edges: Sequence[tuple[str, str, str, str, bool]], way: str, arrow: str, width: int
) -> Iterator[Line]:
    for number, (path, name, predicate, sentence, resolved) in enumerate(edges):
        key = f"{way}:{number}:{path}"
        words = predicate.replace("_", " ")
        first: list[Piece | str] = [(f"  {words:<14} {arrow} ", "faint")]
        style = "text" if resolved else "bad"
        note = "" if resolved else "   no note is there"
        yield from wrapped([(name, style), (note, "warn")], width, first=first, key=key)
        if sentence:
            yield from wrapped(
                pieces_of(sentence, "muted"), width, first=[" " * (18 + len(arrow))], key=key
            )
