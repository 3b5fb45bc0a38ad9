"""``search``: the notes of the vault, or the nodes of the digest."""

from __future__ import annotations

import click

from vault_dream.commands.options import WholeNumber, named_vault
from vault_dream.looking import query_last


class _Search(click.Command):
    """The command whose words may begin with a dash, as ``-word`` does in a query."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, query_last(args))


@click.command(cls=_Search)
@named_vault
@click.argument("query", nargs=-1, metavar="QUERY")
@click.option(
    "-n",
    "--limit",
    type=WholeNumber(1, 1_000),
    default=20,
    metavar="N",
    help="At most N hits (20).",
)
@click.option("--nodes", is_flag=True, help="Search digest nodes only, as a dream does.")
@click.option("--links", is_flag=True, help="Show what each hit links to, and what links to it.")
@click.option("--tags", is_flag=True, help="List the vault's tags, with the number of notes.")
def command(
    vault: str | None,
    as_json: bool,
    query: tuple[str, ...],
    limit: int,
    nodes: bool,
    links: bool,
    tags: bool,
) -> int:
    """Search the notes of the vault.

    \b
    "quoted words"            stand in a row
    -word                     is not in the note
    in:FOLDER  tag:TAG        where it lies, what it is tagged
    kind:KIND                 node, daily, note, or the property kind
    before:DAY  after:DAY     a daily note's day, or the property created; also 2026-11 and 2026
    """
    from vault_dream import looking

    if tags and query:
        raise click.UsageError("--tags lists all tags: give no QUERY with it.")
    if tags:
        return looking.tags(vault=vault, as_json=as_json)
    if not " ".join(query).strip():
        raise click.UsageError("Missing argument 'QUERY'.")
    return looking.search(
        " ".join(query), vault=vault, limit=limit, as_json=as_json, nodes=nodes, links=links
    )
