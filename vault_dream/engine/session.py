"""ReviewSession: the one seam between the engine and its faces.

Scan, extract, integrate, decide, commit, tag and undo, in that order; both the app and the headless
run, and every test of the pipeline, go through it.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, TypeVar

from vault_dream.config import Settings
from vault_dream.engine.digest.catalog import Catalog, block_hash
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.afterwards import after_undo, forget_in_state
from vault_dream.engine.dream.dayindex import refresh
from vault_dream.engine.dream.draft import UnitFailed
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.dream.extract import Extraction, extract
from vault_dream.engine.dream.integrate import Workbench, integrate
from vault_dream.engine.dream.landing import Lander
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal, State
from vault_dream.engine.dream.reader import Reader, SourceText
from vault_dream.engine.dream.refusals import refused
from vault_dream.engine.dream.report import report
from vault_dream.engine.dream.run import Failure, Run, resting, retry_now
from vault_dream.engine.dream.scan import Scan, Scanner, Source, window
from vault_dream.engine.dream.state import State as StateFiles
from vault_dream.engine.dream.tagging import tag_proposal
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import (
    BudgetError,
    EditError,
    FilesystemError,
    NoModelError,
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
    Tagged,
)
from vault_dream.engine.journal import Journal, Landing, Recovered, Undone
from vault_dream.engine.lookup import Lookup, make_recall
from vault_dream.engine.vault.daily import DailyLayout, find_layout
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.engine.vault.machine import vault_state_folder
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.vault import Vault
from vault_dream.engine.versioning import git_commit
from vault_dream.engine.worker import Worker

OWN_BLOCK = 40
"""Characters from which a block of the digest is recognised when it comes back in a source."""


T = TypeVar("T")


class Stopped(VaultDreamError):
    """Somebody cancelled the run."""


class ReviewSession:
    """One vault and one run at a time. Stateful, synchronous to its callers, usable from a thread.

    ``reader`` is ``None`` where no model is configured: everything but a dream over changed notes
    works then. ``clock`` gives the time with its zone. A ``dry_run`` session writes nothing at all.
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
        self.settings = settings
        self.reader = reader
        self.dry_run = dry_run
        self._zone = _zone(settings.timezone)
        self._clock = clock or (lambda: datetime.now(UTC).astimezone(self._zone))
        self._token = token
        self._tell = on_event
        self._disk = disk or Disk(root)
        self._worker = Worker()
        self._cancelled = False
        self.vault = Vault(root)
        self.state = StateFiles(
            self.vault.root, settings.state_dir, self._disk, read_only=dry_run, clock=self._clock
        )
        self.journal = Journal(
            self.vault.root,
            locate=self.vault.disk_path,
            disk=self._disk,
            state_folder=vault_state_folder(self.vault.root),
            state_dir=settings.state_dir,
            clock=self._clock,
        )
        self.digest = Digest(
            self.vault,
            settings.digest_dir,
            tag_field=settings.tag_field,
            index_file=index_file,
            recall=make_recall(settings, index_file and index_file.parent, self._warn),
        )
        self._index_folder = index_file.parent if index_file is not None else None
        self._lookup: Lookup | None = None
        self._layout: DailyLayout | None = None
        self._scanner: Scanner
        self._catalog: Catalog
        self._run: Run | None = None
        self._earlier: dict[str, Proposal] | None = None

    # Looking -------------------------------------------------------------------------------------

    @property
    def today(self) -> date:
        """The owner's day, by the setting ``timezone``."""
        return self._clock().astimezone(self._zone).date()

    @property
    def lookup(self) -> Lookup:
        """Search over the whole vault, and the graph of its links."""
        if self._lookup is None:
            self._lookup = Lookup(self.vault.root, lambda: self.settings, folder=self._index_folder)
        return self._lookup

    @property
    def layout(self) -> DailyLayout:
        """Where the daily notes live."""
        if self._layout is None:
            self._layout = find_layout(
                self.vault.listing().entries,
                self.vault.obsidian,
                daily_dir=self.settings.daily_dir,
                daily_format=self.settings.daily_format,
            )
        return self._layout

    @property
    def run(self) -> Run:
        """The run that the last scan began; without one, a run that only decides what waits."""
        if self._run is None:
            self._run = Run(self._run_id(), Scan(self.today, (self.today,)), dry_run=self.dry_run)
        return self._run

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Undecided proposals of earlier runs, then all of this one."""
        run = self._run.proposals if self._run else {}
        return (*(p for p in self.earlier.values() if p.id not in run), *run.values())

    @property
    def earlier(self) -> dict[str, Proposal]:
        """Stored proposals of earlier runs that may still land, by id."""
        if self._earlier is None:
            self._earlier = {p.id: p for p in self.state.proposals() if p.state in UNDECIDED}
            for proposal in self._earlier.values():
                self._stage(proposal)
        return self._earlier

    def report(self) -> dict[str, Any]:
        """The account of the run so far."""
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
        )

    @contextmanager
    def dreaming(self, what: str) -> Iterator[None]:
        """Hold the dream lock: one process per vault extracts and integrates.

        Raises :class:`BusyError` where another does. A dry run takes no lock.
        """
        if self.dry_run:
            yield
            return
        with VaultLock(self.vault.root, "dream", disk=self._disk).acquire(what):
            yield

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or take back what a killed run left. Nothing in a dry run."""
        return () if self.dry_run else self.journal.recover()

    # The steps -----------------------------------------------------------------------------------

    def scan(
        self, day: date | None = None, scan_days: int | None = None, *, quiet: bool = False
    ) -> Scan:
        """Begin a run: read the days ending at ``day`` (today) and see what is new.

        ``quiet`` leaves notes alone that changed within ``quiet_minutes``.
        """
        day = day or self.today
        self.digest.refresh()
        self._catalog = catalog = self.state.catalog()
        scanner = Scanner(self.vault, self.layout, self.settings, catalog, own_text=self._own_text)
        dates = window(day, scan_days or self.settings.scan_days, catalog.last_completed)
        failed = {path for unit in self.state.failed() for path in unit.unit.paths}
        failed |= {path for path, entry in catalog.files.items() if entry.state == "failed"}
        rest = {path for path in failed if (e := catalog.get(path)) and resting(e, day)}
        newest = None
        if quiet and self.settings.quiet_minutes:
            limit = self._clock() - timedelta(minutes=self.settings.quiet_minutes)
            newest = int(limit.timestamp() * 1_000_000_000)
        found = scanner.scan(day, dates, wanted=sorted(failed), rest=rest, newest_mtime_ns=newest)
        self._scanner = scanner
        self._run = Run(self._run_id(), found, dry_run=self.dry_run)
        self._run.warnings.extend(self.layout.warnings)
        self._run.warnings.extend(self.vault.obsidian.warnings)
        self._run.warnings.extend(f"{p.where}: {p.what}" for p in self.vault.listing().problems)
        self._tell(Scanned(found.scanned, len(found.changed), sum(s.fresh for s in found.changed)))
        return found

    def extract(self, *, max_units: int | None = None, hint: str = "") -> tuple[Unit, ...]:
        """The units of all changed sources, and those that failed before and wait for another try.

        Raises :class:`NoModelError` where something is new and there is no reader. Any other
        failure of the reader is kept in the run: nothing of it is checkpointed.
        """
        run = self.run
        sources = {source.path: source for source in run.scan.changed}
        retries = tuple(unit for unit in self.state.failed() if retry_now(unit, sources))
        run.retried = frozenset(unit.unit.id for unit in retries)
        done = {
            path
            for unit in retries
            for path in unit.unit.paths
            if (entry := sources[path].known) and entry.hash == sources[path].hash
        }
        fresh = tuple(s for s in run.scan.changed if s.fresh and s.path not in done)
        units = [unit.unit for unit in retries]
        if (fresh or units) and self.reader is None:
            raise NoModelError(
                "provider",
                f"{len(fresh)} changed notes are to be read, but no model is configured",
                "set model and base_url in vault-dream.yaml, or use --provider offline",
            )
        if fresh and self.reader is not None:
            units += self._ask_for_units(self.reader, run, fresh, max_units, hint)
        run.units = tuple(units)
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
        self._tell(Extracting(len(fresh)))
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
            run.errors.append(error.problem)
            run.extraction = Extraction()
        finally:
            run.usage.seconds += time.monotonic() - began
        run.warnings.extend(run.extraction.warnings)
        return run.extraction.units

    def set_units(self, units: Sequence[Unit]) -> None:
        """Replace the units, as a person edited, dropped or merged them."""
        self.run.units = tuple(units)

    def integrate(self, *, hint: str = "") -> tuple[Proposal, ...]:
        """A proposal for each unit, one after another; one bad unit costs that unit."""
        run = self.run
        reader = self.reader
        if reader is None or not run.units:
            return ()
        _ = self.earlier  # their results are nodes for this run
        began = time.monotonic()
        bench = Workbench(
            digest=self.digest,
            settings=self.settings,
            today=self.today,
            created=self._now(),
            run_id=run.id,
            reader=reader,
            source=self._source_text,
            source_properties=self._source_properties,
            hint=hint,
        )
        try:
            for number, unit in enumerate(run.units, start=1):
                if run.stopped is None:
                    self._tell(Integrating(number, len(run.units), unit.name))
                    self._integrate_one(bench, unit, number)
                else:
                    # What was not reached is tried next time, without being extracted again.
                    run.failures.append(Failure(unit, run.stopped.what))
        finally:
            run.usage.seconds += time.monotonic() - began
        return tuple(run.proposals.values())

    def _integrate_one(self, bench: Workbench, unit: Unit, number: int) -> None:
        run, total = self.run, len(self.run.units)
        try:
            proposal = self._work(integrate(bench, unit, number))
            if proposal.worst() == "error":
                words = [f.message for f in proposal.findings if f.level == "error"]
                raise UnitFailed(unit.name, "; ".join(words), "it will be tried again")
        except VaultDreamError as error:
            if isinstance(error, NoModelError | BudgetError | Stopped):
                run.stopped = error
            reason = error.what if error.where == unit.name else f"{error.where}: {error.what}"
            run.failures.append(Failure(unit, reason))
            run.errors.append(error.problem)
            self._tell(Integrated(number, total, unit.name, "", "", reason))
            return
        proposal = replace(proposal, builds_on=self._foundations(proposal))
        run.proposals[proposal.id] = proposal
        self._stage(proposal)
        self._tell(Integrated(number, total, unit.name, proposal.action, proposal.target))

    def decide(self, proposal_id: str, state: State, *, by: str = "person", why: str = "") -> None:
        """Approve, reject, or leave one proposal for later; nothing is written before the commit.

        Raises ``KeyError`` for an id that is not among :attr:`proposals`.
        """
        where = self._home(proposal_id)
        where[proposal_id] = where[proposal_id].decided(state, by, self._now(), why)

    def commit(self) -> Landing:
        """Land what was approved, and record what became of every source, in one commit.

        Whatever was not approved waits in the queue. With nothing to record, nothing is written.
        Raises :class:`FilesystemError`, with the vault whole, where it cannot be written.
        """
        if self.dry_run:
            return Landing()
        lander = Lander(
            run=self.run,
            earlier=self.earlier,
            digest=self.digest,
            settings=self.settings,
            state=self.state,
            journal=self.journal,
            now=self._now,
            today=self.today,
            report=self.report,
            pages=[
                change
                for page in self.run.scan.pages
                if page.path not in self.run.pages
                and (change := refresh(page, may_create=not self.layout.governed)) is not None
            ],
            source=lambda path: _joined(self._source_text(path)),
        )
        landing = lander.land()
        if landing.landed and self.settings.keep_undo_days:
            self.journal.prune(self.settings.keep_undo_days)
        self.digest.refresh()
        self._tell(Committed(landing.landed, tuple(landing.stale)))
        return landing

    def auto_tag(self) -> tuple[Proposal, ...]:
        """Tag proposals for each node that the run created or changed, once each.

        A failure is recorded and changes nothing else. They are decided and committed like any
        other.
        """
        run, reader = self.run, self.reader
        if reader is None or self.dry_run:
            return ()
        made: list[Proposal] = []
        for path in dict.fromkeys((*run.created, *run.updated)):
            try:
                proposal = self._work(
                    tag_proposal(
                        path,
                        self.digest,
                        self.settings,
                        reader,
                        run_id=run.id,
                        number=len(run.units) + len(made) + 1,
                        created=self._now(),
                    )
                )
            except VaultDreamError as error:
                run.tag_failures.append({"path": path, "reason": error.what})
                self._tell(Tagged(path, (), error.what))
                continue
            if proposal is not None:
                run.proposals[proposal.id] = proposal
                made.append(proposal)
        return tuple(made)

    def undo(
        self,
        run_id: str | None = None,
        paths: Sequence[str] | None = None,
        *,
        merge: bool = False,
        again: bool = False,
    ) -> Undone:
        """Give the files of a run (the last one that wrote) the bytes they had before it.

        ``paths`` limits it to some nodes. A file changed since stays, unless ``merge`` finds a
        clean three-way merge. Undone units count as rejected, unless ``again``. Raises
        :class:`FilesystemError` where there is no such run.
        """
        if run_id is None:
            run_id = self.last_written()
        return self.journal.undo(
            run_id,
            paths,
            merge=merge,
            state=lambda undone: after_undo(self.state, undone, again=again),
        )

    def last_written(self) -> str:
        """The id of the last run of which something still stands."""
        for run_id in reversed(self.journal.runs()):
            if any(not change.undone for change in self.journal.changes(run_id)):
                return run_id
        raise FilesystemError(
            self.settings.state_dir, "no run left anything to undo", "see vault-dream log"
        )

    def forget(self, path: str) -> tuple[str, ...]:
        """Take the text of the note at ``path`` out of journals, undo records, proposals, reports
        and the index; returns the files that held it."""
        held = self.journal.forget(path)
        writes = forget_in_state(self.state, path)
        if writes:
            self.journal.commit(self._run_id(), (), lambda landing: writes)
        if self._lookup is not None:
            self._lookup.close()
        self.digest.forget()
        return (*held, *(write.path for write in writes))

    def record_in_git(self) -> None:
        """With ``on_commit: git``, commit exactly what the run wrote; a failure is a warning."""
        run = self.run
        if self.settings.on_commit != "git" or self.dry_run:
            return
        written = (*run.created, *run.updated, *run.pages)
        if not written:
            return
        state = self.vault.root / self.settings.state_dir
        ours = [p.relative_to(self.vault.root).as_posix() for p in state.rglob("*") if p.is_file()]
        counts = f"{len(run.created)} created, {len(run.updated)} updated"
        why_not = git_commit(self.vault.root, [*written, *ours], f"Vault Dream {run.id}: {counts}")
        if why_not:
            run.warnings.append(f"no git commit was made: {why_not}")

    def cancel(self) -> None:
        """Stop the reader's work, from any thread; never in the middle of a write.

        What is made stays; what was not reached is tried by the next run.
        """
        self._cancelled = True
        self._worker.cancel()

    def _work(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the reader's work; raises :class:`Stopped` once the session is
        cancelled.
        """
        stopped = Stopped("run", "stopped before it was done", "run again to go on")
        if self._cancelled:
            work.close()
            raise stopped
        try:
            return self._worker.run(work)
        except CancelledError:
            raise stopped from None

    def close(self) -> None:
        """Give back the thread and the index."""
        self._worker.close()
        self.digest.close()
        if self._lookup is not None:
            self._lookup.close()

    def __enter__(self) -> ReviewSession:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _warn(self, words: str) -> None:
        if self._run is not None:
            self._run.warnings.append(words)

    # What they share -----------------------------------------------------------------------------

    def _home(self, proposal_id: str) -> dict[str, Proposal]:
        if self._run is not None and proposal_id in self._run.proposals:
            return self._run.proposals
        if proposal_id in self.earlier:
            return self.earlier
        raise KeyError(proposal_id)

    def _stage(self, proposal: Proposal) -> None:
        """Show what an undecided proposal would make as if it were there."""
        for change in proposal.changes:
            try:
                text = (
                    self.digest.note(change.path).text if self.digest.exists(change.path) else None
                )
                self.digest.stage(change.path, apply_ops(change.path, text, change.ops))
            except (EditError, VaultDreamError):
                continue  # it is stale, and the commit will say so

    def _foundations(self, proposal: Proposal) -> tuple[str, ...]:
        """Undecided proposals whose result this one was made from or links to."""
        ends = {proposal.target, *(edge.target for edge in proposal.edges)}
        return tuple(
            other.id
            for other in self.proposals
            if other.id != proposal.id
            and other.state in UNDECIDED
            and any(
                change.path in ends and (change.base is None or change.path == proposal.target)
                for change in other.changes
            )
        )

    def _own_text(self) -> frozenset[str]:
        return frozenset(
            block_hash(text)
            for node in self.digest.nodes()
            for block in node.note.blocks
            if len(text := node.note.block_text(block)) >= OWN_BLOCK
        )

    def _source(self, path: str) -> Source | None:
        """A source of this run, or a note that one of them links to, unless it is excluded."""
        for source in self.run.scan.changed:
            if source.path == path:
                return source
        if path not in self._linked():
            return None
        found = self._scanner.read(path)
        return found if isinstance(found, Source) else None

    def _source_text(self, path: str) -> SourceText | None:
        source = self._source(path)
        return None if source is None else source.as_text(0)

    def _source_properties(self, path: str) -> Mapping[str, Any] | None:
        source = self._source(path)
        return None if source is None else read_properties(source.note).values

    def _linked(self) -> frozenset[str]:
        resolver = self.vault.resolver()
        found = set()
        for source in self.run.scan.changed:
            for link in links_in(source.note):
                if not link.external and not link.hidden and link.target:
                    found.add(resolver.resolve(link.target, source.path).path)
        return frozenset(path for path in found if path is not None)

    def _run_id(self) -> str:
        return f"{self._clock().astimezone(self._zone):%Y%m%dT%H%M%S}-{self._token()}"

    def _now(self) -> str:
        return self._clock().astimezone(self._zone).isoformat(timespec="seconds")


def _joined(source: SourceText | None) -> str:
    return "" if source is None else "\n\n".join(block.text for block in source.blocks)


def _zone(name: str) -> tzinfo | None:
    """The zone of the setting ``timezone``; ``None`` stands for the machine's own."""
    if name == "local":
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)
