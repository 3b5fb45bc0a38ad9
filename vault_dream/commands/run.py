"""``run``, which is ``vault-dream --headless``: one unattended run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.demo import STORY_DAY, demo_vault, story_clock
from vault_dream.commands.options import run_options, vault_options, vault_root
from vault_dream.config import load_settings
from vault_dream.pipeline import DREAM
from vault_dream.places import index_file
from vault_dream.summary import printable
from vault_dream.terminal import linked, paths_in

if TYPE_CHECKING:
    from vault_dream.engine.events import Event
    from vault_dream.progress import Progress


@click.command()
@vault_options
@run_options
@click.option("--job", metavar="NAME", help="A job from the settings (auto_dream).")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    day: date | None,
    dry_run: bool,
    hint: str,
    demo: bool,
    verbose: bool,
    quiet: bool,
    log_file: str | None,
    job: str | None,
    **flags: Any,
) -> int:
    """Run once, unattended: read the changed days, propose, and commit what the policy allows."""
    from vault_dream.engine.dream.report import exit_code
    from vault_dream.engine.session import ReviewSession
    from vault_dream.headless import check_machine, dream
    from vault_dream.progress import Progress
    from vault_dream.readers import make_reader
    from vault_dream.summary import summary

    given = {name: value for name, value in flags.items() if value is not None}
    clock: Callable[[], datetime] | None = None
    if demo:
        root = demo_vault()
        given.setdefault("provider", "offline")
        day = day or STORY_DAY
        clock = story_clock
    else:
        root = vault_root(vault, vault_argument)
    settings = load_settings(root, flags=given, job=DREAM if job is None else job)
    if not dry_run:
        check_machine(settings)
    with (
        Progress(quiet=quiet or (as_json and not verbose), file=log_file) as progress,
        ReviewSession(
            root,
            settings,
            reader=make_reader(settings, root, show=_shower(dry_run and verbose)),
            dry_run=dry_run,
            clock=clock,
            on_event=_told(progress, wanted=as_json and not quiet and not verbose),
            index_file=None if dry_run else index_file(root),
        ) as session,
    ):
        finished = dream(session, policy=settings.policy, day=day, hint=hint)
    if as_json:
        document = dict(finished.report)
        if dry_run:
            document["diffs"] = finished.diffs
        print_json(document)
    else:
        text = summary(finished.report, finished.diffs if dry_run else None)
        click.echo(linked(text, root, paths_in(finished.report)))
        if demo:
            click.echo(
                f"\n  Open it in Obsidian: {root}\n  The digest: {root / settings.digest_dir}"
            )
    return 5 if finished.out_of_budget else exit_code(finished.report)


def _shower(wanted: bool) -> Callable[[str, Sequence[Mapping[str, Any]]], None]:
    """What ``--dry-run -v`` shows of each request: exactly what leaves the machine."""

    def show(purpose: str, messages: Sequence[Mapping[str, Any]]) -> None:
        if wanted:
            text = "\n\n".join(f"[{m['role']}]\n{m['content']}" for m in messages)
            click.echo(printable(f"--- {purpose} request ---\n{text}\n---"), err=True)

    return show


def _told(progress: Progress, *, wanted: bool) -> Callable[[Event], None]:
    """Shows events; a first send is said even where ``--json`` keeps the rest of them quiet."""
    from vault_dream.engine.events import Sending
    from vault_dream.progress import describe

    def show(event: Event) -> None:
        progress.show(event)
        if wanted and isinstance(event, Sending):
            click.echo(printable(describe(event)), err=True)

    return show
