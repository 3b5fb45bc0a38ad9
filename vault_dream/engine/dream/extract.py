"""Extract: from the changed sources to units, every claim of the reader checked on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.arguments import speakable
from vault_dream.engine.dream.kept import Decisions, evidence_key
from vault_dream.engine.dream.quotes import locate, on_fresh_block
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    Reader,
    SourceText,
    UnitClaim,
)
from vault_dream.engine.dream.scan import Source
from vault_dream.engine.dream.suspicions import refuses
from vault_dream.engine.dream.units import BUCKETS, Evidence, SettledUnit, Unit, to_bucket
from vault_dream.engine.vault.plain import plain

LONGEST_NAME = 120
"""Characters of a unit's name that are kept."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A unit that the reader found and that goes no further, with the reason."""

    name: str
    reason: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Extraction:
    """The units of a reading, what was dropped from it, and sources it could not read, as (path,
    reason)."""

    units: tuple[Unit, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()


async def extract(
    reader: Reader,
    sources: Sequence[Source],
    *,
    max_units: int,
    hint: str,
    language: str,
    decisions: Decisions,
) -> Extraction:
    """Ask ``reader`` for the units of all ``sources`` together and check what it says.

    Raises what the reader raises: an answer that cannot be read is an error, never "nothing".
    """
    request = request_for(sources, max_units=max_units, hint=hint, language=language)
    answer = await reader.extract(request)
    return check_answer(answer, request.sources, max_units=max_units, decisions=decisions)


def request_for(
    sources: Sequence[Source], *, max_units: int, hint: str, language: str
) -> ExtractRequest:
    """What a reader is asked about ``sources``: their texts under handles, and what earlier
    readings of them settled."""
    settled = dict.fromkeys(
        SettledUnit(name, to_bucket(bucket), target)
        for source in sources
        if source.known
        for name, bucket, target in source.known.units
    )
    texts = tuple(source.as_text(handle) for handle, source in enumerate(sources, start=1))
    return ExtractRequest(texts, max_units, hint, language, tuple(settled))


def check_answer(
    answer: ExtractAnswer,
    texts: Sequence[SourceText],
    *,
    max_units: int,
    decisions: Decisions,
) -> Extraction:
    """The units of ``answer`` that stand up to its sources, at most ``max_units``."""
    by_handle = {text.handle: text for text in texts}
    units: list[Unit] = []
    dropped: list[Dropped] = []
    warnings = list(answer.warnings)
    for claim in answer.units:
        if not _well_formed(claim):
            dropped.append(Dropped("(unreadable)", "it is not in the form that was asked for"))
            continue
        unit, problem = _unit(claim, by_handle, warnings)
        if unit is None:
            name = plain(speakable(claim.name))[:LONGEST_NAME]
            dropped.append(Dropped(name or "(no name)", problem))
        elif reason := _why_not(unit, {t.path: t for t in texts}, units, decisions):
            dropped.append(Dropped(unit.name, reason))
        elif len(units) >= max_units:
            dropped.append(Dropped(unit.name, f"over max_units ({max_units})"))
        else:
            units.append(unit)
    unread = tuple(
        (by_handle[handle].path, reason) for handle, reason in answer.unread if handle in by_handle
    )
    return Extraction(tuple(units), tuple(dropped), tuple(warnings), unread)


def _well_formed(claim: object) -> bool:
    """Whether a claim has the types that one has: a model's answer may be read loosely."""
    if not isinstance(claim, UnitClaim):
        return False
    texts = (claim.name, claim.bucket, claim.summary)
    pairs = isinstance(claim.quotes, tuple | list) and all(
        isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], str)
        for pair in claim.quotes
    )
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(claim.handles, tuple | list)
        and pairs
    )


def _unit(
    claim: UnitClaim, texts: Mapping[int, SourceText], warnings: list[str]
) -> tuple[Unit | None, str]:
    name = plain(speakable(claim.name))[:LONGEST_NAME].strip()
    summary = plain(speakable(claim.summary))
    if not name:
        return None, "it has no name"
    if not summary:
        return None, "it has no summary"
    if refuses(name) or refuses(summary):
        return None, "it is an excuse, not a memory"
    handles = dict.fromkeys((*claim.handles, *(handle for handle, _ in claim.quotes)))
    known = [handle for handle in handles if handle in texts]
    if not known:
        return None, "it cites no source that was read"
    if claim.bucket.strip().lower() not in BUCKETS:
        warnings.append(f"{name}: there is no bucket {claim.bucket!r}; it goes to wiki")
    evidence = tuple(
        locate(texts[handle].path, speakable(quote), texts[handle].blocks)
        for handle, quote in claim.quotes
        if handle in texts and quote.strip()
    )
    return (
        Unit(
            name=name,
            bucket=to_bucket(claim.bucket),
            summary=summary,
            paths=tuple(texts[handle].path for handle in known),
            evidence=tuple(dict.fromkeys(evidence)),
        ),
        "",
    )


def _why_not(
    unit: Unit,
    sources: Mapping[str, SourceText],
    kept: Sequence[Unit],
    decisions: Decisions,
) -> str:
    """Why a unit goes no further, ``""`` where it does."""
    found = [item for item in unit.evidence if item.found]
    if found and not any(on_fresh_block(e, sources[e.path].blocks) for e in found):
        return "it rests only on lines that were already read"
    if unit.evidence and all(decisions.refuses(e) for e in unit.evidence):
        return "it rests only on words that you rejected"
    if any(other.name.casefold() == unit.name.casefold() for other in kept) or any(
        _same_words(unit.evidence, other.evidence) for other in kept
    ):
        return "the same answer contains it twice"
    return ""


def _same_words(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    keys = {evidence_key(item) for item in one}
    return bool(keys) and keys == {evidence_key(item) for item in other}
