"""One case through the real pipeline: an unattended run under ``safe``, and what came of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from tests.evals.cases import Case, CaseNode, GivenUnit, GoldUnit
from tests.evals.casevault import DIGEST, day_path, files_of
from tests.support import make_vault
from vault_dream.config import Settings
from vault_dream.engine.digest.edges import edges_of
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    IntegrateRequest,
    Reader,
    Receipt,
    Tools,
    UnitClaim,
)
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import dream
from vault_dream.pipeline import DEFAULT_STEPS, Job

RECALL_AT = 20
MakeReader = Callable[[Path], Reader]


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What became of one unit, beside the gold that it was matched with.

    ``action`` and ``target`` (``bucket/name``) are ``""`` where it failed; ``state`` is the
    proposal's, or ``failed``; ``recalled`` says whether the gold target was among the first 20 of a
    search, ``None`` where there was no search or is no target.
    """

    name: str
    bucket: str
    action: str
    target: str
    state: str
    why: str
    gold: GoldUnit | None
    quotes: int
    quotes_found: int
    sources: int
    sources_linked: int
    recalled: bool | None

    @property
    def right(self) -> bool:
        """Whether the action is one that counts, on a target that counts."""
        gold = self.gold
        if gold is None or self.action not in gold.actions:
            return False
        return self.action == "CREATE" or self.target in gold.targets


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a run made of a case; ``missed`` are gold units that no unit was matched with, and
    ``unread`` says that the reading failed, which is not the same as finding nothing."""

    case: Case
    units: tuple[UnitResult, ...]
    missed: tuple[GoldUnit, ...]
    unread: bool
    links_lost: int
    tokens: int
    cost: float | None
    errors: tuple[str, ...] = ()


class Watched:
    """The tools of a draft, with the nodes noted that each search puts among its first 20."""

    def __init__(self, tools: Tools, seen: set[str]) -> None:
        self._tools = tools
        self._seen = seen

    def node_search(self, query: str, limit: int = 20) -> Any:
        hits = self._tools.node_search(query, limit)
        self._seen.update(hit.path for hit in hits[:RECALL_AT])
        return hits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tools, name)


class CaseReader:
    """The reader under trial; in an *integrate* case the unit is given instead of extracted."""

    def __init__(self, reader: Reader, given: GivenUnit | None) -> None:
        self._reader = reader
        self._given = given
        self.searched: dict[str, set[str]] = {}

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        if self._given is None:
            return await self._reader.extract(request)
        handles = {source.path: source.handle for source in request.sources}
        quotes = tuple((handles[day_path(w.day)], w.quote) for w in self._given.evidence)
        given = self._given
        claim = UnitClaim(
            given.name, given.bucket, given.summary, tuple(h for h, _ in quotes), quotes
        )
        return ExtractAnswer((claim,))

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        seen = self.searched.setdefault(request.unit.id, set())
        return await self._reader.integrate(request, Watched(tools, seen))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


def run_case(
    case: Case, surroundings: Sequence[CaseNode], make_reader: MakeReader, settings: Settings
) -> CaseResult:
    """Dream over the case's vault in a temporary folder, and compare with the gold."""
    with tempfile.TemporaryDirectory() as folder:
        root = make_vault(Path(folder) / "vault", files_of(case, surroundings))
        reader = CaseReader(make_reader(root), case.given)
        noon = datetime.combine(case.last_day, time(12), UTC)
        with ReviewSession(
            root,
            _settings(settings, case),
            reader=reader,
            clock=lambda: noon,
            index_file=Path(folder) / "index.sqlite",
        ) as session:
            before = _links(session)
            dream(session, policy="safe", day=case.last_day)
            lost = before - _links(session)
            return _result(case, session, reader, len(lost))


def _settings(settings: Settings, case: Case) -> Settings:
    return replace(
        settings,
        timezone="UTC",
        digest_dir=DIGEST,
        scan_days=case.stretch,
        auto_dream=Job.of(*DEFAULT_STEPS[:3]),
    )


def _links(session: ReviewSession) -> frozenset[tuple[str, str]]:
    """Every (node, target) of the digest as it stands on disk."""
    vault = session.vault
    listing = vault.listing(refresh=True)
    resolver = vault.resolver()
    return frozenset(
        (path, edge.target)
        for path in listing.entries
        if path.startswith(f"{DIGEST}/") and path.endswith(".md")
        for edge in edges_of(vault.read(path), resolver)
    )


def _result(case: Case, session: ReviewSession, reader: CaseReader, lost: int) -> CaseResult:
    run = session.run
    made = {p.unit.id: p for p in run.proposals.values() if p.kind == "unit"}
    failed = {failure.unit.id: failure.reason for failure in run.failures}
    given = {unit.id: case.gold[0] for unit in run.units} if case.given else None
    matched = match(run.units, case.gold) if given is None else given
    after = _links(session)
    units = tuple(
        _unit_result(
            unit,
            matched.get(unit.id),
            made.get(unit.id),
            failed.get(unit.id, ""),
            reader.searched.get(unit.id),
            after,
        )
        for unit in run.units
    )
    kept = {id(gold) for gold in matched.values()}
    usage = reader.usage()
    return CaseResult(
        case,
        units,
        tuple(gold for gold in case.gold if id(gold) not in kept),
        bool(run.extract_failed or run.extraction.unread or run.stopped),
        lost,
        usage.prompt_tokens + usage.completion_tokens,
        usage.cost,
        tuple(error.what for error in run.errors),
    )


def match(units: Sequence[Unit], gold: Sequence[GoldUnit]) -> Mapping[str, GoldUnit]:
    """The gold unit that each unit is, by the id of the unit: those with the most lines in common
    first, each once."""
    pairs = sorted(
        (
            (-shared, number, index)
            for number, unit in enumerate(units)
            for index, wanted in enumerate(gold)
            if (shared := len(_lines(unit) & _gold_lines(wanted)))
        ),
    )
    found: dict[str, GoldUnit] = {}
    taken: set[int] = set()
    for _, number, index in pairs:
        if units[number].id not in found and index not in taken:
            found[units[number].id] = gold[index]
            taken.add(index)
    return found


def _lines(unit: Unit) -> frozenset[tuple[str, int]]:
    return frozenset(
        (item.path, item.line + further)
        for item in unit.evidence
        if item.found
        for further in range(item.quote.count("\n") + 1)
    )


def _gold_lines(gold: GoldUnit) -> frozenset[tuple[str, int]]:
    return frozenset((day_path(words.day), line) for words in gold.evidence for line in words.lines)


def _unit_result(
    unit: Unit,
    gold: GoldUnit | None,
    proposal: Proposal | None,
    failure: str,
    searched: set[str] | None,
    after: frozenset[tuple[str, str]],
) -> UnitResult:
    wanted = {day_path(words.day) for words in gold.evidence} if gold else set()
    linked = set()
    if proposal is not None:
        linked = {edge.target for edge in proposal.edges if edge.node == proposal.target}
        linked |= {target for node, target in after if node == proposal.target}
    recalled = None
    if gold is not None and gold.targets and searched is not None:
        recalled = any(_short(path) in gold.targets for path in searched)
    flagged = [f"{f.check}: {f.message}" for f in proposal.findings] if proposal else []
    return UnitResult(
        unit.name,
        unit.bucket,
        proposal.action if proposal else "",
        _short(proposal.target) if proposal else "",
        proposal.state if proposal else "failed",
        failure or "; ".join([*flagged, proposal.decision.reason if proposal else ""]).strip("; "),
        gold,
        len(unit.evidence),
        sum(item.found for item in unit.evidence),
        len(wanted),
        len(wanted & linked),
        recalled,
    )


def _short(path: str) -> str:
    return path.removeprefix(f"{DIGEST}/").removesuffix(".md")
