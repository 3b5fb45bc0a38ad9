"""Commit: what will change, in one list; then what happened, the tags, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import COMMIT
from vault_dream.ui.home_page import count
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.review import touched
from vault_dream.ui.sights import Landed


class CommitPage(Page[None]):
    """Writes what is approved. Stateful: what landed, once it has."""

    PLACE = COMMIT

    DEFAULT_CSS = """
    CommitPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.landed: Landed | None = None
        self._writing = False

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page")

    def on_mount(self) -> None:
        found = self.desk.approved
        self.show_head([("Commit", "strong")], [("nothing is written yet", "muted")])
        self.query_one("#page", LineList).show(
            lambda width: [
                BLANK,
                line(f"{count(len(found), 'proposal').capitalize()} will be written:"),
                BLANK,
                *touched(found, (), min(width, 92)),
                BLANK,
                *wrapped(
                    [("Everything else in the vault stays as it is, byte for byte.", "muted")],
                    width,
                ),
            ]
        )

    def do_write(self) -> None:
        if self._writing:
            self.say("it is being written", "muted")
            return
        self._writing = True
        self.show_head([("Commit", "strong")], [(f"writing {self.glyphs.dots}", "accent")])
        self.later(self.desk.commit, self._written, group="commit", failed=self._failed)

    def _written(self, landed: Landed) -> None:
        self._writing = False
        self.landed = landed
        number = len(landed.paths)
        self.show_head([("Commit", "strong")], [(f"{count(number, 'note')} written", "good")])
        self.query_one("#page", LineList).show(lambda width: result_lines(landed, width))
        self.show_keys()

    def _failed(self, error: VaultDreamError) -> None:
        self._writing = False
        self.show_head([("Commit", "strong")], [("nothing was written", "bad")])
        self.say_error(error)

    def do_undo_run(self) -> None:
        landed = self.landed
        if landed is None:
            return
        self.later(lambda: self.desk.undo_run(landed.run_id), self._undone, group="commit")

    def _undone(self, words: tuple[str, ...]) -> None:
        self.landed = None
        self.show_head([("Commit", "strong")], [("undone", "warn")])
        self.query_one("#page", LineList).show(
            lambda width: [
                BLANK,
                line("The run was undone:"),
                BLANK,
                *(row for word in words for row in wrapped([word], width - 2, first=["  "])),
            ]
        )
        self.show_keys()

    def hear(self, event: Any) -> None:
        """What is told here is the result."""


def result_lines(landed: Landed, width: int) -> list[Line]:
    """What became of a commit, in words."""
    rows: list[Line] = [BLANK]
    if landed.paths:
        rows += [line(("Written", "heading")), BLANK]
        for path, what in landed.paths:
            rows += wrapped([path, (f"  {what}", "muted")], width, first=[("  ", "text")])
            tags = landed.tags.get(path)
            if tags:
                rows += wrapped(
                    [(", ".join(tags), "accent")], width, first=[("    tags ", "faint")]
                )
    else:
        rows.append(line("Nothing was written."))
    if landed.waiting:
        rows += [BLANK, line(("Not written", "heading")), BLANK]
        for name, reason in landed.waiting:
            rows += wrapped([name, (f"  {reason}", "warn")], width, first=["  "])
    for word in landed.warnings:
        rows += [BLANK, *wrapped([(word, "warn")], width)]
    rows += [
        BLANK,
        line(
            ("z", "key"),
            (" undoes the whole run.   ", "muted"),
            ("esc", "key"),
            (" continues.", "muted"),
        ),
    ]
    return rows
