"""What a reader of notes is: a language model, or the offline stand-in, behind one interface.

A reader is given text and answers with claims; it never sees a path that it could write to except
through :class:`Tools`, and nothing that it says is believed before code has checked it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, Protocol, runtime_checkable

from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.dream.units import SettledUnit, Unit

Action = Literal["CREATE", "CORROBORATE", "REFINE", "CORRECT"]
Relation = Literal["same_abstraction", "related", "unrelated"]


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A paragraph, list item, table, … of a source. ``line`` and ``end_line`` are 1-based in the
    file; ``fresh`` says that no earlier reading saw it; ``depth`` is the nesting of a list item."""

    line: int
    end_line: int
    kind: str
    text: str
    headings: tuple[str, ...] = ()
    fresh: bool = True
    depth: int = 0


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source as a reader gets it: what the owner excluded is simply not among the blocks."""

    handle: int
    path: str
    date: date | None
    title: str
    blocks: tuple[SourceBlock, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """All changed sources of a run together. ``language`` is ``auto`` or a BCP 47 tag."""

    sources: tuple[SourceText, ...]
    max_units: int
    hint: str = ""
    language: str = "auto"
    settled: tuple[SettledUnit, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitClaim:
    """A unit as the reader claims it: handles instead of paths, quotes not yet found."""

    name: str
    bucket: str
    summary: str
    handles: tuple[int, ...]
    quotes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractAnswer:
    """At most ``max_units`` claims are kept; the names over the cap stand in the report.

    ``unread`` are the handles of sources that could not be read, each with the reason: they are
    tried again.
    """

    units: tuple[UnitClaim, ...]
    warnings: tuple[str, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class IntegrateRequest:
    """One unit, with the texts of the sources it cites (excluded parts left out).

    ``chosen`` is the node that a person wants the unit to go to, ``""`` for a new one; ``None``
    leaves the choice to the reader.
    """

    unit: Unit
    sources: tuple[SourceText, ...]
    today: date
    digest_dir: str
    edge_style: str = "sentence"
    language: str = "auto"
    hint: str = ""
    chosen: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the reader says it did. The draft decides what is true."""

    action: Action
    target: str
    related: tuple[str, ...] = ()
    classes: tuple[tuple[str, Relation], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class TagRequest:
    """A node to tag and the vault's existing tags, the most used first."""

    path: str
    name: str
    description: str
    body: str
    vault_tags: tuple[str, ...]
    limit: int = 5


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reader spent. ``cost`` is ``None`` where no prices are set."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def since(self, earlier: Usage) -> Usage:
        """What was spent after ``earlier``, by the same reader."""
        cost = None if self.cost is None else self.cost - (earlier.cost or 0.0)
        return Usage(
            self.calls - earlier.calls,
            self.prompt_tokens - earlier.prompt_tokens,
            self.completion_tokens - earlier.completion_tokens,
            cost,
        )


@dataclass(frozen=True, slots=True)
class FirstSend:
    """What is about to go to an endpoint that nothing was sent to before."""

    host: str
    model: str
    notes: int
    characters: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run is about to take, roughly: ``tokens`` of prompts and answers together; ``cost`` is
    ``None`` where no prices are set."""

    sources: int
    tokens: int
    calls: int
    cost: float | None


class ToolError(Exception):
    """A tool refused; the message tells the reader what to do instead."""


class Tools(Protocol):
    """The six tools of the seeds. The last three change only the draft. All raise
    :class:`ToolError`."""

    def node_search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]: ...

    def read(self, path: str) -> str: ...

    def frontmatter_read(self, path: str) -> Mapping[str, Any]: ...

    def write(self, path: str, name: str, description: str, content: str) -> str:
        """Stage a new node; ``content`` is its body. Returns the path it got."""
        ...

    def edit(self, path: str, old: str, new: str) -> None: ...

    def frontmatter_update(self, path: str, values: Mapping[str, Any]) -> None: ...

    def problems(self, receipt: Receipt) -> tuple[str, ...]:
        """What code would refuse the draft for as it stands; not a tool of the model's."""
        ...


@dataclass(frozen=True, slots=True)
class Heard:
    """How one request of a reader is doing. ``state``: ``sent``, ``thinking``, ``writing``, or
    ``waiting`` for ``seconds`` because of ``reason``; ``label`` is a unit's name or a step."""

    label: str
    state: str
    characters: int = 0
    seconds: float = 0.0
    reason: str = ""


@runtime_checkable
class Watched(Protocol):
    """A reader that takes its time, and can be watched while it does."""

    def watch(self, watcher: Callable[[Heard], None]) -> None:
        """Tell ``watcher`` from now on; it is called from the thread that the reader works in."""
        ...


@runtime_checkable
class Sender(Protocol):
    """A reader that sends text to somebody: it knows to whom, and how much. Asks nobody."""

    def first_send(self, request: ExtractRequest) -> FirstSend | None:
        """What would go to an endpoint that is new, ``None`` where it is known. Raises
        :class:`NoModelError` where it is new and cannot be asked."""
        ...

    def estimate(self, request: ExtractRequest, waiting: int = 0) -> Estimate:
        """What reading these sources and integrating their units will take, with ``waiting`` units
        of earlier runs."""
        ...


@runtime_checkable
class Shower(Protocol):
    """A reader that can show beforehand, word for word, what it would send."""

    def preview(self, request: ExtractRequest) -> Sequence[Mapping[str, Any]]:
        """The bodies of the calls that would read these sources, as they would be sent."""
        ...


@runtime_checkable
class Connected(Protocol):
    """A reader that holds connections."""

    async def close(self) -> None:
        """Let go of them; the next request opens new ones."""
        ...


class Reader(Protocol):
    """A model or its stand-in. Methods raise the errors of :mod:`vault_dream.engine.errors`."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def prompts(self) -> str:
        """Version of the prompts (or rules) that it follows."""
        ...

    async def extract(self, request: ExtractRequest) -> ExtractAnswer: ...

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt: ...

    async def tag(self, request: TagRequest) -> Sequence[str]: ...

    def usage(self) -> Usage: ...
