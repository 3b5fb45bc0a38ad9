"""The command line: arguments in, results on stdout, progress on stderr, exit codes out.

Neither Textual nor openai is imported before it is needed, and nothing slow for ``--version``.
"""

from __future__ import annotations

import os
import sys

from vault_dream import __version__

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Sequence

TAKES_VALUE = frozenset(
    {"-V", "--vault", "--date", "--scan-days", "--max-units", "--hint", "--provider", "--model"}
    | {"--base-url", "--edge-style", "--policy", "--log-file", "--theme", "--node", "--to"}
    | {"-n", "--limit", "--at", "--for", "--job", "--from", "--max"}
)
"""Options whose next word is their value, whatever it looks like."""
_ON_OR_OFF = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (the process's own by default); returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    _show_what_can_be_shown()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except OSError as error:  # of standard output, mostly: others are told where they are known
        from vault_dream.commands.answers import failed

        return failed(error, as_json="--json" in arguments)
    return code


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print(f"vault-dream {__version__}")
        return 0
    if instruction := os.environ.get("_VAULT_DREAM_COMPLETE"):
        from vault_dream.commands.completing import complete

        return complete(instruction, command_line)
    if arguments[:1] == ["search"] and (code := _search(arguments[1:])) is not None:
        return code
    from vault_dream.commands.program import run_commands

    return run_commands(command_line(arguments))


def _search(arguments: Sequence[str]) -> int | None:
    """A search without the price of the whole command line; None where that is needed."""
    from vault_dream.engine.errors import VaultDreamError
    from vault_dream.looking import plain_search, search

    given = plain_search(arguments)
    if given is None:
        return None
    try:
        return search(**given, alone=True)
    except (VaultDreamError, KeyboardInterrupt, BrokenPipeError) as error:
        from vault_dream.commands.answers import failed

        return failed(error, as_json=bool(given.get("as_json")))


def command_line(arguments: Sequence[str]) -> list[str]:
    """``arguments`` with the command in front that they mean.

    ``vault-dream [VAULT]`` reviews and ``vault-dream --headless [VAULT]`` runs; a vault that is
    called like a command is given as ``./status``. The seeds' ``key=value`` becomes ``--key
    value``.
    """
    at = _command_at(arguments)
    if at is not None:
        rest = [*arguments[:at], *arguments[at + 1 :]]
        command = arguments[at]
    else:
        rest = list(arguments)
        if rest and rest[0] in ("--help", "-h"):
            return ["--help"]
        command = "run" if "--headless" in rest else "review"
    rest = [argument for argument in rest if argument != "--headless"]
    if command == "run":
        before = ["", *rest]
        rest = [
            part
            for option, argument in zip(before, rest, strict=False)
            for part in ([argument] if option in TAKES_VALUE else _option(argument))
        ]
    return [command, *rest]


def _open_what_is_closed() -> None:
    """What is said to a closed output goes nowhere; else the next file opened would get it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115


def _show_what_can_be_shown() -> None:
    """A word that the terminal's encoding lacks is spelled out instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "")
        if encoding != "utf8" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _command_at(arguments: Sequence[str]) -> int | None:
    """The place of the command: the first argument that is no option and no option's value."""
    from vault_dream.commands import COMMANDS

    skip = False
    for i, argument in enumerate(arguments):
        if skip:
            skip = False
        elif argument in TAKES_VALUE:
            skip = True
        elif not argument.startswith("-"):
            return i if argument in COMMANDS else None
    return None


def _option(argument: str) -> list[str]:
    name, equals, value = argument.partition("=")
    is_setting = equals and not argument.startswith("-") and name.isidentifier()
    if not is_setting or _is_there(argument):
        return [argument]
    option = f"--{name.replace('_', '-')}"
    if option not in TAKES_VALUE and value.lower() in _ON_OR_OFF:
        return [option] if _ON_OR_OFF[value.lower()] else []
    return [option, value]


def _is_there(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, say
        return False
