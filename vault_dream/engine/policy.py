"""The headless decision: what lands unattended, and what waits for a person (INTERFACES,
*Policies*).
"""

from __future__ import annotations

from dataclasses import dataclass

from vault_dream.config import Policy
from vault_dream.engine.dream.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a proposal lands now; ``reason`` says why one waits."""

    lands: bool
    reason: str = ""


def judge(proposal: Proposal, policy: Policy) -> Verdict:
    """What ``policy`` decides about ``proposal``.

    ``apply`` lands everything without an *error* or *hold*; ``safe`` also queues those with a
    *warn* and every CORRECT; ``queue`` leaves everything for review.
    """
    worst = proposal.worst()
    if worst in ("error", "hold"):
        return Verdict(False, _message(proposal, worst))
    if policy == "queue":
        return Verdict(False, "the policy queue leaves everything for review")
    if policy == "apply":
        return Verdict(True)
    if worst == "warn":
        return Verdict(False, _message(proposal, "warn"))
    if proposal.action == "CORRECT":
        return Verdict(False, "a correction needs your decision")
    return Verdict(True)


def _message(proposal: Proposal, level: str) -> str:
    return next(f.message for f in proposal.findings if f.level == level)
