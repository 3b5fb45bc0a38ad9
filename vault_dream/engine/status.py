"""What waits in a vault: the window's notes against the catalog, and what earlier runs left."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.dream.proposals import UNDECIDED
from vault_dream.engine.dream.report import only_topics
from vault_dream.engine.dream.scan import Scanner, window
from vault_dream.engine.session import ReviewSession


def vault_status(root: Path, settings: Settings, *, today: date | None = None) -> dict[str, Any]:
    """The answer of ``vault-dream status`` as a JSON document. Writes nothing."""
    with ReviewSession(root, settings, dry_run=True) as session:
        day = today or session.today
        catalog = session.catalog()
        scanner = Scanner(session.vault, session.layout, settings, catalog)
        dates = window(day, settings.scan_days, catalog.last_completed)
        failed = [path for path, entry in catalog.files.items() if entry.state == "failed"]
        found = scanner.scan(day, dates, wanted=failed)
        waiting = [p for p in session.state.proposals() if p.state in UNDECIDED]
        reports = map(session.state.report, reversed(session.state.run_ids()))
        last = next((r for r in reports if r is not None and not only_topics(r)), None)
        return {
            "version": 1,
            "vault": str(root),
            "daily_notes": session.layout.path_for(day),
            "daily_notes_from": session.layout.origin,
            "date": day.isoformat(),
            "changed_paths": [source.path for source in found.changed],
            "queued": [
                {
                    "proposal": proposal.id,
                    "action": proposal.action,
                    "unit": proposal.unit.name,
                    "target_path": proposal.target,
                    "reason": proposal.decision.reason,
                }
                for proposal in waiting
            ],
            "failed_units": [unit.unit.name for unit in session.state.failed()],
            "last_run": None if last is None else _last_run(last),
            "older_unread": found.older_unread,
            "backfill": _begun(session),
            "warnings": [
                *session.layout.warnings,
                *session.vault.obsidian.warnings,
                *(f"{p.where}: {p.what}" for p in session.vault.listing().problems),
                *(f"{p.where}: {p.what}; {p.next}" for p in session.state.problems),
            ],
        }


def _begun(session: ReviewSession) -> dict[str, Any] | None:
    """The backfill that is under way."""
    begun = session.state.backfill()
    if begun is None:
        return None
    return {name: value for name, value in begun.as_json().items() if name != "version"}


def _last_run(report: Any) -> dict[str, Any]:
    run_id = str(report["run_id"])
    at = datetime.strptime(run_id[:15], "%Y%m%dT%H%M%S")
    return {
        "run_id": run_id,
        "at": at.isoformat(),
        "status": report["status"],
        "units": len(report["units"]),
        "nodes_created": len(report["nodes_created"]),
        "nodes_updated": len(report["nodes_updated"]),
    }
