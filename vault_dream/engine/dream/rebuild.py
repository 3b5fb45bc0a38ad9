"""A lost catalog made anew, from what the digest and the reports of past runs tell.

Two things cannot be known again: which notes were read and had nothing in them (unless a report
says so), and what a note said when it was read. A note of a day that the next run reads anyway is
therefore read again but for the words that nodes quote; an older one is taken as it stands, so that
ten years are not dreamt twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from vault_dream.engine.digest.catalog import Catalog, Entry, block_hash
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import DERIVED_FROM, edges_of
from vault_dream.engine.digest.page import Node
from vault_dream.engine.dream.proposals import UNDECIDED
from vault_dream.engine.dream.quotes import fold, quotes_beside
from vault_dream.engine.dream.scan import Scanner, Source
from vault_dream.engine.dream.state import State
from vault_dream.engine.errors import Problem

RUN_ID = "rebuilt"
"""What the entries of a rebuilt catalog have for the run that read them."""


@dataclass(frozen=True)
class Rebuilt:
    """A catalog made anew. ``taken`` are sources that changed on the disk since they were read and
    are taken as they stand; ``again`` are read again but for the words that nodes quote; ``gone``
    are cited or named in a report, and not there any more."""

    catalog: Catalog
    taken: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def problem(self, where: str) -> Problem:
        """What a person is told about it."""
        known = len(self.catalog.files)
        what = f"was lost; {known} sources were recovered from nodes and reports"
        if self.again:
            what += f", {len(self.again)} of them changed lately and will be read again"
        if self.taken:
            what += (
                f"; of {len(self.taken)} it is unknown whether they changed since they were read"
            )
        next_ = (
            "a good copy in its place would know more; older notes without a node count as unread"
        )
        return Problem(where, what, next_)


@dataclass
class _Trace:
    """What is known of one source. Stateful while it is gathered."""

    read_at: datetime = datetime.min
    quotes: set[str] = field(default_factory=set)
    units: dict[tuple[str, str, str], None] = field(default_factory=dict)


def rebuild(
    state: State,
    digest: Digest,
    scanner: Scanner,
    *,
    today: date,
    zone: tzinfo | None,
) -> Rebuilt:
    """The catalog as far as nodes, reports, queue and failed units tell it.

    ``scanner`` reads against an empty catalog; run ids and dates of nodes are in ``zone``.
    """
    reports = [r for run_id in state.run_ids() if (r := state.report(run_id)) and not _dry(r)]
    traces: dict[str, _Trace] = {}
    dates = [*_from_nodes(digest, traces), *_from_reports(reports, traces)]
    last = max((day for day in dates if day <= today), default=None)
    settings = scanner.settings
    recent = date.max if last is None else last - timedelta(days=settings.scan_days - 1)
    entries: dict[str, Entry] = {}
    taken, again, gone = [], [], []
    for path, trace in sorted(traces.items()):
        if path not in scanner.vault.listing().entries:
            gone.append(path)
            continue
        source = scanner.read(path)
        if not isinstance(source, Source):
            continue
        entry = replace(source.entry(RUN_ID), units=tuple(trace.units))
        if _changed_at(source, zone) > trace.read_at:
            if source.day is not None and source.day >= recent:
                entry = replace(entry, hash="", blocks=_quoted(source, trace), size=0, mtime_ns=0)
                again.append(path)
            else:
                taken.append(path)
        entries[path] = entry
    _with_queue(entries, state)
    return Rebuilt(Catalog(entries, last), tuple(taken), tuple(again), tuple(gone))


def _dry(report: Mapping[str, Any]) -> bool:
    return report.get("dry_run") is True


def _from_nodes(digest: Digest, traces: dict[str, _Trace]) -> list[date]:
    """Note what nodes cite; returns the days on which they were last written."""
    resolver = digest.resolver()
    days = []
    for node in digest.nodes():
        written = _day_of(node)
        if written is not None:
            days.append(written)
        for edge in edges_of(node.note, resolver):
            if edge.predicate != DERIVED_FROM or digest.contains(edge.target):
                continue
            if not edge.resolved and not edge.target.endswith(".md"):
                continue  # some words, and no path that was ever one of ours
            trace = traces.setdefault(edge.target, _Trace())
            trace.quotes.update(map(fold, quotes_beside(edge.sentence)))
            trace.units[node.name, node.bucket, node.path] = None
            if written is not None:
                trace.read_at = max(trace.read_at, datetime.combine(written, time.max))
    return days


def _day_of(node: Node) -> date | None:
    for name in ("updated", "created"):
        for text in node.properties.texts(name):
            try:
                return date.fromisoformat(text[:10])
            except ValueError:
                continue
    return None


def _from_reports(reports: Iterable[Mapping[str, Any]], traces: dict[str, _Trace]) -> list[date]:
    """Note what past runs settled; returns the days up to which they read."""
    days = []
    for report in reports:
        at = datetime.strptime(str(report["run_id"])[:15], "%Y%m%dT%H%M%S")
        try:
            settled = [str(path) for path in report["checkpoint_paths"]]
            if report["status"] != "failed" and report["files"]["scanned"]:
                days.append(date.fromisoformat(report["date"]))
        except (KeyError, TypeError, ValueError):
            continue  # a report that somebody edited
        for path in settled:
            trace = traces.setdefault(path, _Trace())
            trace.read_at = max(trace.read_at, at)
        for result in report["integrate_results"]:
            if result["decision"] == "committed":
                for path in result.get("paths", ()):
                    unit = result["unit"], str(result.get("bucket", "")), result["target_path"]
                    traces.setdefault(path, _Trace()).units[unit] = None
    return days


def _changed_at(source: Source, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(source.mtime_ns / 1e9, zone).replace(tzinfo=None)


def _quoted(source: Source, trace: _Trace) -> tuple[str, ...]:
    """The blocks whose words a node quotes: those at least were read."""
    return tuple(
        block_hash(block.text)
        for block in source.blocks
        if any(quote and quote in fold(block.text) for quote in trace.quotes)
    )


def _with_queue(entries: dict[str, Entry], state: State) -> None:
    """What waits for a decision, and what is to be tried again, as the state files have it."""
    for proposal in state.proposals():
        if proposal.state in UNDECIDED or proposal.state == "parked":
            for path in proposal.unit.paths:
                if path in entries:
                    entries[path] = replace(entries[path], state="queued")
    for failed in state.failed():
        for path, digest in failed.hashes.items():
            known = entries.get(path, Entry(""))
            attempts = max(known.attempts, failed.attempts)
            entries[path] = replace(known, hash=digest, state="failed", attempts=attempts)
