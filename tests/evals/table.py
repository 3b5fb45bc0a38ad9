"""The figures as a table: for a terminal, for the guide, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.evals.cases import KINDS
from tests.evals.running import CaseResult, UnitResult
from tests.evals.scoring import Figure, figures, is_duplicate, is_false_merge, judged

Splits = Mapping[str, Sequence[CaseResult]]


def markdown(splits: Splits) -> str:
    """The figures of every split side by side, as a Markdown table."""
    measured = {split: figures(results) for split, results in splits.items() if results}
    heads = [f"{split} ({len(splits[split])} cases)" for split in measured]
    lines = [
        " | ".join(["| measure", *heads, "bound |"]),
        "|".join(["|---", *("---:" for _ in heads), "---:|"]),
    ]
    for row in zip(*measured.values(), strict=True):
        bound = row[0].bound
        cells = [_cell(figure) for figure in row]
        lines.append(
            " | ".join([f"| {row[0].name}", *cells, "|" if bound is None else f"{bound} |"])
        )
    return "\n".join(lines) + "\n"


def legend() -> str:
    """What each measure means, one a line."""
    return "".join(f"- {figure.name}: {figure.meaning}\n" for figure in figures(()))


def by_kind(splits: Splits) -> str:
    """How many cases of each kind came out right, as a Markdown table."""
    shown = {split: results for split, results in splits.items() if results}
    lines = [
        " | ".join(["| kind", *shown]) + " |",
        "|".join(["|---", *("---:" for _ in shown)]) + "|",
    ]
    for kind in KINDS:
        cells = []
        for results in shown.values():
            mine = [result for result in results if result.case.kind == kind]
            cells.append(f"{sum(not faults(r) for r in mine)} of {len(mine)}" if mine else "")
        if any(cells):
            lines.append(" | ".join([f"| {kind}", *cells]) + " |")
    return "\n".join(lines) + "\n"


def _cell(figure: Figure) -> str:
    if figure.value is None:
        return "none"
    if figure.hits is None:
        return f"{figure.value:,.0f} ({figure.low:,.0f}-{figure.high:,.0f})"
    mark = "" if figure.kept else " **missed**"
    interval = f"({figure.low:.0%}-{figure.high:.0%})"
    return f"{figure.hits}/{figure.of} {figure.value:.1%} {interval}{mark}"


def faults(result: CaseResult) -> tuple[str, ...]:
    """What is not as the gold says, in words."""
    said = [f"missed: {gold.evidence[0].quote}" for gold in result.missed if not gold.optional]
    said += [fault for unit in result.units for fault in _unit_faults(unit)]
    if result.unread:
        said.append("the days could not be read")
    if result.links_lost:
        said.append(f"{result.links_lost} links lost")
    return tuple(said)


def _unit_faults(unit: UnitResult) -> Iterable[str]:
    made = f"{unit.name!r}: {unit.action} {unit.target} ({unit.state}; {unit.why})"
    gold = unit.gold
    if gold is None:
        yield f"not worth keeping: {made}"
        return
    wanted = "/".join(sorted(gold.actions)) + " " + "/".join(sorted(gold.targets))
    if is_duplicate(unit):
        yield f"duplicate, not {wanted.strip()}: {made}"
    elif is_false_merge(unit):
        yield f"false merge, not {wanted.strip()}: {made}"
    elif not unit.right:
        yield f"not {wanted.strip()}: {made}"
    if not gold.safe and unit.state == "committed":
        yield f"unsafe and committed: {made}"
    if gold.safe and unit.right and unit.state not in ("committed", "settled"):
        yield f"safe and not committed: {made}"
    if unit.bucket not in gold.buckets:
        yield f"bucket {unit.bucket}, not {'/'.join(sorted(gold.buckets))}: {unit.name!r}"


def as_json(splits: Splits, reader: Mapping[str, str]) -> dict[str, Any]:
    """Everything, as one document."""
    return {
        "version": 1,
        **reader,
        "splits": {
            split: {
                "cases": len(results),
                "figures": [figure.as_json() for figure in figures(results)],
                "faults": {r.case.id: list(faults(r)) for r in results if faults(r)},
                "errors": {r.case.id: list(r.errors) for r in results if r.errors},
                "units": sum(len(result.units) for result in results),
                "judged": len(judged(results)),
            }
            for split, results in splits.items()
            if results
        },
    }


def broken(splits: Splits) -> tuple[str, ...]:
    """The bounds that are not kept."""
    return tuple(
        f"{split}: {figure.name} {figure.value:.1%}, not {figure.bound}"
        for split, results in splits.items()
        if results
        for figure in figures(results)
        if not figure.kept and figure.value is not None
    )
