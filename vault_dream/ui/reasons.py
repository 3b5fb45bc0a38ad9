"""Why an action of a page does not apply now, in words for the person; ``""`` where it does."""

from __future__ import annotations

from typing import Any


def needs_proposal(screen: Any) -> str:
    return "" if screen.current is not None else "there is no proposal under the cursor"


def needs_undecided(screen: Any) -> str:
    proposal = screen.current
    if proposal is None:
        return "there is no proposal under the cursor"
    if proposal.state in ("committed", "settled"):
        return "it has landed already; z undoes the run"
    return ""


def needs_change(screen: Any) -> str:
    if reason := needs_undecided(screen):
        return reason
    if screen.desk.dreaming:
        return "the dream is still running; change it when it is done"
    if not screen.current.changes:
        return "it changes nothing: the node already says it"
    return ""


def needs_reader(screen: Any) -> str:
    return needs_change(screen) or screen.desk.why_no_reader()


def needs_history(screen: Any) -> str:
    return "" if screen.desk.can_undo else "there is no decision to undo"


def needs_approved(screen: Any) -> str:
    if screen.desk.dreaming:
        return "the dream is still running; commit when it is done"
    return "" if screen.desk.approved else "nothing is approved yet; a approves"


def needs_shown(screen: Any) -> str:
    return "" if screen.any_approvable else "nothing that is shown waits for a decision"


def needs_no_dream(screen: Any) -> str:
    if screen.desk.dreaming:
        return ""  # it shows the one that goes on
    if screen.desk.session is None:
        return "the vault is still being read"
    return ""


def needs_session(screen: Any) -> str:
    return "" if screen.desk.session is not None else "the vault is still being read"


def needs_no_settings(screen: Any) -> str:
    if reason := needs_session(screen):
        return reason
    return "this vault has settings: edit vault-dream.yaml" if screen.desk.has_settings else ""


def needs_no_choice(screen: Any) -> str:
    return "esc goes back to the choice first" if screen.choice is not None else ""


def needs_parked(screen: Any) -> str:
    return "" if screen.desk.parked else "nothing is parked"


def needs_proposals(screen: Any) -> str:
    if reason := needs_session(screen):
        return reason
    return "" if screen.desk.proposals else "nothing waits; d reads what changed"


def needs_dreaming(screen: Any) -> str:
    return "" if screen.desk.dreaming else "no dream is running"


def needs_units(screen: Any) -> str:
    if not screen.waits_for_units:
        return "the units can be changed only before they are integrated"
    return "" if screen.unit is not None else "there is no unit under the cursor"


def needs_settling(screen: Any) -> str:
    if screen.can_go_on or screen.desk.proposals:
        return ""
    return "nothing is found yet"


def needs_older(screen: Any) -> str:
    if reason := needs_session(screen) or screen.desk.why_no_reader():
        return reason
    return "a dream is running; d shows it" if screen.desk.dreaming else ""


def needs_rest(screen: Any) -> str:
    return "it is being read; X pauses it" if screen.running else ""


def needs_landed(screen: Any) -> str:
    return "" if screen.landed else "nothing has landed"


def needs_uncommitted(screen: Any) -> str:
    if screen.landed is not None:
        return "it is done; esc goes back"
    return needs_approved(screen)
