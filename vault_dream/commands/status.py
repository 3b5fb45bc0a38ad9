"""``status``: what waits."""

from __future__ import annotations

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.options import vault_options, vault_root
from vault_dream.config import load_settings
from vault_dream.terminal import linked, paths_in


@click.command()
@vault_options
def command(vault: str | None, vault_argument: str | None, as_json: bool) -> int:
    """Show what waits: changed notes, queued proposals, the last run, unread older notes."""
    from vault_dream.engine.status import vault_status
    from vault_dream.summary import status_text

    root = vault_root(vault, vault_argument)
    found = vault_status(root, load_settings(root))
    if as_json:
        print_json(found)
    else:
        click.echo(linked(status_text(found), root, paths_in(found)))
    return 0
