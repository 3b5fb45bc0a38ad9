"""The unattended run: the session's steps in their order, with a policy for a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from vault_dream.config import DEFAULT_STEPS, Policy, Settings
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import (
    BudgetError,
    FilesystemError,
    SettingsError,
)
from vault_dream.engine.policy import judge
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.waiting import proposal_diff


@dataclass(frozen=True, slots=True)
class Finished:
    """A run's report, and in a dry run the diffs that it would have made, by proposal id."""

    report: dict[str, Any]
    diffs: dict[str, str]
    out_of_budget: bool = False


class RunBroken(FilesystemError):
    """A run that the disk ended. ``report`` says how far it came, and what had landed."""

    def __init__(self, cause: FilesystemError, report: dict[str, Any]) -> None:
        super().__init__(cause.where, cause.what, cause.next)
        self.report = {
            **report,
            "status": "failed",
            "errors": [*report["errors"], cause.problem.as_json()],
        }


def dream(
    session: ReviewSession,
    *,
    policy: Policy,
    day: date | None = None,
    max_units: int | None = None,
    hint: str = "",
) -> Finished:
    """One unattended run. Raises :class:`BusyError`, :class:`NoModelError`, and
    :class:`FilesystemError` (:class:`RunBroken` once it has begun); whatever else goes wrong is in
    the report.
    """
    steps = step_names(session.settings)
    with session.dreaming("headless run"):
        recovered = session.recover()
        session.scan(day, quiet=True)
        session.run.warnings.extend(
            f"{item.path or 'journal'}: {item.outcome} after an interrupted run {item.note}".strip()
            for item in recovered
        )
        try:
            diffs = _steps(session, steps, policy, max_units, hint)
        except FilesystemError as error:
            raise RunBroken(error, session.report()) from error
    return Finished(
        session.report(), diffs, out_of_budget=isinstance(session.run.stopped, BudgetError)
    )


def dream_day(
    session: ReviewSession, day: date, *, policy: Policy, hint: str = ""
) -> dict[str, Any]:
    """One older day of a backfill, in a session that holds the dream lock: the report. Raises
    :class:`NoModelError`, :class:`BudgetError` and :class:`RunBroken`."""
    session.scan_day(day)
    try:
        _steps(session, step_names(session.settings), policy, None, hint)
    except FilesystemError as error:
        raise RunBroken(error, session.report()) from error
    return session.report()


def _steps(
    session: ReviewSession, steps: tuple[str, ...], policy: Policy, max_units: int | None, hint: str
) -> dict[str, str]:
    """What comes after the scan; the diffs of the proposals, by their ids."""
    session.extract(max_units=max_units, hint=hint)
    diffs = {}
    for proposal in session.integrate(hint=hint):
        if proposal.state == "open":
            diffs[proposal.id] = proposal_diff(session, proposal)
            _decide(session, proposal, policy)
    if session.dry_run:
        return diffs
    session.commit()
    if "auto_tag_step" in steps:
        for proposal in session.auto_tag():
            _decide(session, proposal, policy)
        session.commit()
    session.record_in_git()
    return diffs


def step_names(settings: Settings) -> tuple[str, ...]:
    """The steps of ``auto_dream``, given as names or in the seeds' shape (``backend: name``).

    Raises :class:`SettingsError` for one that does not exist, and where the first three are not
    there in their order.
    """
    where = settings.origins.get("auto_dream", "auto_dream")
    given = settings.auto_dream.get("steps")
    names = tuple(
        str(step.get("backend", "")) if isinstance(step, dict) else str(step)
        for step in (given if isinstance(given, list) else ())
    )
    for name in names:
        if name not in DEFAULT_STEPS:
            raise SettingsError(where, f"there is no step {name!r}", ", ".join(DEFAULT_STEPS))
    if names[:3] != DEFAULT_STEPS[:3]:
        needed = ", ".join(DEFAULT_STEPS[:3])
        raise SettingsError(where, "auto_dream lacks a step, or its order is off", needed)
    return names


def _decide(session: ReviewSession, proposal: Proposal, policy: Policy) -> None:
    verdict = judge(proposal, policy)
    if verdict.lands:
        session.decide(proposal.id, "approved", by="policy")
    else:
        session.decide(proposal.id, "later", by="policy", why=verdict.reason)
