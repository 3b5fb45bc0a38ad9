"""``undo``: put back what a run changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vault_dream.commands import completing
from vault_dream.commands.answers import print_json
from vault_dream.commands.options import check_run, named_vault, quiet_session, vault_root
from vault_dream.places import from_vault
from vault_dream.terminal import linked, paths_in

if TYPE_CHECKING:
    from vault_dream.engine.journal import UndoneFile


@click.command()
@named_vault
@click.argument("run_id", metavar="[RUN]", required=False, shell_complete=completing.runs)
@click.option(
    "--node",
    "nodes",
    multiple=True,
    metavar="PATH",
    help="Undo this node only.",
    shell_complete=completing.nodes,
)
@click.option("--merge", is_flag=True, help="Where a note changed since, merge if that is clean.")
@click.option("--again", is_flag=True, help="Let the next run propose the same things again.")
def command(
    vault: str | None,
    as_json: bool,
    run_id: str | None,
    nodes: tuple[str, ...],
    merge: bool,
    again: bool,
) -> int:
    """Undo what a run changed (default: the last run); a node it created moves to .trash/."""
    from vault_dream.summary import undone_text

    root = vault_root(vault, None)
    with quiet_session(root) as session:
        check_run(session, run_id)
        if run_id is None:
            run_id = session.last_written()
        files: tuple[UndoneFile, ...] = ()
        if run_id is not None:
            paths = [from_vault(root, node) for node in nodes]
            files = session.undo(run_id, paths or None, merge=merge, again=again).files
    document = {
        "version": 1,
        "run_id": run_id,
        "files": [
            {"path": f.path, "outcome": f.outcome, "note": f.note, "trash": f.trash} for f in files
        ],
    }
    if as_json:
        print_json(document)
    else:
        click.echo(linked(undone_text(document), root, paths_in(document)))
    done = all(file.done or file.outcome == "undone before" for file in files)
    return 0 if done else 1
