"""Our own JSON files: how they are formatted, written atomically, and read without guessing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, Problem
from vault_dream.engine.vault.disk import PRIVATE, Disk


def _now() -> datetime:
    return datetime.now(UTC)


def json_bytes(value: object) -> bytes:
    """Sorted, indented, UTF-8, with a final newline: it diffs and merges."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    return text.encode("utf-8", "backslashreplace") + b"\n"  # a lone surrogate stays a JSON escape


def atomic_write_json(disk: Disk, path: Path, value: object, *, private: bool = True) -> None:
    """Write one state file whole. ``private``: it may hold note text, only its owner may read."""
    disk.put(path, json_bytes(value), mode=PRIVATE if private else 0o666)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a state file held. ``value`` is None where there is none, or where it was set aside, and
    then ``problem`` says so. ``raw`` are its bytes, for a later compare."""

    value: Mapping[str, object] | None
    raw: bytes | None
    problem: Problem | None = None


def read_json(
    disk: Disk, path: Path, *, version: int = 1, clock: Callable[[], datetime] = _now
) -> Loaded:
    """Read one state file: a JSON object with a ``version``.

    One that cannot be read is set aside under a name with the time in it, and reported.
    FilesystemError for one that a newer version of the program wrote, which stays as it is.
    """
    raw = disk.read(path)
    if raw is None:
        return Loaded(None, None)
    value = parse_state(raw)
    if value is None:
        aside = path.with_name(f"{path.name}.unreadable-{clock():%Y%m%dT%H%M%S%f}")
        disk.move(path, aside)
        return Loaded(
            None,
            None,
            Problem(
                disk.where(path),
                f"could not be read and was set aside as {aside.name}",
                "put a good copy in its place if you have one; everything else works without it",
            ),
        )
    refuse_newer(value, version, disk.where(path))
    return Loaded(value, raw)


def parse_state(raw: bytes) -> dict[str, object] | None:
    """The JSON object with a whole-number ``version`` that ``raw`` spells, else None."""
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or type(value.get("version")) is not int:
        return None
    return value


def refuse_newer(value: Mapping[str, object], version: int, where: str) -> None:
    found = value["version"]
    if isinstance(found, int) and found > version:
        raise FilesystemError(
            where,
            f"was written by a newer Vault Dream (version {found}; this one knows {version})",
            "update Vault Dream on this machine",
        )
