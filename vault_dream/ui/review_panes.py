"""The three panes of the review: the proposals, the change, and what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from textual import on
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import Action
from vault_dream.ui.change_pane import change_lines
from vault_dream.ui.diff_rows import DiffView
from vault_dream.ui.facts_pane import facts_lines
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Piece, line
from vault_dream.ui.page import Page
from vault_dream.ui.queue_pane import queue_lines, shown
from vault_dream.ui.sights import Sight

THREE_PANES = 112
"""Cells from which the evidence stands beside the change."""
ROOMY = 150
LONG = 30_000
"""Characters of a note from which its whole text is laid out in a thread."""
SIDE_BY_SIDE = 116
"""Cells of the middle pane from which a change is shown side by side unless told otherwise."""


def may_be_approved_at_once(proposal: Proposal) -> bool:
    """Whether it waits, and nothing about it has to be looked at by itself."""
    waits = proposal.state in ("open", "later") and bool(proposal.changes)
    return waits and proposal.worst() not in ("error", "hold")


class Panes(Page[None]):
    """What is seen of a review. Stateful: the filter, and how a change is shown."""

    AUTO_FOCUS = "#queue"

    DEFAULT_CSS = """
    Panes #panes { height: 1fr; border-top: solid $vd-rule; }
    Panes #queue { width: 27; padding: 0 1 0 0; }
    Panes #change { width: 1fr; }
    Panes #facts { width: 34; display: none; }
    Panes.-three #facts { display: block; }
    Panes.-roomy #queue { width: 36; }
    Panes.-roomy #facts { width: 48; }
    Panes.-facts #change { display: none; }
    Panes.-facts #facts { display: block; width: 1fr; }
    Panes #filter, Panes #filter:focus {
        height: 1; border: none; padding: 0 1; display: none;
    }
    Panes #filter.-open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.query_words = ""
        self.around: int | None = 3
        self.layout_wanted = ""
        self.exact = False
        self._sights: dict[str, Sight] = {}
        self.items: list[Proposal] = []

    # Panes ---------------------------------------------------------------------------------------

    def body(self) -> Iterable[Widget]:
        yield Input(id="filter", placeholder="words of a name, target, action or state")
        with Horizontal(id="panes"):
            yield LineList(id="queue", bar=self.glyphs.bar)
            yield LineList(id="change", bar=self.glyphs.bar, classes="pane", quiet=True)
            yield LineList(id="facts", bar=self.glyphs.bar, classes="pane", quiet=True)

    def on_mount(self) -> None:
        self._note_width()
        self.show_queue(cursor=self.dream_app.place.get("proposal") or None)
        self.dream_app.place.set("screen", "review")

    def on_resize(self) -> None:
        self._note_width()
        super().on_resize()

    def _note_width(self) -> None:
        width = self.app.size.width
        self.set_class(width >= THREE_PANES, "-three")
        self.set_class(width >= ROOMY, "-roomy")
        if width >= THREE_PANES:
            self.remove_class("-facts")

    @property
    def queue(self) -> LineList:
        return self.query_one("#queue", LineList)

    @property
    def change(self) -> LineList:
        return self.query_one("#change", LineList)

    @property
    def facts(self) -> LineList:
        return self.query_one("#facts", LineList)

    @property
    def list_here(self) -> LineList | None:
        focused = self.focused
        return focused if isinstance(focused, LineList) else self.queue

    @property
    def current(self) -> Proposal | None:
        """The proposal under the cursor, as it stands now."""
        return self.desk.proposal(self.queue.cursor)

    @property
    def sight(self) -> Sight | None:
        """What the panes show, if it is of the proposal as it stands now."""
        proposal = self.current
        if proposal is None:
            return None
        found = self._sights.get(proposal.id)
        return found if found is not None and found.proposal is proposal else None

    @property
    def approvable(self) -> list[Proposal]:
        """What is shown and may be approved at once: undecided, and nothing that a person must
        look at closely."""
        return [p for p in self.items if may_be_approved_at_once(p)]

    @property
    def any_approvable(self) -> bool:
        """Whether there is something to approve at once."""
        return any(may_be_approved_at_once(p) for p in self.items)

    def show_queue(self, cursor: str | None = None) -> None:
        """Lay the left pane out anew, and with it the others."""
        self.items = shown(self.desk.proposals, self.query_words)
        today = self.dream_app.clock().date()
        self.queue.show(
            lambda width: queue_lines(self.items, width, self.glyphs, today, len(self.desk.parked)),
            cursor=cursor,
        )
        self.show_proposal()

    def forget_sights(self) -> None:
        """What was seen may have changed."""
        self._sights.clear()

    @on(LineList.Moved, "#queue")
    def _moved(self, event: LineList.Moved) -> None:
        self.show_proposal(top=True)

    def show_proposal(self, *, top: bool = False) -> None:
        """Show the proposal under the cursor in the other panes, as soon as it is read."""
        self._say_where()
        proposal = self.current
        if proposal is None:
            word = "nothing fits the filter" if self.query_words else "nothing waits; esc goes home"
            self.change.show([BLANK, line((word, "muted"))])
            self.facts.show([])
            self.show_keys()
            return
        self.dream_app.place.set("proposal", proposal.id)
        if self.sight is not None:
            self.show_sight(top)
        else:
            self.later(
                lambda: self.desk.look(proposal), lambda sight: self._seen(sight, top), group="look"
            )

    def _seen(self, sight: Sight, top: bool) -> None:
        self._sights[sight.proposal.id] = sight
        if self.sight is not None:
            self.show_sight(top)

    def show_sight(self, top: bool) -> None:
        sight = self.sight
        if sight is None:
            return
        if self._is_long(sight):
            width = self.change.room
            view = self.diff_view(width)
            self.later(
                lambda: change_lines(sight, view, width, self.glyphs),
                lambda rows: self.change.show(rows, top=top),
                group="layout",
            )
        else:
            self.change.show(
                lambda width: change_lines(sight, self.diff_view(width), width, self.glyphs),
                top=top,
            )
        self.facts.show(lambda width: facts_lines(sight, width, self.glyphs), top=top)
        self.show_keys()

    def _is_long(self, sight: Sight) -> bool:
        """Whether laying the change out would keep the keys waiting."""
        before = sight.sides.before if sight.sides is not None else None
        return self.around is None and before is not None and len(before) > LONG

    @on(LineList.Resized, "#change")
    def _resized(self) -> None:
        sight = self.sight
        if sight is not None and self._is_long(sight):
            self.show_sight(top=False)

    def diff_view(self, width: int | None = None) -> DiffView:
        """How the change is to be shown at ``width`` cells."""
        room = self.change.room if width is None else width
        wide = room >= SIDE_BY_SIDE if not self.layout_wanted else self.layout_wanted == "beside"
        return DiffView(
            context=self.around,
            side_by_side=wide,
            exact=self.exact,
            plain=self.app.has_class("-plain"),
        )

    def _say_where(self) -> None:
        open_ones = [p for p in self.desk.proposals if p.state in UNDECIDED]
        ids = [p.id for p in self.items]
        at = ids.index(self.queue.cursor) + 1 if self.queue.cursor in ids else 0
        left: list[Piece | str] = [
            ("Review", "strong"),
            f"   {at:,} of {len(ids):,}" if ids else "",
        ]
        if self.query_words:
            left.append((f"   only: {self.query_words}", "accent"))
        approved = len(self.desk.approved)
        undecided = sum(1 for p in open_ones if p.state != "approved")
        right = f"{approved:,} approved, {undecided:,} open   saved"
        self.show_head(left, [(right, "muted")])

    # What happens elsewhere ----------------------------------------------------------------------

    def hear(self, event: Any) -> None:
        """Something was proposed or landed."""
        from vault_dream.engine.events import Committed, Integrated

        if isinstance(event, Integrated | Committed):
            self.forget_sights()
            self.show_queue()

    def refresh_view(self) -> None:
        """The vault or the queue changed on disk."""
        if self.desk.session is not None:
            self.later(self.desk.reload, lambda view: self._reloaded(), group="reload")

    def _reloaded(self) -> None:
        self.forget_sights()
        self.show_queue()

    def on_screen_resume(self) -> None:
        self.forget_sights()
        self.show_queue()
        super().on_screen_resume()

    def do_back(self) -> None:
        if self.queue.has_focus or self.focused is None:
            if self.query_words:
                self.query_words = ""
                self.show_queue()
                return
            self.dream_app.place.set("screen", "home")
            self.dream_app.go_back()
        else:
            self.remove_class("-facts")
            self.queue.focus()

    # Keys ----------------------------------------------------------------------------------------

    def name_of(self, action: Action) -> str:
        if action.id == "commit":
            return f"commit {len(self.desk.approved)}"
        if action.id == "toggle":
            key = self.pane_key()
            sight = self.sight
            if sight is not None and key is not None and self._is_out(sight, key):
                return "put it back"
        if action.id == "side_by_side":
            return "inline" if self.diff_view().side_by_side else "side by side"
        return action.name

    def _is_out(self, sight: Sight, key: str) -> bool:
        kind, _, rest = key.partition(":")
        if kind == "hunk":
            return any(str(h.index) == rest and not h.taken for h in sight.hunks)
        return kind == "link" and rest in sight.proposal.links_off

    def pane_key(self) -> str | None:
        """The item under the cursor in the pane that has the focus."""
        for pane in (self.facts, self.change):
            if pane.has_focus:
                return pane.cursor
        return None

    def do_next_pane(self) -> None:
        self._go_pane(1)

    def do_previous_pane(self) -> None:
        self._go_pane(-1)

    def _go_pane(self, step: int) -> None:
        panes = [self.queue, self.change, self.facts]
        at = next((i for i, pane in enumerate(panes) if pane.has_focus), 0)
        wanted = panes[(at + step) % 3]
        if not self.has_class("-three"):
            self.set_class(wanted is self.facts, "-facts")
        wanted.focus()
        self.show_keys()

    # Failures ------------------------------------------------------------------------------------

    def attempt(self, what: str, change: Callable[[], Proposal]) -> None:
        """Change the current proposal in a thread; say why where that is refused."""
        proposal = self.current
        if proposal is None:
            return
        self.later(
            lambda: self.desk.revise(proposal.id, what, change),
            lambda made: self._changed(made),
            group="change",
            failed=self._refused,
        )

    def _changed(self, proposal: Proposal) -> None:
        self.forget_sights()
        self.show_queue()
        worst = proposal.worst()
        if worst in ("error", "hold"):
            first = next(f.message for f in proposal.findings if f.level == worst)
            self.say(f"changed; now: {first}", "bad" if worst == "error" else "warn")
        else:
            self.say("changed and checked; u undoes it")
        self.save()

    def _refused(self, error: VaultDreamError) -> None:
        self.say_error(error)

    def save(self) -> None:
        """Keep the decisions on disk."""
        self.later(self.desk.save, lambda done: None, group="save")
