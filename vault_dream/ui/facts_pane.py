"""The right pane: what speaks for a proposal. Evidence, links, other candidates, checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vault_dream.engine.dream.proposals import LEVELS, Proposal
from vault_dream.engine.dream.revise import EvidenceView
from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.lines import BLANK, Line, Piece, columns, line, wrapped
from vault_dream.ui.sights import Sight

LEVEL_SIGNS = {"error": "x", "hold": "!", "warn": "!", "info": "i"}
LEVEL_STYLES = {"error": "bad", "hold": "bad", "warn": "warn", "info": "muted"}
LEVEL_NOTES = {"hold": "Never lands without your decision.", "error": "Cannot land as it is."}


def facts_lines(sight: Sight, width: int, glyphs: Glyphs) -> list[Line]:
    """The rows of the pane, the worst news first."""
    proposal = sight.proposal
    checks = list(_checks(proposal, width))
    grave = proposal.worst() in ("error", "hold", "warn")
    sections = [
        checks if grave else [],
        list(_evidence(sight, width, glyphs)),
        list(_links(sight, width)),
        list(_candidates(proposal, width)),
        [] if grave else checks,
        list(_origin(proposal, width)),
    ]
    rows: list[Line] = []
    for section in sections:
        if section:
            rows += [BLANK] if rows else []
            rows += section
    return rows


def _checks(proposal: Proposal, width: int) -> Iterator[Line]:
    yield line(("Checks", "heading"))
    if proposal.decision.state == "stale":
        yield from wrapped([proposal.decision.reason], width, first=[("! ", "warn")])
    if not proposal.findings:
        yield line(("all pass", "good"))
    for level in LEVELS:
        found = [finding for finding in proposal.findings if finding.level == level]
        for finding in found:
            yield from wrapped(
                [finding.message], width, first=[(f"{LEVEL_SIGNS[level]} ", LEVEL_STYLES[level])]
            )
        if found and level in LEVEL_NOTES:
            yield from wrapped([(LEVEL_NOTES[level], "muted")], width, first=["  "])
    if proposal.decision.reason and proposal.state in ("later", "rejected"):
        by = {"policy": "Left for you", "code": "Held back"}.get(proposal.decision.by, "You said")
        yield from wrapped([(f"{by}: ", "muted"), proposal.decision.reason], width)


def _evidence(sight: Sight, width: int, glyphs: Glyphs) -> Iterator[Line]:
    yield line(("Evidence", "heading"))
    if not sight.evidence:
        yield from wrapped([("No words of a note were quoted.", "warn")], width)
    for number, item in enumerate(sight.evidence):
        key = f"evidence:{number}"
        yield BLANK
        yield from wrapped([(_where(item, sight), "accent")], width, key=key)
        yield from wrapped(
            [(f"“{item.quote}”" if not glyphs.ascii else f'"{item.quote}"', "quote")],
            width,
            key=key,
        )
        if item.exact:
            yield columns([("word for word", "good")], [("enter", "faint")], width, key=key)
        elif item.line:
            yield from wrapped([("not word for word; see what is there", "warn")], width, key=key)
        else:
            yield from wrapped([("the words are no longer there", "warn")], width, key=key)


def _where(item: EvidenceView, sight: Sight) -> str:
    stem = item.path.rsplit("/", 1)[-1].removesuffix(".md")
    name = sight.names.get(item.path, stem)
    parts = [name, *([item.heading] if item.heading and item.heading not in name else [])]
    if item.line:
        parts.append(f"line {item.line}")
    return ", ".join(parts)


def _links(sight: Sight, width: int) -> Iterator[Line]:
    proposal = sight.proposal
    new = [t for t in proposal.links_added if t not in proposal.links_off]
    targets = list(dict.fromkeys(edge.target for edge in proposal.edges))
    kept = [target for target in targets if target not in proposal.links_added]
    broken = {edge.target for edge in proposal.edges if not edge.resolved}
    counts = ", ".join(
        words
        for number, words in (
            (len(kept), f"{len(kept)} kept"),
            (len(new), f"{len(new)} new"),
            (len(proposal.links_off), f"{len(proposal.links_off)} left out"),
            (len(broken), f"{len(broken)} broken"),
        )
        if number
    )
    yield line(("Links", "heading"), "   ", (counts or "none", "muted"))
    predicates = {edge.target: edge.predicate for edge in proposal.edges}
    order = [*new, *proposal.links_off, *kept, *proposal.links_lost]
    for target in dict.fromkeys(order):
        sign, style = _link_sign(target, proposal, broken)
        stem = target.rsplit("/", 1)[-1].removesuffix(".md")
        name = sight.names.get(target) or stem
        words: list[Piece | str] = [(name, "off" if sign == "o" else "text")]
        if target in predicates and predicates[target] != "links_to":
            words.append((f"  {predicates[target].replace('_', ' ')}", "faint"))
        yield from wrapped(words, width, first=[(f"{sign} ", style)], key=f"link:{target}")


def _link_sign(target: str, proposal: Proposal, broken: set[str]) -> tuple[str, str]:
    if target in proposal.links_off:
        return "o", "faint"
    if target in proposal.links_lost:
        return "-", "bad"
    if target in broken:
        return "?", "bad"
    return ("+", "good") if target in proposal.links_added else ("=", "muted")


def _candidates(proposal: Proposal, width: int) -> Iterator[Line]:
    others = [c for c in proposal.candidates if c.path != proposal.target]
    others.sort(key=lambda c: (c.relation == "unrelated", -c.score))
    if not others:
        return
    yield line(("Also considered", "heading"))
    near = [c for c in others if c.relation != "unrelated"]
    for one in (near or others[:3])[:8]:
        relation = one.relation.replace("_", " ")
        first: Sequence[Piece | str] = [(f"{one.score:.2f}".lstrip("0").ljust(4), "muted")]
        words: list[Piece | str] = [one.name, (f"  {relation}", "faint")]
        yield from wrapped(words, width, first=first, key=f"candidate:{one.path}")


def _origin(proposal: Proposal, width: int) -> Iterator[Line]:
    yield line(("Where it comes from", "heading"))
    by = "the offline reader" if proposal.provider == "offline" else proposal.model or "a model"
    yield from wrapped(
        [(f"Found by {by}, {proposal.created[:16].replace('T', ' ')}", "muted")], width
    )
    if proposal.note:
        yield from wrapped([(proposal.note, "muted")], width)
    if proposal.builds_on:
        number = len(proposal.builds_on)
        which = "another proposal" if number == 1 else f"{number} other proposals"
        yield from wrapped([(f"Builds on {which} that must land first.", "warn")], width)
