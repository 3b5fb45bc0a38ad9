"""A systemd timer of the user's own, and the service that it starts.

Quoting follows systemd.service(5) and systemd.syntax(7): double quotes with C escapes, ``%``
doubled because it starts a specifier, and ``$`` doubled in arguments because it starts a variable.
A path never ends a line of the templates: a backslash there would join it with the next.
"""

from __future__ import annotations

import re
from pathlib import Path

from vault_dream.engine.errors import Problem
from vault_dream.places import shipped
from vault_dream.scheduling.machine import Done, Entry, Machine
from vault_dream.scheduling.plan import Plan

TOOL = "systemctl"


def entries(plan: Plan, machine: Machine) -> tuple[Entry, ...]:
    """The service and the timer."""
    folder = _folder(machine)
    environment = [f"Environment={quoted(f'{k}={v}')}" for k, v in plan.folders.items()]
    program, *arguments = _startable(plan.command)
    zone = f" {plan.zone}" if plan.zone else ""
    values = {
        "VAULT": unspecified(str(plan.vault)),
        "COMMAND": " ".join([quoted(program), *(quoted(a).replace("$", "$$") for a in arguments)]),
        "ENV_FILE": unspecified(str(plan.env_file)),
        "ENVIRONMENT": "\n".join(environment),
        "AT": f"{plan.at:%H:%M}{zone}",
        "CALENDAR": f"*-*-* {plan.at:%H:%M}:00{zone}",
    }
    return tuple(
        Entry(str(folder / f"{plan.name}.{kind}"), _filled(kind, values))
        for kind in ("service", "timer")
    )


def _startable(command: tuple[str, ...]) -> tuple[str, ...]:
    """``command`` with a name of a program in front that systemd takes: it refuses one with quotes
    or backslashes, however they are written."""
    if set(command[0]) & set("\"'\\$"):
        return ("/bin/sh", "-c", 'exec "$@"', "vault-dream", *command)
    return command


def unspecified(text: str) -> str:
    """``text`` with no specifier in it, as a whole value."""
    return text.replace("%", "%%")


def quoted(word: str) -> str:
    """``word`` as one word of a command line or an assignment."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{unspecified(escaped)}"'


def install(plan: Plan, machine: Machine) -> Done:
    """Write the units, and start the timer where there is a systemd to ask."""
    done = Done()
    for entry in entries(plan, machine):
        machine.write(Path(entry.where), entry.text.encode(), done)
    for arguments, words in (
        (("daemon-reload",), ""),
        (("enable", "--now", f"{plan.name}.timer"), f"started {plan.name}.timer"),
    ):
        said = machine.call(TOOL, "--user", *arguments)
        if said.code != 0:
            how = (
                f"systemctl --user daemon-reload && systemctl --user enable --now {plan.name}.timer"
            )
            done.problems.append(
                Problem(TOOL, said.err or f"ended with {said.code}", f"run: {how}")
            )
            break
        if words:
            done.steps.append(words)
    return done


def remove(plan: Plan, machine: Machine) -> Done:
    """Stop the timer and take both units away; nothing where there are none."""
    done = Done()
    files = [Path(entry.where) for entry in entries(plan, machine)]
    if not any(file.exists() for file in files):
        return done
    said = machine.call(TOOL, "--user", "disable", "--now", f"{plan.name}.timer")
    if said.code == 0:
        done.steps.append(f"stopped {plan.name}.timer")
    for file in files:
        machine.remove(file, done)
    if said.code != 0:
        # What `enable` made would start nothing now, but it should not lie about.
        machine.remove(files[1].parent / "timers.target.wants" / files[1].name, done)
        done.problems.append(
            Problem(
                TOOL, said.err or f"ended with {said.code}", "run: systemctl --user daemon-reload"
            )
        )
    else:
        machine.call(TOOL, "--user", "daemon-reload")
    return done


def hints(plan: Plan) -> tuple[str, ...]:
    return (
        f"what it says is kept by the journal: journalctl --user -u {plan.name}.service",
        "it runs while you are logged in; to run without: loginctl enable-linger",
    )


def _folder(machine: Machine) -> Path:
    base = machine.environ.get("XDG_CONFIG_HOME", "").strip()
    # XDG: a relative folder counts as none.
    config = Path(base) if base.startswith("/") else machine.home / ".config"
    return config / "systemd/user"


def _filled(kind: str, values: dict[str, str]) -> str:
    template = (shipped("assets") / "schedule" / f"vault-dream.{kind}").read_text("utf-8")
    text = re.sub(r"@([A-Z_]+)@", lambda match: values[match[1]], template)
    return re.sub(r"\n(?=\n(?!\[))", "", text)
