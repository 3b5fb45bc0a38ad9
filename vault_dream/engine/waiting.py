"""What a review would show, as one JSON document: for editors, scripts and ``review --json``."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.journal import unified_diff
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.status import vault_status


def what_waits(root: Path, settings: Settings, *, today: date | None = None) -> dict[str, Any]:
    """Every proposal that waits for a decision, with its diff, and the notes that changed since.

    Writes nothing. Raises :class:`FilesystemError` where the vault cannot be read.
    """
    status = vault_status(root, settings, today=today)
    with ReviewSession(root, settings, dry_run=True) as session:
        return {
            "version": 1,
            "vault": str(root),
            "date": status["date"],
            "changed_paths": status["changed_paths"],
            "proposals": [_as_json(session, proposal) for proposal in session.proposals],
            "parked": [proposal.id for proposal in session.parked],
            "warnings": status["warnings"],
        }


def _as_json(session: ReviewSession, proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "run_id": proposal.run_id,
        "kind": proposal.kind,
        "state": proposal.state,
        "reason": proposal.decision.reason,
        "action": proposal.action,
        "target_path": proposal.target,
        "unit": proposal.unit.as_json(),
        "files": [{"path": c.path, "new": c.base is None} for c in proposal.changes],
        "links_added": list(proposal.links_added),
        "links_lost": list(proposal.links_lost),
        "findings": [finding.as_json() for finding in proposal.findings],
        "builds_on": list(proposal.builds_on),
        "diff": proposal_diff(session, proposal),
    }


def proposal_diff(session: ReviewSession, proposal: Proposal) -> str:
    """What a proposal would change, as a unified diff against the disk; a file that it fits no
    longer is left out."""
    parts = []
    for change in proposal.changes:
        vault = session.vault
        before = vault.read(change.path).raw if vault.exists(change.path) else None
        try:
            base = None if before is None else before.decode("utf-8")
            after = apply_ops(change.path, base, change.ops).encode("utf-8")
        except (VaultDreamError, UnicodeDecodeError):
            # It builds on another proposal: shown as the digest shows it with that one in place.
            if not session.digest.exists(change.path):
                continue
            after = session.digest.note(change.path).raw
        parts.append(unified_diff(change.path, before, after))
    return "".join(parts)
