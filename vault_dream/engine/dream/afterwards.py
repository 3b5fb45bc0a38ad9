"""What follows an undo: state files brought in line with what was taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vault_dream.engine.dream.kept import Decisions, evidence_key
from vault_dream.engine.dream.moved import moved_in_state
from vault_dream.engine.dream.state import State
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.journal import FileWrite, Undone


def after_undo(state: State, undone: Undone, *, again: bool) -> list[FileWrite]:
    """The state writes that go with an undo.

    Undone units count as rejected; with ``again`` their sources are read anew instead. A node that
    was moved is called by its old path again.
    """
    for old, new in undone.moved_back:
        return moved_in_state(state, new, old)  # a move is a run of its own
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
