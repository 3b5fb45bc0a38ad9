"""Home: the vault at a glance, and the way to everything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gc import freeze
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import HOME, Action
from vault_dream.ui.home_page import home_lines
from vault_dream.ui.keybar import Hint
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, line, wrapped
from vault_dream.ui.page import Page

if TYPE_CHECKING:
    from vault_dream.engine.glance import Glance, Overview


class HomePage(Page[None]):
    """What waits, what changed, what was done. Stateful: holds the last overview."""

    PLACE = HOME

    DEFAULT_CSS = """
    HomePage #page { height: 1fr; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.view: Overview | None = None
        self.problem: VaultDreamError | None = None

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page")

    def on_mount(self) -> None:
        self.show_head([(self.desk.root.name, "strong")], [(self._now_words(), "muted")])
        glance = self.desk.last_glance
        if glance is None:
            self.query_one("#page", LineList).show(
                [BLANK, line("  ", ("Opening the vault …", "muted"))]
            )
        else:
            self._show_glance(glance)
        # Only when that is drawn: reading the engine's modules would keep it waiting.
        self.call_after_refresh(
            lambda: self.later(self.desk.open, self._opened, failed=self._failed)
        )

    def _show_glance(self, glance: Glance) -> None:
        """Home as it was last, until the vault is open."""
        at, today = glance.at, glance.at.date() == self.dream_app.today
        when = f"at {at:%H:%M}" if today else f"on {at.day} {at:%B}"
        self.show_head(
            [(glance.view.vault, "strong")],
            [(f"as seen {when}; looking again {self.glyphs.dots}", "muted")],
        )
        self._lay_out(glance.view, glance.reader, glance.no_reader)

    def _opened(self, view: Overview) -> None:
        self._show(view)
        freeze()  # what is loaded stays: no key has to wait while it is looked through for garbage
        self.dream_app.start_watching()
        self.dream_app.come_back(self)

    def _failed(self, error: VaultDreamError) -> None:
        self.problem = error
        self.query_one("#page", LineList).show(lambda width: problem_lines(error, width))

    def _show(self, view: Overview) -> None:
        self.view = view
        self.problem = None
        self.show_head([(view.vault, "strong")], [(self._now_words(), "muted")])
        self._lay_out(view, self.desk.reader_words(), self.desk.why_no_reader())

    def _lay_out(self, view: Overview, reader: str, no_reader: str) -> None:
        self.query_one("#page", LineList).show(
            lambda width: home_lines(
                view,
                width,
                self.glyphs,
                now=self.dream_app.clock(),
                reader=reader,
                no_reader=no_reader,
                recovered=self.desk.recovered,
            )
        )

    def refresh_view(self) -> None:
        """Scan the vault again."""
        if self.desk.session is not None:
            self.later(self.desk.reload, self._show, group="overview")

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self.refresh_view()

    def hear(self, event: Any) -> None:
        """Home shows nothing of single events."""

    def _now_words(self) -> str:
        now = self.dream_app.clock()
        return f"{now:%A} {now.day} {now:%B}, {now:%H:%M}"

    def hint_of(self, action: Action) -> Hint:
        """At home, going back is leaving."""
        if action.id == "back":
            return Hint("q", "quit", pinned=True)
        return super().hint_of(action)

    def do_review(self) -> None:
        self.dream_app.go_review()

    def do_dream(self) -> None:
        self.dream_app.go_dream()

    def do_backfill(self) -> None:
        self.dream_app.go_backfill()

    def do_setup(self) -> None:
        self.dream_app.go_start()

    def do_reload(self) -> None:
        self.refresh_view()

    def do_request(self) -> None:
        self.dream_app.go_request()

    def do_search(self) -> None:
        self.dream_app.go_search()

    def do_history(self) -> None:
        self.dream_app.go_history()


def problem_lines(error: VaultDreamError, width: int) -> Sequence[Line]:
    """A page for what keeps the vault from being opened."""
    return [
        BLANK,
        line("  ", ("This vault cannot be opened as it is.", "strong")),
        BLANK,
        *wrapped([error.where], width - 4, first=["  "]),
        *wrapped([(error.what, "warn")], width - 4, first=["  "]),
        BLANK,
        *wrapped(
            [("Next: ", "muted"), error.next or "see vault-dream doctor"], width - 4, first=["  "]
        ),
        BLANK,
        line("  ", ("Nothing was changed.", "muted")),
    ]
