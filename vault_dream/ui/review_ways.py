"""Looking closer and going elsewhere, from the review page."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from vault_dream.ui.linelist import LineList
from vault_dream.ui.review_panes import Panes

CONTEXTS: tuple[int | None, ...] = (0, 1, 3, 8, 20, None)


class Ways(Panes):
    """The review page's ways of looking. Holds nothing of its own."""

    def do_side_by_side(self) -> None:
        self.layout_wanted = "inline" if self.diff_view().side_by_side else "beside"
        self.show_sight(top=False)
        self.say(f"shown {'side by side' if self.layout_wanted == 'beside' else 'inline'}")

    def do_exact(self) -> None:
        self.exact = not self.exact
        self.show_sight(top=False)
        self.say("links as they are written" if self.exact else "links by their labels")

    def do_more_context(self) -> None:
        self._look_around(1)

    def do_less_context(self) -> None:
        self._look_around(-1)

    def _look_around(self, step: int) -> None:
        at = CONTEXTS.index(self.around)
        self.around = CONTEXTS[max(0, min(len(CONTEXTS) - 1, at + step))]
        self.show_sight(top=False)
        around = "the whole note" if self.around is None else f"{self.around} lines around"
        self.say(f"shown with {around}")

    # The filter ----------------------------------------------------------------------------------

    def do_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.add_class("-open")
        field.value = self.query_words
        field.focus()

    @on(Input.Changed, "#filter")
    def _filtering(self, event: Input.Changed) -> None:
        self.query_words = event.value.strip()
        self.show_queue()

    @on(Input.Submitted, "#filter")
    def _filtered(self) -> None:
        self.close_filter()

    def close_filter(self) -> None:
        """Put the field away; the filter stays until esc in the list."""
        self.query_one("#filter", Input).remove_class("-open")
        self.queue.focus()
        self.show_keys()

    def _retarget(self, path: str | None) -> None:
        """Put the unit on another node; the page that decides does it."""

    # Closer --------------------------------------------------------------------------------------

    def do_choose(self) -> None:
        if self.queue.has_focus or self.focused is None:
            self.do_next_pane()
            return
        key = self.pane_key()
        kind, _, rest = (key or "").partition(":")
        sight = self.sight
        if sight is None or not kind:
            self.say("there is nothing to open under the cursor", "warn")
        elif kind == "evidence":
            item = sight.evidence[int(rest)]
            self.dream_app.go_source(item.path, item.line, item.quote)
        elif kind == "link":
            self.dream_app.go_note(rest)
        elif kind == "candidate":
            reason = self.desk.why_no_reader()
            if reason:
                self.say(f"it cannot be retargeted to that node: {reason}", "warn")
            else:
                self._retarget(rest)
        else:
            self.do_preview()

    @on(LineList.Chosen)
    def _clicked(self, event: LineList.Chosen) -> None:
        if event.source is not self.queue:
            event.source.focus()
            self.action_do("choose")

    def do_preview(self) -> None:
        sight = self.sight
        if sight is None or sight.sides is None:
            self.say("there is no text to show", "warn")
            return
        self.dream_app.go_preview(sight.sides.path, sight.sides.after)

    def do_request(self) -> None:
        proposal = self.current
        self.dream_app.go_request(proposal.unit.name if proposal is not None else "")

    def do_open(self) -> None:
        self.dream_app.open_in_obsidian(self._here())

    def do_copy(self) -> None:
        self.dream_app.copy_link(self._here())

    def _here(self) -> tuple[str, str]:
        """The note that is meant, and a heading in it: under the cursor, else the target."""
        sight, key = self.sight, self.pane_key() if self.facts.has_focus else None
        kind, _, rest = (key or "").partition(":")
        if sight is not None and kind == "evidence":
            item = sight.evidence[int(rest)]
            return item.path, item.heading
        if kind in ("link", "candidate"):
            return rest, ""
        proposal = self.current
        return (proposal.target if proposal is not None else "", "")
