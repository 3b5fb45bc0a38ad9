"""``links``: edges into and out of a note."""

from __future__ import annotations

import click

from vault_dream.commands.completing import notes
from vault_dream.commands.options import named_vault
from vault_dream.engine.errors import SettingsError


@click.command()
@named_vault
@click.argument("path", metavar="[PATH]", required=False, shell_complete=notes)
@click.option(
    "--to",
    metavar="PATH",
    help="Show the shortest chain of links to this note.",
    shell_complete=notes,
)
def command(vault: str | None, as_json: bool, path: str | None, to: str | None) -> int:
    """List the edges of a note; without PATH, the links that lead nowhere and the orphan nodes."""
    from vault_dream import looking

    if to is not None and path is None:
        raise SettingsError("--to", "it needs a note to start from", "give PATH too")
    return looking.links(path, vault=vault, to=to, as_json=as_json)
