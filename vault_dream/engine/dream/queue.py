"""The queue kept in order: one proposal for each target, and old ones out of the way.

DESIGN, *Decide*: queued proposals for one target are rebased into one; after 30 days untouched they
are parked, still there, out of the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, TypeVar

from vault_dream.engine.dream.edits import CreateNote, FileChange, apply_ops
from vault_dream.engine.dream.proposals import Finding, Proposal, State
from vault_dream.engine.dream.reader import Action
from vault_dream.engine.errors import EditError

PATIENCE = timedelta(days=30)
"""How long a proposal waits untouched before it is parked."""

WAITING: frozenset[State] = frozenset({"open", "later"})
STRENGTH: tuple[Action, ...] = ("CORROBORATE", "REFINE", "CORRECT", "CREATE")


def in_order(proposals: Mapping[str, Proposal], today: date, now: str) -> dict[str, Proposal]:
    """``proposals``, the oldest first, with those that changed put in order. ``now`` is the ISO
    time that decisions get."""
    return folded(parked(proposals, today, now), now)


def parked(proposals: Mapping[str, Proposal], today: date, now: str) -> dict[str, Proposal]:
    """Those that nobody touched for long are parked, and what builds on them is with them."""
    found = dict(proposals)
    for proposal in proposals.values():
        builds_on_parked = any(
            found[other].state == "parked" for other in proposal.builds_on if other in found
        )
        if proposal.state in WAITING | {"stale"} and (
            _touched(proposal) + PATIENCE < today or builds_on_parked
        ):
            reason = proposal.decision.reason or "undecided for a month"
            found[proposal.id] = proposal.decided("parked", "code", now, reason)
    return found


def following(proposal: Proposal, moved: Mapping[str, str]) -> Proposal:
    """The proposal with the sources that it cites where their owner has ``moved`` them (old path
    to new): what it rests on, and the links that it would write."""
    if not moved.keys() & {*proposal.unit.paths, *(edge.target for edge in proposal.edges)}:
        return proposal
    return Proposal.from_json(_moved(proposal.as_json(), moved))


def _moved(value: Any, moved: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for old, new in moved.items():
            if value == old:
                return new
            value = value.replace(f"[[{old}", f"[[{new}")
        return value
    if isinstance(value, Mapping):
        return {key: _moved(item, moved) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_moved(item, moved) for item in value]
    return value


def _touched(proposal: Proposal) -> date:
    times = [text[:10] for text in (proposal.created, proposal.decision.at) if text]
    try:
        return max(map(date.fromisoformat, times), default=date.max - PATIENCE)
    except ValueError:
        return date.max - PATIENCE  # a time that nobody can read is no reason to put it away


def folded(proposals: Mapping[str, Proposal], now: str) -> dict[str, Proposal]:
    """Of several that wait for one target and build on each other, the first takes in the rest.

    What a person has edited, and what does not fit on what comes before, stays by itself.
    """
    found = dict(proposals)
    first: dict[str, str] = {}
    into: dict[str, str] = {}
    for proposal in proposals.values():
        if proposal.kind != "unit" or proposal.state not in WAITING or proposal.offered:
            first.pop(proposal.target, None)  # nothing behind it may overtake it
            continue
        earlier = first.setdefault(proposal.target, proposal.id)
        if earlier == proposal.id:
            continue
        builds_on = {into.get(other, other) for other in proposal.builds_on}
        one = _one(found[earlier], proposal) if earlier in builds_on else None
        if one is None:
            first[proposal.target] = proposal.id
            continue
        outside = tuple(b for b in (*one.builds_on, *builds_on) if b not in (earlier, one.id))
        found[earlier] = replace(one, builds_on=tuple(dict.fromkeys(outside)))
        reason = f"it is part of {earlier} now"
        found[proposal.id] = proposal.decided("settled", "code", now, reason)
        into[proposal.id] = earlier
    return {key: _rebuilt(each, into) for key, each in found.items()} if into else found


def _rebuilt(proposal: Proposal, into: Mapping[str, str]) -> Proposal:
    builds_on = tuple(dict.fromkeys(into.get(other, other) for other in proposal.builds_on))
    return replace(proposal, builds_on=tuple(b for b in builds_on if b != proposal.id))


def _one(earlier: Proposal, later: Proposal) -> Proposal | None:
    """Both as one, ``None`` where they do not fit together."""
    if earlier.offered or len(earlier.changes) != 1 or len(later.changes) != 1:
        return None
    change, more = earlier.changes[0], later.changes[0]
    if change.path != more.path:
        return None
    if change.base is None:
        try:
            text = apply_ops(change.path, apply_ops(change.path, None, change.ops), more.ops)
        except EditError:
            return None
        whole = FileChange(change.path, None, (CreateNote(text),))
    else:
        whole = FileChange(change.path, change.base, (*change.ops, *more.ops))
    unit = replace(
        earlier.unit,
        summary=_both(earlier.unit.summary, later.unit.summary),
        paths=_union(earlier.unit.paths, later.unit.paths),
        evidence=_union(earlier.unit.evidence, later.unit.evidence),
    )
    return replace(
        earlier,
        unit=unit,
        action=max(earlier.action, later.action, key=STRENGTH.index),
        changes=(whole,),
        edges=_union(earlier.edges, later.edges),
        links_added=_union(earlier.links_added, later.links_added),
        links_lost=_union(earlier.links_lost, later.links_lost),
        candidates=_union(earlier.candidates, later.candidates),
        findings=_findings(earlier, later),
        note=_both(earlier.note, later.note),
        decision=max(earlier.decision, later.decision, key=lambda decision: decision.at),
    )


def _findings(earlier: Proposal, later: Proposal) -> tuple[Finding, ...]:
    order = ("error", "hold", "warn", "info")
    both = _union(earlier.findings, later.findings)
    return tuple(sorted(both, key=lambda finding: order.index(finding.level)))


T = TypeVar("T")


def _union(one: Iterable[T], other: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _both(one: str, other: str) -> str:
    return one if not other or other == one else f"{one} {other}".strip()
