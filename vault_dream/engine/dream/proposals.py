"""Proposals: sets of edit operations that somebody decides about, with all that speaks for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from vault_dream.engine.digest.edges import Edge
from vault_dream.engine.dream.edits import FileChange
from vault_dream.engine.dream.reader import Action, Relation
from vault_dream.engine.dream.units import Unit, said, vault_path

Level = Literal["error", "hold", "warn", "info"]
LEVELS: tuple[Level, ...] = ("error", "hold", "warn", "info")

State = Literal[
    "open", "approved", "rejected", "later", "committed", "settled", "stale", "failed", "parked"
]
UNDECIDED: frozenset[State] = frozenset({"open", "approved", "later", "stale"})
"""States of a proposal that may still land."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; ``message`` is a plain sentence for a person."""

    check: str
    level: Level
    message: str

    def as_json(self) -> dict[str, Any]:
        return {"check": self.check, "level": self.level, "message": self.message}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that ``node_search`` returned for the unit.

    ``relation`` is the class that the reader gave it; ``judged`` is code's own, from its words.
    """

    path: str
    name: str
    score: float
    relation: Relation
    judged: Relation = "unrelated"

    def as_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "name": self.name,
            "score": round(self.score, 4),
            "relation": self.relation,
            "judged": self.judged,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, by whom (``person``, ``policy`` or ``code``), when (ISO 8601) and why."""

    state: State = "open"
    by: str = ""
    at: str = ""
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"state": self.state, "by": self.by, "at": self.at, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Proposal:
    """One unit's change to the digest.

    ``id`` is ``<run-id>/<n>``; ``edges`` are all that its files would have; ``builds_on`` are the
    ids of undecided proposals whose result this one was made from or links to; a tag proposal has
    ``kind`` ``"tags"``, one that mends links ``"repair"``. Where a person changed it, ``offered``
    are the changes that it came with (or their own text), ``left_out`` the hunks and ``links_off``
    the links of it that they do not want.
    """

    id: str
    run_id: str
    unit: Unit
    action: Action
    target: str
    changes: tuple[FileChange, ...]
    kind: Literal["unit", "tags", "repair"] = "unit"
    edges: tuple[Edge, ...] = ()
    links_added: tuple[str, ...] = ()
    links_lost: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    findings: tuple[Finding, ...] = ()
    builds_on: tuple[str, ...] = ()
    offered: tuple[FileChange, ...] = ()
    left_out: tuple[int, ...] = ()
    links_off: tuple[str, ...] = ()
    note: str = ""
    provider: str = ""
    model: str = ""
    prompts: str = ""
    created: str = ""
    decision: Decision = Decision()

    @property
    def state(self) -> State:
        return self.decision.state

    def worst(self) -> Level | None:
        """The most serious level among the findings."""
        found = {finding.level for finding in self.findings}
        return next((level for level in LEVELS if level in found), None)

    def decided(self, state: State, by: str, at: str, reason: str = "") -> Proposal:
        return replace(self, decision=Decision(state, by, at, reason))

    def as_json(self) -> dict[str, Any]:
        return {
            "version": 1,
            "id": self.id,
            "run_id": self.run_id,
            "kind": self.kind,
            "unit": self.unit.as_json(),
            "action": self.action,
            "target": self.target,
            "changes": [change.as_json() for change in self.changes],
            "edges": [edge.as_json() for edge in self.edges],
            "links_added": list(self.links_added),
            "links_lost": list(self.links_lost),
            "candidates": [candidate.as_json() for candidate in self.candidates],
            "findings": [finding.as_json() for finding in self.findings],
            "builds_on": list(self.builds_on),
            "offered": [change.as_json() for change in self.offered],
            "left_out": list(self.left_out),
            "links_off": list(self.links_off),
            "note": self.note,
            "provider": self.provider,
            "model": self.model,
            "prompts": self.prompts,
            "created": self.created,
            "decision": self.decision.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Proposal:
        """Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is not a proposal."""
        decision = data["decision"]
        run_id = str(data["run_id"])
        if not re.fullmatch(re.escape(run_id) + r"/\d+", str(data["id"])):
            raise ValueError(f"{data['id']!r} is not a proposal of {run_id}")
        return cls(
            id=str(data["id"]),
            run_id=run_id,
            kind=one_of(data["kind"], Literal["unit", "tags", "repair"]),
            unit=Unit.from_json(data["unit"]),
            action=one_of(data["action"], Action),
            target=vault_path(data["target"]),
            changes=tuple(FileChange.from_json(change) for change in data["changes"]),
            edges=tuple(Edge.from_json(edge) for edge in data["edges"]),
            links_added=tuple(data["links_added"]),
            links_lost=tuple(data["links_lost"]),
            candidates=tuple(
                Candidate(
                    str(c["path"]),
                    str(c["name"]),
                    float(c["score"]),
                    one_of(c["relation"], Relation),
                    one_of(c.get("judged", "unrelated"), Relation),
                )
                for c in data["candidates"]
            ),
            findings=tuple(
                Finding(str(f["check"]), one_of(f["level"], Level), str(f["message"]))
                for f in data["findings"]
            ),
            builds_on=tuple(str(other) for other in data["builds_on"]),
            offered=tuple(FileChange.from_json(change) for change in data["offered"]),
            left_out=tuple(int(index) for index in data["left_out"]),
            links_off=tuple(str(path) for path in data["links_off"]),
            note=str(data["note"]),
            provider=str(data["provider"]),
            model=str(data["model"]),
            prompts=str(data["prompts"]),
            created=str(data["created"]),
            decision=Decision(
                one_of(decision["state"], State),
                *(said(decision[key]) for key in ("by", "at", "reason")),
            ),
        )


def foundations(proposal: Proposal, others: Iterable[Proposal]) -> tuple[str, ...]:
    """The ids of undecided proposals whose result ``proposal`` was made from or links to."""
    ends = {proposal.target, *(edge.target for edge in proposal.edges)}
    return tuple(
        other.id
        for other in others
        if other.id != proposal.id
        and other.state in UNDECIDED
        and any(
            change.path in ends and (change.base is None or change.path == proposal.target)
            for change in other.changes
        )
    )


def one_of(value: object, words: Any) -> Any:
    """``value``, where it is one of the words of the literal type ``words``; else ValueError."""
    if value not in get_args(words):
        raise ValueError(f"{value!r} is none of {get_args(words)}")
    return value
