"""The left pane: the proposals, by where they stand, with their marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from vault_dream.engine.dream.proposals import Proposal
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
    proposals: Sequence[Proposal], width: int, glyphs: Glyphs, today: date
) -> list[Line]:
    """The rows of the pane."""
    if not proposals:
        return [BLANK, line(("Nothing is left to decide.", "muted"))]
    rows: list[Line] = []
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
    return rows


def _group(proposal: Proposal, today: date) -> str:
    if proposal.state in ("committed", "settled"):
        return "Landed"
    if proposal.state == "rejected":
        return "Rejected"
    if proposal.kind == "tags":
        return "Tags"
    try:
        at = datetime.strptime(proposal.run_id[:15], "%Y%m%dT%H%M%S")
    except ValueError:
        return "Waiting"
    if at.date() == today:
        return "Last night" if at.hour < 7 else "Today"
    return f"{at.day} {at:%B}"


def _item(proposal: Proposal, width: int, glyphs: Glyphs, most: int) -> list[Line]:
    over = proposal.state in OVER
    mark = ACTION_MARKS[proposal.action]
    sign, sign_style = _sign(proposal, glyphs)
    name_style = "muted" if over or proposal.state == "later" else "text"
    room = width - 2 - len(sign) - 1
    name = wrap(line((proposal.unit.name, name_style)).pieces, room)
    if len(name) > most:
        name = [*name[: most - 1], cut((*name[most - 1], *name[most]), room)]
    rows = []
    for number, row in enumerate(name):
        head: tuple[Piece, ...] = (
            ((mark, MARK_STYLES[proposal.action]), (" ", "text"))
            if number == 0
            else (("  ", "text"),)
        )
        tail: tuple[Piece, ...] = ()
        if number == 0 and sign:
            used = sum(len(text) for text, _ in line(*row).pieces)
            gap = " " * max(1, room - _cells(row) + 1)
            tail = ((gap, "text"), (sign, sign_style)) if used else ()
        rows.append(Line((*head, *row, *tail), key=proposal.id))
    if meta := _meta(proposal):
        rows.append(Line((("  ", "text"), *cut(meta, width - 2)), key=proposal.id))
    return rows


def _cells(row: Sequence[Piece]) -> int:
    from rich.cells import cell_len

    return sum(cell_len(text) for text, _ in row)


def _sign(proposal: Proposal, glyphs: Glyphs) -> tuple[str, str]:
    signs = {
        "approved": (glyphs.approved, "good"),
        "committed": (glyphs.approved, "good"),
        "rejected": (glyphs.rejected, "bad"),
        "later": (glyphs.later, "muted"),
        "stale": ("stale", "warn"),
    }
    return signs.get(proposal.state, ("", "text"))


def _meta(proposal: Proposal) -> list[Piece]:
    """The small words below a name."""
    words: list[Piece] = []
    worst = proposal.worst()
    if proposal.state not in OVER and worst in LEVEL_WORDS:
        words.append((LEVEL_WORDS[worst], LEVEL_STYLES[worst]))
    if proposal.offered:
        words.append(("changed by you", "accent"))
    if proposal.state == "later":
        words.append(("for later", "faint"))
    return [piece for word in words for piece in (word, ("  ", "text"))]
