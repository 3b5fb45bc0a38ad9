"""``schedule``: the nightly run in the hands of the system's scheduler."""

from __future__ import annotations

import os
import socket
import sys
from datetime import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.completing import choices
from vault_dream.commands.options import vault_options, vault_root
from vault_dream.config import Settings, load_settings
from vault_dream.engine.errors import SettingsError
from vault_dream.places import current_folder
from vault_dream.scheduling.machine import Done, Machine
from vault_dream.scheduling.plan import DEFAULT_AT, Plan, parse_time, plan_for, temporary
from vault_dream.summary import printable

SYSTEMS = ("systemd", "launchd", "windows", "cron")


def _time(context: click.Context, parameter: click.Parameter, value: str | None) -> time:
    if value is None:
        return DEFAULT_AT
    try:
        return parse_time(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@vault_options
@click.option("--at", callback=_time, metavar="HH:MM", help="The time of the run (03:30).")
@click.option(
    "--for",
    "system",
    metavar="SYSTEM",
    help="systemd, launchd, windows or cron.",
    shell_complete=choices(*SYSTEMS),
)
@click.option("--install", is_flag=True, help="Install the entry instead of printing it.")
@click.option("--remove", is_flag=True, help="Remove the entry.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    at: time,
    system: str | None,
    install: bool,
    remove: bool,
) -> int:
    """Print, install or remove the nightly run's entry in this system's scheduler.

    A model's key is never written; the entry says where you can keep it.
    """
    if install and remove:
        raise SettingsError(
            "--install", "it cannot be combined with --remove", "give one of the two"
        )
    root, settings = _vault(vault, vault_argument, remove)
    machine = Machine()
    name = system or usual_system(machine)
    if name not in SYSTEMS:
        raise SettingsError(
            "--for", f"there is no scheduler {name!r}", "choose one of " + ", ".join(SYSTEMS)
        )
    way = import_module(f"vault_dream.scheduling.{name}")
    plan = plan_for(root, settings, at, environ=os.environ)
    done: Done | None = None
    if install or remove:
        done = (way.install if install else way.remove)(plan, machine)
    document = _document(name, way, plan, settings, machine, done, remove)
    if as_json:
        print_json(document)
    else:
        _show(document)
    return 1 if document["problems"] else 0


def _vault(vault: str | None, argument: str | None, remove: bool) -> tuple[Path, Settings]:
    """The vault and its settings. To take an entry away, neither has to be there any more."""
    given = vault or argument
    if remove and given and not Path(given).expanduser().exists():
        return current_folder() / Path(given).expanduser(), Settings()
    root = vault_root(vault, argument)
    try:
        return root, load_settings(root)
    except SettingsError:
        if not remove:
            raise
        return root, Settings()


def usual_system(machine: Machine) -> str:
    """The scheduler that this machine has."""
    if sys.platform == "darwin":
        return "launchd"
    if sys.platform == "win32":
        return "windows"
    booted = Path("/run/systemd/system").is_dir()
    return "systemd" if booted or not machine.has("crontab") else "cron"


def _document(
    name: str,
    way: ModuleType,
    plan: Plan,
    settings: Settings,
    machine: Machine,
    done: Done | None,
    remove: bool,
) -> dict[str, Any]:
    action = "printed" if done is None else "removed" if remove else "installed"
    done = done or Done()
    return {
        "version": 1,
        "for": name,
        "name": plan.name,
        "vault": str(plan.vault),
        "at": f"{plan.at:%H:%M}",
        "timezone": plan.zone if name == "systemd" and plan.zone else "local",
        "command": list(plan.command),
        "action": action,
        "entries": [{"where": e.where, "text": e.text} for e in way.entries(plan, machine)],
        "done": done.steps,
        "problems": [problem.as_json() for problem in done.problems],
        "hints": [] if remove else [*way.hints(plan), *_hints(name, plan, settings)],
    }


def _hints(name: str, plan: Plan, settings: Settings) -> list[str]:
    """What the owner should know before the first night."""
    hints = []
    if temporary(plan.program[0]):
        hints.append(f"{plan.program[0]} may be gone tomorrow: install the program first")
    if plan.zone and name != "systemd":
        hints.append(
            f"it starts by this machine's clock; days are counted in {plan.zone}, as the vault says"
        )
    if settings.provider == "openai":
        if not settings.model:
            hints.append(
                "no model is configured: set model, or provider: offline, before the first night"
            )
        key = settings.api_key_env
        hints.append(
            f"the key is never written: set it for your user with: setx {key} ..."
            if name == "windows"
            else f"the key is never written: put {key}=... into {plan.env_file}, readable by you "
            f"alone (chmod 600); a local model needs none"
        )
        if name == "launchd":
            hints.append(f"or, until you log out: launchctl setenv {key} ...")
    if settings.runs_on and socket.gethostname() not in settings.runs_on:
        hints.append(f"runs_on names {', '.join(settings.runs_on)}: a run here would be refused")
    return hints


def _show(document: dict[str, Any]) -> None:
    """The entry itself, or what was done, on stdout; the words about it on stderr."""
    entries = document["entries"]
    if document["action"] == "printed":
        for entry in entries:
            click.echo(printable(f"# {entry['where']}"), err=len(entries) == 1)
            click.echo(printable(entry["text"].rstrip("\n") + "\n"))
        click.echo("Nothing was changed; --install installs it.", err=True)
    elif document["done"] or document["problems"]:
        for step in document["done"]:
            click.echo(printable(f"  {step}"))
        if document["action"] == "installed" and not document["problems"]:
            at = f"every night at {document['at']}"
            click.echo(printable(f"{document['vault']} will be read {at}."))
    else:
        click.echo("Nothing was scheduled.")
    for problem in document["problems"]:
        click.echo(printable(f"  not done: {problem['where']}: {problem['what']}"), err=True)
        click.echo(printable(f"    Next: {problem['next']}"), err=True)
    for hint in document["hints"]:
        click.echo(printable(f"  {hint}"), err=True)
