"""The headless decider: what lands unattended under each policy."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from vault_dream.engine.dream.proposals import LEVELS, Finding, Proposal
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.policy import judge

ACTIONS = ("CREATE", "CORROBORATE", "REFINE", "CORRECT")


def proposal(action: Any, levels: tuple[Any, ...]) -> Proposal:
    findings = tuple(Finding("a check", level, f"words of {level}") for level in levels)
    unit = Unit("n", "wiki", "s", ("daily/a.md",))
    return Proposal("r/1", "r", unit, action, "digest/wiki/a.md", (), findings=findings)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("policy", ["apply", "safe", "queue"])
def test_what_lands_is_what_the_policy_says(action: Any, policy: Any) -> None:
    for count in range(len(LEVELS) + 1):
        for levels in combinations(LEVELS, count):
            verdict = judge(proposal(action, levels), policy)
            lands = (
                not {"error", "hold"} & set(levels)
                and policy != "queue"
                and (policy == "apply" or ("warn" not in levels and action != "CORRECT"))
            )
            assert verdict.lands is lands
            assert bool(verdict.reason) is not lands


@pytest.mark.parametrize("policy", ["apply", "safe", "queue"])
def test_the_most_serious_finding_is_the_reason(policy: Any) -> None:
    assert judge(proposal("REFINE", ("warn", "hold")), policy).reason == "words of hold"
