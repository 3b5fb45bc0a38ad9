"""``completions``: what a shell needs to complete commands, options, notes and runs."""

from __future__ import annotations

import os
from pathlib import Path

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import choices, script
from vault_dream.engine.errors import SettingsError

INSTALL = {
    "bash": 'add to ~/.bashrc: eval "$(vault-dream completions bash)"',
    "zsh": 'add to ~/.zshrc, after compinit: eval "$(vault-dream completions zsh)"',
    "fish": "run: vault-dream completions fish > ~/.config/fish/completions/vault-dream.fish",
}


@click.command()
@click.argument("shell", required=False, shell_complete=choices(*INSTALL))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(shell: str | None, as_json: bool) -> int:
    """Print the completion script for bash, zsh or fish (default: the shell you use)."""
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in INSTALL:
        what = f"there are none for {name!r}" if name else "your shell is not known"
        raise SettingsError("completions", what, "name one of " + ", ".join(INSTALL))
    if as_json:
        document = {"version": 1, "shell": name, "script": script(name), "install": INSTALL[name]}
        print_json(document)
    else:
        click.echo(script(name), nl=False)
        click.echo(f"# {INSTALL[name]}", err=True)
    return 0
