"""A backfill as it runs: one day after another, oldest first, until something says stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from vault_dream.config import Policy
from vault_dream.engine.backfill import Plan
from vault_dream.engine.errors import BudgetError, NoModelError, Problem, VaultDreamError
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import dream_day

End = Literal["done", "capped", "paused", "budget", "no_model", "failing"]

PATIENCE = 3
"""Days in a row that may fail before the rest is left for another time."""


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What a run of a backfill came to. ``reports`` are those of its days, the oldest first;
    ``left`` days wait for another run; ``problem`` says what stopped it, where something did."""

    plan: Plan
    reports: tuple[Mapping[str, Any], ...]
    ended: End
    left: int
    problem: Problem | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "version": 1,
            "status": self.ended,
            "plan": self.plan.as_json(),
            "days": [_day(report) for report in self.reports],
            "days_left": self.left,
            "usage": _spent(self.reports),
            "errors": [] if self.problem is None else [self.problem.as_json()],
        }


def planned(plan: Plan) -> dict[str, Any]:
    """The document of a backfill that was only planned, in the shape of one that ran."""
    nothing = Backfilled(plan, (), "capped", len(plan.days)).as_json()
    return nothing | {"status": "planned"}


def backfill(
    session: ReviewSession,
    plan: Plan,
    *,
    policy: Policy,
    hint: str = "",
    begin: Callable[[int, int, date], None] = lambda number, total, day: None,
    paused: Callable[[], bool] = lambda: False,
) -> Backfilled:
    """Read the days that ``plan`` gives this run, each as a run of its own, and remember how far it
    came. ``begin`` is told of each day, and ``paused`` asked after each.

    ``session.cancel()`` pauses it: what the day made is kept, and the day is looked at again.
    Raises :class:`BusyError`, and :class:`FilesystemError` with the days before recorded.
    """
    reports: list[Mapping[str, Any]] = []
    reached = plan.range.reached
    ended: End = "capped" if plan.left else "done"
    problem: Problem | None = None
    failed_in_a_row = 0
    with session.dreaming("backfill"):
        session.recover()
        session.keep_backfill(plan.range)
        for number, old in enumerate(plan.now, start=1):
            begin(number, len(plan.now), old.day)
            try:
                report = dream_day(session, old.day, policy=policy, hint=hint)
            except (BudgetError, NoModelError) as error:
                ended = "budget" if isinstance(error, BudgetError) else "no_model"
                problem = error.problem
                break
            reports.append(report)
            stopped = session.run.stopped
            if session.cancelled or stopped is not None:
                ended, problem = _stopped_by(stopped)
                break
            failed_in_a_row = failed_in_a_row + 1 if report["status"] == "failed" else 0
            if failed_in_a_row == PATIENCE:
                ended = "failing"
                problem = session.run.errors[-1] if session.run.errors else None
                break
            reached = old.day
            session.keep_backfill(replace(plan.range, reached=reached))
            if paused() and number < len(plan.now):
                ended = "paused"
                break
        if ended == "done":
            session.keep_backfill(None)
    passed = sum(1 for day in plan.days if reached is not None and day.day <= reached)
    return Backfilled(plan, tuple(reports), ended, len(plan.days) - passed, problem)


def _stopped_by(error: VaultDreamError | None) -> tuple[End, Problem | None]:
    if isinstance(error, BudgetError):
        return "budget", error.problem
    if isinstance(error, NoModelError):
        return "no_model", error.problem
    return "paused", None


def _day(report: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "date": report["date"],
        "run_id": report["run_id"],
        "status": report["status"],
        "notes": report["files"]["changed"],
        "units": [unit["name"] for unit in report["units"]],
        "nodes_created": list(report["nodes_created"]),
        "nodes_updated": list(report["nodes_updated"]),
        "queued": report["queued"],
        "failed_units": [failed["unit"] for failed in report["failed_units"]],
        "errors": list(report["errors"]),
    }


def _spent(reports: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
    def total(name: str) -> Any:
        return sum(report["usage"][name] for report in reports)

    costs = [report["usage"]["cost"] for report in reports if report["usage"]["cost"] is not None]
    return {
        "calls": total("calls"),
        "prompt_tokens": total("prompt_tokens"),
        "completion_tokens": total("completion_tokens"),
        "seconds": round(total("seconds"), 2),
        "cost": sum(costs) if costs else None,
    }
