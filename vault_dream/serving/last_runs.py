"""Up to when each job was done, as this machine remembers it between starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vault_dream.engine.errors import Problem
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.machine import vault_state_folder
from vault_dream.engine.vault.statefiles import atomic_write_json, read_json

FILE = "jobs.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class LastRun:
    """What is known of one job: its times up to ``after`` are over.

    ``line`` and ``zone`` are what its times were reckoned by: with other ones it begins anew.
    ``run_id`` is the last run that came of it, ``""`` before the first.
    """

    line: str
    zone: str
    after: datetime
    run_id: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "zone": self.zone,
            "after": self.after.astimezone(UTC).isoformat(timespec="seconds"),
            "run_id": self.run_id,
        }

    @classmethod
    def from_json(cls, value: Any) -> LastRun | None:
        """None where it is not what :meth:`as_json` gives."""
        if not isinstance(value, dict):
            return None
        texts = [value.get(name) for name in ("line", "zone", "after", "run_id")]
        if not all(isinstance(text, str) for text in texts):
            return None
        try:
            after = datetime.fromisoformat(value["after"])
        except ValueError:
            return None
        if after.tzinfo is None:
            return None
        return cls(value["line"], value["zone"], after, value["run_id"])


class LastRuns:
    """The jobs of one vault in this machine's state folder. Stateful: it holds what was read.

    Raises :class:`FilesystemError` where the file cannot be written, or a newer version wrote it;
    an unreadable one is set aside, and ``problem`` says so.
    """

    def __init__(self, root: Path, *, disk: Disk | None = None) -> None:
        self._disk = disk or Disk(root)
        self._path = vault_state_folder(root) / FILE
        loaded = read_json(self._disk, self._path, version=VERSION)
        self.problem: Problem | None = loaded.problem
        jobs = (loaded.value or {}).get("jobs")
        listed: Mapping[str, Any] = jobs if isinstance(jobs, dict) else {}
        found = {name: LastRun.from_json(value) for name, value in listed.items()}
        self._runs = {name: run for name, run in found.items() if run is not None}

    def get(self, job: str) -> LastRun | None:
        return self._runs.get(job)

    def put(self, job: str, run: LastRun) -> None:
        """Remember ``run``, here at once and on the disk."""
        if self._runs.get(job) == run:
            return
        self._runs[job] = run
        jobs = {name: one.as_json() for name, one in self._runs.items()}
        self._disk.make_folder(self._path.parent)
        atomic_write_json(self._disk, self._path, {"version": VERSION, "jobs": jobs})
