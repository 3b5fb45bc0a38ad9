"""Integrate: one unit, one node, one proposal; the reader works on a draft and code judges it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.draft import Draft
from vault_dream.engine.dream.examine import Examiner
from vault_dream.engine.dream.outcome import Outcome, UnitFailed
from vault_dream.engine.dream.proposals import Finding, Proposal
from vault_dream.engine.dream.reader import IntegrateRequest, Reader, SourceText, ToolError
from vault_dream.engine.dream.standing import standing_node, waiting_node
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import EditError


@dataclass(frozen=True)
class Workbench:
    """What integration works with, the same for every unit of a run.

    ``source`` gives the text of a source or of a note that one links to, without what the owner
    excluded, ``None`` where it may not be read; ``whole_source`` the same with all that no reader
    is shown, for looking at what may be hidden there. ``waiting`` are proposals of earlier runs.
    """

    digest: Digest
    settings: Settings
    examiner: Examiner
    today: date
    created: str
    run_id: str
    reader: Reader
    source: Callable[[str], SourceText | None]
    source_properties: Callable[[str], Mapping[str, Any] | None]
    whole_source: Callable[[str], str] = lambda path: ""
    hint: str = ""
    waiting: Collection[Proposal] = ()


async def integrate(
    bench: Workbench, unit: Unit, number: int, *, chosen: str | None = None
) -> Proposal:
    """The proposal that ``unit`` comes to; one with an *error* finding never commits.

    ``chosen`` is the node that a person wants it in, ``""`` for a new one.

    A proposal without changes says that everything was there already. Raises
    :class:`UnitFailed`, and
    what the reader raises.
    """
    if chosen is None and (known := _known(bench, unit)) is not None:
        return _proposal(bench, unit, number, known)

    def shown_source(path: str) -> str | None:
        source = bench.source(path)
        return None if source is None else source.text

    def judge(outcome: Outcome) -> tuple[str, ...]:
        made = _proposal(bench, unit, number, outcome, draft.shown)
        return tuple(found.message for found in made.findings if found.level == "error")

    draft = Draft(
        unit,
        bench.digest,
        bench.settings,
        bench.today,
        read_source=shown_source,
        source_properties=bench.source_properties,
        chosen=chosen,
        judge=judge,
    )
    sources = tuple(text for path in unit.paths if (text := bench.source(path)) is not None)
    request = IntegrateRequest(
        unit=unit,
        sources=sources,
        today=bench.today,
        digest_dir=bench.digest.digest_dir,
        edge_style=bench.settings.edge_style,
        language=bench.settings.language,
        hint=bench.hint,
        chosen=chosen,
    )
    try:
        receipt = await bench.reader.integrate(request, draft)
        outcome = draft.finish(receipt)
    except (ToolError, EditError) as error:
        # A reader that lets a tool's refusal through has given up on the unit.
        raise UnitFailed(unit.name, str(error), "it will be tried again") from None
    return _proposal(bench, unit, number, outcome, draft.shown)


def _known(bench: Workbench, unit: Unit) -> Outcome | None:
    """The outcome of a unit whose very words stand in the digest, or wait to, already."""
    if node := standing_node(unit, bench.digest):
        return Outcome("CORROBORATE", node, None, (), (), "a node already cites these words", ())
    if node := waiting_node(unit, bench.waiting):
        return Outcome(
            "CORROBORATE", node, None, (), (), "a proposal with these words is waiting", ()
        )
    return None


def _proposal(
    bench: Workbench,
    unit: Unit,
    number: int,
    outcome: Outcome,
    shown: Mapping[str, str] = MappingProxyType({}),
) -> Proposal:
    proposal = Proposal(
        id=f"{bench.run_id}/{number}",
        run_id=bench.run_id,
        unit=unit,
        action=outcome.action,
        target=outcome.target,
        changes=() if outcome.change is None else (outcome.change,),
        candidates=outcome.candidates,
        note=outcome.note,
        provider=bench.reader.provider,
        model=bench.reader.model,
        prompts=bench.reader.prompts,
        created=bench.created,
    )
    if outcome.change is None:
        return proposal.decided("settled", "code", bench.created, "everything was there already")
    sources = {path: text.text if (text := bench.source(path)) else "" for path in unit.paths}
    read = {**shown, **{path: bench.whole_source(path) for path in unit.paths}}
    checked = bench.examiner.examine(proposal, sources, read=read)
    said = tuple(Finding("receipt", "info", words) for words in outcome.warnings)
    return replace(checked, findings=(*checked.findings, *said))
