"""Options that several commands share, and the vault that they mean."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vault_dream.commands import COMMANDS
from vault_dream.commands.completing import choices, folders
from vault_dream.config import load_settings
from vault_dream.engine.errors import FilesystemError, SettingsError
from vault_dream.places import current_folder, find_vault, index_file

if TYPE_CHECKING:
    from vault_dream.engine.session import ReviewSession


class WholeNumber(click.types.IntParamType):
    """A whole number, refused in the words that a setting of that kind is refused in."""

    name = "whole number"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self._allowed = range(-(10**9) if low is None else low, 1 + (high or 10**9))
        from_ = "" if low is None else f" from {low}"
        self._bounds = f"{from_} to {high}" if high else from_ and f"{from_} on"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        with suppress(ValueError):
            if (number := int(value)) in self._allowed:
                return number
        self.fail(f"must be a whole number{self._bounds}, not {value}", param, ctx)


def day_option(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> date | None:
    if value is None:
        return None
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date; write it as 2026-11-30") from None


def _vault_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "-V", "--vault", metavar="PATH", help="The vault's folder.", shell_complete=folders
    )(command)


def vault_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The vault as an option or as the argument, and ``--json``."""
    command = click.argument(
        "vault_argument", metavar="[VAULT]", required=False, shell_complete=folders
    )(command)
    command = _vault_option(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def reader_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Who reads, by which model, and where it is."""
    command = click.option(
        "--base-url", metavar="URL", help="Address of an OpenAI-compatible endpoint."
    )(command)
    command = click.option("--model", metavar="NAME", help="The model's name.")(command)
    return click.option(
        "--provider",
        metavar="NAME",
        help="Who reads: openai or offline.",
        shell_complete=choices("openai", "offline"),
    )(command)


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a run, in both modes."""
    options = (
        click.option(
            "--date",
            "day",
            callback=day_option,
            metavar="YYYY-MM-DD",
            help="The last day to read (today).",
        ),
        click.option("--scan-days", type=WholeNumber(), metavar="N", help="Days to read (2)."),
        click.option(
            "--max-units", type=WholeNumber(), metavar="N", help="The most units to keep (5)."
        ),
        click.option("--hint", default="", metavar="TEXT", help="Guidance for this run."),
        reader_options,
        click.option(
            "--edge-style",
            metavar="STYLE",
            help="sentence, inline or field.",
            shell_complete=choices("sentence", "inline", "field"),
        ),
        click.option(
            "--policy",
            metavar="POLICY",
            help="apply, safe or queue (safe).",
            shell_complete=choices("apply", "safe", "queue"),
        ),
        click.option("--dry-run", is_flag=True, help="Propose and show; write nothing."),
        click.option("-v", "--verbose", is_flag=True, help="Print more on stderr."),
        click.option("-q", "--quiet", is_flag=True, help="Print no progress on stderr."),
        click.option("--log-file", metavar="FILE", help="Append the progress messages to a file."),
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


def named_vault(command: Callable[..., Any]) -> Callable[..., Any]:
    """The vault as an option only, where the argument is something else, and ``--json``."""
    command = _vault_option(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def quiet_session(root: Path) -> ReviewSession:
    """A session that reads no notes with a reader."""
    from vault_dream.engine.session import ReviewSession

    return ReviewSession(root, load_settings(root), index_file=index_file(root))


def vault_root(vault: str | None, argument: str | None) -> Path:
    """The vault that was named, or the one that is meant where none was."""
    if vault and argument:
        raise SettingsError(
            "command line", "the vault is given twice", "give it once, as VAULT or as --vault"
        )
    try:
        return find_vault(vault or argument, environ=os.environ, here=current_folder())
    except FilesystemError as error:
        if argument and argument.isalpha() and not vault:
            raise FilesystemError(error.where, error.what, command_or_vault(argument)) from None
        raise


def command_or_vault(word: str) -> str:
    """What to do about a word that is neither a command nor a vault."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), COMMANDS, 1)
    if near:
        return f"check the path of the vault, or did you mean `vault-dream {near[0]}`?"
    return "check the path of the vault; `vault-dream --help` lists the commands"


def check_run(session: ReviewSession, run_id: str | None) -> None:
    """SettingsError for a run that was named and never was."""
    if run_id is not None and run_id not in {*session.state.run_ids(), *session.journal.runs()}:
        raise SettingsError(run_id, "there is no such run", "`vault-dream log` lists the runs")
