"""One pass of the pipeline: what it read, what it proposed, and the account it gives of itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from vault_dream.engine.digest.catalog import Catalog, Entry, State
from vault_dream.engine.dream.extract import Extraction
from vault_dream.engine.dream.kept import FailedUnit
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.scan import Scan, Source
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import Problem, VaultDreamError

PATIENCE = 5
"""Failures on the same bytes after which a path is tried weekly instead of nightly."""


NOTED = (
    "proposals",
    "waiting",
    "created",
    "updated",
    "pages",
    "checkpointed",
    "tagged",
    "warnings",
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A unit that came to nothing this time, and why. It ``counts`` against its sources where it
    was tried, not where the run was stopped or out of means before."""

    unit: Unit
    reason: str
    counts: bool = True


@dataclass
class Run:
    """Everything one pass knows. Stateful: the session fills it as the steps go by.

    ``moves_window``: the days up to its own count as read, so that the next window begins there; a
    pass over one older day leaves the window where it is.
    """

    id: str
    scan: Scan
    dry_run: bool = False
    moves_window: bool = True
    units: tuple[Unit, ...] = ()
    retried: frozenset[str] = frozenset()
    attempts: Mapping[str, int] = field(default_factory=dict)
    extraction: Extraction = field(default_factory=Extraction)
    extracted: tuple[Source, ...] = ()
    extract_failed: str = ""
    was_read: bool = False
    extract_counts: bool = True
    stopped: VaultDreamError | None = None
    proposals: dict[str, Proposal] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)
    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    checkpointed: tuple[str, ...] = ()
    tagged: list[str] = field(default_factory=list)
    asked_for_tags: set[str] = field(default_factory=set)
    tag_failures: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    topics: dict[str, Any] = field(default_factory=dict)  # what became of them, for the report

    def noted(self) -> dict[str, Any]:
        """What a commit changes of the run, to go back to where it is taken back."""
        return {name: copy(getattr(self, name)) for name in NOTED}

    def recall(self, noted: Mapping[str, Any]) -> None:
        for name, value in noted.items():
            setattr(self, name, value)

    @property
    def failed_paths(self) -> tuple[str, ...]:
        """Sources that are to be tried again, each once."""
        paths = [path for failure in self.failures for path in failure.unit.paths]
        paths += [path for path, _ in self.extraction.unread]
        if self.extract_failed:
            paths += [source.path for source in self.extracted]
        return tuple(dict.fromkeys(paths))

    def next_number(self) -> int:
        """A number that no unit and no proposal of the run has."""
        taken = (int(name.rpartition("/")[2]) for name in self.proposals)
        return max((len(self.units), *taken)) + 1

    @property
    def pending_paths(self) -> frozenset[str]:
        """Sources of units that came to nothing yet, not even to a failure."""
        over = {p.unit.id for p in self.proposals.values()} | {f.unit.id for f in self.failures}
        left = (unit for unit in self.units if unit.id not in over)
        return frozenset(path for unit in left for path in unit.paths)

    @property
    def blamed_paths(self) -> frozenset[str]:
        """Of the failed paths those whose failure counts against them."""
        paths = [path for f in self.failures if f.counts for path in f.unit.paths]
        paths += [path for path, _ in self.extraction.unread]
        if self.extract_failed and self.extract_counts:
            paths += [source.path for source in self.extracted]
        return frozenset(paths)

    @property
    def queued(self) -> tuple[Proposal, ...]:
        return tuple(p for p in self.proposals.values() if p.state in UNDECIDED)

    @property
    def status(self) -> str:
        """``failed``: nothing came of what was new; ``partial``: some did; ``nothing``: no news."""
        if self.extract_failed or (self.failures and not self.proposals):
            return "failed"
        if self.failures or self.extraction.unread:
            return "partial"
        return "ok" if self.scan.changed or self.proposals or self.topics else "nothing"


def checkpoint(run: Run, catalog: Catalog) -> dict[str, Entry]:
    """The catalog entries that the run has earned, by DESIGN's rule 5.

    A source is settled, with the hash of the bytes that were read, when every unit that cites it
    was committed, found there already, rejected or queued; others are kept as failed and counted.
    One that was only looked at, or whose units nobody has integrated yet, is none of that.
    """
    failed, blamed = set(run.failed_paths), run.blamed_paths
    pending = run.pending_paths
    queued = {path for proposal in run.queued for path in proposal.unit.paths}
    entries: dict[str, Entry] = {}
    for source in run.scan.changed:
        if source.path in failed:
            entry = _failed_entry(source, run.id, blamed=source.path in blamed)
        elif not run.was_read or source.path in pending:
            continue
        else:
            state: State = "queued" if source.path in queued else "done"
            entry = replace(source.entry(run.id), state=state)
        units = dict.fromkeys((*entry.units, *_came_of(run, source.path)))
        entries[source.path] = replace(entry, units=tuple(units))
    for new, old in run.scan.renamed.items():
        if old in catalog.files:  # else an earlier commit of this run has moved it
            entries[new] = _there(catalog.files[old])
    for path in run.scan.returned:
        if path in catalog.files:
            entries[path] = _there(catalog.files[path])
    for path in run.scan.gone:
        if path in catalog.files:
            entries[path] = catalog.gone(path, run.id)
    return entries


def _there(entry: Entry) -> Entry:
    """What is known of a source that was gone, now that it is there again."""
    return replace(entry, state="done") if entry.state == "gone" else entry


def _failed_entry(source: Source, run_id: str, *, blamed: bool) -> Entry:
    """Kept out of ``done``; its new blocks stay new, and failures are counted per bytes."""
    known = source.known
    again = known is not None and known.state == "failed" and known.hash == source.hash
    return Entry(
        hash=source.hash,
        blocks=known.blocks if known else (),
        size=source.size,
        mtime_ns=source.mtime_ns,
        state="failed",
        run_id=run_id,
        attempts=(known.attempts if known and again else 0) + blamed,
        units=known.units if known else (),
    )


def _came_of(run: Run, path: str) -> Iterable[tuple[str, str, str]]:
    for proposal in run.proposals.values():
        if path in proposal.unit.paths and proposal.kind == "unit":
            yield proposal.unit.name, proposal.unit.bucket, proposal.target


def units_to_retry(run: Run, earlier: Iterable[FailedUnit]) -> tuple[FailedUnit, ...]:
    """The failed units to keep: those of this run, and earlier ones that it did not take up.

    One whose source was read anew, or is gone, has had its day. Asked twice in one run (a second
    commit lands its tags), the answer is the same.
    """
    hashes = {source.path: source.hash for source in run.scan.changed}
    over = set(run.scan.gone)
    if not run.extract_failed:
        over |= {source.path for source in run.extracted}
    failures = {failure.unit.id: failure for failure in run.failures}
    kept = [
        failed
        for failed in earlier
        if failed.unit.id not in run.retried | failures.keys()
        and over.isdisjoint(failed.unit.paths)
    ]
    fresh = [
        FailedUnit(
            failure.unit,
            {path: hashes[path] for path in failure.unit.paths if path in hashes},
            failure.reason,
            run.attempts.get(unit_id, 0) + 1,
        )
        for unit_id, failure in failures.items()
    ]
    return (*kept, *fresh)


def retry_now(failed: FailedUnit, sources: Mapping[str, Source]) -> bool:
    """Whether the unit itself is tried again: its sources are as they were when it failed."""
    return bool(failed.hashes) and all(
        path in sources and sources[path].hash == digest for path, digest in failed.hashes.items()
    )


def resting(entry: Entry, day: date) -> bool:
    """Whether a path that failed too often on the same bytes is left alone until a week is over."""
    if entry.state != "failed" or entry.attempts < PATIENCE:
        return False
    try:
        last = date.fromisoformat(entry.run_id[:8])
    except ValueError:
        return False
    return day < last + timedelta(days=7)
