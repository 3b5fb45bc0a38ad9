"""What a shell completes: the values of options and arguments, looked up as Tab is pressed.

A completer never fails and never waits long: where a vault cannot be found it offers nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from click import Context, Parameter
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from vault_dream.commands import COMMANDS
from vault_dream.engine.errors import VaultDreamError

VARIABLE = "_VAULT_DREAM_COMPLETE"
"""The variable by which the shell's function asks for completions."""
MOST_OFFERED = 500
Completer = Callable[[Context, Parameter, str], list[CompletionItem]]


def choices(*words: str) -> Completer:
    """One of these words."""
    return lambda context, parameter, incomplete: _beginning(words, incomplete)


def folders(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """A folder, completed by the shell itself."""
    return [CompletionItem(incomplete, type="dir")]


def notes(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Paths of notes in the vault."""
    return _beginning(_notes(context, ""), incomplete)


def nodes(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Paths of digest nodes."""
    root = _root(context)
    if root is None:
        return []
    from vault_dream.config import load_settings

    try:
        folder = load_settings(root).digest_dir
    except VaultDreamError:
        folder = "digest"
    return _beginning(_notes(context, folder), incomplete)


def runs(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of past runs, the newest first."""
    root = _root(context)
    if root is None:
        return []
    from vault_dream.config import load_settings

    try:
        folder = root / load_settings(root).state_dir / "runs"
        names = {file.name.partition(".")[0] for file in folder.glob("[0-9]*.json")}
    except (VaultDreamError, OSError):
        return []
    return _beginning(sorted(names, reverse=True), incomplete)


def help_topics(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Pages of the guide, and commands."""
    from vault_dream.places import guide_pages

    try:
        pages = guide_pages()
    except VaultDreamError:
        pages = {}
    return _beginning(dict.fromkeys((*pages, *COMMANDS)), incomplete)


def _beginning(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    wanted = incomplete.casefold()
    found = (word for word in words if word.casefold().startswith(wanted))
    return [CompletionItem(word) for word, _ in zip(found, range(MOST_OFFERED), strict=False)]


def _root(context: Context) -> Path | None:
    """The vault that the words so far mean."""
    from vault_dream.places import current_folder, find_vault

    given = context.params.get("vault") or context.params.get("vault_argument")
    try:
        return find_vault(given, environ=os.environ, here=current_folder())
    except VaultDreamError:
        return None


def _notes(context: Context, below: str) -> Iterator[str]:
    root = _root(context)
    if root is None:
        return
    for here, inner, names in os.walk(root / below):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        folder = Path(here).relative_to(root).as_posix()
        for name in sorted(names):
            if name.endswith(".md") and not name.startswith("."):
                yield name if folder == "." else f"{folder}/{name}"


# The shell's side --------------------------------------------------------------------------------


def complete(instruction: str, meant: Callable[[Sequence[str]], list[str]]) -> int:
    """Answer the shell; ``instruction`` is what it asked (``bash_complete``), and ``meant`` puts
    the command in front that the words mean."""
    from vault_dream.commands.program import program

    shell, _, what = instruction.partition("_")
    known = get_completion_class(shell)
    if known is None or what != "complete":
        return 1

    class Meant(known):  # type: ignore[valid-type, misc]
        def get_completion_args(self) -> tuple[list[str], str]:
            words, incomplete = super().get_completion_args()
            begun = bool(words) or incomplete.startswith(("-", ".", "/", "~"))
            return (meant(words) if begun else words), incomplete

    import click

    answer: ShellComplete = Meant(program, {}, "vault-dream", VARIABLE)
    click.echo(answer.complete())
    return 0


def script(shell: str) -> str:
    """What the shell has to be given once, so that it asks."""
    from vault_dream.commands.program import program

    known = get_completion_class(shell)
    assert known is not None
    made = known(program, {}, "vault-dream", VARIABLE)
    return made.source_template % made.source_vars()
