"""What a session tells its observers: frozen values, sent as things happen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class Scanned(Event):
    """The days were read: counts of notes, of changed ones, and of those with something new."""

    scanned: int
    changed: int
    fresh: int


@dataclass(frozen=True, slots=True)
class DayBegun(Event):
    """A backfill opened day ``number`` of ``total``."""

    number: int
    total: int
    day: date


@dataclass(frozen=True, slots=True)
class Extracting(Event):
    """The reader is looking for units in this many sources; the whole run is about to take so many
    tokens and calls, 0 where none are counted, and that much money where prices are set."""

    sources: int
    tokens: int = 0
    calls: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Sending(Event):
    """Text of notes is about to be sent to an endpoint for the first time."""

    host: str
    model: str
    notes: int
    characters: int


@dataclass(frozen=True, slots=True)
class Extracted(Event):
    """The units that were found, by name."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Integrating(Event):
    """Work on unit ``number`` of ``total`` begins."""

    number: int
    total: int
    name: str


@dataclass(frozen=True, slots=True)
class Answering(Event):
    """How the model is doing with ``label`` (a unit's name, or a step): ``sent``, ``thinking``,
    ``writing`` so many ``characters``, or ``waiting`` for ``seconds`` before another try because of
    ``reason``. Comes from the thread that talks to the model."""

    label: str
    state: str
    characters: int = 0
    seconds: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Integrated(Event):
    """A unit was finished: an action on a node, or a failure with its reason. ``tokens`` were
    spent on it, ``so_far`` on the run."""

    number: int
    total: int
    name: str
    action: str
    target: str
    failure: str = ""
    tokens: int = 0
    so_far: int = 0


@dataclass(frozen=True, slots=True)
class Committed(Event):
    """Proposals that landed, and those that went stale."""

    landed: tuple[str, ...]
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tagged(Event):
    """A node got tags, or could not get them."""

    path: str
    tags: tuple[str, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class TopicsFound(Event):
    """New topics of a day, by title, and the file that they are in."""

    path: str
    titles: tuple[str, ...]
