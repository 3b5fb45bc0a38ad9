"""ReviewSession: the one interface between the engine and its front ends.

Scan, extract, integrate, decide, commit, tag and undo, in that order. The app, the headless run and
every test of the pipeline go through it.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from vault_dream.config import Settings
from vault_dream.engine.backfill import OlderDays
from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.compose import Spelling
from vault_dream.engine.dream.dayindex import DayPage, may_create, refresh
from vault_dream.engine.dream.edits import FileChange
from vault_dream.engine.dream.extract import Extraction, extract
from vault_dream.engine.dream.integrate import Workbench, integrate
from vault_dream.engine.dream.landing import Lander
from vault_dream.engine.dream.outcome import UnitFailed
from vault_dream.engine.dream.proposals import Proposal, foundations
from vault_dream.engine.dream.reader import Reader, Usage
from vault_dream.engine.dream.refusals import refused
from vault_dream.engine.dream.report import report
from vault_dream.engine.dream.run import Failure, Run, resting
from vault_dream.engine.dream.scan import Scan, Scanner, Source, window
from vault_dream.engine.dream.sources import Sources, own_blocks
from vault_dream.engine.dream.tagging import tag_proposal
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import (
    BudgetError,
    NoModelError,
    Problem,
    VaultDreamError,
)
from vault_dream.engine.events import (
    Committed,
    Event,
    Extracted,
    Extracting,
    Integrated,
    Integrating,
    Scanned,
    Sending,
    Tagged,
)
from vault_dream.engine.interest import Interest
from vault_dream.engine.journal import Landing
from vault_dream.engine.moving import Moving
from vault_dream.engine.placement import check_places
from vault_dream.engine.reader_at_work import ReaderAtWork, Stopped
from vault_dream.engine.revisions import Revisions
from vault_dream.engine.upkeep import Upkeep
from vault_dream.engine.vault.disk import Disk

T = TypeVar("T")


class ReviewSession(Revisions, Upkeep, Moving, OlderDays, Interest):
    """One vault and one run at a time. Stateful, synchronous to its callers, usable from a thread.

    ``reader`` is ``None`` if no model is configured; everything then works except a dream over
    changed notes. ``clock`` returns an aware datetime. A ``dry_run`` session writes nothing.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        *,
        reader: Reader | None = None,
        dry_run: bool = False,
        clock: Callable[[], datetime] | None = None,
        token: Callable[[], str] = lambda: secrets.token_hex(2),
        on_event: Callable[[Event], None] = lambda event: None,
        disk: Disk | None = None,
        index_file: Path | None = None,
    ) -> None:
        super().__init__(
            root,
            settings,
            dry_run=dry_run,
            clock=clock,
            token=token,
            disk=disk,
            index_file=index_file,
        )
        self.reader = reader
        self._tell = on_event
        self._at_work = ReaderAtWork(on_event)
        self._scanner: Scanner | None = None
        self._catalog: Catalog
        self._spent = Usage()

    def report(self) -> dict[str, Any]:
        """The report of the run so far."""
        reader = self.reader
        run = self.run
        run.warnings.extend(
            f"{p.where}: {p.what}"
            for p in self.state.problems
            if f"{p.where}: {p.what}" not in run.warnings
        )
        return report(
            run,
            host=socket.gethostname(),
            vault=self.vault.root.name,
            provider=reader.provider if reader else self.settings.provider,
            model=reader.model if reader else self.settings.model,
            prompts=reader.prompts if reader else "",
            usage=reader.usage().since(self._spent) if reader else Usage(),
        )

    # The steps -----------------------------------------------------------------------------------

    def scan(
        self, day: date | None = None, scan_days: int | None = None, *, quiet: bool = False
    ) -> Scan:
        """Begin a run: read the days up to ``day`` (today) and find what is new.

        ``quiet`` skips notes that changed within the last ``quiet_minutes``.
        """
        day = day or self.today
        scanner = self._begin()
        catalog = scanner.catalog
        dates = window(day, scan_days or self.settings.scan_days, catalog.last_completed)
        failed = {path for unit in self.state.failed() for path in unit.unit.paths}
        failed |= {path for path, entry in catalog.files.items() if entry.state == "failed"}
        rest = {path for path in failed if (e := catalog.get(path)) and resting(e, day)}
        newest = None
        if quiet and self.settings.quiet_minutes:
            limit = self._clock() - timedelta(minutes=self.settings.quiet_minutes)
            newest = int(limit.timestamp() * 1_000_000_000)
        found = scanner.scan(day, dates, wanted=sorted(failed), rest=rest, newest_mtime_ns=newest)
        run = Run(self._run_id(), found, dry_run=self.dry_run)
        if day > self.today:
            run.warnings.append(f"{day} has not come yet: today is {self.today}")
        return self._scanned(run)

    def scan_day(self, day: date) -> Scan:
        """Begin a run over one day of any age, as a backfill does. Nothing else is read but what
        the day's failed units rest on, and the window of the next run does not move."""
        scanner = self._begin()
        inputs = frozenset(scanner.inputs(day))
        wanted = {
            path
            for failed in self.state.failed()
            if not inputs.isdisjoint(failed.unit.paths)
            for path in failed.unit.paths
        }
        found = scanner.scan(day, (day,), wanted=sorted(wanted))
        return self._scanned(Run(self._run_id(), found, dry_run=self.dry_run, moves_window=False))

    def _begin(self) -> Scanner:
        self._at_work.begin()
        self.digest.refresh()
        check_places(self.vault, self.settings, self.layout)
        self._spent = self.reader.usage() if self.reader else Usage()
        self._catalog = self.catalog()
        own = partial(own_blocks, self.digest)
        self._scanner = Scanner(self.vault, self.layout, self.settings, self._catalog, own_text=own)
        return self._scanner

    def _scanned(self, run: Run) -> Scan:
        self._run, found = run, run.scan
        self._run.attempts = {failed.unit.id: failed.attempts for failed in self.state.failed()}
        self._follow({old: new for new, old in found.renamed.items()})
        self._run.warnings.extend(self._unsaid)
        self._unsaid.clear()
        self._run.warnings.extend(self.layout.warnings)
        self._run.warnings.extend(self.vault.obsidian.warnings)
        self._run.warnings.extend(f"{p.where}: {p.what}" for p in self.vault.listing().problems)
        self._tell(Scanned(found.scanned, len(found.changed), sum(s.fresh for s in found.changed)))
        return found

    def extract(self, *, max_units: int | None = None, hint: str = "") -> tuple[Unit, ...]:
        """The units of all changed sources, and earlier failed units that are due for another try.

        Raises :class:`NoModelError` if something is new and there is no reader. Any other failure
        of the reader is recorded in the run, and none of its sources are checkpointed.
        """
        run = self.run
        retries, fresh = self.to_read()
        run.retried = frozenset(unit.unit.id for unit in retries)
        units = [unit.unit for unit in retries]
        if (fresh or units) and self.reader is None:
            raise NoModelError(
                "provider",
                f"{len(fresh)} changed notes to read, but no model is configured",
                "set model and base_url in vault-dream.yaml, or use --provider offline",
            )
        if first := self.first_send(max_units=max_units, hint=hint):
            self._tell(Sending(first.host, first.model, first.notes, first.characters))
        if fresh and self.reader is not None:
            units += self._ask_for_units(self.reader, run, fresh, max_units, hint)
        run.units = tuple(units)
        run.was_read = True
        self._tell(Extracted(tuple(unit.name for unit in run.units)))
        return run.units

    def _ask_for_units(
        self,
        reader: Reader,
        run: Run,
        fresh: tuple[Source, ...],
        max_units: int | None,
        hint: str,
    ) -> tuple[Unit, ...]:
        about = self.estimate(max_units=max_units, hint=hint)
        self._tell(Extracting(len(fresh), about.tokens, about.calls, about.cost))
        run.extracted = fresh
        began = time.monotonic()
        try:
            run.extraction = self._work(
                extract(
                    reader,
                    fresh,
                    max_units=max_units or self.settings.max_units,
                    hint=hint,
                    language=self.settings.language,
                    decisions=refused(self.state, self._catalog, self.digest),
                )
            )
        except (NoModelError, BudgetError):
            raise
        except VaultDreamError as error:
            run.extract_failed = error.what
            run.extract_counts = not isinstance(error, Stopped)
            run.errors.append(error.problem)
            run.extraction = Extraction()
        finally:
            run.seconds += time.monotonic() - began
        run.warnings.extend(run.extraction.warnings)
        run.errors.extend(
            Problem(path, f"it could not be read: {reason}", "it is tried again")
            for path, reason in run.extraction.unread
        )
        return run.extraction.units

    def set_units(self, units: Sequence[Unit]) -> None:
        """Replace the units with a person's edited, dropped or merged version of them."""
        self.run.units = tuple(units)

    def integrate(self, *, hint: str = "") -> tuple[Proposal, ...]:
        """A proposal for each unit, in order. A unit that fails affects no other."""
        run = self.run
        reader = self.reader
        if reader is None or not run.units:
            return ()
        _ = self.earlier  # their results are nodes for this run
        began = time.monotonic()
        bench = self._bench(reader, hint)
        try:
            for number, unit in enumerate(run.units, start=1):
                if run.stopped is None:
                    self._tell(Integrating(number, len(run.units), unit.name))
                    self._integrate_one(bench, unit, number)
                else:
                    # What was not reached is tried next time, without being extracted again.
                    run.failures.append(Failure(unit, run.stopped.what, counts=False))
        finally:
            run.seconds += time.monotonic() - began
        return tuple(run.proposals.values())

    def _bench(self, reader: Reader, hint: str = "") -> Workbench:
        sources = self._sources()
        return Workbench(
            digest=self.digest,
            settings=self.settings,
            examiner=self.examiner,
            today=self.today,
            created=self._now(),
            run_id=self.run.id,
            reader=reader,
            source=sources.text,
            source_properties=sources.properties,
            whole_source=sources.whole,
            hint=hint,
            waiting=tuple(self.earlier.values()),
        )

    def retarget(self, proposal_id: str, path: str | None) -> Proposal:
        """Integrate a proposal's unit again: into the node at ``path``, or as a new node.

        Raises :class:`NoModelError` without a reader, and :class:`UnitFailed` if integration fails;
        the proposal then stays as it was.
        """
        if self.reader is None:
            raise NoModelError("provider", "no model is configured", "set one, or edit by hand")
        before = self.proposal(proposal_id)
        self.digest.unstage(before.target)
        bench = replace(self._bench(self.reader), run_id=before.run_id)
        number = int(proposal_id.rpartition("/")[2])
        try:
            made = self._work(integrate(bench, before.unit, number, chosen=path or ""))
        except VaultDreamError:
            self._stage(before)
            raise
        made = replace(made, builds_on=foundations(made, self.proposals))
        self._put(made)
        self._stage(made)
        return made

    def _integrate_one(self, bench: Workbench, unit: Unit, number: int) -> None:
        run, total = self.run, len(self.run.units)
        before = self._tokens()
        try:
            proposal = self._work(integrate(bench, unit, number))
            if proposal.worst() == "error":
                words = [f.message for f in proposal.findings if f.level == "error"]
                raise UnitFailed(unit.name, "; ".join(words), "it will be tried again")
        except VaultDreamError as error:
            if isinstance(error, NoModelError | BudgetError | Stopped):
                run.stopped = error
            reason = error.what if error.where == unit.name else f"{error.where}: {error.what}"
            run.failures.append(Failure(unit, reason, counts=run.stopped is None))
            run.errors.append(error.problem)
            spent = self._tokens()
            self._tell(Integrated(number, total, unit.name, "", "", reason, spent - before, spent))
            return
        proposal = replace(proposal, builds_on=foundations(proposal, self.proposals))
        run.proposals[proposal.id] = proposal
        self._stage(proposal)
        spent = self._tokens()
        action, target = proposal.action, proposal.target
        self._tell(Integrated(number, total, unit.name, action, target, "", spent - before, spent))

    def commit(self) -> Landing:
        """Write what was approved, and record what became of every source, in one commit.

        Everything else waits in the queue. If there is nothing to record, nothing is written.
        Raises :class:`FilesystemError`, with the vault intact, if writing fails.
        """
        if self.dry_run:
            return Landing()
        landing = self._lander().land()
        if landing.landed and self.settings.keep_undo_days:
            self.journal.prune(self.settings.keep_undo_days)
        self.digest.refresh()
        self._written = None
        self._tell(Committed(landing.landed, tuple(landing.stale)))
        return landing

    def save(self) -> None:
        """Save the queue, decisions included, without committing anything."""
        if not self.dry_run:
            self._lander().save()

    def _lander(self) -> Lander:
        check_places(self.vault, self.settings, self.layout)
        spelling = Spelling.of(self.settings, self.vault.obsidian)
        sources = self._sources()
        return Lander(
            run=self.run,
            earlier=self.earlier,
            stored=self._stored,
            digest=self.digest,
            settings=self.settings,
            examiner=self.examiner,
            state=self.state,
            journal=self.journal,
            now=self._now,
            today=self.today,
            report=self.report,
            pages=[
                change
                for page in self.run.scan.pages
                if page.path not in self.run.pages
                and (change := self._refreshed(page, spelling)) is not None
            ],
            source=lambda path: text.text if (text := sources.text(path)) else "",
        )

    def _refreshed(self, page: DayPage, spelling: Spelling) -> FileChange | None:
        # A missing day page is ours to make, save for one that its owner took away.
        make = may_create(self.layout) and self._catalog.get(page.path) is None
        return refresh(page, may_create=make, resolver=self.digest.resolver(), spelling=spelling)

    def auto_tag(self) -> tuple[Proposal, ...]:
        """Tag proposals, one for each node that the run created or changed, and for those that an
        interrupted run left untagged.

        A failure is recorded and affects nothing else. They are decided and committed like any
        other.
        """
        run, reader = self.run, self.reader
        if reader is None or self.dry_run:
            return ()
        made: list[Proposal] = []
        untagged = self.catalog().untagged
        wanted = {*run.created, *run.updated, *untagged} - run.asked_for_tags
        run.asked_for_tags |= wanted
        vault_tags = self.lookup.told_tags() if wanted else ()
        for path in sorted(path for path in wanted if self.vault.exists(path)):
            try:
                proposal = self._work(
                    tag_proposal(
                        path,
                        self.examiner,
                        reader,
                        run_id=run.id,
                        number=run.next_number(),
                        created=self._now(),
                        vault_tags=vault_tags,
                    )
                )
            except Stopped:
                run.asked_for_tags.discard(path)  # it was not asked, so the next run does
                continue
            except VaultDreamError as error:
                run.tag_failures.append({"path": path, "reason": error.what})
                self._tell(Tagged(path, (), error.what))
                continue
            if proposal is not None:
                run.proposals[proposal.id] = proposal
                made.append(proposal)
        return tuple(made)

    def cancel(self) -> None:
        """Stop the reader's work; callable from any thread. A write is never interrupted.

        Finished work is kept; the next run tries the rest.
        """
        self._at_work.cancel()

    @property
    def cancelled(self) -> bool:
        """Whether the run was stopped; a scan begins a new one."""
        return self._at_work.cancelled

    def _work(self, work: Coroutine[Any, Any, T]) -> T:
        return self._at_work.run(self.reader, work)

    def _sources(self) -> Sources:
        return Sources(self.vault, self.run.scan.changed, self._scanner)

    def close(self) -> None:
        """Release the connections, the thread and the index."""
        self._at_work.close(self.reader)
        self.digest.close()
        if self._lookup is not None:
            self._lookup.close()

    def __enter__(self) -> ReviewSession:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
