"""``help``: the guide."""

from __future__ import annotations

import click

from vault_dream.engine.errors import SettingsError
from vault_dream.places import shipped


@click.command("help")
@click.argument("topic", required=False)
def command(topic: str | None) -> int:
    """Read the guide, or the page of it called TOPIC."""
    pages = {page.stem: page for page in sorted((shipped("assets") / "guide").glob("*.md"))}
    if topic is None:
        from vault_dream.commands.program import program

        click.echo(program.get_help(click.Context(program, info_name="vault-dream")))
        click.echo("\nThe guide:  " + "  ".join(f"vault-dream help {name}" for name in pages))
        return 0
    if topic not in pages:
        raise SettingsError("help", f"there is no page {topic!r}", "pages: " + ", ".join(pages))
    click.echo(pages[topic].read_text(encoding="utf-8"), nl=False)
    return 0
