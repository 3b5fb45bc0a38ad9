"""``forget``: drop what was kept of a note's text."""

from __future__ import annotations

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import notes
from vault_dream.commands.options import named_vault, quiet_session, vault_root
from vault_dream.places import from_vault
from vault_dream.summary import printable


@click.command()
@named_vault
@click.argument("path", shell_complete=notes)
def command(vault: str | None, as_json: bool, path: str) -> int:
    """Remove a note's text from journals, undo records, proposals, reports and the index."""
    root = vault_root(vault, None)
    with quiet_session(root) as session:
        path = session.note_called(from_vault(root, path))
        held = session.forget(path)
    if as_json:
        print_json({"version": 1, "path": path, "files": list(held)})
    else:
        for name in held:
            click.echo(printable(f"  removed from {name}"))
        click.echo(
            printable(f"{path}: " + ("forgotten" if held else "nothing of its text was kept"))
        )
    return 0
