"""What an action is, and the screens that have actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Reason = Callable[[Any], str]
"""Why an action does not apply on a screen now; ``""`` where it does."""

KEY_NAMES = {
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "space": "space",
    "escape": "esc",
    "enter": "enter",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


@dataclass(frozen=True, slots=True)
class Action:
    """``rank`` orders the bar at the bottom; 0 keeps an action out of it. What ``hides`` is not
    shown there while it does not apply."""

    id: str
    keys: tuple[str, ...]
    name: str
    help: str
    screens: tuple[str, ...]
    rank: int = 0
    reason: Reason = lambda screen: ""
    hides: bool = False

    def key_shown(self, keys: Iterable[str] | None = None) -> str:
        """The first key as a person reads it."""
        key = next(iter(keys or self.keys), "")
        return KEY_NAMES.get(key, key)


HOME, REVIEW, DREAM, COMMIT, START = "home", "review", "dream", "commit", "start"
HISTORY, SEARCH, NODE, GUIDE, PREVIEW, HELP = (
    "history",
    "search",
    "node",
    "guide",
    "preview",
    "help",
)
REQUEST, VAULTS, BACKFILL = "request", "vaults", "backfill"
PLACES = (
    *(VAULTS, START, HOME, REVIEW, DREAM, COMMIT, HISTORY, SEARCH, NODE, GUIDE),
    REQUEST,
    BACKFILL,
)
LISTS = (*PLACES, PREVIEW, HELP)
PANES = (REVIEW, HISTORY, SEARCH, REQUEST)
