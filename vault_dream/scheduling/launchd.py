"""A launchd agent of the user's own (launchd.plist(5)). It makes up for a night slept through."""

from __future__ import annotations

import os
import plistlib
from pathlib import Path

from vault_dream.engine.errors import Problem
from vault_dream.scheduling.machine import Done, Entry, Machine
from vault_dream.scheduling.plan import Plan
from vault_dream.scheduling.shell import shell_command

TOOL = "launchctl"


def entries(plan: Plan, machine: Machine) -> tuple[Entry, ...]:
    """The agent's property list."""
    value = {
        "Label": plan.name,
        "ProgramArguments": list(shell_command(plan)),
        "StartCalendarInterval": {"Hour": plan.at.hour, "Minute": plan.at.minute},
        "ProcessType": "Background",
        "LowPriorityIO": True,
    }
    file = machine.home / "Library/LaunchAgents" / f"{plan.name}.plist"
    return (Entry(str(file), plistlib.dumps(value, sort_keys=False).decode()),)


def install(plan: Plan, machine: Machine) -> Done:
    """Write the agent and hand it to launchd, in place of an earlier one."""
    done = Done()
    (entry,) = entries(plan, machine)
    machine.write(Path(entry.where), entry.text.encode(), done)
    machine.call(TOOL, "bootout", _service(plan))
    said = machine.call(TOOL, "bootstrap", _domain(), entry.where)
    if said.code == 0:
        done.steps.append(f"loaded {plan.name}")
    else:
        how = f"run: launchctl bootstrap {_domain()} {entry.where!r}"
        done.problems.append(Problem(TOOL, said.err or f"ended with {said.code}", how))
    return done


def remove(plan: Plan, machine: Machine) -> Done:
    """Take the agent from launchd and from the disk; nothing where there is none."""
    done = Done()
    (entry,) = entries(plan, machine)
    if machine.remove(Path(entry.where), done):
        said = machine.call(TOOL, "bootout", _service(plan))
        if said.code == 0:
            done.steps.append(f"unloaded {plan.name}")
    return done


def hints(plan: Plan) -> tuple[str, ...]:
    return (f"what it says is kept in {plan.log_folder / 'nightly.log'}",)


def _domain() -> str:
    return f"gui/{os.getuid() if hasattr(os, 'getuid') else 501}"


def _service(plan: Plan) -> str:
    return f"{_domain()}/{plan.name}"
