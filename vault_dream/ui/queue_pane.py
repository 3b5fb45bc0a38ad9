"""The left pane: the proposals, by where they stand, with their marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache

from vault_dream.engine.dream.proposals import Level, Proposal, State
from vault_dream.ui.glyphs import ACTION_MARKS, Glyphs
from vault_dream.ui.lines import BLANK, Line, Piece, cut, line, wrap

MARK_STYLES = {"CREATE": "good", "CORROBORATE": "accent", "REFINE": "accent", "CORRECT": "warn"}
LEVEL_WORDS = {"error": "cannot land", "hold": "look closely", "warn": "a warning"}
LEVEL_STYLES = {"error": "bad", "hold": "bad", "warn": "warn"}
AIRY = 8
"""Proposals up to which there is an empty row between them."""
OVER = frozenset({"committed", "settled", "rejected", "failed"})


def fits(proposal: Proposal, query: str) -> bool:
    """Whether a proposal has every word of ``query`` in its name, target, action or state."""
    unit = proposal.unit
    said = (
        f"{unit.name} {unit.summary} {proposal.target} {proposal.action} {proposal.state}".lower()
    )
    return all(word in said for word in query.lower().split())


def shown(proposals: Iterable[Proposal], query: str) -> list[Proposal]:
    """Those that fit, in the order of the pane: what is open first, what is over last."""
    found = [p for p in proposals if fits(p, query)]
    return sorted(found, key=lambda p: p.state in OVER)


def queue_lines(
    proposals: Sequence[Proposal], width: int, glyphs: Glyphs, today: date, parked: int = 0
) -> list[Line]:
    """The rows of the pane; the last one counts what is ``parked``."""
    rows: list[Line] = []
    if not proposals:
        rows = [BLANK, line(("Nothing is left to decide.", "muted"))]
    group = ""
    airy = len(proposals) <= AIRY
    for proposal in proposals:
        title = _group(proposal, today)
        if title != group:
            rows += [BLANK] if rows else []
            rows.append(line((title, "muted")))
            group = title
        elif airy:
            rows.append(BLANK)
        rows += _item(proposal, width, glyphs, 3 if airy else 2)
    if parked:
        rows += [BLANK, line(("P", "key"), (f" {parked} parked", "faint"))]
    return rows


def _group(proposal: Proposal, today: date) -> str:
    if proposal.state in ("committed", "settled"):
        return "Landed"
    if proposal.state == "rejected":
        return "Rejected"
    if proposal.kind == "tags":
        return "Tags"
    return _when(proposal.run_id, today)


@lru_cache(maxsize=64)
def _when(run_id: str, today: date) -> str:
    try:
        at = datetime.strptime(run_id[:15], "%Y%m%dT%H%M%S")
    except ValueError:
        return "Waiting"
    if at.date() == today:
        return "Last night" if at.hour < 7 else "Today"
    return f"{at.day} {at:%B}"


def _item(proposal: Proposal, width: int, glyphs: Glyphs, most: int) -> tuple[Line, ...]:
    return _item_rows(
        proposal.id,
        proposal.action,
        proposal.unit.name,
        proposal.state,
        proposal.worst(),
        bool(proposal.offered),
        width,
        glyphs,
        most,
    )


@lru_cache(maxsize=4_000)
def _item_rows(
    proposal_id: str,
    action: str,
    name: str,
    state: State,
    worst: Level | None,
    changed: bool,
    width: int,
    glyphs: Glyphs,
    most: int,
) -> tuple[Line, ...]:
    """The rows of one proposal: kept, because a decision changes one of perhaps a thousand."""
    sign, sign_style = _sign(state, glyphs)
    name_style = "muted" if state in OVER or state == "later" else "text"
    room = width - 2 - len(sign) - 1
    words = wrap(line((name, name_style)).pieces, room)
    if len(words) > most:
        words = [*words[: most - 1], cut((*words[most - 1], *words[most]), room)]
    rows = []
    for number, row in enumerate(words):
        head: tuple[Piece, ...] = (("  ", "text"),)
        tail: tuple[Piece, ...] = ()
        if number == 0:
            head = ((ACTION_MARKS[action], MARK_STYLES[action]), (" ", "text"))
        if number == 0 and sign:
            gap = " " * max(1, room - _cells(row) + 1)
            tail = ((gap, "text"), (sign, sign_style))
        rows.append(Line((*head, *row, *tail), key=proposal_id))
    if meta := _meta(state, worst, changed):
        rows.append(Line((("  ", "text"), *cut(meta, width - 2)), key=proposal_id))
    return tuple(rows)


def _cells(row: Sequence[Piece]) -> int:
    from rich.cells import cell_len

    return sum(cell_len(text) for text, _ in row)


def _sign(state: State, glyphs: Glyphs) -> tuple[str, str]:
    signs = {
        "approved": (glyphs.approved, "good"),
        "committed": (glyphs.approved, "good"),
        "rejected": (glyphs.rejected, "bad"),
        "later": (glyphs.later, "muted"),
        "stale": ("stale", "warn"),
    }
    return signs.get(state, ("", "text"))


def _meta(state: State, worst: Level | None, changed: bool) -> list[Piece]:
    """The small words below a name."""
    words: list[Piece] = []
    if state not in OVER and worst in LEVEL_WORDS:
        words.append((LEVEL_WORDS[worst], LEVEL_STYLES[worst]))
    if changed:
        words.append(("changed by you", "accent"))
    if state == "later":
        words.append(("for later", "faint"))
    return [piece for word in words for piece in (word, ("  ", "text"))]
