"""The labelled cases: what a YAML file of one says, read strictly (see held_out/README.md).

A case is a vault in short (a few nodes, a few daily notes) and the gold: which units its days hold,
and for each the action and target that a careful person would choose. Anything that is not in the
format is a :class:`CaseError` naming the file, so that a slip of the pen never counts as a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
SPLITS = {"dev": HERE / "dev", "held-out": HERE / "held_out"}

KINDS = (
    "acronym",
    "another_value",
    "cjk",
    "contradiction",
    "create",
    "cross_bucket",
    "days",
    "namesakes",
    "nothing",
    "paraphrase",
    "refinement",
    "unsafe",
)
ACTIONS = frozenset({"CREATE", "CORROBORATE", "REFINE", "CORRECT"})
BUCKETS = frozenset({"procedure", "personal", "wiki"})
LONGEST_STRETCH = timedelta(days=13)


class CaseError(Exception):
    """A case file that is not in the format."""


@dataclass(frozen=True, slots=True)
class CaseNode:
    """A digest node that stands in the vault; ``said`` are the words of the day it came from."""

    path: str
    name: str
    description: str
    text: str
    said: str
    on: date
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Gold evidence: words of a day, and the lines (1-based, in the day's text) that they span."""

    day: date
    quote: str
    lines: frozenset[int]


@dataclass(frozen=True, slots=True)
class GoldUnit:
    """What a careful reader keeps, and where it goes.

    ``actions`` and ``targets`` are the ones that count as right (no targets: CREATE); ``safe`` says
    that nobody needs to look before it lands; an ``optional`` unit may be kept or left.
    """

    evidence: tuple[Words, ...]
    buckets: frozenset[str]
    actions: frozenset[str]
    targets: frozenset[str] = frozenset()
    safe: bool = True
    optional: bool = False

    @property
    def creates(self) -> bool:
        return "CREATE" in self.actions

    @property
    def updates(self) -> bool:
        return bool(self.actions - {"CREATE"})


@dataclass(frozen=True, slots=True)
class GivenUnit:
    """The unit of an *integrate* case: extraction is taken as done."""

    name: str
    bucket: str
    summary: str
    evidence: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled case; ``given`` is ``None`` where the units are to be found in the days."""

    split: str
    kind: str
    name: str
    who: str
    nodes: tuple[CaseNode, ...]
    days: Mapping[date, str]
    gold: tuple[GoldUnit, ...]
    given: GivenUnit | None = None
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.split}/{self.kind}/{self.name}"

    @property
    def last_day(self) -> date:
        return max(self.days)

    @property
    def stretch(self) -> int:
        """How many days the run looks back over."""
        return (max(self.days) - min(self.days)).days + 1


def load_split(split: str) -> tuple[Case, ...]:
    """All cases of ``dev`` or ``held-out``, in the order of their names."""
    folder = SPLITS[split]
    for stray in sorted(folder.iterdir()):
        if stray.is_dir() and stray.name not in KINDS:
            raise CaseError(f"{stray}: there is no kind {stray.name!r}; there are {KINDS}")
    return tuple(
        load_case(file, split) for kind in KINDS for file in sorted((folder / kind).glob("*.yaml"))
    )


def load_case(file: Path, split: str) -> Case:
    """The case in ``file``; raises :class:`CaseError`."""
    try:
        data = yaml.safe_load(file.read_text("utf-8"))
        return _case(data, split, file.parent.name, file.stem)
    except (CaseError, yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise CaseError(f"{file}: {type(error).__name__}: {error}") from error


def load_surroundings(file: Path = HERE / "surroundings.yaml") -> tuple[CaseNode, ...]:
    """Nodes about other things that stand in every case's vault, for a search to get past."""
    data = yaml.safe_load(file.read_text("utf-8"))
    return tuple(_node(path, node) for path, node in data.items())


def _case(data: Any, split: str, kind: str, name: str) -> Case:
    _keys(data, needed={"who", "days", "gold"}, also={"nodes", "unit", "notes", "why"})
    days = {_date(day): _text(text) for day, text in data["days"].items()}
    if max(days) - min(days) > LONGEST_STRETCH:
        raise CaseError(f"its days are more than {LONGEST_STRETCH.days} days apart")
    nodes = tuple(_node(path, node) for path, node in (data.get("nodes") or {}).items())
    paths = frozenset(node.path for node in nodes)
    if early := [node.path for node in nodes if node.on >= min(days)]:
        raise CaseError(f"nodes that are not older than the days: {early}")
    given = _given(data["unit"], days) if "unit" in data else None
    if given is not None:
        gold: tuple[GoldUnit, ...] = (_gold_of(given, data["gold"], paths),)
    else:
        gold = tuple(_gold(item, days, paths) for item in data["gold"])
    return Case(
        split,
        kind,
        name,
        _text(data["who"]),
        nodes,
        days,
        gold,
        given,
        {_text(path): _text(text) for path, text in (data.get("notes") or {}).items()},
    )


def _node(path: str, data: Any) -> CaseNode:
    _keys(data, needed={"name", "text"}, also={"description", "said", "day", "aliases"})
    bucket = path.partition("/")[0]
    if bucket not in BUCKETS or not re.fullmatch(r"[\w-]+(?:/[\w-]+)+", path):
        raise CaseError(f"{path!r} is not bucket/name")
    text = _text(data["text"]).strip()
    first = re.split(r"(?<=[.!?])\s|(?<=[。！？])", text, maxsplit=1)[0].strip()
    return CaseNode(
        path,
        _text(data["name"]),
        _text(data.get("description", first)),
        text,
        _text(data.get("said", first)),
        _date(data.get("day", date(2026, 9, 14))),
        tuple(_text(alias) for alias in data.get("aliases", ())),
    )


def _given(data: Any, days: Mapping[date, str]) -> GivenUnit:
    _keys(data, needed={"name", "bucket", "summary", "evidence"})
    if data["bucket"] not in BUCKETS:
        raise CaseError(f"there is no bucket {data['bucket']!r}")
    return GivenUnit(
        _text(data["name"]),
        data["bucket"],
        _text(data["summary"]),
        _evidence(data["evidence"], days),
    )


def _gold_of(given: GivenUnit, data: Any, paths: frozenset[str]) -> GoldUnit:
    _keys(data, needed={"action"}, also={"target", "safe"})
    actions, targets, safe = _verdict(data, paths)
    return GoldUnit(given.evidence, frozenset({given.bucket}), actions, targets, safe)


def _gold(data: Any, days: Mapping[date, str], paths: frozenset[str]) -> GoldUnit:
    _keys(data, needed={"evidence", "bucket"}, also={"action", "target", "safe", "optional"})
    buckets = _several(data["bucket"])
    if not buckets or not buckets <= BUCKETS:
        raise CaseError(f"there is no bucket {data['bucket']!r}")
    actions, targets, safe = _verdict({"action": "CREATE", **data}, paths)
    return GoldUnit(
        _evidence(data["evidence"], days),
        buckets,
        actions,
        targets,
        safe,
        _flag(data.get("optional", False)),
    )


def _verdict(
    data: Mapping[str, Any], paths: frozenset[str]
) -> tuple[frozenset[str], frozenset[str], bool]:
    actions, targets = _several(data["action"]), _several(data.get("target", ()))
    if not actions or not actions <= ACTIONS:
        raise CaseError(f"there is no action {data['action']!r}")
    if bool(actions - {"CREATE"}) != bool(targets):
        raise CaseError("an update names its target, and a CREATE has none")
    if not targets <= paths:
        raise CaseError(f"{sorted(targets - paths)} is not among the nodes")
    safe = _flag(data.get("safe", "CORRECT" not in actions))
    if safe and actions == {"CORRECT"}:
        raise CaseError("a correction is for a person to see: safe is false")
    return actions, targets, safe


def _evidence(quotes: Any, days: Mapping[date, str]) -> tuple[Words, ...]:
    if not isinstance(quotes, list) or not quotes:
        raise CaseError("evidence is a list of words from the days")
    return tuple(_words(_text(quote), days) for quote in quotes)


def _words(quote: str, days: Mapping[date, str]) -> Words:
    """Where ``quote`` stands: in one day, once."""
    found = [(day, text.count(quote)) for day, text in days.items() if quote in text]
    if len(found) != 1 or found[0][1] != 1:
        raise CaseError(f"{quote!r} stands not once but {found or 'nowhere'} in the days")
    day = found[0][0]
    before, _, _ = days[day].partition(quote)
    first = before.count("\n") + 1
    return Words(day, quote, frozenset(range(first, first + quote.count("\n") + 1)))


def _keys(data: Any, *, needed: set[str], also: Iterable[str] = ()) -> None:
    if not isinstance(data, dict):
        raise CaseError(f"{data!r} is not a mapping")
    if missing := needed - data.keys():
        raise CaseError(f"{sorted(missing)} is missing")
    if unknown := data.keys() - needed - set(also):
        raise CaseError(f"{sorted(unknown)} is not in the format")


def _several(value: Any) -> frozenset[str]:
    """One word or a list of them."""
    return frozenset([value] if isinstance(value, str) else value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise CaseError(f"{value!r} is neither true nor false")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise CaseError(f"{value!r} is not text")
    return value


def _date(value: Any) -> date:
    if not isinstance(value, date):
        raise CaseError(f"{value!r} is not a day")
    return value
