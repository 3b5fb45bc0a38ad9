"""Two versions of a state file made one: what two machines wrote apart, or a sync program parted.

Every merge is commutative, associative and idempotent, so that the order in which copies arrive,
and how often, does not matter.
"""

from __future__ import annotations

from dataclasses import replace

from vault_dream.engine.digest.catalog import Catalog, Entry
from vault_dream.engine.digest.catalog import State as EntryState
from vault_dream.engine.dream.proposals import Proposal, State
from vault_dream.engine.vault.statefiles import json_bytes

WEIGHT: tuple[State, ...] = (
    "failed",
    "parked",
    "open",
    "stale",
    "later",
    "approved",
    "rejected",
    "settled",
    "committed",
)
"""Decisions, the weakest first: what landed stands, and a refusal outweighs a delay."""

SETTLED: tuple[EntryState, ...] = ("gone", "failed", "queued", "done")


def merge_proposals(one: Proposal, other: Proposal) -> Proposal:
    """The version whose decision weighs more; of two that weigh the same, the later one."""
    return max(one, other, key=_weight)


def _weight(proposal: Proposal) -> tuple[int, str, bytes]:
    state = WEIGHT.index(proposal.state)
    return state, proposal.decision.at, json_bytes(proposal.as_json())


def same(one: Proposal, other: Proposal | None) -> bool:
    """Whether both are stored as the same bytes: a score has more digits before it is stored."""
    if one is other or other is None:
        return one is other
    return json_bytes(one.as_json()) == json_bytes(other.as_json())


def merge_catalogs(one: Catalog, other: Catalog) -> Catalog:
    """The union: what either knows is known, and what the later run says of a path holds."""
    files = dict(one.files)
    for path, entry in other.files.items():
        files[path] = _merge_entries(files[path], entry) if path in files else entry
    days = [day for day in (one.last_completed, other.last_completed) if day is not None]
    untagged = tuple(sorted({*one.untagged, *other.untagged}))
    return Catalog(files, max(days, default=None), untagged)


def _merge_entries(one: Entry, other: Entry) -> Entry:
    if one == other:
        return one
    later = max(one, other, key=lambda e: (e.run_id, SETTLED.index(e.state), repr(e)))
    return replace(
        later,
        blocks=tuple(sorted({*one.blocks, *other.blocks})),
        units=tuple(sorted({*one.units, *other.units})),
        attempts=max(one.attempts, other.attempts),
    )
