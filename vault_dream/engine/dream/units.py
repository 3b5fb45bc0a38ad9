"""Units: the few reusable abstractions that a reading of the days yields, each with its
evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Bucket = Literal["procedure", "personal", "wiki"]
BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
FALLBACK_BUCKET: Bucket = "wiki"


def to_bucket(name: str) -> Bucket:
    """The bucket called ``name``, or ``wiki`` for anything else (the seeds' rule)."""
    folded = name.strip().lower()
    return next((bucket for bucket in BUCKETS if bucket == folded), FALLBACK_BUCKET)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a source that prove a unit.

    ``line`` is 1-based in the file; 0 says that the quote was not found there.
    ``heading`` is the nearest heading above the line, or ``""``.
    """

    path: str
    line: int
    quote: str
    heading: str = ""

    @property
    def found(self) -> bool:
        return self.line > 0

    def as_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "line": self.line,
            "quote": self.quote,
            "heading": self.heading,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        return cls(
            str(data["path"]), int(data["line"]), str(data["quote"]), str(data.get("heading", ""))
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """One reusable abstraction; ``paths`` are the sources it cites, in the order they were
    given.
    """

    name: str
    bucket: Bucket
    summary: str
    paths: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()

    @property
    def id(self) -> str:
        """A short name that is the same for the same claim resting on the same words."""
        said = "\n".join(f"{e.path}\t{e.quote}" for e in self.evidence)
        return hashlib.sha256(f"{self.bucket}\n{self.name}\n{said}".encode()).hexdigest()[:12]

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "bucket": self.bucket,
            "summary": self.summary,
            "paths": list(self.paths),
            "evidence": [e.as_json() for e in self.evidence],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Unit:
        return cls(
            name=str(data["name"]),
            bucket=to_bucket(str(data["bucket"])),
            summary=str(data["summary"]),
            paths=tuple(str(p) for p in data["paths"]),
            evidence=tuple(Evidence.from_json(e) for e in data.get("evidence", ())),
        )


@dataclass(frozen=True, slots=True)
class SettledUnit:
    """A unit that an earlier reading of a source already brought into the digest."""

    name: str
    bucket: Bucket
    target: str

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "bucket": self.bucket, "target": self.target}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SettledUnit:
        return cls(str(data["name"]), to_bucket(str(data["bucket"])), str(data["target"]))
