"""Extraction: the day's claims merged across files, ranked, capped, and given quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.offline.claims import Claim, claims_in
from vault_dream.engine.dream.offline.compare import differs_in_value, same_name, same_saying
from vault_dream.engine.dream.offline.cues import Kind
from vault_dream.engine.dream.offline.judging import hits_of
from vault_dream.engine.dream.offline.naming import name_of
from vault_dream.engine.dream.offline.summaries import goes_on, summary_of
from vault_dream.engine.dream.offline.words import sentences, terms
from vault_dream.engine.dream.quotes import long_enough
from vault_dream.engine.dream.reader import ExtractAnswer, ExtractRequest, UnitClaim
from vault_dream.engine.dream.units import SettledUnit

QUOTE_LENGTH = 200
_COMPARED = 80  # claims that are compared with each other, the strongest first
_QUOTES = 2  # of one source
GOOD = 2.75  # the score of a find that is hardly a mistake
_WEAK = 0.5
_WORTH: dict[Kind, float] = {
    "change": 4.5,
    "decision": 4.0,
    "steps": 3.75,
    "instruction": 3.5,
    "fix": 3.25,
    "lesson": 3.0,
    "rule": 3.0,
    "definition": 2.5,
    "preference": 2.5,
    "recurrence": 1.5,
}
"""What a kind of find is worth to its owner when not all can be kept."""
_NEWS = frozenset({"change", "decision", "steps", "instruction"})
_ROOM = 3  # units among which one may be a recurrence
_REASONED = frozenset({"reason", "condition", "detail"})


@dataclass(slots=True)
class _Found:
    handle: int
    claim: Claim
    rank: float
    others: list[tuple[int, Claim]]


def extract(request: ExtractRequest) -> ExtractAnswer:
    """At most ``max_units`` units of the fresh blocks; the rest is named in a warning."""
    wanted = terms(request.hint)
    found = [
        _Found(source.handle, claim, _rank(claim, wanted), [])
        for source in request.sources
        for claim in claims_in(source)
        if claim.fresh and quotes_of(claim) and name_of(claim)
    ]
    order = {id(f): i for i, f in enumerate(found)}
    found.sort(key=lambda f: (-f.rank, order[id(f)]))
    merged = [f for f in _merged(found[:_COMPARED]) if not _settled(f.claim, request.settled)]
    merged = _with_a_recurrence(merged, request.max_units)
    kept = sorted(merged[: max(0, request.max_units)], key=lambda f: order[id(f)])
    over = [name_of(f.claim) for f in merged[max(0, request.max_units) :]]
    warnings = (f"found more than {request.max_units} units, left out: {'; '.join(over)}",)
    return ExtractAnswer(tuple(_unit(f) for f in kept), warnings if over else ())


def _with_a_recurrence(ranked: list[_Found], most: int) -> list[_Found]:
    """``ranked`` with the best recurrence in the last of ``most`` places.

    Unless news that changes what is done holds that place: a reading that only ever adds leaves
    what is known without proof.
    """
    at = next((i for i, f in enumerate(ranked) if f.claim.kind == "recurrence"), -1)
    if at < most or most < _ROOM or ranked[most - 1].claim.kind in _NEWS:
        return ranked
    return [*ranked[: most - 1], ranked[at], *ranked[most - 1 : at], *ranked[at + 1 :]]


def quotes_of(claim: Claim) -> tuple[str, ...]:
    """Verbatim words of the claim's lines that are long enough to prove it; best first."""
    found: list[str] = []
    for sentence in claim.quotable:
        quote = _cut(sentence.raw.strip())
        if not long_enough(quote):
            quote = _cut(_grown(sentence.onward.strip()))
        if long_enough(quote) and quote not in found:
            found.append(quote)
    return tuple(found)


def _grown(onward: str) -> str:
    """The beginning of ``onward``, as many whole sentences as make a quote."""
    end = 0
    for part in sentences(onward):
        end = onward.index(part, end) + len(part)
        if long_enough(onward[:end]):
            break
    return onward[:end]


def _cut(raw: str) -> str:
    if len(raw) <= QUOTE_LENGTH:
        return raw
    head = raw[:QUOTE_LENGTH]
    at = max(head.rfind(mark) for mark in (" ", "，", "。", "；"))
    return head[: at if at > QUOTE_LENGTH // 2 else QUOTE_LENGTH].rstrip(" ,;，；")


def _rank(claim: Claim, wanted: frozenset[str]) -> float:
    """Corrections first, then decisions, procedures and so on; a weak find after any good one."""
    worth = _WORTH[claim.kind] if claim.score >= GOOD else _WEAK
    if claim.kind == "decision" and not _REASONED & {k for k, _ in hits_of(claim.text)}:
        worth -= 1.0
    if claim.kind == "recurrence":
        worth = _WORTH["recurrence"]
    return worth + 0.5 * min(claim.score, 6.0) + (2.0 if wanted & terms(claim.text) else 0.0)


def _merged(found: Sequence[_Found]) -> list[_Found]:
    """Claims that say the same in several places become one, proved by each."""
    kept: list[_Found] = []
    for candidate in found:
        twin = next((k for k in kept if _same(k.claim, candidate.claim)), None)
        if twin is None:
            kept.append(candidate)
        else:
            twin.others.append((candidate.handle, candidate.claim))
    return kept


def _same(a: Claim, b: Claim) -> bool:
    if differs_in_value(a.main.text, b.main.text):
        return False
    return same_saying(a.main.text, b.main.text) or same_name(name_of(a), name_of(b))


def _settled(claim: Claim, settled: Sequence[SettledUnit]) -> bool:
    """Whether an earlier reading brought this in; a change is always news."""
    if claim.kind == "change":
        return False
    name = name_of(claim)
    return any(same_name(name, unit.name) for unit in settled)


def _unit(found: _Found) -> UnitClaim:
    quotes: list[tuple[int, str]] = []
    places = [(found.handle, found.claim), *found.others]
    for handle, claim in places:
        several = 1
        if handle == found.handle:
            several = _QUOTES if claim.steps or claim.before else 1 + goes_on(claim)
        quotes.extend((handle, quote) for quote in quotes_of(claim)[:several])
    quotes = list(dict.fromkeys(quotes))
    handles = tuple(dict.fromkeys(handle for handle, _ in places))
    claim = found.claim
    return UnitClaim(name_of(claim), claim.bucket, summary_of(claim), handles, tuple(quotes))
