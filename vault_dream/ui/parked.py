"""Parked proposals, to bring back by their names."""

from __future__ import annotations

from collections.abc import Sequence

from vault_dream.engine.dream.proposals import Proposal
from vault_dream.ui.glyphs import ACTION_MARKS
from vault_dream.ui.picker import Choice, Picker
from vault_dream.ui.queue_pane import MARK_STYLES, fits


def parked_picker(proposals: Sequence[Proposal]) -> Picker:
    """A picker over parked proposals; it returns a proposal's id."""

    def find(query: str) -> Sequence[Choice]:
        return [
            Choice(
                proposal.id,
                (
                    (f"{ACTION_MARKS[proposal.action]} ", MARK_STYLES[proposal.action]),
                    proposal.unit.name,
                    (f"  {proposal.target}", "faint"),
                ),
                ((proposal.created[:10], "muted"),),
            )
            for proposal in proposals
            if fits(proposal, query)
        ]

    return Picker("Parked, undecided; enter brings one back", find, hint="words of its name")
