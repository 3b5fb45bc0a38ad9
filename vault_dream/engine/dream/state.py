"""The dream's own files under ``<state_dir>``: catalog, proposals, failed units, decisions,
reports.

An unreadable file is set aside and reported, never guessed at; one that a newer program wrote is
refused (INTERFACES, *On disk*).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.kept import (
    Backfill,
    Decisions,
    FailedUnit,
    failed_as_json,
    merge_failed,
)
from vault_dream.engine.dream.merging import merge_catalogs, merge_proposals
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import Problem
from vault_dream.engine.journal import FileWrite
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.statefiles import (
    json_bytes,
    parse_state,
    read_json,
    refuse_newer,
)

T = TypeVar("T")

UNLIKE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
"""What parsing raises for a file that is JSON, but does not hold what it should."""


class State:
    """Reads the state files and says how they would be written. Stateful: ``problems`` collects
    what was set aside, and ``stand_in`` is a catalog made anew for one that was lost. With
    ``read_only`` nothing is moved, and an unreadable file counts as missing."""

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
        self.stand_in: Catalog | None = None
        self._copies: dict[str, bytes] = {}
        self._merged: dict[str, Mapping[str, Any]] = {}
        self._proposals: dict[str, tuple[bytes, Proposal]] = {}
        self._disk = disk
        self._read_only = read_only
        self._clock = clock

    # Reading -------------------------------------------------------------------------------------

    def catalog(self) -> Catalog:
        """The catalog; where there is none, or it could not be read, what stands in for it."""
        return self.known_catalog() or self.stand_in or Catalog({})

    def known_catalog(self) -> Catalog | None:
        """The catalog; ``None`` where there is none or it could not be read."""
        return self._load_merged(
            self.catalog_path, Catalog.from_json, merge_catalogs, Catalog.as_json
        )

    def proposals(self) -> tuple[Proposal, ...]:
        """All stored proposals, in the order of runs and numbers."""
        copies: dict[str, list[str]] = {}
        for file in self._json_files("proposals/*", copies=True):
            path = _without_copy_mark(file)
            beside = copies.setdefault(path, [])
            if path != file:
                beside.append(file)
        found = [
            proposal
            for path, beside in copies.items()
            if (proposal := self._proposal(path, beside)) is not None
        ]
        return tuple(sorted(found, key=lambda p: (p.run_id, _number(p.id))))

    def _proposal(self, path: str, copies: Sequence[str]) -> Proposal | None:
        """The proposal at ``path``; the same value as before while its bytes are the same."""
        raw = None if copies else self._disk.read(self.root / path)
        before = self._proposals.get(path)
        if raw is not None and before is not None and before[0] == raw:
            return before[1]
        proposal = self._load_merged(
            path, _filed(path), merge_proposals, Proposal.as_json, copies=copies
        )
        if raw is not None and proposal is not None:
            self._proposals[path] = raw, proposal
        return proposal

    def failed(self) -> tuple[FailedUnit, ...]:
        """Units that wait to be tried again."""

        def parse(data: Mapping[str, Any]) -> tuple[FailedUnit, ...]:
            return tuple(FailedUnit.from_json(unit) for unit in data["units"])

        return self._load_merged(self.failed_path, parse, merge_failed, failed_as_json) or ()

    def decisions(self) -> Decisions:
        def parse(data: Mapping[str, Any]) -> Decisions:
            return Decisions(frozenset((str(p), str(q)) for p, q in data["rejected"]))

        decisions = self._load_merged(
            self.decisions_path, parse, Decisions.merged, Decisions.as_json
        )
        return decisions or Decisions()

    def lost_catalog(self) -> bool:
        """Whether there is no catalog although there was one."""
        if self.known_catalog() is not None:
            return False
        path = self.root / self.catalog_path
        if any(path.parent.glob(f"{path.name}.unreadable-*")):
            return True
        reports = map(self.report, reversed(self.run_ids()))
        return any(report.get("checkpoint_paths") for report in reports if report is not None)

    def backfill(self) -> Backfill | None:
        """The range of older days that somebody is reading, ``None`` where nobody is."""
        return self._load_merged(
            self.backfill_path, Backfill.from_json, Backfill.merged, Backfill.as_json
        )

    def report(self, run_id: str) -> Mapping[str, Any] | None:
        """The report of a run, ``None`` where there is none or it is not one any more."""
        return self._load(self.report_path(run_id), _report)

    def run_ids(self) -> tuple[str, ...]:
        """Ids of all runs with a report, the oldest first."""
        names = (Path(path).name for path in self._json_files("runs"))
        return tuple(n.removesuffix(".json") for n in names if not n.endswith(".undo.json"))

    # What sync programs leave --------------------------------------------------------------------

    def look_again(self) -> None:
        """Forget which conflict copies were met: the next reading meets them anew."""
        self._copies.clear()
        self._merged.clear()

    def tidied(self, writes: Iterable[FileWrite]) -> list[FileWrite]:
        """``writes``, and those that put what was merged in place and remove the conflict copies
        that it was merged from."""
        known = list(writes)
        paths = {write.path for write in known}
        for path, value in self._merged.items():
            if path not in paths and (write := self.write(path, value)) is not None:
                known.append(write)
        return [*known, *(FileWrite(copy, raw, None) for copy, raw in self._copies.items())]

    def _load_merged(
        self,
        path: str,
        parse: Callable[[Mapping[str, Any]], T],
        merge: Callable[[T, T], T],
        as_json: Callable[[T], Mapping[str, Any]],
        *,
        copies: Sequence[str] | None = None,
    ) -> T | None:
        """What ``path`` holds, merged with what its conflict ``copies`` do, where they are known
        already."""
        value = self._load(path, parse)
        for copy in self._copies_of(path) if copies is None else copies:
            raw = self._disk.read(self.root / copy)
            data = None if raw is None else parse_state(raw)
            try:
                other = None if data is None or data["version"] != 1 else parse(data)
            except UNLIKE:
                other = None
            if other is None or raw is None:
                self._tell(Problem(copy, "is a conflict copy that cannot be read", "check it"))
                continue
            value = other if value is None else merge(value, other)
            self._merged[path] = as_json(value)
            self._copies[copy] = raw
            what = "is a sync program's conflict copy; its content was merged"
            self._tell(Problem(copy, what, "nothing to do"))
        return value

    def needless_copies(self) -> tuple[str, ...]:
        """Conflict copies of reports and undo records that say what the file itself says; the other
        state files are merged with theirs."""
        copies = (path for path in self._json_files("runs", copies=True) if conflict_copy(path))
        return tuple(
            path for path in copies if self.raw(path) == self.raw(_without_copy_mark(path))
        )

    def differing_copies(self) -> tuple[str, ...]:
        """Conflict copies of reports and undo records that say something of their own."""
        needless = set(self.needless_copies())
        copies = (path for path in self._json_files("runs", copies=True) if conflict_copy(path))
        return tuple(path for path in copies if path not in needless)

    def raw(self, path: str) -> bytes | None:
        """The bytes of a state file, ``None`` where there is none."""
        return self._disk.read(self.root / path)

    def _copies_of(self, path: str) -> list[str]:
        folder = (self.root / path).parent
        return sorted(
            file.relative_to(self.root).as_posix()
            for file in folder.glob("*.json")
            if conflict_copy(file.name)
            and _without_copy_mark(file.relative_to(self.root).as_posix()) == path
        )

    def _tell(self, problem: Problem) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

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

    @property
    def backfill_path(self) -> str:
        return f"{self.folder}/backfill.json"

    # What they share -----------------------------------------------------------------------------

    def _json_files(self, pattern: str, *, copies: bool = False) -> Iterator[str]:
        for folder in sorted((self.root / self.folder).glob(pattern)):
            above = folder.relative_to(self.root).as_posix()
            for name in sorted(_names_in(folder)):
                json_file = name.endswith(".json") and not name.startswith(".")
                if json_file and (copies or not conflict_copy(name)):
                    yield f"{above}/{name}"

    def _load(self, path: str, parse: Callable[[Mapping[str, Any]], T]) -> T | None:
        data = self._raw(path)
        if data is None:
            return None
        try:
            return parse(data)
        except UNLIKE:
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
                f"is damaged and was set aside as {aside.name}",
                "put a good copy in its place if you have one; everything else works without it",
            )
        )

    def _report_unreadable(self, path: str) -> None:
        self.problems.append(
            Problem(path, "cannot be read", "the next run sets it aside and starts afresh")
        )


def _report(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """``data``, where it has what is read of a report; ``KeyError`` or ``ValueError`` else."""
    datetime.strptime(str(data["run_id"])[:15], "%Y%m%dT%H%M%S")
    lists = ("units", "integrate_results", "nodes_created", "nodes_updated")
    if not isinstance(data["status"], str) or not all(isinstance(data[k], list) for k in lists):
        raise ValueError("this is not a run report")
    for unit in data["units"]:
        Unit.from_json(unit)
    for result in data["integrate_results"]:
        _ = result["unit"], result["target_path"], result["decision"]
    return dict(data)


def _filed(path: str) -> Callable[[Mapping[str, Any]], Proposal]:
    """Parses a proposal that must be the one that its path names."""
    run_id, _, name = path.removesuffix(".json").rpartition("/")
    wanted = f"{run_id.rpartition('/')[2]}/{name}"

    def parse(data: Mapping[str, Any]) -> Proposal:
        proposal = Proposal.from_json(data)
        if proposal.id != wanted:
            raise ValueError(proposal.id)
        return proposal

    return parse


def _number(proposal_id: str) -> int:
    name = proposal_id.rpartition("/")[2]
    return int(name) if name.isdecimal() else 0


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - of thousands, a path for each takes long
    except OSError:
        return []


def _without_copy_mark(path: str) -> str:
    """The path of the state file that ``path`` is, or is a conflict copy of."""
    folder, _, name = path.rpartition("/")
    if conflict_copy(name):
        stem = re.match(r"[A-Za-z0-9-]+(?:\.undo)?", name)
        if stem is not None:
            name = f"{stem[0].removesuffix('_conflict')}.json"
    return f"{folder}/{name}"
