"""The dream catalog: what was read, as the hash of the bytes that were read and of their blocks.

It lives at ``<state_dir>/file_catalog/dream.json``. Identity is the content hash; size and mtime
only short-cut the wider look, because sync programs do not keep them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, get_args

State = Literal["done", "queued", "failed", "gone"]
VERSION = 1

_CHECKBOX = re.compile(r"^((?:>\s?)*\s*(?:[-*+]|\d+[.)])\s+)\[[^\]\n]\](?=\s)")
_DONE_STAMP = re.compile(r"\s*(?:✅|❌|\[completion::)\s*\d{4}-\d{2}-\d{2}\]?")


def block_hash(text: str) -> str:
    """A short hash of a block's words. Whether a task is ticked, and when it was, is not part of
    them, nor is white space, so that a changed checkbox does not bring an old line back."""
    words = _DONE_STAMP.sub("", _CHECKBOX.sub(r"\1[ ]", text))
    return hashlib.sha256(" ".join(words.split()).encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one source. ``units`` are (name, bucket, target) that came of it."""

    hash: str
    blocks: tuple[str, ...] = ()
    size: int = 0
    mtime_ns: int = 0
    state: State = "done"
    run_id: str = ""
    attempts: int = 0
    units: tuple[tuple[str, str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "hash": self.hash,
            "blocks": list(self.blocks),
            "size": self.size,
            "mtime_ns": self.mtime_ns,
            "state": self.state,
            "run_id": self.run_id,
            "attempts": self.attempts,
            "units": [list(unit) for unit in self.units],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Entry:
        """``KeyError``, ``TypeError`` or ``ValueError`` for what is no entry."""
        if data["state"] not in get_args(State) or not isinstance(data["blocks"], list):
            raise ValueError("this is not a catalog entry")
        return cls(
            hash=str(data["hash"]),
            blocks=tuple(str(block) for block in data["blocks"]),
            size=int(data["size"]),
            mtime_ns=int(data["mtime_ns"]),
            state=data["state"],
            run_id=str(data["run_id"]),
            attempts=int(data["attempts"]),
            units=tuple((str(u[0]), str(u[1]), str(u[2])) for u in data.get("units", ())),
        )


@dataclass(frozen=True)
class Catalog:
    """Entries by path, the day of the last run that was completed, and the nodes that landed and
    that nobody was asked to tag yet."""

    files: Mapping[str, Entry]
    last_completed: date | None = None
    untagged: tuple[str, ...] = ()

    def get(self, path: str) -> Entry | None:
        return self.files.get(path)

    def with_files(
        self,
        entries: Mapping[str, Entry],
        *,
        dropped: Iterable[str] = (),
        last_completed: date | None = None,
        latest: date = date.max,
    ) -> Catalog:
        """A catalog with ``entries`` put in and ``dropped`` taken out. A day after ``latest`` that
        it knows as the last completed one is forgotten."""
        files = {**self.files, **entries}
        for path in dropped:
            files.pop(path, None)
        days = [day for day in (self.last_completed, last_completed) if day and day <= latest]
        return replace(self, files=files, last_completed=max(days, default=None))

    def gone(self, path: str, run_id: str) -> Entry:
        """The tombstone of a source that is no longer there, so that one that comes back is
        known.
        """
        return replace(self.files[path], state="gone", run_id=run_id)

    def as_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "last_completed": self.last_completed.isoformat() if self.last_completed else None,
            "files": {path: entry.as_json() for path, entry in self.files.items()},
            **({"untagged": sorted(self.untagged)} if self.untagged else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Catalog:
        """Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is not a catalog."""
        last = data.get("last_completed")
        return cls(
            {str(path): Entry.from_json(entry) for path, entry in data["files"].items()},
            date.fromisoformat(last) if last else None,
            tuple(str(path) for path in data.get("untagged", ())),
        )
