"""``topics``: the proactive flow."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.options import (
    WholeNumber,
    day_option,
    reader_options,
    vault_options,
    vault_root,
)
from vault_dream.config import load_settings
from vault_dream.engine.proactive import Refreshed
from vault_dream.places import index_file
from vault_dream.summary import printable
from vault_dream.terminal import linked, paths_in


@click.command()
@vault_options
@click.option("--date", "day", callback=day_option, metavar="YYYY-MM-DD", help="The day (today).")
@click.option("--scan-days", type=WholeNumber(1, 366), metavar="N", help="Days to read (2).")
@click.option("--hint", default="", metavar="TEXT", help="Guidance for this run.")
@reader_options
@click.option("--show", is_flag=True, help="Print the topics the day has; find no new ones.")
@click.option("--dry-run", is_flag=True, help="Show the topics; write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress on stderr.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    day: date | None,
    scan_days: int | None,
    hint: str,
    show: bool,
    dry_run: bool,
    quiet: bool,
    **flags: Any,
) -> int:
    """Name what the last days make worth hearing more about, at most three topics a day.

    They are written to interests.yaml in the day's folder, where other programs can read them.
    Topics of the last seven days are not repeated. Without a model, they are found by rules.
    """
    from vault_dream.engine.session import ReviewSession
    from vault_dream.progress import Progress
    from vault_dream.readers import make_reader

    root = vault_root(vault, vault_argument)
    given = {name: value for name, value in flags.items() if value is not None}
    settings = load_settings(root, flags=given)
    with (
        Progress(quiet=quiet or as_json) as progress,
        ReviewSession(
            root,
            settings,
            reader=None if show else make_reader(settings, root),
            dry_run=dry_run or show,
            on_event=progress.show,
            index_file=None if dry_run or show else index_file(root),
        ) as session,
        session.dreaming("topics"),
    ):
        session.recover()
        found = session.topics(day, scan_days=scan_days, hint=hint, refresh=not show)
        document = _document(str(root), found, session.run.id, written=not (dry_run or show))
    if as_json:
        print_json(document)
    else:
        click.echo(linked(printable(_text(document)), root, paths_in(document)))
    return 0


def _document(vault: str, found: Refreshed, run_id: str, *, written: bool) -> dict[str, Any]:
    new = {topic.title for topic in found.added}
    return {
        "version": 1,
        "vault": vault,
        "date": found.day.isoformat(),
        "path": found.path,
        "topics": [{**topic.as_json(), "new": topic.title in new} for topic in found.topics],
        "left_out": [item.as_json() for item in found.left_out],
        "by": found.by,
        "written": written and bool(found.added),
        "run_id": run_id if written and found.added else None,
        "set_aside": found.aside,
        "diff": found.diff,
        "warnings": list(found.warnings),
    }


def _text(document: dict[str, Any]) -> str:
    topics = document["topics"]
    lines = [f"{document['path']}" if topics else f"{document['date']}: no topics"]
    for topic in topics:
        lines += ["", f"  {'+' if topic['new'] else ' '} {topic['title']}"]
        lines += [f"      {topic['reason']}"] if topic["reason"] else []
        lines += [f"      {path}" for path in topic["paths"]]
    for item in document["left_out"]:
        if item["reason"].startswith(("it was", "the day")):
            lines += ["", f"    {item['title']}: {item['reason']}"]
    if document["by"] == "local" and any(topic["new"] for topic in topics):
        lines += ["", "  found without a model"]
    if document["set_aside"]:
        lines += [
            "",
            f"  the file that was there could not be read and is now {document['set_aside']}",
        ]
    lines += [f"  {warning}" for warning in document["warnings"]]
    return "\n".join(lines)
