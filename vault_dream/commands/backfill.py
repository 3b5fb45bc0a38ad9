"""``backfill``: older days, oldest first: estimated before, capped, resumed where it stopped."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from vault_dream.commands.answers import EXIT_CODES, INTERRUPTED, print_json
from vault_dream.commands.options import WholeNumber, day_option, vault_options, vault_root
from vault_dream.config import load_settings
from vault_dream.engine.errors import NoModelError, SettingsError
from vault_dream.places import index_file

if TYPE_CHECKING:
    from vault_dream.backfilling import Backfilled
    from vault_dream.engine.session import ReviewSession

DAY = "YYYY-MM-DD"


@click.command()
@vault_options
@click.option("--from", "first", callback=day_option, metavar=DAY, help="The oldest day to read.")
@click.option("--to", "last", callback=day_option, metavar=DAY, help="The newest day to read.")
@click.option(
    "--max", "cap", type=WholeNumber(0), default=None, metavar="N",
    help="Days to read in this run (30); 0 reads them all.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show the plan and what it may cost; write nothing.")
@click.option("-y", "--yes", is_flag=True, help="Begin without asking.")
@click.option("--hint", default="", metavar="TEXT", help="Guidance for each day.")
@click.option(
    "--max-units",
    type=WholeNumber(),
    metavar="N",
    help="The most units to keep from a day (5).",
)
@click.option("--provider", metavar="NAME", help="Who reads: openai or offline.")
@click.option("--model", metavar="NAME", help="The model's name.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible endpoint.")
@click.option("--policy", metavar="POLICY", help="apply, safe or queue (safe).")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress on stderr.")
@click.option("--log-file", metavar="FILE", help="Append the progress messages to a file.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    first: date | None,
    last: date | None,
    cap: int | None,
    dry_run: bool,
    yes: bool,
    hint: str,
    quiet: bool,
    log_file: str | None,
    **flags: Any,
) -> int:
    """Read older days, oldest first, each as a run of its own.

    You see what it may cost before it begins. Ctrl-C pauses it once the current step is done;
    without a range it continues where it stopped.
    """
    from vault_dream.backfilling import backfill, planned
    from vault_dream.engine.backfill import DAYS_PER_RUN
    from vault_dream.engine.events import DayBegun
    from vault_dream.engine.session import ReviewSession
    from vault_dream.progress import Progress
    from vault_dream.readers import make_reader
    from vault_dream.summary_older import backfill_text, plan_text

    root = vault_root(vault, vault_argument)
    given = {name: value for name, value in flags.items() if value is not None}
    settings = load_settings(root, flags=given)
    cap = DAYS_PER_RUN if cap is None else cap
    with (
        Progress(quiet=quiet or as_json, file=log_file) as progress,
        ReviewSession(
            root,
            settings,
            reader=make_reader(settings, root, days=cap or DAYS_PER_RUN),
            dry_run=dry_run,
            on_event=progress.show,
            index_file=None if dry_run else index_file(root),
        ) as session,
    ):
        plan = session.plan_backfill(first, last, cap=cap)
        if dry_run and as_json:
            print_json(planned(plan))
        elif dry_run or (plan.days and not as_json):
            click.echo(plan_text(plan.as_json(), settings.budget.tokens), err=not dry_run)
        if dry_run:
            return 0
        if plan.days:
            _consent(session, yes=yes, as_json=as_json)
        with _pausing(session) as pause:
            done = backfill(
                session,
                plan,
                policy=settings.policy,
                hint=hint,
                begin=lambda number, total, day: progress.show(DayBegun(number, total, day)),
                paused=pause.is_set,
            )
    document = done.as_json()
    if as_json:
        print_json(document)
    else:
        click.echo(backfill_text(document))
    return _exit_code(done)


def _consent(session: ReviewSession, *, yes: bool, as_json: bool) -> None:
    """Whether it may begin: a person says so on a terminal, ``--yes`` says so elsewhere."""
    if session.reader is None:
        raise NoModelError(
            "provider",
            "there are older days to read, but no model is configured",
            "set model and base_url in vault-dream.yaml, or use --provider offline",
        )
    if yes:
        return
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise SettingsError(
            "--yes",
            "there is nobody to ask whether the backfill may begin",
            "add --yes to begin, or --dry-run to see what it may cost",
        )
    if not click.confirm("Begin?", err=True):
        raise click.exceptions.Exit(0)


@contextmanager
def _pausing(session: ReviewSession) -> Iterator[Event]:
    """The first interrupt pauses the backfill; a second one ends the program as usual. What comes
    back is set once it is to pause."""
    asked = Event()

    def pause(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, before)
        with suppress(OSError):  # past Python's buffers, which may be in use at this moment
            os.write(2, b"\npausing; finished work is kept (Ctrl-C again to stop at once)\n")
        asked.set()
        session.cancel()

    before: Callable[..., Any] | int | None = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, pause)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _exit_code(done: Backfilled) -> int:
    if done.ended == "paused":
        return INTERRUPTED
    if done.ended == "budget":
        return 5
    if done.ended == "no_model":
        return next(code for kind, code in EXIT_CODES if kind is NoModelError)
    failed = any(report["failed_units"] for report in done.reports)
    bad = any(report["status"] in ("failed", "partial") for report in done.reports)
    return int(failed or bad or done.ended == "failing")
