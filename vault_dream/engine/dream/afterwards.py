"""What follows an undo, and forgetting: state files brought in line with what was taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.state import Decisions, State, evidence_key
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.journal import FileWrite, Undone


def after_undo(state: State, undone: Undone, *, again: bool) -> list[FileWrite]:
    """The state writes that go with an undo.

    Undone units count as rejected; with ``again`` their sources are read anew instead.
    """
    units = tuple(_units_of(state, undone.sets))
    if not units:
        return []
    if again:
        catalog = state.catalog()
        paths = {path for unit in units for path in unit.paths}
        files = {path: entry for path, entry in catalog.files.items() if path not in paths}
        write = state.write(state.catalog_path, replace(catalog, files=files).as_json())
    else:
        keys = frozenset(evidence_key(item) for unit in units for item in unit.evidence)
        decisions = Decisions(state.decisions().rejected | keys)
        write = state.write(state.decisions_path, decisions.as_json())
    return [write] if write is not None else []


def _units_of(state: State, set_ids: Sequence[str]) -> Iterator[Unit]:
    """The units behind landed sets: queued proposals are stored, the rest are in their report."""
    stored = {proposal.id: proposal for proposal in state.proposals()}
    for set_id in set_ids:
        if set_id in stored:
            yield stored[set_id].unit
            continue
        report = state.report(set_id.rpartition("/")[0]) or {}
        for result in report.get("integrate_results", ()):
            if result.get("proposal") == set_id:
                yield from (
                    Unit.from_json(unit)
                    for unit in report.get("units", ())
                    if unit["name"] == result["unit"]
                )


FORGOTTEN = "(forgotten)"


def forget_in_state(state: State, path: str) -> list[FileWrite]:
    """The state writes that take the text of the note at ``path`` out of proposals, failed units
    and reports. An undecided proposal on that note is rejected: nothing of it is left to decide."""
    writes = [
        state.write(state.proposal_path(proposal), _without(proposal, path).as_json())
        for proposal in state.proposals()
        if _holds(proposal, path)
    ]
    failed = tuple(replace(f, unit=_quoteless(f.unit, path)) for f in state.failed())
    if failed:
        value = {"version": 1, "units": [unit.as_json() for unit in failed]}
        writes.append(state.write(state.failed_path, value))
    for run_id in state.run_ids():
        report = state.report(run_id)
        if report is not None:
            writes.append(state.write(state.report_path(run_id), _report_without(report, path)))
    return [write for write in writes if write is not None]


def _holds(proposal: Proposal, path: str) -> bool:
    return path in proposal.unit.paths or any(change.path == path for change in proposal.changes)


def _without(proposal: Proposal, path: str) -> Proposal:
    edges = tuple(replace(e, sentence="") if e.node == path else e for e in proposal.edges)
    found = replace(proposal, unit=_quoteless(proposal.unit, path), edges=edges)
    if all(change.path != path for change in proposal.changes):
        return found
    emptied = replace(found, changes=(), findings=(), note="")
    if emptied.state not in UNDECIDED:
        return emptied
    return emptied.decided("rejected", "person", proposal.created, "its note was forgotten")


def _quoteless(unit: Unit, path: str) -> Unit:
    evidence = tuple(
        replace(item, quote=FORGOTTEN, line=0) if item.path == path else item
        for item in unit.evidence
    )
    return replace(unit, evidence=evidence)


def _report_without(report: Mapping[str, Any], path: str) -> dict[str, Any]:
    units = [
        _quoteless(unit, path).as_json() if path in unit.paths else unit.as_json()
        for unit in map(Unit.from_json, report.get("units", ()))
    ]
    return {**report, "units": units}
