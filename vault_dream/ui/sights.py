"""What the screens are given to show, each read at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_dream.engine.backfill import Plan
    from vault_dream.engine.dream.proposals import Proposal
    from vault_dream.engine.dream.reader import Estimate, FirstSend
    from vault_dream.engine.dream.revise import EvidenceView, Hunk, Sides
    from vault_dream.engine.journal.undo import FileChange


@dataclass(frozen=True, slots=True)
class Sight:
    """All that the panes show of one proposal, read at one moment. ``problem`` says why there is
    no change to see."""

    proposal: Proposal
    sides: Sides | None
    hunks: tuple[Hunk, ...]
    evidence: tuple[EvidenceView, ...]
    owner_lines: int
    names: Mapping[str, str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Something a person did: ``before`` is the proposal as it was."""

    before: Proposal
    what: str


@dataclass(frozen=True, slots=True)
class Ahead:
    """What goes to an endpoint for the first time: how much, what the run may take, of which
    notes."""

    first: FirstSend
    estimate: Estimate
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OlderPlan:
    """A backfill as it would run: its days and what they may take, in words; ``first_send`` names
    an endpoint that nothing was sent to before. ``plan`` is the engine's."""

    days: int
    first: date
    last: date
    words: tuple[str, ...]
    first_send: FirstSend | None
    plan: Plan


@dataclass(frozen=True, slots=True)
class Landed:
    """What a commit did: notes with what became of each, their tags, what has to wait and why."""

    run_id: str
    paths: tuple[tuple[str, str], ...]
    tags: Mapping[str, tuple[str, ...]]
    waiting: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run that wrote something, and what it did to each file."""

    run_id: str
    at: datetime
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A node with its edges, each as (path, name, predicate, sentence, resolved)."""

    path: str
    name: str
    description: str
    incoming: tuple[tuple[str, str, str, str, bool], ...]
    outgoing: tuple[tuple[str, str, str, str, bool], ...]
