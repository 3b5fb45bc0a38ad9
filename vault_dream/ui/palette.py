"""The palette: every action of a page by its name, in the registry's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vault_dream.ui.actions import actions_of
from vault_dream.ui.page import Page
from vault_dream.ui.picker import Choice, Picker


def palette(page: Page[Any]) -> Picker:
    """A picker over the actions of ``page``; it returns an action's id."""
    actions = [a for a in actions_of(page.PLACE) if a.id != "palette"]
    keys = {a.id: a.key_shown(page.dream_app.keys_of(a)) for a in actions}
    reasons = {a.id: a.reason(page) for a in actions}

    def find(query: str) -> Sequence[Choice]:
        from rapidfuzz import fuzz

        scored = []
        for place, action in enumerate(actions):
            words = f"{action.name} {action.help}"
            score = fuzz.partial_ratio(query.lower(), words.lower()) if query else 100
            if query.lower() in action.name.lower():
                score += 100
            if score >= 85:
                scored.append((-score, place, action))
        scored.sort(key=lambda each: each[:2])
        return [
            Choice(
                a.id,
                ((f"{keys[a.id]:<9}", "key"), f"{a.name:<18} ", (a.help, "muted")),
                ((("not now" if reasons[a.id] else ""), "faint"),),
            )
            for _, _, a in scored
        ]

    return Picker("What would you like to do?", find)
