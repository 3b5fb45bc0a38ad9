"""The group of all commands: it finds the one that is called, and turns errors into exit codes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from vault_dream import __version__
from vault_dream.commands import COMMANDS
from vault_dream.commands.answers import failed, report_error
from vault_dream.commands.options import command_or_vault
from vault_dream.engine.errors import FilesystemError, SettingsError, VaultDreamError


def run_commands(arguments: list[str]) -> int:
    """Run one command; every error becomes its exit code and a word on what to do next."""
    as_json = "--json" in arguments
    try:
        result = program.main(arguments, "vault-dream", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        return report_error(_not_a_command(arguments) or _usage(error), as_json)
    except click.Abort:
        return failed(KeyboardInterrupt(), as_json)
    except (VaultDreamError, KeyboardInterrupt, BrokenPipeError) as error:
        return failed(error, as_json)


def _not_a_command(arguments: list[str]) -> FilesystemError | None:
    """What a mistyped command is, with words of its own behind it: taken for the vault, and no
    folder. ``None`` where the line began with something else."""
    words = [argument for argument in arguments if not argument.startswith("-")]
    if words[:1] != ["review"] or len(words) < 3 or Path(words[1]).exists():
        return None
    return FilesystemError(
        words[1], "is neither a command nor a folder", command_or_vault(words[1])
    )


def _usage(error: click.UsageError) -> SettingsError:
    command = f" {error.ctx.info_name}" if error.ctx and error.ctx.info_name else ""
    where, message = "command line", error.format_message()
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        where = error.param.opts[-1]
        message = error.message or message
    message = message.rstrip(".")
    return SettingsError(where, message, f"see `vault-dream{command} --help`")


class _Program(click.Group):
    """The group whose help reads as a person uses it."""

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("vault-dream", "[COMMAND] [VAULT] [OPTIONS]")

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, each with the whole of its first sentence."""
        found = [(name, self.get_command(context, name)) for name in COMMANDS]
        rows = [(name, one.get_short_help_str(200)) for name, one in found if one is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, without loading them, and options; where none begins so, a vault."""
        if incomplete.startswith("-"):
            return super().shell_complete(context, incomplete)
        found = [CompletionItem(name) for name in COMMANDS if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="dir")]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        loaded: click.Command = import_module(f"vault_dream.commands.{name}").command
        return loaded


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
