"""A vault at a glance, as a value: what Home shows, and what it showed last on this machine.

Imports nothing of the engine, so that a page can be drawn before the vault is opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

DayState = Literal["read", "queued", "changed", "failed", "unread"]
STATES: tuple[DayState, ...] = ("failed", "queued", "changed", "unread", "read")

GLANCE_FILE = "home.json"
"""In the machine's cache folder of a vault; it goes with the index when a note is forgotten."""


@dataclass(frozen=True, slots=True)
class RunLine:
    """One past run, in numbers; ``seconds`` and ``tokens`` are 0 where none were spent, ``undone``
    is whether nothing that it wrote stands any more."""

    run_id: str
    at: datetime
    status: str
    days: int
    units: int
    created: int
    updated: int
    queued: int
    tokens: int
    seconds: float
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """``days`` holds the days of the last weeks that have a note, each in the state of the note
    that needs most; ``changed`` the notes that the next dream would read; ``parked`` counts the
    proposals that nobody decided for long."""

    vault: str
    today: date
    days: Mapping[date, DayState]
    changed: tuple[str, ...]
    waiting: int
    approved: int
    failed_units: tuple[str, ...]
    runs: tuple[RunLine, ...]
    older_unread: int
    parked: int
    nodes: int
    daily_notes: str
    daily_origin: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """An overview with the words about the reader, as they were at one moment; ``no_reader`` says
    why nothing can be read, ``""`` where something can."""

    view: Overview
    reader: str
    no_reader: str
    at: datetime


def keep_glance(folder: Path, glance: Glance) -> None:
    """Keep ``glance`` in ``folder``, without the names of failed units; failing is no error."""
    view = glance.view
    made = asdict(replace(view, failed_units=("",) * len(view.failed_units), days={}))
    made["days"] = {day.isoformat(): state for day, state in view.days.items()}
    document = {"view": made, **{n: getattr(glance, n) for n in ("reader", "no_reader", "at")}}
    text = json.dumps(document, ensure_ascii=False, default=lambda value: value.isoformat())
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{GLANCE_FILE}.part"
        part.write_text(text, encoding="utf-8")
        part.replace(folder / GLANCE_FILE)


def last_glance(folder: Path) -> Glance | None:
    """What was kept last in ``folder``; ``None`` where nothing is, or nothing that can be read."""
    try:
        document = json.loads((folder / GLANCE_FILE).read_text(encoding="utf-8"))
        return Glance(
            _overview(document["view"]),
            str(document["reader"]),
            str(document["no_reader"]),
            datetime.fromisoformat(document["at"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def drop_glance(folder: Path) -> None:
    """Forget what was kept in ``folder``."""
    with suppress(OSError):
        (folder / GLANCE_FILE).unlink()


def _overview(made: dict[str, Any]) -> Overview:
    days = {date.fromisoformat(day): state for day, state in made["days"].items()}
    if not set(days.values()) <= set(STATES):
        raise ValueError("a state that is none")
    lists = {name: tuple(map(str, made[name])) for name in ("changed", "failed_units", "warnings")}
    runs = tuple(
        RunLine(**{**run, "at": datetime.fromisoformat(run["at"])}) for run in made["runs"]
    )
    today = date.fromisoformat(made["today"])
    return Overview(**{**made, **lists, "days": days, "runs": runs, "today": today})
