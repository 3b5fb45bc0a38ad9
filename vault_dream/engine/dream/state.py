"""The dream's own files under ``<state_dir>``: catalog, proposals, failed units, decisions,
reports.

An unreadable file is set aside and reported, never guessed at; one that a newer program wrote is
refused (INTERFACES, *On disk*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.units import Evidence, Unit
from vault_dream.engine.errors import Problem
from vault_dream.engine.journal import FileWrite
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.statefiles import (
    json_bytes,
    parse_state,
    read_json,
    refuse_newer,
)

T = TypeVar("T")


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

    def as_json(self) -> dict[str, Any]:
        return {"version": 1, "rejected": [list(item) for item in sorted(self.rejected)]}


class State:
    """Reads the state files and says how they would be written. Stateful: ``problems`` collects
    what was set aside. With ``read_only`` nothing is moved, and an unreadable file counts as
    missing."""

    def __init__(
        self,
        root: Path,
        state_dir: str,
        disk: Disk,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.root = root
        self.folder = state_dir
        self.problems: list[Problem] = []
        self._disk = disk
        self._read_only = read_only
        self._clock = clock

    # Reading -------------------------------------------------------------------------------------

    def catalog(self) -> Catalog:
        """The catalog; an empty one where there is none or it could not be read."""
        return self._load(self.catalog_path, Catalog.from_json) or Catalog({})

    def proposals(self) -> tuple[Proposal, ...]:
        """All stored proposals, in the order of runs and numbers."""
        found = [
            proposal
            for path in self._json_files("proposals/*")
            if (proposal := self._load(path, Proposal.from_json)) is not None
        ]
        return tuple(sorted(found, key=lambda p: (p.run_id, int(p.id.rpartition("/")[2] or 0))))

    def failed(self) -> tuple[FailedUnit, ...]:
        """Units that wait to be tried again."""

        def parse(data: Mapping[str, Any]) -> tuple[FailedUnit, ...]:
            return tuple(FailedUnit.from_json(unit) for unit in data["units"])

        return self._load(self.failed_path, parse) or ()

    def decisions(self) -> Decisions:
        def parse(data: Mapping[str, Any]) -> Decisions:
            return Decisions(frozenset((str(p), str(q)) for p, q in data["rejected"]))

        return self._load(self.decisions_path, parse) or Decisions()

    def report(self, run_id: str) -> Mapping[str, Any] | None:
        return self._load(self.report_path(run_id), dict)

    def run_ids(self) -> tuple[str, ...]:
        """Ids of all runs with a report, the oldest first."""
        names = (Path(path).name for path in self._json_files("runs"))
        return tuple(n.removesuffix(".json") for n in names if not n.endswith(".undo.json"))

    # Writing -------------------------------------------------------------------------------------

    def write(self, path: str, value: Mapping[str, Any]) -> FileWrite | None:
        """The write that makes ``path`` hold ``value``; ``None`` where it does so already."""
        before, after = self._disk.read(self.root / path), json_bytes(value)
        return None if before == after else FileWrite(path, before, after)

    @property
    def catalog_path(self) -> str:
        return f"{self.folder}/file_catalog/dream.json"

    @property
    def decisions_path(self) -> str:
        return f"{self.folder}/decisions.json"

    def report_path(self, run_id: str) -> str:
        return f"{self.folder}/runs/{run_id}.json"

    def proposal_path(self, proposal: Proposal) -> str:
        return f"{self.folder}/proposals/{proposal.id}.json"

    @property
    def failed_path(self) -> str:
        return f"{self.folder}/failed/units.json"

    # What they share -----------------------------------------------------------------------------

    def _json_files(self, pattern: str) -> Iterator[str]:
        for file in sorted((self.root / self.folder).glob(f"{pattern}/*.json")):
            yield file.relative_to(self.root).as_posix()

    def _load(self, path: str, parse: Callable[[Mapping[str, Any]], T]) -> T | None:
        data = self._raw(path)
        if data is None:
            return None
        try:
            return parse(data)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            self._set_aside(path)
            return None

    def _raw(self, path: str) -> Mapping[str, Any] | None:
        file = self.root / path
        if self._read_only:
            raw = self._disk.read(file)
            value = None if raw is None else parse_state(raw)
            if value is not None:
                refuse_newer(value, 1, path)
            elif raw is not None:
                self._report_unreadable(path)
            return value
        loaded = read_json(self._disk, file, clock=self._clock)
        if loaded.problem is not None:
            self.problems.append(loaded.problem)
        return loaded.value

    def _set_aside(self, path: str) -> None:
        if self._read_only:
            self._report_unreadable(path)
            return
        file = self.root / path
        aside = file.with_name(f"{file.name}.unreadable-{self._clock():%Y%m%dT%H%M%S%f}")
        self._disk.move(file, aside)
        self.problems.append(
            Problem(
                path,
                f"does not hold what it should and was set aside as {aside.name}",
                "put a good copy in its place if you have one; it is rebuilt otherwise",
            )
        )

    def _report_unreadable(self, path: str) -> None:
        self.problems.append(
            Problem(path, "cannot be read", "the next run sets it aside and goes on as if new")
        )


def evidence_key(evidence: Evidence) -> tuple[str, str]:
    """What a rejection is remembered by."""
    from vault_dream.engine.dream.quotes import fold

    return evidence.path, fold(evidence.quote)
