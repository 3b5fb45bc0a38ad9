"""What a person sees of a proposal, and can do to it before the commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vault_dream.engine.dream.edits import FileChange, SetProperties, apply_ops, text_hash
from vault_dream.engine.dream.landing import OVERRULED
from vault_dream.engine.dream.proposals import UNDECIDED, Finding, Proposal, State
from vault_dream.engine.dream.quotes import locate
from vault_dream.engine.dream.reader import Action
from vault_dream.engine.dream.rebase import rebase
from vault_dream.engine.dream.revise import (
    EvidenceView,
    Hunk,
    Sides,
    hunks,
    lines_around,
    ops_between,
    untouched_lines,
    with_hunks,
    with_link,
    without_link,
)
from vault_dream.engine.dream.scan import Scanner, Source
from vault_dream.engine.dream.units import Unit, to_bucket
from vault_dream.engine.errors import EditError
from vault_dream.engine.opened import OpenVault
from vault_dream.engine.vault.notes import parse_note

CONTEXT = 3
"""Lines shown before and after a quote."""


class Revisions(OpenVault):
    """A person's view of the proposals and their changes to them. Stateful, as the open vault is.

    Every change is checked again, so a proposal's findings always describe what it would do now.
    Methods raise ``KeyError`` for an unknown proposal id, and :class:`EditError` for a change that
    cannot be made.
    """

    def decide(self, proposal_id: str, state: State, *, by: str = "person", why: str = "") -> None:
        """Approve, reject, or postpone one proposal; nothing is written before the commit. Raises
        :class:`EditError` for one that has landed, or that adds nothing.
        """
        before = self.proposal(proposal_id)
        if before.state in ("committed", "settled"):
            raise EditError(before.target, "this is settled already", "undo its run to change it")
        self._put(before.decided(state, by, self._now(), why))
        if state == "rejected":
            self._unstage(before)
        elif before.state == "rejected":
            self._stage(before)

    def propose_repair(self, path: str, text: str, what: str) -> Proposal:
        """A proposal that gives the node at ``path`` the text ``text``; ``what`` it mends is for a
        person. Raises :class:`EditError` where it cannot be said as edits, or may never land."""
        run, before = self.run, self.vault.read(path).text
        node = self.digest.node(path)
        proposal = Proposal(
            id=f"{run.id}/{run.next_number()}",
            run_id=run.id,
            kind="repair",
            unit=Unit(f"Repair of {node.name}", to_bucket(node.bucket), what, ()),
            action="REFINE",
            target=path,
            changes=(FileChange(path, text_hash(before), ops_between(path, before, text)),),
            created=self._now(),
        )
        made = self.examiner.examine(proposal, {})
        for finding in made.findings:
            if finding.level == "error" and finding.check not in OVERRULED:
                raise EditError(path, finding.message, "fix it by hand")
        run.proposals[made.id] = made
        self._stage(made)
        return made

    # Seeing --------------------------------------------------------------------------------------

    def proposal(self, proposal_id: str) -> Proposal:
        return self._home(proposal_id)[proposal_id]

    def sides(self, proposal_id: str) -> Sides:
        """The target's whole text without the proposal and with it."""
        proposal = self.proposal(proposal_id)
        before = self._before(proposal)
        return Sides(proposal.target, before, self._applied(proposal, before, proposal.changes))

    def hunks(self, proposal_id: str) -> tuple[Hunk, ...]:
        """The hunks of the original proposal, including those left out."""
        proposal = self.proposal(proposal_id)
        before = self._before(proposal)
        offered = self._applied(proposal, before, proposal.offered or proposal.changes)
        return hunks(before or "", offered, proposal.left_out)

    def evidence(self, proposal_id: str) -> tuple[EvidenceView, ...]:
        """Each quote of the unit, at its present place in the source, with some lines around it."""
        scanner = self._fresh_scanner()
        views = []
        for item in self.proposal(proposal_id).unit.evidence:
            source = scanner.read(item.path)
            if not isinstance(source, Source):
                views.append(EvidenceView(item.path, 0, item.quote, item.heading, False, ()))
                continue
            now = locate(item.path, item.quote, source.blocks)
            line = now.line or item.line
            shown = tuple(lines_around(source.note.text, line, CONTEXT)) if line else ()
            heading = now.heading or item.heading
            views.append(EvidenceView(item.path, line, item.quote, heading, now.found, shown))
        return tuple(views)

    def owner_lines(self, proposal_id: str) -> int:
        """How many of the owner's lines in the node stay as they are."""
        sides = self.sides(proposal_id)
        if sides.before is None:
            return 0
        ours = self.written_lines(sides.path)
        return untouched_lines(
            sides.before, sides.after, lambda line: bool(line.strip()) and line.strip() not in ours
        )

    # Changing ------------------------------------------------------------------------------------

    def take_hunk(self, proposal_id: str, index: int, taken: bool) -> Proposal:
        """Leave out a hunk of the original proposal, or put it back."""
        proposal = self.proposal(proposal_id)
        if self._before(proposal) is None:
            raise EditError(
                proposal.target,
                "a new node is accepted or rejected as a whole",
                "edit its text instead",
            )
        left_out = set(proposal.left_out) - {index} if taken else {*proposal.left_out, index}
        return self._revised(replace(proposal, left_out=tuple(sorted(left_out))))

    def toggle_link(self, proposal_id: str, target: str, on: bool) -> Proposal:
        """Leave out a link that the proposal adds, or put it back."""
        proposal = self.proposal(proposal_id)
        off = set(proposal.links_off) - {target} if on else {*proposal.links_off, target}
        return self._revised(replace(proposal, links_off=tuple(sorted(off))))

    def add_link(self, proposal_id: str, target: str) -> Proposal:
        """Add a sentence that links to the node at ``target``."""
        sides = self.sides(proposal_id)
        note = parse_note(sides.path, sides.after.encode("utf-8"))
        name = self.digest.node(target).name
        chinese = any("\u4e00" <= letter <= "\u9fff" for letter in name)
        return self.rewrite(proposal_id, with_link(note, target, name, chinese))

    def rewrite(self, proposal_id: str, text: str) -> Proposal:
        """Replace the proposal with a person's own version of the whole target."""
        proposal = self.proposal(proposal_id)
        before = self._before(proposal)
        ops = ops_between(proposal.target, before, text)
        base = None if before is None else text_hash(before)
        offered = (FileChange(proposal.target, base, ops),)
        return self._revised(replace(proposal, offered=offered, left_out=(), links_off=()))

    def set_properties(self, proposal_id: str, values: Mapping[str, Any]) -> Proposal:
        """Set properties of the target on top of what is proposed."""
        sides = self.sides(proposal_id)
        text = apply_ops(sides.path, sides.after, [SetProperties(values)])
        return self.rewrite(proposal_id, text)

    def set_action(self, proposal_id: str, action: Action) -> Proposal:
        """Change the action of an update to another of the three; a CREATE stays a CREATE."""
        proposal = self.proposal(proposal_id)
        if (action == "CREATE") != (proposal.action == "CREATE"):
            raise EditError(
                proposal.target, "a new node cannot become an update by its name", "retarget it"
            )
        return self._revised(replace(proposal, action=action))

    def refresh_stale(self) -> tuple[str, ...]:
        """Check the disk: undecided proposals are rebased on the present text of their targets.

        Returns the ids of those that no longer fit; they are marked stale, with the reason.
        """
        self.digest.refresh()
        stale = []
        for proposal in self.proposals:
            if proposal.state not in UNDECIDED or not proposal.changes:
                continue
            before = self._before(proposal)
            found = rebase(proposal, {proposal.target: encoded(before)}.get)
            if found.stale:
                stale.append(proposal.id)
                self._put(proposal.decided("stale", "code", self._now(), found.stale))
                self.digest.unstage(proposal.target)
            elif proposal.state == "stale":
                self._put(proposal.decided("open", "code", self._now()))
        return tuple(stale)

    def put_back(self, proposal: Proposal) -> None:
        """Restore a proposal to an earlier version of itself."""
        path = self.proposal(proposal.id).target
        self._put(proposal)
        self.digest.unstage(path)
        if proposal.state in UNDECIDED and proposal.changes:
            before = self._before(proposal)
            try:
                after = self._applied(proposal, before, proposal.changes)
            except EditError:
                return  # it is stale, and the commit will say so
            self.digest.stage(proposal.target, after)

    # What they share -----------------------------------------------------------------------------

    def _before(self, proposal: Proposal) -> str | None:
        """The target's text without ``proposal``: the disk's, with what waits before it done."""
        path = proposal.target
        text = self.vault.read(path).text if self.vault.exists(path) else None
        for other in self.proposals:
            if other.id == proposal.id:
                break
            if other.state in UNDECIDED:
                for change in other.changes:
                    if change.path == path:
                        try:
                            text = apply_ops(path, text, change.ops)
                        except EditError:
                            continue
        return text

    def _applied(
        self, proposal: Proposal, before: str | None, changes: tuple[FileChange, ...]
    ) -> str:
        text = before
        for change in changes:
            if change.path == proposal.target:
                text = apply_ops(change.path, text, change.ops)
        return text or ""

    def _revised(self, proposal: Proposal) -> Proposal:
        """``proposal`` with its changes made from what is offered and what the person left out."""
        path = proposal.target
        before = self._before(proposal)
        base = None if before is None else text_hash(before)
        offered = proposal.offered or proposal.changes
        after = self._applied(proposal, before, offered)
        if before is not None:
            after = with_hunks(before, hunks(before, after, proposal.left_out))
        resolver = self.digest.resolver()
        for target in proposal.links_off:
            after = without_link(path, after, target, resolver)
        if after == before:
            raise EditError(path, "nothing would be left of the proposal", "reject it instead")
        changes = (FileChange(path, base, ops_between(path, before, after)),)
        revised = replace(proposal, changes=changes, offered=offered)
        revised = self.examiner.examine(
            revised, self._source_texts(proposal), before={path: before}
        )
        revised = replace(revised, findings=_with_orders(revised.findings, proposal.findings))
        self._put(revised)
        self.digest.stage(path, after)
        return revised

    def _source_texts(self, proposal: Proposal) -> dict[str, str]:
        """What the proposal's sources say now, without what no reader is shown."""
        scanner = self._fresh_scanner()
        texts = dict.fromkeys(proposal.unit.paths, "")
        for path in texts:
            if isinstance(source := scanner.read(path), Source):
                texts[path] = source.as_text(0).text
        return texts

    def _put(self, proposal: Proposal) -> None:
        self._home(proposal.id)[proposal.id] = proposal

    def _fresh_scanner(self) -> Scanner:
        return Scanner(self.vault, self.layout, self.settings, self.catalog())


def _with_orders(found: tuple[Finding, ...], before: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """``found``, and what was known of orders in the texts that the reader saw: an edit of the
    result does not unsay them."""
    orders = (f for f in before if f.check == "commands_in_sources" and f not in found)
    return (*found, *orders)


def encoded(text: str | None) -> bytes | None:
    """The bytes of a text that may not be there."""
    return None if text is None else text.encode("utf-8")
