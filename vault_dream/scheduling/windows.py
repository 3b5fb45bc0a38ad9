"""A task of the Windows Task Scheduler, as its XML (schema 1.2)."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

from vault_dream.engine.errors import Problem
from vault_dream.scheduling.machine import Done, Entry, Machine
from vault_dream.scheduling.plan import Plan

TOOL = "schtasks"
SPACE = "http://schemas.microsoft.com/windows/2004/02/mit/task"

SETTINGS = {
    "MultipleInstancesPolicy": "IgnoreNew",
    "DisallowStartIfOnBatteries": "false",
    "StopIfGoingOnBatteries": "false",
    "StartWhenAvailable": "true",
    "ExecutionTimeLimit": "PT12H",
    "Priority": "8",
}
"""A night that was missed is made up for; nothing runs twice; a hung run ends."""


def entries(plan: Plan, machine: Machine) -> tuple[Entry, ...]:
    """The task."""
    return (Entry(str(plan.log_folder / "task.xml"), xml(plan)),)


def xml(plan: Plan) -> str:
    """The task's definition. Arguments are quoted as Windows programs split them."""
    task = ElementTree.Element("Task", {"version": "1.2", "xmlns": SPACE})
    about = ElementTree.SubElement(task, "RegistrationInfo")
    _leaf(about, "Description", f"Vault Dream: the nightly run over {plan.vault}")
    trigger = ElementTree.SubElement(ElementTree.SubElement(task, "Triggers"), "CalendarTrigger")
    _leaf(trigger, "StartBoundary", f"2026-01-01T{plan.at:%H:%M}:00")
    _leaf(trigger, "Enabled", "true")
    _leaf(ElementTree.SubElement(trigger, "ScheduleByDay"), "DaysInterval", "1")
    principal = ElementTree.SubElement(
        ElementTree.SubElement(task, "Principals"), "Principal", {"id": "Author"}
    )
    _leaf(principal, "LogonType", "InteractiveToken")
    _leaf(principal, "RunLevel", "LeastPrivilege")
    settings = ElementTree.SubElement(task, "Settings")
    for name, value in SETTINGS.items():
        _leaf(settings, name, value)
    actions = ElementTree.SubElement(task, "Actions", {"Context": "Author"})
    action = ElementTree.SubElement(actions, "Exec")
    words = [*plan.command, "--log-file", str(plan.log_folder / "nightly.log")]
    _leaf(action, "Command", words[0])
    _leaf(action, "Arguments", subprocess.list2cmdline(words[1:]))
    ElementTree.indent(task)
    text = ElementTree.tostring(task, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-16"?>\n{text}\n'


def install(plan: Plan, machine: Machine) -> Done:
    """Write the definition, and register it in place of an earlier one."""
    done = Done()
    (entry,) = entries(plan, machine)
    machine.write(Path(entry.where), entry.text.encode("utf-16"), done)
    said = machine.call(TOOL, "/Create", "/TN", _task(plan), "/XML", entry.where, "/F")
    if said.code == 0:
        done.steps.append(f"registered the task {_task(plan)}")
    else:
        how = f'run: schtasks /Create /TN "{_task(plan)}" /XML "{entry.where}" /F'
        done.problems.append(Problem(TOOL, said.err or f"ended with {said.code}", how))
    return done


def remove(plan: Plan, machine: Machine) -> Done:
    """Take the task away; nothing where there is none."""
    done = Done()
    (entry,) = entries(plan, machine)
    said = machine.call(TOOL, "/Delete", "/TN", _task(plan), "/F")
    if said.code == 0:
        done.steps.append(f"removed the task {_task(plan)}")
    machine.remove(Path(entry.where), done)
    return done


def hints(plan: Plan) -> tuple[str, ...]:
    words = [f"what it does is kept in {plan.log_folder / 'nightly.log'}"]
    if plan.folders:
        words.append(f"set {', '.join(plan.folders)} for your user, so that the task has them too")
    if str(plan.vault).count("%") > 1:
        words.append("Task Scheduler takes %NAME% in a path for a variable; rename the folder")
    return tuple(words)


def _task(plan: Plan) -> str:
    return f"\\Vault Dream\\{plan.name}"


def _leaf(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = text
