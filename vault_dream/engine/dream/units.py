"""Units: the few reusable abstractions that a reading of the days yields, each with its
evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.paths import normalise

Bucket = Literal["procedure", "personal", "wiki"]
BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
FALLBACK_BUCKET: Bucket = "wiki"


def said(value: object) -> str:
    """``value`` as text from a state file; TypeError or ValueError where it is none."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    value.encode("utf-8")  # a lone surrogate is a ValueError
    return value


def vault_path(value: object) -> str:
    """``value`` as a path in the vault, spelled as we spell it; TypeError or ValueError else."""
    path = said(value)
    try:
        normal = normalise(path)
    except PathError as error:
        raise ValueError(str(error)) from None
    if normal != path:
        raise ValueError(f"{path!r} is not a path in the vault")
    return path


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
        """``KeyError``, ``TypeError`` or ``ValueError`` for what is no evidence."""
        line = data["line"]
        if not isinstance(line, int) or isinstance(line, bool):
            raise TypeError(f"{line!r} is not a line")
        return cls(
            vault_path(data["path"]), line, said(data["quote"]), said(data.get("heading", ""))
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
        """``KeyError``, ``TypeError`` or ``ValueError`` for what is no unit."""
        return cls(
            name=said(data["name"]),
            bucket=to_bucket(said(data["bucket"])),
            summary=said(data["summary"]),
            paths=tuple(vault_path(path) for path in data["paths"]),
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
