"""The one registry of what can be done: keys, names, help, where, and when it applies.

It feeds the keys, the bar at the bottom, the help page and the palette. An action ``x`` is done by
the method ``do_x`` of its screen.
"""

from __future__ import annotations

from textual.binding import Binding

from vault_dream.ui import reasons as why
from vault_dream.ui.action import (
    BACKFILL,
    COMMIT,
    DREAM,
    HISTORY,
    HOME,
    LISTS,
    NODE,
    PANES,
    PLACES,
    PREVIEW,
    REQUEST,
    REVIEW,
    SEARCH,
    START,
    VAULTS,
    Action,
)

SECOND_NAMES = frozenset({"page_down", "page_up"})

ACTIONS: tuple[Action, ...] = (
    # Moving
    Action("down", ("j", "down"), "down", "Go to the next item, or scroll down.", LISTS),
    Action("up", ("k", "up"), "up", "Go to the previous item, or scroll up.", LISTS),
    Action("page_down", ("pagedown", "f"), "page down", "Scroll down one page.", LISTS),
    Action("page_up", ("pageup", "b"), "page up", "Scroll up one page.", LISTS),
    Action("top", ("g", "home"), "top", "Go to the first item.", LISTS),
    Action("bottom", ("G", "end"), "bottom", "Go to the last item.", LISTS),
    Action(
        "next_pane",
        ("tab", "right", "right_square_bracket"),
        "next pane",
        "Go to the next pane.",
        PANES,
        60,
    ),
    Action(
        "previous_pane",
        ("shift+tab", "left", "left_square_bracket"),
        "previous pane",
        "Go to the previous pane.",
        PANES,
    ),
    # Home
    Action(
        "review",
        ("enter", "r"),
        "review",
        "Review what waits.",
        (HOME,),
        10,
        why.needs_proposals,
    ),
    Action(
        "dream",
        ("d",),
        "dream now",
        "Read the notes that changed.",
        (HOME,),
        20,
        why.needs_no_dream,
    ),
    Action(
        "setup",
        ("s",),
        "set up",
        "Choose who reads the notes; writes vault-dream.yaml.",
        (HOME,),
        25,
        why.needs_no_settings,
        hides=True,
    ),
    Action(
        "reload",
        ("R",),
        "rescan",
        "Scan the vault again.",
        (HOME,),
        0,
        why.needs_session,
    ),
    Action(
        "daily_folder",
        ("e",),
        "daily folder",
        "Say where the daily notes are, if the place found is wrong.",
        (START,),
        26,
        why.needs_no_choice,
        hides=True,
    ),
    # Deciding
    Action(
        "approve",
        ("a",),
        "approve",
        "Approve the proposal, and go to the next.",
        (REVIEW,),
        10,
        why.needs_change,
    ),
    Action(
        "reject",
        ("x",),
        "reject",
        "Reject the proposal, with a reason if you like. Units that rest only on the same words "
        "do not come back.",
        (REVIEW,),
        11,
        why.needs_undecided,
    ),
    Action(
        "later",
        ("l",),
        "later",
        "Leave the proposal for later.",
        (REVIEW,),
        13,
        why.needs_undecided,
    ),
    Action(
        "edit",
        ("e",),
        "edit",
        "Edit the whole text of the node.",
        (REVIEW,),
        12,
        why.needs_change,
    ),
    Action(
        "edit_outside",
        ("E",),
        "edit in $EDITOR",
        "Edit the whole text of the node in $EDITOR.",
        (REVIEW,),
        0,
        why.needs_change,
    ),
    Action(
        "retarget",
        ("r",),
        "retarget",
        "Retarget it to another node, or to a new one.",
        (REVIEW,),
        14,
        why.needs_reader,
    ),
    Action(
        "change_action",
        ("c",),
        "action",
        "Change the action of an update: corroborate, refine, correct.",
        (REVIEW,),
        0,
        why.needs_change,
    ),
    Action(
        "toggle",
        ("space",),
        "leave out",
        "Leave out the change or link under the cursor, or put it back.",
        (REVIEW,),
        15,
        why.needs_change,
    ),
    Action(
        "add_link",
        ("n",),
        "new link",
        "Add a link to another node.",
        (REVIEW,),
        0,
        why.needs_change,
    ),
    Action(
        "undo",
        ("u",),
        "undo",
        "Undo the last decision or edit.",
        (REVIEW,),
        16,
        why.needs_history,
        hides=True,
    ),
    Action(
        "approve_shown",
        ("A",),
        "approve all shown",
        "Approve everything shown, after listing the notes it touches.",
        (REVIEW,),
        30,
        why.needs_shown,
    ),
    Action(
        "commit",
        ("C",),
        "commit",
        "Write the approved proposals into the vault.",
        (REVIEW,),
        29,
        why.needs_approved,
    ),
    Action(
        "parked",
        ("P",),
        "parked",
        "Look at parked proposals, undecided for a month, and bring them back.",
        (HOME, REVIEW),
        46,
        why.needs_parked,
        hides=True,
    ),
    # Looking
    Action(
        "choose",
        ("enter",),
        "open",
        "Open what is under the cursor: a quote in its note, a candidate, a link.",
        (REVIEW, HISTORY, SEARCH, NODE, PREVIEW, START, REQUEST, VAULTS),
        25,
    ),
    Action(
        "side_by_side",
        ("v",),
        "side by side",
        "Show the change side by side, inline, or whichever fits.",
        (REVIEW, HISTORY),
        21,
    ),
    Action(
        "preview",
        ("p",),
        "preview",
        "Preview the node as it would become.",
        (REVIEW,),
        20,
        why.needs_proposal,
    ),
    Action("exact", ("m",), "exact text", "Show links and markup as they are written.", (REVIEW,)),
    Action("more_context", ("plus", "equals_sign"), "more", "Show more context lines.", (REVIEW,)),
    Action("less_context", ("minus",), "less", "Show fewer context lines.", (REVIEW,)),
    Action("filter", ("slash",), "filter", "Filter the proposals.", (REVIEW,), 31),
    Action(
        "open",
        ("o",),
        "open in Obsidian",
        "Open the note in Obsidian.",
        (REVIEW, SEARCH, NODE, PREVIEW),
        40,
    ),
    Action(
        "copy",
        ("y",),
        "copy link",
        "Copy a link to the note.",
        (REVIEW, SEARCH, NODE, PREVIEW),
        41,
    ),
    # Dreaming
    Action(
        "go_on",
        ("enter",),
        "continue",
        "Confirm the request, integrate the listed units, review the result.",
        (DREAM, BACKFILL),
        10,
        why.needs_settling,
        hides=True,
    ),
    Action(
        "rename",
        ("e",),
        "edit",
        "Edit the unit's name.",
        (DREAM,),
        11,
        why.needs_units,
        hides=True,
    ),
    Action(
        "summarise",
        ("s",),
        "summary",
        "Edit the summary.",
        (DREAM,),
        12,
        why.needs_units,
        hides=True,
    ),
    Action(
        "bucket",
        ("c",),
        "bucket",
        "Move it to another bucket.",
        (DREAM,),
        13,
        why.needs_units,
        hides=True,
    ),
    Action(
        "drop",
        ("x",),
        "drop",
        "Drop the unit, or keep it.",
        (DREAM,),
        14,
        why.needs_units,
        hides=True,
    ),
    Action(
        "merge",
        ("m",),
        "merge",
        "Merge it with the unit above.",
        (DREAM,),
        15,
        why.needs_units,
        hides=True,
    ),
    Action(
        "stop",
        ("X",),
        "stop",
        "Stop; finished work is kept.",
        (DREAM, BACKFILL),
        20,
        why.needs_dreaming,
        hides=True,
    ),
    Action(
        "backfill",
        ("b",),
        "older days",
        "Plan a backfill of older days: how many, and what it may cost.",
        (HOME,),
        32,
        why.needs_older,
    ),
    Action(
        "which_days",
        ("e",),
        "which days",
        "Choose the first and the last day.",
        (BACKFILL,),
        11,
        why.needs_rest,
        hides=True,
    ),
    Action(
        "days_at_once",
        ("c",),
        "days per run",
        "Choose how many days to read per run.",
        (BACKFILL,),
        12,
        why.needs_rest,
        hides=True,
    ),
    Action(
        "request",
        ("w",),
        "what is sent",
        "Show exactly what was sent to the model, or is about to be.",
        (HOME, REVIEW, DREAM),
        70,
        why.needs_session,
    ),
    # Committing
    Action(
        "write",
        ("enter",),
        "write",
        "Write the approved proposals into the vault.",
        (COMMIT,),
        10,
        why.needs_uncommitted,
        hides=True,
    ),
    Action(
        "undo_run",
        ("z",),
        "undo run",
        "Undo what the run changed.",
        (COMMIT, HISTORY),
        11,
        why.needs_landed,
        hides=True,
    ),
    # Elsewhere
    Action(
        "search",
        ("slash",),
        "search",
        "Search the digest.",
        (HOME, SEARCH),
        30,
        why.needs_session,
    ),
    Action(
        "history",
        ("h",),
        "history",
        "Show past runs, what each changed, and undo them.",
        (HOME,),
        31,
        why.needs_session,
    ),
    Action(
        "neighbours", ("n",), "neighbours", "Show a node with its edges.", (SEARCH, PREVIEW), 20
    ),
    Action("theme", ("T",), "theme", "Switch to the next theme.", PLACES),
    Action("guide", ("f1",), "guide", "Read the guide.", PLACES),
    Action("palette", ("colon",), "everything", "Find any action by its name.", PLACES, 80),
    Action("help", ("question_mark",), "help", "Show the keys that work here.", PLACES, 81),
    Action(
        "back",
        ("escape", "q"),
        "back",
        "Go back; at home, quit. Everything is saved.",
        LISTS,
        90,
    ),
)

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}


def actions_of(screen: str) -> tuple[Action, ...]:
    """The actions of a screen, those of the bar first and in its order."""
    here = [action for action in ACTIONS if screen in action.screens]
    return tuple(sorted(here, key=lambda action: action.rank or 1000))


def bindings_of(screen: str) -> list[Binding]:
    """The registry's keys for one screen; their ids are what a keymap file names."""
    return [
        Binding(",".join(keys), f"do('{action.id}')", action.name, show=False, id=action.id)
        for action in ACTIONS
        if screen in action.screens and (keys := keys_on(action, screen))
    ]


def keys_on(action: Action, screen: str) -> tuple[str, ...]:
    """The keys of an action on one screen: the second names of moving give way there to what has
    the key by itself."""
    if action.id not in SECOND_NAMES:
        return action.keys
    taken = {
        key
        for other in ACTIONS
        if other is not action and screen in other.screens
        for key in other.keys
    }
    return tuple(key for key in action.keys if key not in taken)
