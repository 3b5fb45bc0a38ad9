"""``log``: past runs and what they changed."""

from __future__ import annotations

from typing import Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import runs
from vault_dream.commands.options import check_run, named_vault, quiet_session, vault_root
from vault_dream.terminal import linked, paths_in


@click.command()
@named_vault
@click.argument("run_id", metavar="[RUN]", required=False, shell_complete=runs)
def command(vault: str | None, as_json: bool, run_id: str | None) -> int:
    """List past runs, newest first; with RUN, show what it changed, as diffs."""
    from vault_dream.summary import changes_text, runs_text

    root = vault_root(vault, None)
    with quiet_session(root) as session:
        check_run(session, run_id)
        if run_id is None:
            names = session.state.run_ids()
            runs = {name: r for name in reversed(names) if (r := session.state.report(name))}
            undone = {name: session.journal.undone(name) for name in runs}
            document: dict[str, Any] = {
                "version": 1,
                "runs": list(runs.values()),
                "undone": {name: how for name, how in undone.items() if how != "no"},
            }
            text = runs_text(document["runs"], document["undone"])
        else:
            changes = session.journal.changes(run_id)
            document = {
                "version": 1,
                "run_id": run_id,
                "changes": [
                    {"path": c.path, "diff": c.diff, "undone": c.undone, "forgotten": c.forgotten}
                    for c in changes
                ],
            }
            text = changes_text(document["changes"])
    if as_json:
        print_json(document)
    else:
        click.echo(linked(text, root, paths_in(document)))
    return 0
