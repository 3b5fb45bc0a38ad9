"""The group of all commands: it finds the one that is called, and turns errors into exit codes."""

from __future__ import annotations

from importlib import import_module

import click
from click.shell_completion import CompletionItem

from vault_dream import __version__
from vault_dream.commands import COMMANDS
from vault_dream.commands.answers import failed, report_error
from vault_dream.engine.errors import SettingsError, VaultDreamError


def run_commands(arguments: list[str]) -> int:
    """Run one command; every error becomes its exit code and a word on what to do next."""
    as_json = "--json" in arguments
    try:
        result = program.main(arguments, "vault-dream", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        return report_error(_usage(error), as_json)
    except click.Abort:
        return failed(KeyboardInterrupt(), as_json)
    except (VaultDreamError, KeyboardInterrupt, BrokenPipeError) as error:
        return failed(error, as_json)


def _usage(error: click.UsageError) -> SettingsError:
    command = f" {error.ctx.info_name}" if error.ctx and error.ctx.info_name else ""
    where, message = "command line", error.format_message()
    if isinstance(error, click.BadParameter) and error.param is not None:
        where = error.param.opts[0]
        message = error.message or message
    message = message.rstrip(".")
    return SettingsError(where, message, f"see: vault-dream{command} --help")


class _Program(click.Group):
    """The group whose help reads as a person uses it."""

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("vault-dream", "[COMMAND] [VAULT] [OPTIONS]")

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
