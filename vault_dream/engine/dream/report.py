"""The run report: one JSON document, the same on stdout and under ``<state_dir>/runs``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.reader import Usage
from vault_dream.engine.dream.run import Run

VERSION = 1

DECISIONS = {
    "committed": "committed",
    "settled": "settled",
    "rejected": "rejected",
    "failed": "failed",
}
"""How a proposal's state is called in a report; every other state is ``queued``."""


def report(
    run: Run,
    *,
    host: str,
    vault: str,
    provider: str,
    model: str,
    prompts: str,
    usage: Usage,
) -> dict[str, Any]:
    """The report of ``run`` (INTERFACES, *The report*)."""
    scan = run.scan
    made = {"topics": dict(run.topics)} if run.topics else {}
    return {
        **made,
        "version": VERSION,
        "run_id": run.id,
        "host": host,
        "vault": vault,
        "date": scan.day.isoformat(),
        "dates": [day.isoformat() for day in scan.dates],
        "status": run.status,
        "provider": provider,
        "model": model,
        "prompts": prompts,
        "dry_run": run.dry_run,
        "files": {
            "scanned": scan.scanned,
            "changed": len(scan.changed),
            "unchanged": len(scan.unchanged),
            "deleted": len(scan.gone),
            "excluded": [item.as_json() for item in scan.excluded],
            "older_unread": scan.older_unread,
        },
        "changed_paths": [source.path for source in scan.changed],
        "units": [unit.as_json() for unit in run.units],
        "integrate_results": [
            _result(proposal, run.dry_run, run.waiting.get(proposal.id, ""))
            for proposal in run.proposals.values()
            if proposal.kind == "unit"
        ],
        "failed_units": [
            {
                "unit": failure.unit.name,
                "bucket": failure.unit.bucket,
                "paths": list(failure.unit.paths),
                "reason": failure.reason,
            }
            for failure in run.failures
        ],
        "failed_paths": list(run.failed_paths),
        "dropped_units": [item.as_json() for item in run.extraction.dropped],
        "queued": 0 if run.dry_run else len(run.queued),
        "checkpoint_paths": list(run.checkpointed),
        "nodes_created": list(run.created),
        "nodes_updated": list(run.updated),
        "day_pages": list(run.pages),
        "auto_tag": {"tagged": list(run.tagged), "failed": list(run.tag_failures)},
        "usage": {
            "calls": usage.calls,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "cost": usage.cost,
            "seconds": round(run.seconds, 2),
        },
        "warnings": list(dict.fromkeys(run.warnings)),
        "errors": [problem.as_json() for problem in run.errors],
    }


def _result(proposal: Proposal, dry_run: bool, waits: str) -> dict[str, Any]:
    decision = DECISIONS.get(proposal.state, "queued")
    if dry_run and decision in ("committed", "queued"):
        decision = "dry_run"
    result: dict[str, Any] = {
        "unit": proposal.unit.name,
        "bucket": proposal.unit.bucket,
        "paths": list(proposal.unit.paths),
        "action": proposal.action,
        "target_path": proposal.target,
        "note": proposal.note,
        "proposal": proposal.id,
        "decision": decision,
        "links_added": list(proposal.links_added),
        "links_lost": list(proposal.links_lost),
        "findings": [finding.as_json() for finding in proposal.findings],
    }
    if reason := waits or proposal.decision.reason:
        result["reason"] = reason
    return result


def only_topics(report: Mapping[str, Any]) -> bool:
    """Whether a report is of a run that named topics, and did not dream."""
    read = report["files"]["scanned"] if "files" in report else 0
    return "topics" in report and not read and not report["units"]


def exit_code(report: Mapping[str, Any]) -> int:
    """The exit status that a run's report stands for (INTERFACES)."""
    return 1 if report["failed_units"] or report["status"] in ("failed", "partial") else 0
