"""``move``: a node under another name, and every link to it with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.options import named_vault, quiet_session, vault_root
from vault_dream.places import from_vault
from vault_dream.summary import count, printable

if TYPE_CHECKING:
    from vault_dream.engine.moving import Move


@click.command()
@named_vault
@click.argument("old")
@click.argument("new")
@click.option("--all", "everywhere", is_flag=True, help="Update the links in your own notes too.")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@click.option("-y", "--yes", is_flag=True, help="Change your own notes without asking.")
def command(
    vault: str | None,
    as_json: bool,
    old: str,
    new: str,
    everywhere: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Rename the node OLD to NEW, and update every link to it in the digest.

    A NEW without a folder stays beside OLD; a NEW that ends in / is the folder to move to. Your own
    notes that link to OLD are listed, and changed only with --all. The move can be undone.
    """
    root = vault_root(vault, None)
    with quiet_session(root) as session:
        old, new = from_vault(root, old), from_vault(root, new)
        plan = session.plan_move(old, new, everywhere=everywhere)
        document: dict[str, Any] = {"version": 1, "dry_run": dry_run, "run_id": None}
        document |= plan.as_json()
        if dry_run:
            document["diffs"] = list(plan.diffs())
        else:
            if everywhere and not as_json:
                _ask(plan, yes=yes)
            document["run_id"] = session.move(plan)
    if as_json:
        print_json(document)
    else:
        click.echo(_text(document))
    return 0


def _ask(plan: Move, *, yes: bool) -> None:
    """On a terminal, a person sees which of their own notes would change, and says so."""
    changed = [each for each in plan.outside if each.write is not None]
    if yes or not changed or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for each in changed:
        click.echo(printable(f"  {each.path}:{each.lines[0]}"), err=True)
    if not click.confirm(f"Change {count(len(changed), 'note')} of your own?", err=True):
        raise click.exceptions.Exit(0)


def _text(move: dict[str, Any]) -> str:
    """A move as a person reads it."""
    would = "would become" if move["dry_run"] else "is now"
    lines = [f"{move['old']} {would} {move['new']}"]
    leads = "would be updated" if move["dry_run"] else "updated"
    changed = [each for each in (*move["nodes"], *move["outside"]) if each["rewritten"]]
    lines += [f"  link {leads}: {_place(each)}" for each in changed]
    kept = [each for each in move["outside"] if not each["rewritten"]]
    if kept:
        lines.append(f"  {count(len(kept), 'note')} of your own still linking to the old path:")
        lines += [f"    {_place(each)} ({each['reason']})" for each in kept]
    lines += [f"  {path} names the old path; change it in Obsidian" for path in move["naming"]]
    lines += [diff.rstrip("\n") for diff in move.get("diffs", ())]
    if move["run_id"]:
        lines.append(f"  vault-dream undo {move['run_id']} undoes it")
    return printable("\n".join(lines))


def _place(each: dict[str, Any]) -> str:
    return f"{each['path']}:{', '.join(map(str, each['lines']))}"
