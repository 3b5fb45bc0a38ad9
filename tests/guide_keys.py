"""The table of all keys in the guide, from the app's registry of actions.

``python -m tests.guide_keys`` writes it into the page anew.
"""

from __future__ import annotations

from tests.guide_pages import GUIDE, read
from vault_dream.ui.action import HELP, KEY_NAMES, LISTS, PANES, PLACES, PREVIEW, Action
from vault_dream.ui.actions import ACTIONS

PAGE = GUIDE / "review.md"
HEAD = "| key | where | does |\n|---|---|---|\n"


def key_table() -> str:
    return HEAD + "".join(_row(action) for action in ACTIONS)


def _row(action: Action) -> str:
    keys = " ".join(f"`{KEY_NAMES.get(key, key)}`" for key in action.keys)
    return f"| {keys} | {_where(action)} | {action.help} |\n"


def _where(action: Action) -> str:
    places = set(action.screens)
    if places >= set(LISTS) - {PREVIEW, HELP} or places >= set(PLACES):
        return "everywhere"
    if places == set(PANES):
        return "where there are panes"
    return ", ".join(place for place in (*PLACES, PREVIEW, HELP) if place in places)


def main() -> None:
    before = read(PAGE).partition(HEAD)[0]
    PAGE.write_text(before.rstrip("\n") + "\n\n" + key_table(), encoding="utf-8")


if __name__ == "__main__":
    main()
