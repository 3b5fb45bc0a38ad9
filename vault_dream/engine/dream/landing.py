"""Landing: approved proposals become writes on today's bytes, together with all that records them.

One commit holds the notes, the day pages, the catalog, the queue, the decisions and the report, so
that they can never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.catalog import Catalog, Entry, block_hash
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.edits import FileChange, SetProperties, apply_ops
from vault_dream.engine.dream.examine import Examiner
from vault_dream.engine.dream.kept import Decisions, evidence_key
from vault_dream.engine.dream.merging import merge_proposals, same
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.proposals import State as ProposalState
from vault_dream.engine.dream.rebase import rebase
from vault_dream.engine.dream.run import Run, checkpoint, units_to_retry
from vault_dream.engine.dream.scan import Source, source_hash
from vault_dream.engine.dream.state import State
from vault_dream.engine.dream.tagging import tags_wanted
from vault_dream.engine.errors import EditError, FilesystemError, VaultDreamError
from vault_dream.engine.journal import FileWrite, Journal, Landing, UnfinishedCommit, WriteSet
from vault_dream.engine.vault.notes import parse_note

PAGE_SET = "day page "
OVERRULED = frozenset({"links_conserved", "sentences_kept"})
"""Errors that a person may overrule knowingly (DESIGN, rule 4); no other error ever commits."""
STANDS: frozenset[ProposalState] = frozenset({"approved", "committed", "settled"})
WAITS: frozenset[ProposalState] = UNDECIDED | {"parked"}


@dataclass
class Lander:
    """One commit of a session. Stateful: ``run`` and ``earlier`` are updated as things land."""

    run: Run
    earlier: dict[str, Proposal]
    digest: Digest
    settings: Settings
    examiner: Examiner
    state: State
    journal: Journal
    now: Callable[[], str]
    today: date
    report: Callable[[], dict[str, Any]]
    pages: Sequence[FileChange]
    source: Callable[[str], str]
    stored: dict[str, Proposal]
    _texts: dict[str, bytes | None] = field(default_factory=dict)

    def land(self) -> Landing:
        """Commit what is approved; raises :class:`FilesystemError` with the vault whole."""
        self._catch_up()
        sets = [each for proposal in self._approved() if (each := self._set(proposal)) is not None]
        sets += [each for page in self.pages if (each := self._page(page)) is not None]
        if not sets and not self._state_writes(Landing()):
            return Landing()
        return self._commit(sets)

    def save(self) -> None:
        """Record the queue and the decisions; nothing lands."""
        if self._state_writes(Landing()):
            self._commit(())

    def _commit(self, sets: Sequence[WriteSet]) -> Landing:
        """One commit. One that was taken back leaves the run as if it had not been tried."""
        run, earlier = self.run.noted(), dict(self.earlier)
        try:
            landing = self.journal.commit(self.run.id, sets, self._state_writes)
        except UnfinishedCommit:
            raise  # decided: it only has to be finished
        except BaseException:
            self.run.recall(run)
            self.earlier.clear()
            self.earlier.update(earlier)
            raise
        # As they read back: what is rounded on the way must not look like another's change.
        for proposal in self._worth_storing():
            self.stored[proposal.id] = Proposal.from_json(proposal.as_json())
        return landing

    # Together with others ------------------------------------------------------------------------

    def _catch_up(self) -> dict[str, Proposal]:
        """What is stored now. Where another process or machine decided since this session looked,
        the decision that weighs more holds (see :mod:`merging`)."""
        self.state.look_again()
        now = {proposal.id: proposal for proposal in self.state.proposals()}
        for proposal_id, ours in self._all().items():
            theirs = now.get(proposal_id)
            if theirs is None:
                continue
            if not same(theirs, self.stored.get(proposal_id)):
                self._put(merge_proposals(ours, theirs))
            self.stored[proposal_id] = theirs
        return now

    # Before --------------------------------------------------------------------------------------

    def _approved(self) -> tuple[Proposal, ...]:
        both = (*self.earlier.values(), *self.run.proposals.values())
        return tuple(proposal for proposal in both if proposal.state == "approved")

    def _all(self) -> dict[str, Proposal]:
        return {**self.earlier, **self.run.proposals}

    def _set(self, proposal: Proposal) -> WriteSet | None:
        """The writes of a proposal, or ``None`` where it has to wait. It costs nobody else."""
        try:
            return self._checked_set(proposal)
        except VaultDreamError as error:
            self._wait(proposal, "stale", f"{error.where}: {error.what}")
            return None

    def _checked_set(self, proposal: Proposal) -> WriteSet | None:
        known = self._all()
        for other in proposal.builds_on:
            if other in known and known[other].state not in STANDS:
                waits = known[other].state in WAITS
                why = f"it builds on {known[other].unit.name}, which {'waits' if waits else 'fell'}"
                self._wait(proposal, "later" if waits else "stale", why)
                return None
        proposal = self._reviewed(proposal)
        rebased = rebase(proposal, self._current)
        if rebased.stands:
            self._put(proposal.decided("settled", "code", self.now(), "it is there already"))
            return None
        if rebased.stale:
            self._wait(proposal, "stale", rebased.stale)
            return None
        if reason := self._why_not(proposal):
            self._wait(proposal, "stale", reason)
            return None
        for write in rebased.writes:
            self._texts[write.path] = write.after
        needs = tuple(other for other in proposal.builds_on if self._is_approved(other))
        return WriteSet(proposal.id, rebased.writes, needs)

    def _reviewed(self, proposal: Proposal) -> Proposal:
        """The proposal with the date on its node that says that a person approved it."""
        field = self.settings.reviewed_field
        if not field or proposal.decision.by != "person" or proposal.kind != "unit":
            return proposal
        stamp = SetProperties({field: self.today})
        changes = (replace(change, ops=(*change.ops, stamp)) for change in proposal.changes)
        return replace(proposal, changes=tuple(changes))

    def _is_approved(self, proposal_id: str) -> bool:
        known = self._all()
        return proposal_id in known and known[proposal_id].state == "approved"

    def _current(self, path: str) -> bytes | None:
        """The bytes at ``path`` once the sets before have landed."""
        if path in self._texts:
            return self._texts[path]
        try:
            return self.digest.vault.read_bytes(path) if self.digest.vault.exists(path) else None
        except FilesystemError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None  # the listing knew it still
            raise

    def _why_not(self, proposal: Proposal) -> str:
        """Why the checks do not let a proposal land on what stands there now, ``""`` where they do.

        What a stored proposal says of itself counts for nothing: its file may have been edited.
        """
        before = {
            change.path: None if (raw := self._current(change.path)) is None else raw.decode()
            for change in proposal.changes
        }
        sources = {path: self.source(path) for path in proposal.unit.paths}
        try:
            checked = self.examiner.examine(proposal, sources, before=before)
        except EditError as error:
            return error.what
        person = proposal.decision.by == "person"
        for finding in checked.findings:
            known = person and finding.check in OVERRULED and finding in proposal.findings
            if finding.level == "error" and not known:
                return finding.message
        return self._dangling(checked)

    def _dangling(self, checked: Proposal) -> str:
        """Whether a link leads to a node that only another proposal would make, and that is not
        landing: such a link never lands."""
        staged = self.digest.staged()
        for edge in checked.edges:
            if edge.target in staged and not self._lands(edge.target):
                return f"the new link to {edge.target} leads nowhere"
        return ""

    def _lands(self, path: str) -> bool:
        return self._texts.get(path) is not None or self.digest.vault.exists(path)

    def _page(self, change: FileChange) -> WriteSet | None:
        """The refresh of a day page. It is code's own, and never worth failing a run."""
        try:
            raw = self._current(change.path)
            text = None if raw is None else raw.decode("utf-8")
            after = apply_ops(change.path, text, change.ops).encode("utf-8")
        except (VaultDreamError, UnicodeDecodeError) as error:
            self.run.warnings.append(
                f"{change.path}: its list of notes was left as it is ({error})"
            )
            return None
        self._texts[change.path] = after
        return WriteSet(PAGE_SET + change.path, (FileWrite(change.path, raw, after),))

    def _wait(self, proposal: Proposal, state: Any, reason: str) -> None:
        self._put(proposal.decided(state, "code", self.now(), reason))
        self.run.waiting[proposal.id] = reason

    def _put(self, proposal: Proposal) -> None:
        home = self.run.proposals if proposal.id in self.run.proposals else self.earlier
        home[proposal.id] = proposal

    # With what landed ----------------------------------------------------------------------------

    def _state_writes(self, landing: Landing) -> list[FileWrite]:
        """The state files that go with what landed."""
        now = self._catch_up()
        self._record(landing)
        catalog = self.state.catalog()
        entries = checkpoint(self.run, catalog)
        changed_since = {source.path for source in self.run.scan.changed if self._moved_on(source)}
        self.run.checkpointed = tuple(
            path
            for path, entry in entries.items()
            if entry.state in ("done", "queued") and path not in changed_since
        )
        self.run.warnings.extend(
            f"{path}: changed while it was being read; the next run reads it again"
            for path in sorted(changed_since)
        )
        entries |= self._page_entries(landing)
        entries |= self._settled_entries({**catalog.files, **entries}, {**now, **self._all()})
        failed = units_to_retry(self.run, self.state.failed())
        files: list[tuple[str, Mapping[str, Any]]] = [
            (self.state.proposal_path(proposal), proposal.as_json())
            for proposal in self._worth_storing()
        ]
        untagged = self._untagged(catalog)
        lost = self.state.stand_in is not None and self.state.known_catalog() is None
        if entries or lost or untagged != catalog.untagged:
            # A day that has not come, by a clock that was ahead or a date that was given, is none
            # up to which everything was read.
            whole = self.run.was_read and self.run.status != "failed"
            moved = whole and self.run.moves_window
            completed = min(self.run.scan.day, self.today) if moved else None
            changed = catalog.with_files(
                entries,
                dropped=self.run.scan.renamed.values(),
                last_completed=completed,
                latest=self.today + timedelta(days=1),
            )
            changed = replace(changed, untagged=untagged)
            files.append((self.state.catalog_path, changed.as_json()))
        if failed or self.state.failed():
            value = {"version": 1, "units": [unit.as_json() for unit in failed]}
            files.append((self.state.failed_path, value))
        rejected, taken_back = self._rejected(), self._taken_back()
        if rejected or taken_back:
            known = self.state.decisions().rejected - taken_back
            files.append((self.state.decisions_path, Decisions(known | rejected).as_json()))
        written = [w for path, value in files if (w := self.state.write(path, value)) is not None]
        writes = self.state.tidied(written)
        if not writes and not landing.landed:
            return []
        account = self.state.write(self.state.report_path(self.run.id), self.report())
        return [*writes, *([account] if account else [])]

    def _untagged(self, catalog: Catalog) -> tuple[str, ...]:
        """Nodes to ask tags for: a run that is cut off before it has asked leaves them to the
        next."""
        mended = {p.target for p in self.run.proposals.values() if p.kind == "repair"}
        changed = (path for path in self.run.updated if path not in mended)
        landed = (*self.run.created, *changed) if tags_wanted(self.settings) else ()
        wanted = {*catalog.untagged, *landed} - self.run.asked_for_tags
        return tuple(sorted(wanted))

    def _moved_on(self, source: Source) -> bool:
        """Whether a source's bytes are no longer those that were read. Its entry keeps the hash of
        what was read, so that the next run sees the change."""
        try:
            return source_hash(self.digest.vault.read(source.path)) != source.hash
        except VaultDreamError:
            return True

    def _record(self, landing: Landing) -> None:
        known = self._all()
        for set_id in landing.landed:
            if set_id.startswith(PAGE_SET):
                self.run.pages.append(set_id.removeprefix(PAGE_SET))
                continue
            proposal = known[set_id]
            self._put(
                proposal.decided(
                    "committed", proposal.decision.by, self.now(), proposal.decision.reason
                )
            )
            self._note_nodes(proposal)
        stopped = {**landing.stale, **{k: v.what for k, v in landing.refused.items()}}
        for set_id, reason in stopped.items():
            if set_id.startswith(PAGE_SET):
                self.run.warnings.append(f"{set_id.removeprefix(PAGE_SET)}: {reason}")
            elif known[set_id].state == "approved":
                self._wait(known[set_id], "stale", reason)
        self.run.warnings.extend(f"{left.where}: {left.what}" for left in landing.left)

    def _note_nodes(self, proposal: Proposal) -> None:
        if proposal.kind == "tags":
            self.run.tagged.append(proposal.target)
            return
        for change in proposal.changes:
            listed = self.run.created if change.base is None else self.run.updated
            if change.path not in (*self.run.created, *self.run.updated):
                listed.append(change.path)

    def _page_entries(self, landing: Landing) -> dict[str, Entry]:
        """Refreshed pages go to the catalog too, so that ours does not count as the owner's change.

        A page that was being read keeps the entry that its reading earned.
        """
        entries: dict[str, Entry] = {}
        read = {source.path for source in self.run.scan.changed}
        for page in self.pages:
            if PAGE_SET + page.path not in landing.landed or page.path in read:
                continue
            note = parse_note(page.path, self._texts[page.path] or b"")
            blocks = tuple(block_hash(note.block_text(block)) for block in note.blocks)
            entries[page.path] = Entry(
                hash=source_hash(note), blocks=blocks, size=len(note.raw), run_id=self.run.id
            )
        return entries

    def _settled_entries(
        self, files: Mapping[str, Entry], proposals: Mapping[str, Proposal]
    ) -> dict[str, Entry]:
        """Settled sources whose last proposal was decided just now, and those of which one of an
        earlier reading waits still."""
        waiting = {path for p in proposals.values() if p.state in WAITS for path in p.unit.paths}
        decided = {path for p in self.earlier.values() for path in p.unit.paths} - waiting
        found: dict[str, Entry] = {}
        for path, entry in files.items():
            if path in decided and entry.state == "queued":
                found[path] = replace(entry, state="done")
            elif path in waiting and entry.state == "done":
                found[path] = replace(entry, state="queued")
        return found

    def _worth_storing(self) -> list[Proposal]:
        """Proposals that wait, and stored ones that changed. One that only looks otherwise on the
        disk (laid out by hand, or by a sync program) is left as it is."""
        return [
            *(p for p in self.earlier.values() if p != self.stored.get(p.id)),
            *(
                p
                for p in self.run.proposals.values()
                if p.state in WAITS or p.state == "rejected" or p.id in self.stored
            ),
        ]

    def _taken_back(self) -> frozenset[tuple[str, str]]:
        """Evidence of rejections that were stored and that the person has changed their mind on."""
        return frozenset(
            evidence_key(item)
            for proposal_id, proposal in self._all().items()
            if proposal.state != "rejected"
            and (before := self.stored.get(proposal_id)) is not None
            and before.state == "rejected"
            for item in proposal.unit.evidence
        )

    def _rejected(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            evidence_key(item)
            for proposal in self._all().values()
            if proposal.state == "rejected" and proposal.kind == "unit"
            for item in proposal.unit.evidence
        )
