"""Forgetting a note: its words taken out of every state file, those that others quote of it too.

A unit that rests on the note keeps its place in the records, but not its name, its summary or its
quotes. Whatever else holds words of the note, wherever it stands in a file, is blanked as a whole
text: better a report with a hole than a word too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.kept import failed_as_json
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.quotes import fold
from vault_dream.engine.dream.state import State
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.journal import FileWrite

FORGOTTEN = "(forgotten)"
LEAST = 12
"""Characters from which a line of the note is looked for: shorter ones are anybody's words."""

_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Words:
    """The words of one note: its path, and its lines and quotes folded for comparing."""

    path: str
    said: frozenset[str]

    def held_by(self, text: str) -> bool:
        """Whether ``text`` quotes the note or links to it, and so speaks of what it says."""
        stem = self.path.removesuffix(".md")
        if f"[[{stem}" in text or f"({self.path}" in text:
            return True
        folded = fold(text)
        return any(words in folded for words in self.said)


def words_of(path: str, text: str, state: State) -> Words:
    """Every line of the note and every quote of it that a state file holds."""
    lines = [fold(line) for line in text.splitlines()]
    quotes = [
        fold(item.quote) for unit in units_in(state) for item in unit.evidence if item.path == path
    ]
    names = [fold(said) for u in units_in(state) if path in u.paths for said in (u.name, u.summary)]
    said = (words for words in (*lines, *quotes, *names) if len(words) >= LEAST)
    return Words(path, frozenset(words for words in said if _WORD.search(words)))


def units_in(state: State) -> Iterator[Unit]:
    """Every unit that the state holds, in proposals, failures and reports."""
    for proposal in state.proposals():
        yield proposal.unit
    for failed in state.failed():
        yield failed.unit
    for run_id in state.run_ids():
        for unit in (state.report(run_id) or {}).get("units", ()):
            yield Unit.from_json(unit)


def forget_in_state(state: State, words: Words) -> list[FileWrite]:
    """The state writes that take ``words`` out of the catalog, proposals, failed units, decisions
    and reports. An undecided proposal that held them is rejected: nothing is left to decide."""
    path = words.path
    files: list[tuple[str, Mapping[str, Any]]] = [
        (state.proposal_path(proposal), _proposal_without(proposal, words).as_json())
        for proposal in state.proposals()
    ]
    if failed := state.failed():
        kept = [unit for unit in failed if path not in unit.unit.paths]
        files.append((state.failed_path, _blanked(failed_as_json(kept), words)))
    if (decisions := state.decisions()).rejected:
        files.append((state.decisions_path, decisions.without_text(path).as_json()))
    files += (
        (state.report_path(run_id), _report_without(report, words))
        for run_id in state.run_ids()
        if (report := state.report(run_id)) is not None
    )
    catalog = state.catalog()
    if catalog.files:
        files.append((state.catalog_path, _catalog_without(catalog, words).as_json()))
    return [write for name, value in files if (write := state.write(name, value)) is not None]


def _proposal_without(proposal: Proposal, words: Words) -> Proposal:
    holds = words.path in proposal.unit.paths or any(
        change.path == words.path for change in proposal.changes
    )
    value = proposal.as_json()
    if not holds and _blanked(value, words) == value:
        return proposal
    found = replace(
        proposal,
        unit=_bare(proposal.unit, words),
        changes=(),
        offered=(),
        edges=(),
        candidates=(),
        findings=(),
        note="",
    )
    if found.state in UNDECIDED or found.state == "parked":
        return found.decided("rejected", "person", proposal.created, "its note was forgotten")
    return found


def _bare(unit: Unit, words: Words) -> Unit:
    """The unit with nothing left that it says, but what it rests on."""
    evidence = tuple(replace(item, quote=FORGOTTEN, heading="") for item in unit.evidence)
    return replace(unit, name=FORGOTTEN, summary=FORGOTTEN, evidence=evidence)


def _report_without(report: Mapping[str, Any], words: Words) -> dict[str, Any]:
    resting = {unit["name"] for unit in report.get("units", ()) if words.path in unit["paths"]}
    value = dict(report)
    value["units"] = [
        _bare(Unit.from_json(unit), words).as_json() if unit["name"] in resting else unit
        for unit in report.get("units", ())
    ]
    for key in ("integrate_results", "failed_units"):
        value[key] = [_result_without(item, words) for item in report.get(key, ())]
    blanked = _blanked(value, words)
    assert isinstance(blanked, dict)
    return blanked


def _result_without(result: Mapping[str, Any], words: Words) -> dict[str, Any]:
    if words.path not in result.get("paths", ()) and words.path != result.get("target_path"):
        return dict(result)
    bare = {**result, "unit": FORGOTTEN}
    if "findings" in bare:
        bare |= {"findings": [], "note": ""}
    if "reason" in bare:
        bare["reason"] = FORGOTTEN
    return bare


def _catalog_without(catalog: Catalog, words: Words) -> Catalog:
    entries = {}
    for path, entry in catalog.files.items():
        told = tuple(
            (FORGOTTEN if path == words.path or words.held_by(name) else name, bucket, target)
            for name, bucket, target in entry.units
        )
        entries[path] = replace(entry, units=tuple(dict.fromkeys(told)))
    return replace(catalog, files=entries)


def _blanked(value: Any, words: Words) -> Any:
    """``value`` with every text that holds the words replaced; keys and bare paths stay."""
    if isinstance(value, str):
        return FORGOTTEN if words.held_by(value) else value
    if isinstance(value, Mapping):
        return {key: _blanked(item, words) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_blanked(item, words) for item in value]
    return value
