"""The middle pane: what a proposal does to its note."""

from __future__ import annotations

from vault_dream.engine.dream.proposals import Proposal
from vault_dream.ui.diff_rows import DiffView, diff_rows
from vault_dream.ui.glyphs import ACTION_MARKS, Glyphs
from vault_dream.ui.home_page import count
from vault_dream.ui.lines import BLANK, Line, Piece, cut, line, wrapped
from vault_dream.ui.queue_pane import MARK_STYLES
from vault_dream.ui.sights import Sight

ACTION_WORDS = {
    "CREATE": "a new note",
    "CORROBORATE": "adds a source",
    "REFINE": "adds detail",
    "CORRECT": "corrects something",
}


def change_lines(sight: Sight, view: DiffView, width: int, glyphs: Glyphs) -> list[Line]:
    """The rows of the pane."""
    rows = [*_head(sight, width, glyphs), BLANK]
    if sight.sides is None:
        rows += wrapped([(sight.problem, "warn" if sight.problem else "muted")], width)
        return rows
    rows += diff_rows(sight.sides.before, sight.hunks, view, width, glyphs)
    rows += [BLANK, *_foot(sight, width)]
    return rows


def _head(sight: Sight, width: int, glyphs: Glyphs) -> list[Line]:
    proposal = sight.proposal
    mark, style = ACTION_MARKS[proposal.action], MARK_STYLES[proposal.action]
    name = sight.names.get(proposal.target) or proposal.unit.name
    rows = wrapped([(name, "strong")], width, first=[(f"{mark} {proposal.action}  ", style)])
    if name != proposal.unit.name:
        rows += wrapped([(proposal.unit.name, "muted")], width)
    rows.append(Line(cut(line((proposal.target, "faint")).pieces, width)))
    what: list[Piece | str] = [(_what(sight), "muted")]
    if proposal.state not in ("open",):
        what.append((f"   {_state(proposal)}", "good" if proposal.state == "approved" else "warn"))
    rows.append(Line(cut(line(*what).pieces, width)))
    return rows


def _what(sight: Sight) -> str:
    proposal = sight.proposal
    if proposal.kind == "tags":
        return "tags for a note that landed"
    words = ACTION_WORDS[proposal.action]
    if sight.sides is not None and sight.sides.before is not None:
        words += f", {count(len(sight.hunks), 'change')}"
        out = sum(1 for hunk in sight.hunks if not hunk.taken)
        words += f", {out} left out" if out else ""
    return words


def _state(proposal: Proposal) -> str:
    words = {"later": "for later", "stale": "stale: the note has changed since"}
    return words.get(proposal.state, proposal.state)


def _foot(sight: Sight, width: int) -> list[Line]:
    if sight.sides is None or sight.sides.before is None:
        return []
    if not sight.owner_lines:
        return []
    number = sight.owner_lines
    return [line((f"Your own lines: {number}, untouched.", "muted"))]
