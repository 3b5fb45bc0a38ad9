"""The unattended run: the session's steps in their order, with a policy for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from vault_dream.config import Policy, Settings
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import (
    BudgetError,
    FilesystemError,
    NoModelError,
    SettingsError,
    VaultDreamError,
)
from vault_dream.engine.policy import judge
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.waiting import proposal_diff
from vault_dream.pipeline import EXTRACT, FINISH, INTEGRATE, TAG, TOPICS


@dataclass(frozen=True, slots=True)
class Finished:
    """A run's report, the diffs that were proposed, by proposal id, and what cut it short."""

    report: dict[str, Any]
    diffs: dict[str, str]
    stopped: VaultDreamError | None = None

    @property
    def out_of_budget(self) -> bool:
        return isinstance(self.stopped, BudgetError)


class RunBroken(FilesystemError):
    """A run that the disk ended. ``report`` says how far it came, and what had landed."""

    def __init__(self, cause: FilesystemError, report: dict[str, Any]) -> None:
        super().__init__(cause.where, cause.what, cause.next)
        self.report = {
            **report,
            "status": "failed",
            "errors": [*report["errors"], cause.problem.as_json()],
        }


def check_machine(settings: Settings) -> None:
    """Raises :class:`SettingsError` on a machine that may not run headless (``runs_on``)."""
    import socket

    if settings.runs_on and socket.gethostname() not in settings.runs_on:
        raise SettingsError(
            settings.origins.get("runs_on", "runs_on"),
            "this machine is not in runs_on, so it may not run headless",
            "run it on one of " + ", ".join(settings.runs_on),
        )


@dataclass(slots=True)
class _Pass:
    """One run of a job as its steps pass it on. Stateful: ``diffs`` gathers what was proposed."""

    session: ReviewSession
    policy: Policy
    day: date | None
    max_units: int | None
    hint: str
    diffs: dict[str, str] = field(default_factory=dict)

    def option(self, given: Any, name: str, step: str) -> Any:
        """What was asked for, or else what the step or its job says."""
        if given:
            return given
        found = self.session.settings.pipeline.value(name, step)
        return found[0] if found else given


def dream(
    session: ReviewSession,
    *,
    policy: Policy,
    day: date | None = None,
    max_units: int | None = None,
    hint: str = "",
) -> Finished:
    """One unattended run of the job that the session's settings hold for. ``day`` and ``hint`` go
    over what the job says.

    Raises :class:`BusyError`, :class:`NoModelError`, and :class:`FilesystemError`
    (:class:`RunBroken` once it has begun); whatever else goes wrong is in the report.
    """
    run = _Pass(session, policy, day, max_units, hint)
    with session.dreaming("headless run"):
        recovered = session.recover()
        if any(step.name == EXTRACT for step in session.settings.pipeline.steps):
            session.scan(run.option(day, "date", EXTRACT), quiet=True)
        session.run.warnings.extend(
            f"{item.path or 'journal'}: {item.outcome} after an interrupted run {item.note}".strip()
            for item in recovered
        )
        _take_steps(run)
    return Finished(session.report(), run.diffs, session.run.stopped)


def dream_day(
    session: ReviewSession, day: date, *, policy: Policy, hint: str = ""
) -> dict[str, Any]:
    """One older day of a backfill, in a session that holds the dream lock: the report. Raises
    :class:`NoModelError`, :class:`BudgetError` and :class:`RunBroken`."""
    session.scan_day(day)
    _take_steps(_Pass(session, policy, day, None, hint))
    return session.report()


def _take_steps(run: _Pass) -> None:
    try:
        for step in run.session.settings.pipeline.steps:
            STEPS[step.name](run)
        run.session.record_in_git()
    except FilesystemError as error:
        raise RunBroken(error, run.session.report()) from error


def _extract(run: _Pass) -> None:
    hint = run.option(run.hint, "hint", EXTRACT)
    run.session.extract(max_units=run.max_units, hint=hint)


def _integrate(run: _Pass) -> None:
    session = run.session
    for proposal in session.integrate(hint=run.option(run.hint, "hint", INTEGRATE)):
        if proposal.state == "open":
            run.diffs[proposal.id] = proposal_diff(session, proposal)
            _decide(session, proposal, run.policy)


def _finish(run: _Pass) -> None:
    run.session.commit()


def _tag(run: _Pass) -> None:
    if run.session.dry_run:
        return
    for proposal in run.session.auto_tag():
        _decide(run.session, proposal, run.policy)
    run.session.commit()


def _topics(run: _Pass) -> None:
    """Topics are their own flow: what goes wrong there is told, and takes nothing from the rest."""
    session = run.session
    day = run.option(run.day, "date", TOPICS) or session.today
    try:
        session.topics(day, hint=run.option(run.hint, "hint", TOPICS))
    except (NoModelError, BudgetError, FilesystemError):
        raise
    except VaultDreamError as error:
        session.run.errors.append(error.problem)


STEPS: Mapping[str, Callable[[_Pass], None]] = {
    EXTRACT: _extract,
    INTEGRATE: _integrate,
    FINISH: _finish,
    TAG: _tag,
    TOPICS: _topics,
}
"""What each step of a job does; ``vault_dream.pipeline`` has their names, options and order."""


def _decide(session: ReviewSession, proposal: Proposal, policy: Policy) -> None:
    verdict = judge(proposal, policy)
    if verdict.lands:
        session.decide(proposal.id, "approved", by="policy")
    else:
        session.decide(proposal.id, "later", by="policy", why=verdict.reason)
