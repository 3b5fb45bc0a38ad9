"""A vault at a glance: its days, what waits, what changed, and the last runs. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.proposals import UNDECIDED
from vault_dream.engine.dream.report import only_topics
from vault_dream.engine.dream.scan import Scanner, window
from vault_dream.engine.glance import STATES, DayState, Overview, RunLine
from vault_dream.engine.session import ReviewSession

WEEKS = 6
"""Weeks before today that are looked at day by day."""
RUNS = 8


def overview(session: ReviewSession, day: date | None = None) -> Overview:
    """What Home shows of the vault that ``session`` has open, whose next dream reads the days up to
    ``day`` (today)."""
    session.digest.refresh()
    today = session.today
    catalog = session.catalog()
    scanner = Scanner(session.vault, session.layout, session.settings, catalog)
    read_to = day or today
    dates = window(read_to, session.settings.scan_days, catalog.last_completed)
    failed = [path for path, entry in catalog.files.items() if entry.state == "failed"]
    found = scanner.scan(read_to, dates, wanted=failed)
    changed = frozenset(source.path for source in found.changed if source.fresh)
    proposals = session.proposals
    return Overview(
        vault=session.vault.root.name,
        today=today,
        days=_days(session, scanner, catalog, today, changed),
        changed=tuple(sorted(changed)),
        waiting=sum(1 for p in proposals if p.state in UNDECIDED and p.state != "approved"),
        approved=sum(1 for p in proposals if p.state == "approved"),
        failed_units=tuple(unit.unit.name for unit in session.state.failed()),
        runs=_runs(session),
        older_unread=found.older_unread,
        parked=len(session.parked),
        nodes=sum(1 for _ in session.digest.disk_paths()),
        daily_notes=session.layout.path_for(today),
        daily_origin=session.layout.origin,
        warnings=(
            *session.layout.warnings,
            *session.vault.obsidian.warnings,
            *(f"{p.where}: {p.what}" for p in session.vault.listing().problems),
            *(f"{p.where}: {p.what}; {p.next}" for p in session.state.problems),
        ),
    )


def _days(
    session: ReviewSession,
    scanner: Scanner,
    catalog: Catalog,
    today: date,
    changed: frozenset[str],
) -> dict[date, DayState]:
    entries = session.vault.listing().entries
    first = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    days: dict[date, DayState] = {}
    for number in range((today - first).days + 1):
        day = first + timedelta(days=number)
        states = {
            _state(path, entries[path], catalog, changed)
            for path in scanner.inputs(day)
            if entries[path].size and not entries[path].skip
        }
        if states:
            days[day] = next(state for state in STATES if state in states)
    return days


def _state(path: str, entry: Any, catalog: Catalog, changed: frozenset[str]) -> DayState:
    known = catalog.get(path)
    if known is None:
        return "changed" if path in changed else "unread"
    if known.state == "failed":
        return "failed"
    if path in changed or (known.size, known.mtime_ns) != (entry.size, entry.mtime_ns):
        return "changed"
    return "queued" if known.state == "queued" else "read"


def _runs(session: ReviewSession) -> tuple[RunLine, ...]:
    """The last runs that read or wrote something, the newest first."""
    lines: list[RunLine] = []
    for run_id in reversed(session.state.run_ids()):
        report = session.state.report(run_id)
        line = None if report is None or only_topics(report) else _run_line(report)
        if line is not None:
            undone = session.journal.undone(run_id) == "wholly"
            lines.append(replace(line, undone=undone))
        if len(lines) == RUNS:
            break
    return tuple(lines)


def _run_line(report: Mapping[str, Any]) -> RunLine | None:
    try:
        usage = report["usage"]
        return RunLine(
            run_id=str(report["run_id"]),
            at=datetime.strptime(str(report["run_id"])[:15], "%Y%m%dT%H%M%S"),
            status=str(report["status"]),
            days=len(report["dates"]),
            units=len(report["units"]),
            created=len(report["nodes_created"]),
            updated=len(report["nodes_updated"]),
            queued=int(report["queued"]),
            tokens=int(usage["prompt_tokens"]) + int(usage["completion_tokens"]),
            seconds=float(usage["seconds"]),
        )
    except (KeyError, TypeError, ValueError):
        return None  # a report that somebody edited
