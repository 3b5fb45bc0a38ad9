"""From what became of the cases to the figures that are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tests.evals.intervals import bootstrap, wilson
from tests.evals.running import CaseResult, UnitResult


@dataclass(frozen=True, slots=True)
class Bound:
    """What a figure has to keep; ``share`` itself is allowed with ``at_least``, not with below."""

    share: float
    at_least: bool = False

    def kept(self, value: float) -> bool:
        if self.at_least:
            return value >= self.share
        return value < self.share if self.share else value == 0

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "<" if self.share else "="
        return f"{sign} {self.share:.0%}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. ``hits`` of ``of`` where it is a share; else the mean of ``of`` values; ``value``
    is ``None`` where there was nothing to measure."""

    name: str
    meaning: str
    value: float | None
    low: float = 0.0
    high: float = 0.0
    hits: int | None = None
    of: int = 0
    bound: Bound | None = None

    @property
    def kept(self) -> bool:
        return self.bound is None or self.value is None or self.bound.kept(self.value)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "hits": self.hits,
            "of": self.of,
            "bound": None if self.bound is None else str(self.bound),
            "kept": self.kept,
        }


Units = Sequence[UnitResult]


def figures(results: Sequence[CaseResult]) -> tuple[Figure, ...]:
    """Every figure of DESIGN's evals over ``results``."""
    return (
        *_extraction([result for result in results if result.case.given is None]),
        *_integration(results),
        *_unattended(results),
        *_spent(results),
    )


def _extraction(results: Sequence[CaseResult]) -> Iterable[Figure]:
    units = [unit for result in results for unit in result.units]
    counted = [unit for unit in units if unit.gold is None or not unit.gold.optional]
    hits = [unit for unit in counted if unit.gold is not None]
    missed = sum(not gold.optional for result in results for gold in result.missed)
    quiet = [result for result in results if not result.case.gold]
    yield share(
        "unit precision", "of the units found, those worth keeping", len(hits), len(counted)
    )
    yield share(
        "unit recall", "of what is worth keeping, what was found", len(hits), len(hits) + missed
    )
    yield share(
        "bucket right",
        "of the units worth keeping, those in a fitting bucket",
        sum(u.gold is not None and u.bucket in u.gold.buckets for u in units),
        sum(u.gold is not None for u in units),
    )
    yield share(
        "quiet days kept quiet",
        "of the days that hold nothing, those nothing is kept of",
        sum(not (result.units or result.unread) for result in quiet),
        len(quiet),
        Bound(1.0, at_least=True),
    )
    yield share(
        "evidence found",
        "of the quotes given as evidence, those that stand in the source",
        sum(unit.quotes_found for unit in units),
        sum(max(1, unit.quotes) for unit in units),
    )


def judged(results: Sequence[CaseResult]) -> list[UnitResult]:
    """Units whose gold is known."""
    return [unit for result in results for unit in result.units if unit.gold is not None]


def is_duplicate(unit: UnitResult) -> bool:
    """A second node of a thing that has one."""
    return unit.gold is not None and unit.action == "CREATE" and not unit.gold.creates


def is_false_merge(unit: UnitResult) -> bool:
    """An update of a node that is about something else."""
    return (
        unit.gold is not None
        and unit.action not in ("", "CREATE")
        and unit.target not in unit.gold.targets
    )


def _integration(results: Sequence[CaseResult]) -> Iterable[Figure]:
    units = judged(results)
    updates = [unit for unit in units if unit.gold is not None and not unit.gold.creates]
    merged = [unit for unit in units if unit.action not in ("", "CREATE")]
    searched = [unit for unit in units if unit.recalled is not None]
    yield share(
        "action accuracy",
        "of the units, those with the right action on the right node",
        sum(unit.right for unit in units),
        len(units),
    )
    yield share(
        "duplicate rate",
        "CREATE where a node of the thing is there, of all that have one",
        sum(map(is_duplicate, updates)),
        len(updates),
        Bound(0.05),
    )
    yield share(
        "duplicates landed",
        "of all units that have a node, those that `safe` lands a second one for",
        sum(is_duplicate(unit) and unit.state == "committed" for unit in updates),
        len(updates),
    )
    yield share(
        "false-merge rate",
        "updates of a node about something else, of all updates made",
        sum(map(is_false_merge, merged)),
        len(merged),
        Bound(0.05),
    )
    yield share(
        "target recall@20",
        "the right node among the first 20 of a search",
        sum(bool(unit.recalled) for unit in searched),
        len(searched),
    )
    yield share(
        "source coverage",
        "of the days that prove a unit, those its node links to",
        sum(unit.sources_linked for unit in units),
        sum(unit.sources for unit in units),
    )
    lost = sum(result.links_lost > 0 for result in results)
    yield share("links lost", "cases after which a link is gone", lost, len(results), Bound(0))


def _unattended(results: Sequence[CaseResult]) -> Iterable[Figure]:
    units = judged(results)
    good = [u for u in units if u.gold is not None and u.gold.safe and u.right]
    good = [u for u in good if u.state != "settled"]
    unsafe = [u for u in units if u.gold is not None and not u.gold.safe]
    landed = [u for u in units if u.state == "committed"]
    yield share(
        "safe and committed",
        "of the right proposals that are safe, those that `safe` lands",
        sum(unit.state == "committed" for unit in good),
        len(good),
        Bound(0.8, at_least=True),
    )
    yield share(
        "unsafe and committed",
        "of what a person must see, what `safe` lands",
        sum(unit.state == "committed" for unit in unsafe),
        len(unsafe),
        Bound(0),
    )
    yield share(
        "wrong and committed",
        "of what `safe` lands, the wrong action or node",
        sum(not unit.right for unit in landed),
        len(landed),
    )


def _spent(results: Sequence[CaseResult]) -> Iterable[Figure]:
    yield mean("tokens per unit", "sent and received", results, lambda result: result.tokens)
    if any(result.cost is not None for result in results):
        yield mean("cost per unit", "in the prices' currency", results, lambda r: r.cost or 0.0)


def share(name: str, meaning: str, hits: int, of: int, bound: Bound | None = None) -> Figure:
    if not of:
        return Figure(name, meaning, None, bound=bound)
    return Figure(name, meaning, hits / of, *wilson(min(hits, of), of), hits, of, bound)


def mean(
    name: str, meaning: str, results: Sequence[CaseResult], spent: Callable[[CaseResult], float]
) -> Figure:
    """The mean over the cases that had a unit, each by its number of units."""
    values = [spent(result) / len(result.units) for result in results if result.units]
    if not values:
        return Figure(name, meaning, None)
    return Figure(name, meaning, fmean(values), *bootstrap(values), None, len(values))
