"""What is kept between runs beside proposals and reports: failed units, refusals, a backfill."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from vault_dream.engine.dream.units import Evidence, Unit
from vault_dream.engine.vault.statefiles import json_bytes

HASHED = "sha256:"
"""What a quote begins with of which only the hash is kept."""


@dataclass(frozen=True, slots=True)
class FailedUnit:
    """A unit to try again, with the hashes of its sources as they were read."""

    unit: Unit
    hashes: Mapping[str, str]
    reason: str
    attempts: int

    def as_json(self) -> dict[str, Any]:
        return {
            "unit": self.unit.as_json(),
            "hashes": dict(self.hashes),
            "reason": self.reason,
            "attempts": self.attempts,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FailedUnit:
        return cls(
            unit=Unit.from_json(data["unit"]),
            hashes={str(path): str(digest) for path, digest in data["hashes"].items()},
            reason=str(data["reason"]),
            attempts=int(data["attempts"]),
        )


@dataclass(frozen=True)
class Decisions:
    """What was decided for good: evidence that was rejected, as (path, folded quote)."""

    rejected: frozenset[tuple[str, str]] = frozenset()

    def refuses(self, evidence: Evidence) -> bool:
        """Whether these words were rejected, as they are or cut otherwise; of forgotten words only
        a hash is kept."""
        from vault_dream.engine.dream.quotes import long_enough

        path, quote = evidence_key(evidence)
        if not self.rejected.isdisjoint(((path, quote), (path, hashed(quote)))):
            return True
        return any(
            (said in quote and long_enough(said)) or (quote in said and long_enough(quote))
            for where, said in self.rejected
            if where == path and not said.startswith(HASHED)
        )

    def merged(self, other: Decisions) -> Decisions:
        return Decisions(self.rejected | other.rejected)

    def without_text(self, path: str) -> Decisions:
        """The same refusals, with the words of the note at ``path`` hashed."""
        return Decisions(
            frozenset((p, hashed(q)) if p == path else (p, q) for p, q in self.rejected)
        )

    def as_json(self) -> dict[str, Any]:
        return {"version": 1, "rejected": [list(item) for item in sorted(self.rejected)]}


def hashed(quote: str) -> str:
    if quote.startswith(HASHED):
        return quote
    return HASHED + hashlib.sha256(quote.encode("utf-8", "surrogatepass")).hexdigest()


def evidence_key(evidence: Evidence) -> tuple[str, str]:
    """What a rejection is remembered by."""
    from vault_dream.engine.dream.quotes import fold

    return evidence.path, fold(evidence.quote)


def merge_failed(
    one: tuple[FailedUnit, ...], other: tuple[FailedUnit, ...]
) -> tuple[FailedUnit, ...]:
    """All units that either is to try again, each with the most attempts that either counts."""
    units: dict[str, FailedUnit] = {}
    for failed in (*one, *other):
        known = units.get(failed.unit.id)
        units[failed.unit.id] = failed if known is None else max(known, failed, key=_tried)
    return tuple(units[key] for key in sorted(units))


def _tried(failed: FailedUnit) -> tuple[int, bytes]:
    return failed.attempts, json_bytes(failed.as_json())


def failed_as_json(units: Iterable[FailedUnit]) -> dict[str, Any]:
    return {"version": 1, "units": [unit.as_json() for unit in units]}


@dataclass(frozen=True, slots=True)
class Backfill:
    """A range of older days that is being read, oldest first. ``reached`` is the last day that was
    passed, ``None`` before the first."""

    first: date
    last: date
    reached: date | None = None

    def merged(self, other: Backfill) -> Backfill:
        """What two machines know together: days are rather looked at twice than left out."""
        both = (self.reached, other.reached)
        reached = None if None in both else min(day for day in both if day is not None)
        return Backfill(min(self.first, other.first), max(self.last, other.last), reached)

    def as_json(self) -> dict[str, Any]:
        reached = None if self.reached is None else self.reached.isoformat()
        return {
            "version": 1,
            "from": self.first.isoformat(),
            "to": self.last.isoformat(),
            "reached": reached,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Backfill:
        """``KeyError``, ``TypeError`` or ``ValueError`` for what is no range of days."""
        first, last, reached = data["from"], data["to"], data["reached"]
        day = None if reached is None else date.fromisoformat(reached)
        return cls(date.fromisoformat(first), date.fromisoformat(last), day)
