"""``review``, which is ``vault-dream``: the app, or the same review line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import choices
from vault_dream.commands.demo import STORY_DAY, demo_vault, story_clock
from vault_dream.commands.options import SETTING_FLAGS, run_options, vault_options, vault_root
from vault_dream.config import load_settings
from vault_dream.engine.errors import SettingsError
from vault_dream.places import NoVaultError


@click.command()
@vault_options
@run_options
@click.option("--plain", is_flag=True, help="Review line by line, without the app.")
@click.option(
    "--theme",
    metavar="NAME",
    help="dark, light, ansi, high-contrast, colour-blind.",
    shell_complete=choices("dark", "light", "ansi", "high-contrast", "colour-blind"),
)
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    day: date | None,
    dry_run: bool,
    hint: str,
    demo: bool,
    plain: bool,
    theme: str | None,
    no_mouse: bool,
    **flags: Any,
) -> int:
    """Open the review: what waits for you, each change with its evidence.

    With --json nothing is opened or written: what waits is printed, with its diffs.
    """
    for given, name in ((dry_run, "--dry-run"), (hint, "--hint")):
        if given:
            raise SettingsError(
                name, "the review does not take this option", "use it with --headless"
            )
    given_settings = {
        name: value for name, value in flags.items() if name in SETTING_FLAGS and value is not None
    }
    clock: Callable[[], datetime] | None = None
    root: Path | None
    if demo:
        root = demo_vault()
        given_settings.setdefault("provider", "offline")
        day = day or STORY_DAY
        clock = story_clock
    else:
        root = _vault_or_choice(vault, vault_argument, ask=not as_json)
    if as_json and root is not None:
        from vault_dream.engine.waiting import what_waits

        print_json(what_waits(root, load_settings(root, flags=given_settings), today=day))
        return 0
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from vault_dream.ui.plainly import choose_vault, review_plainly

        root = root or choose_vault()
        return review_plainly(root, flags=given_settings, clock=clock, day=day)
    from vault_dream.ui.app import VaultDreamApp

    app = VaultDreamApp(root, flags=given_settings, clock=clock, day=day, theme=theme)
    app.run(mouse=not no_mouse)
    if demo and root is not None:
        click.echo(f"The demo's vault, to open in Obsidian: {root}")
    return app.return_code or 0


def _vault_or_choice(vault: str | None, argument: str | None, *, ask: bool) -> Path | None:
    """The vault that is meant; ``None`` where a person at a terminal is to choose it."""
    try:
        return vault_root(vault, argument)
    except NoVaultError:
        if not (ask and sys.stdin.isatty() and sys.stdout.isatty()):
            raise
        return None
