"""The commands behind the command line. Each opens a session, asks it, and shows the answer."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vault_dream import __version__
from vault_dream.config import Settings, load_settings
from vault_dream.engine.errors import (
    BudgetError,
    BusyError,
    FilesystemError,
    NoModelError,
    PathError,
    SettingsError,
    VaultDreamError,
)
from vault_dream.engine.vault.paths import normalise
from vault_dream.places import current_folder, find_vault, index_file, shipped
from vault_dream.summary import printable

if TYPE_CHECKING:
    from vault_dream.engine.events import Event
    from vault_dream.engine.session import ReviewSession
    from vault_dream.progress import Progress

EXIT_USAGE = 2
EXIT_CODES: tuple[tuple[type[VaultDreamError], int], ...] = (
    (SettingsError, EXIT_USAGE),
    (PathError, EXIT_USAGE),
    (BusyError, 3),
    (NoModelError, 4),
    (BudgetError, 5),
    (FilesystemError, 6),
)
INTERRUPTED = 130

STORY_DAY = date(2026, 11, 30)
"""The day on which the sample vault's story stands."""


def run_commands(arguments: list[str]) -> int:
    """Run one command; every error becomes its exit code and a word on what to do next."""
    as_json = "--json" in arguments
    try:
        result = program.main(arguments, "vault-dream", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        return _failed(_usage(error), as_json)
    except click.Abort:
        return failed(KeyboardInterrupt(), as_json)
    except (VaultDreamError, KeyboardInterrupt, BrokenPipeError) as error:
        return failed(error, as_json)


def failed(error: VaultDreamError | KeyboardInterrupt | BrokenPipeError, as_json: bool) -> int:
    """The exit code of a command that ended so, after a word about it."""
    if isinstance(error, KeyboardInterrupt):
        click.echo("vault-dream: interrupted; the vault is whole", err=True)
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        # The reader of our output went away; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return _failed(error, as_json)


def _usage(error: click.UsageError) -> SettingsError:
    command = f" {error.ctx.info_name}" if error.ctx and error.ctx.info_name else ""
    where = "command line"
    if isinstance(error, click.BadParameter) and error.param is not None:
        where = error.param.opts[0]
    message = error.format_message().rstrip(".")
    return SettingsError(where, message, f"see: vault-dream{command} --help")


def _failed(error: VaultDreamError, as_json: bool) -> int:
    code = next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)
    report = getattr(error, "report", None)  # of a run that had begun
    if as_json:
        failed = {"version": 1, "status": "failed", "errors": [error.problem.as_json()]}
        _print_json(report or failed)
    elif report:
        from vault_dream.summary import summary

        click.echo(summary(report))
    lines = f"vault-dream: {error.where}: {error.what}"
    if error.next:
        lines += f"\n  Next: {error.next}"
    click.echo(printable(lines), err=True)
    return code


def _print_json(value: Mapping[str, Any]) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # JSON has its own way to spell what an encoding lacks
        text = json.dumps(value, indent=2, sort_keys=True)
    click.echo(text)


def _day(context: click.Context, parameter: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a day; write it as 2026-11-30") from None


class _Program(click.Group):
    """The group whose help reads as a person uses it."""

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("vault-dream", "[COMMAND] [VAULT] [OPTIONS]")


@click.group(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="vault-dream", message="%(prog)s %(version)s")
def program() -> None:
    """Keep the good parts of your Obsidian daily notes as a linked digest.

    \b
    vault-dream [VAULT]             review what waits
    vault-dream --headless [VAULT]  one unattended run
    vault-dream --demo --headless   the same on a fresh copy of the sample vault, offline
    """


def _vault_options(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.argument("vault_argument", metavar="[VAULT]", required=False)(command)
    command = click.option("-V", "--vault", metavar="PATH", help="The vault's folder.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option(
            "--date", "day", callback=_day, metavar="YYYY-MM-DD", help="The day to end at."
        ),
        click.option("--scan-days", type=int, metavar="N", help="Days to read (2)."),
        click.option("--max-units", type=int, metavar="N", help="Units to keep at most (5)."),
        click.option("--hint", default="", metavar="TEXT", help="Guidance for this run."),
        click.option("--provider", metavar="NAME", help="openai or offline."),
        click.option("--model", metavar="NAME", help="The model to ask."),
        click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint."),
        click.option("--edge-style", metavar="STYLE", help="sentence, inline or field."),
        click.option("--policy", metavar="POLICY", help="apply, safe or queue (safe)."),
        click.option("--dry-run", is_flag=True, help="Propose and show; write nothing."),
        click.option("-v", "--verbose", is_flag=True, help="Say more on stderr."),
        click.option("-q", "--quiet", is_flag=True, help="Say nothing on stderr."),
        click.option("--log-file", metavar="FILE", help="Append what is said to a file."),
        click.option("--demo", is_flag=True, help="Use a fresh copy of the sample vault."),
    )
    for option in reversed(options):
        command = option(command)
    return command


SETTING_FLAGS = (
    "scan_days",
    "max_units",
    "provider",
    "model",
    "base_url",
    "edge_style",
    "policy",
)


@program.command()
@_vault_options
@_run_options
def run(
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
    **flags: Any,
) -> int:
    """One unattended run: read the changed days, propose, commit what the policy lets through."""
    from vault_dream.engine.dream.report import exit_code
    from vault_dream.engine.session import ReviewSession
    from vault_dream.headless import dream
    from vault_dream.progress import Progress
    from vault_dream.readers import make_reader
    from vault_dream.summary import summary

    given = {name: value for name, value in flags.items() if value is not None}
    clock: Callable[[], datetime] | None = None
    if demo:
        root = _demo_vault()
        given.setdefault("provider", "offline")
        day = day or STORY_DAY
        clock = _story_clock
    else:
        root = _root(vault, vault_argument)
    settings = load_settings(root, flags=given)
    if _elsewhere(settings) and not dry_run:
        raise SettingsError(
            settings.origins.get("runs_on", "runs_on"),
            "this machine is not among those that may run headless",
            "run it on one of " + ", ".join(settings.runs_on),
        )
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
        _print_json(document)
    else:
        click.echo(summary(finished.report, finished.diffs if dry_run else None))
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


def _story_clock() -> datetime:
    """The evening of the sample vault's last day, on this machine's clock."""
    return datetime.combine(STORY_DAY, datetime.min.time().replace(hour=21)).astimezone()


def _elsewhere(settings: Settings) -> bool:
    import socket

    return bool(settings.runs_on) and socket.gethostname() not in settings.runs_on


def _demo_vault() -> Path:
    """A fresh copy of the sample vault, with its own machine state beside it."""
    folder = Path(tempfile.mkdtemp(prefix="vault-dream-demo-"))
    os.environ["VAULT_DREAM_STATE_HOME"] = str(folder / "state")
    os.environ["VAULT_DREAM_CACHE_HOME"] = str(folder / "cache")
    root = folder / "sample_vault"
    shutil.copytree(shipped("sample_vault"), root)
    return root


def _root(vault: str | None, argument: str | None) -> Path:
    if vault and argument:
        raise SettingsError("command line", "the vault is given twice", "give it once")
    return find_vault(vault or argument, environ=os.environ, here=current_folder())


@program.command()
@_vault_options
def status(vault: str | None, vault_argument: str | None, as_json: bool) -> int:
    """What waits: changed days, queued proposals, the last run, older unread days."""
    from vault_dream.engine.status import vault_status
    from vault_dream.summary import status_text

    root = _root(vault, vault_argument)
    found = vault_status(root, load_settings(root))
    if as_json:
        _print_json(found)
    else:
        click.echo(status_text(found))
    return 0


@program.command()
@_vault_options
@click.option("--no-model", is_flag=True, help="Ask no model.")
def doctor(vault: str | None, vault_argument: str | None, as_json: bool, no_model: bool) -> int:
    """Check settings, vault, digest, index, state and the model's endpoint.

    A model is asked three short questions and one long one; none holds a note. The exit code is 0
    where all is well, 1 where something is to be mended, 4 where the model cannot be used.
    """
    from vault_dream.checkup import doctor as look_over

    return look_over(_root(vault, vault_argument), as_json=as_json, ask_model=not no_model)


def _named_vault(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option("-V", "--vault", metavar="PATH", help="The vault's folder.")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def _quiet_session(root: Path) -> ReviewSession:
    """A session that reads no notes with a reader."""
    from vault_dream.engine.session import ReviewSession

    return ReviewSession(root, load_settings(root), index_file=index_file(root))


@program.command()
@_named_vault
@click.argument("run_id", metavar="[RUN]", required=False)
def log(vault: str | None, as_json: bool, run_id: str | None) -> int:
    """Past runs, the newest first; with RUN, what it changed, as diffs."""
    from vault_dream.summary import changes_text, runs_text

    root = _root(vault, None)
    with _quiet_session(root) as session:
        if run_id is None:
            runs = [r for name in session.state.run_ids() if (r := session.state.report(name))]
            document: dict[str, Any] = {"version": 1, "runs": list(reversed(runs))}
            text = runs_text(document["runs"])
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
        _print_json(document)
    else:
        click.echo(text)
    return 0


@program.command()
@_named_vault
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option("--node", "nodes", multiple=True, metavar="PATH", help="Only this node.")
@click.option("--merge", is_flag=True, help="Merge where a note changed since, if that is clean.")
@click.option("--again", is_flag=True, help="Read the days again, instead of counting a refusal.")
def undo(
    vault: str | None,
    as_json: bool,
    run_id: str | None,
    nodes: tuple[str, ...],
    merge: bool,
    again: bool,
) -> int:
    """Put back what a run changed (default: the last); a created node moves to .trash/."""
    from vault_dream.summary import undone_text

    root = _root(vault, None)
    with _quiet_session(root) as session:
        undone = session.undo(run_id, nodes or None, merge=merge, again=again)
    document = {
        "version": 1,
        "run_id": undone.run_id,
        "files": [
            {"path": f.path, "outcome": f.outcome, "note": f.note, "trash": f.trash}
            for f in undone.files
        ],
    }
    if as_json:
        _print_json(document)
    else:
        click.echo(undone_text(document))
    done = all(file.done or file.outcome == "undone before" for file in undone.files)
    return 0 if done else 1


@program.command()
@_named_vault
@click.argument("path")
def forget(vault: str | None, as_json: bool, path: str) -> int:
    """Take a note's text out of journals, undo records, proposals, reports and the index."""
    root = _root(vault, None)
    with _quiet_session(root) as session:
        held = session.forget(normalise(path))
    if as_json:
        _print_json({"version": 1, "path": path, "files": list(held)})
    else:
        for name in held:
            click.echo(printable(f"  forgotten in {name}"))
        click.echo(printable(f"{path}: " + ("done" if held else "none of its text was kept")))
    return 0


@program.command()
@_named_vault
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1_000), default=20, metavar="N", help="Hits (20)."
)
@click.option("--nodes", is_flag=True, help="Digest nodes only, as a dream looks for them.")
@click.option("--links", is_flag=True, help="With each hit what it links to and what links to it.")
def search(
    vault: str | None, as_json: bool, query: tuple[str, ...], limit: int, nodes: bool, links: bool
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

    return looking.search(
        " ".join(query), vault=vault, limit=limit, as_json=as_json, nodes=nodes, links=links
    )


@program.command()
@_named_vault
@click.argument("path", metavar="[PATH]", required=False)
@click.option("--to", metavar="PATH", help="Show the shortest way to this note.")
def links(vault: str | None, as_json: bool, path: str | None, to: str | None) -> int:
    """Edges into and out of a note; without PATH what leads nowhere, and orphan nodes."""
    from vault_dream import looking

    if to is not None and path is None:
        raise SettingsError("--to", "it needs a note to start from", "give PATH too")
    return looking.links(path, vault=vault, to=to, as_json=as_json)


@program.command("help")
@click.argument("topic", required=False)
def show_help(topic: str | None) -> int:
    """Read the guide, or the page of it called TOPIC."""
    pages = {page.stem: page for page in sorted((shipped("assets") / "guide").glob("*.md"))}
    if topic is None:
        click.echo(program.get_help(click.Context(program, info_name="vault-dream")))
        click.echo("\nThe guide:  " + "  ".join(f"vault-dream help {name}" for name in pages))
        return 0
    if topic not in pages:
        raise SettingsError("help", f"there is no page {topic!r}", "pages: " + ", ".join(pages))
    click.echo(pages[topic].read_text(encoding="utf-8"), nl=False)
    return 0


@program.command()
@_vault_options
@_run_options
@click.option("--plain", is_flag=True, help="The same review, line by line.")
@click.option("--theme", metavar="NAME", help="dark, light, ansi, high-contrast, colour-blind.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
def review(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    day: date | None,
    dry_run: bool,
    hint: str,
    demo: bool,
    plain: bool,
    theme: str | None,
    no_mouse: bool,
    **flags: Any,
) -> int:
    """Open the review session: what waits, each change with its evidence."""
    for given, name in ((as_json, "--json"), (dry_run, "--dry-run"), (hint, "--hint")):
        if given:
            raise SettingsError(name, "the review does not take it", "use it with --headless")
    given_settings = {
        name: value for name, value in flags.items() if name in SETTING_FLAGS and value is not None
    }
    clock: Callable[[], datetime] | None = None
    if demo:
        root = _demo_vault()
        given_settings.setdefault("provider", "offline")
        day = day or STORY_DAY
        clock = _story_clock
    else:
        root = _root(vault, vault_argument)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from vault_dream.ui.plainly import review_plainly

        return review_plainly(root, flags=given_settings, clock=clock, day=day)
    from vault_dream.ui.app import VaultDreamApp

    app = VaultDreamApp(root, flags=given_settings, clock=clock, day=day, theme=theme)
    app.run(mouse=not no_mouse)
    if demo:
        click.echo(f"The demo's vault, to open in Obsidian: {root}")
    return app.return_code or 0
