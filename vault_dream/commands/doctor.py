"""``doctor``: what is wrong, and what to do about it."""

from __future__ import annotations

import click

from vault_dream.commands.options import vault_options, vault_root


@click.command()
@vault_options
@click.option("--no-model", is_flag=True, help="Do not contact the model.")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, after showing it.")
@click.option("-y", "--yes", is_flag=True, help="With --fix: mend without asking.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    no_model: bool,
    fix: bool,
    yes: bool,
) -> int:
    """Check the settings, vault, digest, index, state and model endpoint.

    The model is asked three short questions and one long one; none contains a note. The exit code
    is 0 if all is well, 1 if something needs mending, 4 if the model cannot be used.
    """
    from vault_dream.checkup import doctor as look_over

    root = vault_root(vault, vault_argument)
    return look_over(root, as_json=as_json, ask_model=not no_model, fix=fix, yes=yes)
