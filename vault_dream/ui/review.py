"""Review: deciding about the proposals and changing them."""

from __future__ import annotations

from collections.abc import Sequence

from vault_dream.engine.dream.proposals import Proposal, State
from vault_dream.engine.dream.reader import FirstSend
from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import REVIEW
from vault_dream.ui.change_pane import ACTION_WORDS
from vault_dream.ui.dialogs import Ask, Confirm
from vault_dream.ui.glyphs import ACTION_MARKS
from vault_dream.ui.lines import Line, line, wrapped
from vault_dream.ui.picker import Choice, Picker
from vault_dream.ui.queue_pane import MARK_STYLES
from vault_dream.ui.review_ways import Ways

NEXT: frozenset[State] = frozenset({"open", "stale"})


class ReviewPage(Ways):
    """The proposals of a vault, and a person's decisions about them."""

    PLACE = REVIEW

    # Deciding ------------------------------------------------------------------------------------

    def do_approve(self) -> None:
        proposal = self.current
        assert proposal is not None
        if proposal.worst() == "error":
            first = next(f.message for f in proposal.findings if f.level == "error")
            self.say(f"it cannot land as it is: {first}", "bad")
            return
        self._decide(proposal, "approved")

    def do_later(self) -> None:
        if self.current is not None:
            self._decide(self.current, "later")

    def do_reject(self) -> None:
        proposal = self.current
        assert proposal is not None

        def done(reason: str | None) -> None:
            if reason is not None:
                self._decide(proposal, "rejected", reason)

        self.app.push_screen(
            Ask(
                f"Reject: {proposal.unit.name}",
                "Why? Enter alone gives no reason; esc goes back.",
            ),
            done,
        )

    def _decide(self, proposal: Proposal, state: State, why: str = "") -> None:
        self.desk.decide(proposal.id, state, why)
        following = self._next_open(proposal.id)
        self.show_queue(cursor=following or proposal.id)
        word = {"approved": "approved", "rejected": "rejected", "later": "left for later"}[state]
        if following is None and not any(p.state in NEXT for p in self.desk.proposals):
            number = len(self.desk.approved)
            word += f"; all is decided. C writes {number}" if number else "; all is decided"
        self.say(f"{word}: {proposal.unit.name}")
        self.save()

    def _next_open(self, proposal_id: str) -> str | None:
        """The next proposal that is open, after this one or else from the top."""
        ids = [p.id for p in self.items]
        at = ids.index(proposal_id) if proposal_id in ids else -1
        states = {p.id: p.state for p in self.desk.proposals}
        order = [*ids[at + 1 :], *ids[: at + 1]]
        return next((each for each in order if states.get(each) in NEXT), None)

    def do_undo(self) -> None:
        step = self.desk.undo()
        self.forget_sights()
        self.show_queue(cursor=step.before.id)
        self.say(f"undone ({step.what}): {step.before.unit.name}")
        self.save()

    def do_approve_shown(self) -> None:
        found = self.approvable
        skipped = [p for p in self.items if p.state in ("open", "later") and p not in found]

        def done(yes: bool | None) -> None:
            if yes:
                self.desk.decide_all([p.id for p in found], "approved")
                self.show_queue()
                self.say(f"{len(found)} approved; u undoes them one by one. C writes them")
                self.save()

        self.app.push_screen(
            Confirm(
                f"Approve {len(found)}?",
                lambda width: touched(found, skipped, width),
                yes="approve them",
            ),
            done,
        )

    def brought_back(self, proposal_id: str) -> None:
        self.show_queue(cursor=proposal_id)
        self.say("it waits again")

    def do_commit(self) -> None:
        from vault_dream.ui.commit import CommitPage

        self.app.push_screen(CommitPage())

    # Changing ------------------------------------------------------------------------------------

    def do_toggle(self) -> None:
        sight, key = self.sight, self.pane_key()
        if sight is None or key is None:
            self.say("put the cursor on a change or on a link first: tab goes there", "warn")
            return
        kind, _, rest = key.partition(":")
        proposal, session = sight.proposal, self.desk.open_session
        if kind == "hunk":
            hunk = next(h for h in sight.hunks if str(h.index) == rest)
            word = "leave a change out" if hunk.taken else "put a change back"
            self.attempt(word, lambda: session.take_hunk(proposal.id, hunk.index, not hunk.taken))
        elif kind == "link":
            if rest not in proposal.links_added and rest not in proposal.links_off:
                self.say("that link was there before; only new ones can be left out", "warn")
                return
            on = rest in proposal.links_off
            word = "put a link back" if on else "leave a link out"
            self.attempt(word, lambda: session.toggle_link(proposal.id, rest, on))
        else:
            self.say("space leaves a change or a new link out; this is neither", "warn")

    def do_change_action(self) -> None:
        proposal, session = self.current, self.desk.open_session
        assert proposal is not None
        if proposal.action == "CREATE":
            self.say("a new note stays a new note; r retargets it", "warn")
            return
        names = ("CORROBORATE", "REFINE", "CORRECT")

        def find(query: str) -> Sequence[Choice]:
            return [
                Choice(name, (f"{ACTION_MARKS[name]} {name:<13}", (ACTION_WORDS[name], "muted")))
                for name in names
                if query.upper() in name
            ]

        def done(name: str | None) -> None:
            if name is not None and name != proposal.action:
                self.attempt(
                    f"call it {name}",
                    lambda: session.set_action(proposal.id, name),  # type: ignore[arg-type]
                )

        self.app.push_screen(Picker("What is it?", find), done)

    def do_add_link(self) -> None:
        proposal, session = self.current, self.desk.open_session
        assert proposal is not None

        def done(path: str | None) -> None:
            if path is not None:
                self.attempt("add a link", lambda: session.add_link(proposal.id, path))

        self.app.push_screen(self.node_picker("Link to which node?", proposal), done)

    def do_retarget(self) -> None:
        proposal = self.current
        assert proposal is not None
        self.app.push_screen(
            self.node_picker("Retarget to which node?", proposal, fresh=True), self._retarget
        )

    def _retarget(self, path: str | None) -> None:
        proposal = self.current
        if path is None or proposal is None:
            return
        self.later(
            self.desk.new_endpoint,
            lambda first: self._retarget_by(proposal, path, first),
            group="endpoint",
        )

    def _retarget_by(self, proposal: Proposal, path: str, first: FirstSend | None) -> None:
        """Integrate it anew, with leave where that sends something to a new endpoint."""

        def done(yes: bool | None) -> None:
            if yes:
                self.say("integrating it again …")
                self.attempt("another note", lambda: self._integrated_on(proposal.id, path or None))

        if first is None:
            done(True)
        else:
            self.app.push_screen(
                Confirm(
                    "Send it?", lambda width: unit_ahead_lines(first, proposal, width), yes="send"
                ),
                done,
            )

    def _integrated_on(self, proposal_id: str, path: str | None) -> Proposal:
        self.desk.need_reader()
        return self.desk.open_session.retarget(proposal_id, path)

    def node_picker(self, title: str, proposal: Proposal, *, fresh: bool = False) -> Picker:
        """Nodes by ``node_search``; before anything is typed, those that fit the unit."""
        session = self.desk.open_session
        unit = proposal.unit

        def find(query: str) -> Sequence[Choice]:
            hits = session.digest.search(query or f"{unit.name} {unit.summary}", 30)
            found = [
                Choice(
                    hit.path,
                    (hit.name, (f"  {hit.path}", "faint")),
                    ((f"{hit.score:.2f}", "muted"),),
                )
                for hit in hits
                if hit.path != proposal.target
            ]
            if fresh and proposal.action != "CREATE" and not query:
                found.insert(0, Choice("", (("a new node", "strong"),)))
            return found

        return Picker(title, find, hint="words of its name, or what it is about")

    # In an editor --------------------------------------------------------------------------------

    def do_edit(self) -> None:
        from vault_dream.ui.editor import EditPage

        sight = self.sight
        if sight is None or sight.sides is None:
            self.say("there is no text to edit", "warn")
            return

        def done(text: str | None) -> None:
            self._rewrite(sight.proposal, sight.sides.after, text)  # type: ignore[union-attr]

        self.app.push_screen(EditPage(sight.sides.path, sight.sides.after, self.desk), done)

    def do_edit_outside(self) -> None:
        sight = self.sight
        if sight is None or sight.sides is None:
            self.say("there is no text to edit", "warn")
            return
        name = sight.sides.path.rsplit("/", 1)[-1].removesuffix(".md")
        try:
            text = self.dream_app.outside.edit(sight.sides.after, name, self.app.suspend)
        except VaultDreamError as error:
            self.say_error(error)
            return
        self._rewrite(sight.proposal, sight.sides.after, text)

    def _rewrite(self, proposal: Proposal, before: str, text: str | None) -> None:
        if text is None or text == before:
            self.say("nothing was changed")
            return
        session = self.desk.open_session
        self.attempt("edit", lambda: session.rewrite(proposal.id, text))


def unit_ahead_lines(first: FirstSend, proposal: Proposal, width: int) -> list[Line]:
    """What one unit's integration sends to an endpoint that is new."""
    notes = ", ".join(proposal.unit.paths)
    rows = wrapped([f"Nothing was ever sent to {first.host} ({first.model})."], width)
    rows += wrapped([("It would get the unit, the nodes near it, and: ", "muted"), notes], width)
    return rows


def touched(found: Sequence[Proposal], skipped: Sequence[Proposal], width: int) -> list[Line]:
    """Exactly which notes some proposals touch, and which proposals stay out and why."""
    rows: list[Line] = []
    for proposal in found:
        mark = ACTION_MARKS[proposal.action]
        rows += wrapped(
            [proposal.unit.name], width, first=[(f"{mark} ", MARK_STYLES[proposal.action])]
        )
        for change in proposal.changes:
            new = "new: " if change.base is None else ""
            rows += wrapped([(f"{new}{change.path}", "muted")], width, first=["  "])
        for finding in proposal.findings:
            if finding.level == "warn":
                rows += wrapped([(finding.message, "warn")], width, first=["  "])
    if skipped:
        rows += [Line(), line(("These need a closer look and stay open:", "muted"))]
        rows += [line("  ", (p.unit.name, "muted")) for p in skipped]
    return rows
