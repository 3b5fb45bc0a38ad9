"""``help``: the guide."""

from __future__ import annotations

import json
import shutil
from itertools import groupby
from typing import Any

import click

from vault_dream.commands import COMMANDS
from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import help_topics
from vault_dream.engine.errors import SettingsError
from vault_dream.places import guide_pages, shipped
from vault_dream.terminal import Terminal

CLOSE = 70
"""How alike a word and a topic's name have to be, of 100, for the topic to be meant."""


@click.command("help")
@click.argument("topic", required=False, shell_complete=help_topics)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the command's --json.")
def command(topic: str | None, as_json: bool, schema: bool) -> int:
    """Show a page of the guide, or the help of a command.

    The first letters of a topic are enough, and small misspellings do not matter.
    """
    if schema:
        print_json(_schema(topic or ""))
        return 0
    pages = guide_pages()
    if topic is None:
        _contents(pages, as_json)
        return 0
    name = meant(topic, (*pages, *COMMANDS))
    if name != topic:
        click.echo(f"{topic}: showing {name}", err=True)
    text = pages[name] if name in pages else _command_help(name)
    if as_json:
        title = _title(text) if name in pages else f"vault-dream {name}"
        print_json({"version": 1, "topic": name, "title": title, "text": text})
    elif name in pages and (terminal := Terminal.of("")).colour:
        click.echo(_drawn(text, terminal))
    else:
        click.echo(text, nl=not text.endswith("\n"))
    return 0


def _drawn(text: str, terminal: Terminal) -> str:
    """A page laid out for a terminal; a pipe, a file and a terminal without styles get Markdown."""
    from vault_dream.ui.guide_text import guide_rows

    lines = []
    for row in guide_rows(text, shutil.get_terminal_size().columns - 1):
        runs = groupby(row.pieces, key=lambda piece: piece[1])
        words = [terminal.styled("".join(w for w, _ in run), style) for style, run in runs]
        lines.append("".join(words).rstrip())
    return "\n".join(lines)


def meant(topic: str, names: tuple[str, ...]) -> str:
    """The one of ``names`` that ``topic`` spells, begins or nearly spells.

    Raises :class:`SettingsError`, with the names, where it is none of them or may be several.
    """
    word = topic.strip().casefold().removesuffix(".md")
    if word in names:
        return word
    begun = sorted({name for name in names if word and name.startswith(word)})
    if len(begun) == 1:
        return begun[0]
    if not begun:
        from rapidfuzz import fuzz, process

        begun = [hit[0] for hit in process.extract(word, names, scorer=fuzz.ratio, limit=3)
                 if hit[1] >= CLOSE]  # fmt: skip
        if begun:
            return begun[0]
    listed = ", ".join(begun or dict.fromkeys(names))
    what = f"{topic!r} fits several topics" if begun else f"there is no topic {topic!r}"
    raise SettingsError("help", what, f"topics: {listed}")


def _contents(pages: dict[str, str], as_json: bool) -> None:
    from vault_dream.commands.program import program

    context = _outer()
    if not as_json:
        click.echo(program.get_help(context))
        click.echo("\nThe guide: vault-dream help TOPIC\n")
        width = max(map(len, pages))
        for name, text in pages.items():
            click.echo(f"  {name:<{width}}  {_title(text)}")
        return
    commands: list[dict[str, Any]] = []
    for name in COMMANDS:
        found = program.get_command(context, name)
        commands.append({"name": name, "summary": found.get_short_help_str(200) if found else ""})
    topics = [{"name": name, "title": _title(text)} for name, text in pages.items()]
    print_json({"version": 1, "commands": commands, "topics": topics})


def _command_help(name: str) -> str:
    from vault_dream.commands.program import program

    outer = _outer()
    found = program.get_command(outer, name)
    assert found is not None
    return found.get_help(click.Context(found, parent=outer, info_name=name)) + "\n"


def _outer() -> click.Context:
    from vault_dream.commands.program import program

    return click.Context(program, info_name="vault-dream", **program.context_settings)


def _schema(name: str) -> dict[str, Any]:
    """The schema called ``name`` with the shared parts in it, so that it stands alone."""
    folder = shipped("assets") / "schemas"
    names = {file.stem for file in folder.glob("*.json")} - {"parts"}
    if name not in names:
        words = f"there is no schema {name!r}" if name else "a command is missing"
        raise SettingsError("--schema", words, "choose one of " + ", ".join(sorted(names)))
    text = (folder / f"{name}.json").read_text(encoding="utf-8")
    whole: dict[str, Any] = json.loads(text.replace('"parts.json#/', '"#/'))
    parts = (folder / "parts.json").read_text(encoding="utf-8")
    whole["$defs"] = {
        **json.loads(parts.replace('"parts.json#/', '"#/'))["$defs"],
        **whole.get("$defs", {}),
    }
    return whole


def _title(text: str) -> str:
    return text.partition("\n")[0].lstrip("# ").strip()
