"""One line of the user's crontab, known by the mark at its end; no other line is ever touched.

crontab(5): an unescaped ``%`` ends the command, and the line has no variables of ours.
"""

from __future__ import annotations

import shlex

from vault_dream.engine.errors import FilesystemError, Problem, SettingsError
from vault_dream.scheduling.machine import Done, Entry, Machine
from vault_dream.scheduling.plan import Plan
from vault_dream.scheduling.shell import shell_command

TOOL = "crontab"
LONGEST = 990
"""Characters of a command that every cron takes whole (Vixie's MAX_COMMAND is 1000)."""


def entries(plan: Plan, machine: Machine) -> tuple[Entry, ...]:
    """The line. Raises :class:`SettingsError` where it would be longer than cron reads."""
    return (Entry("crontab", line(plan) + "\n"),)


def line(plan: Plan) -> str:
    """The line of the crontab, without its newline."""
    command = f"{escaped(shlex.join(shell_command(plan)))} {_mark(plan)}"
    if len(command.encode()) > LONGEST:
        raise SettingsError("schedule", "the line is longer than cron reads", "use shorter paths")
    return f"{plan.at.minute} {plan.at.hour} * * * {command}"


def escaped(command: str) -> str:
    """A quoted shell command as cron has to be given it.

    Crons differ in what ``\\\\`` and ``\\%`` after a backslash are, so no backslash is left before
    anything but a quote: the quotes are closed and opened again after it.
    """
    return command.replace("\\", "\\''").replace("%", "\\%")


def install(plan: Plan, machine: Machine) -> Done:
    """Put the line in, in place of an earlier one of this vault."""
    done = Done()
    new = line(plan).encode()
    if not machine.has(TOOL):
        what = "crontab is not on this machine"
        done.problems.append(Problem(TOOL, what, "add the line with what your cron offers"))
        return done
    before = _table(machine)
    kept = _without(before, plan)
    if kept and not kept.endswith(b"\n"):
        kept += b"\n"
    after = kept + new + b"\n"
    if after == before:
        done.steps.append("the line is in the crontab")
    elif _put(after, machine, done):
        done.steps.append("added the line to the crontab")
    return done


def remove(plan: Plan, machine: Machine) -> Done:
    """Take the line out; nothing where it is not there."""
    done = Done()
    if not machine.has(TOOL):
        return done
    before = _table(machine)
    after = _without(before, plan)
    if after != before and _put(after, machine, done):
        done.steps.append("took the line out of the crontab")
    return done


def hints(plan: Plan) -> tuple[str, ...]:
    return (
        f"what it says is kept in {plan.log_folder / 'nightly.log'}",
        "cron does not make up for a night that the machine slept through; the next run reads it",
    )


def _mark(plan: Plan) -> str:
    return f"# {plan.name}"


def _without(table: bytes, plan: Plan) -> bytes:
    mark = f" {_mark(plan)}".encode()
    lines = table.splitlines(keepends=True)
    return b"".join(
        one for one in lines if one.lstrip().startswith(b"#") or not one.rstrip().endswith(mark)
    )


def _table(machine: Machine) -> bytes:
    """The user's crontab. One that cannot be read is never taken for an empty one."""
    said = machine.call(TOOL, "-l")
    if said.code == 0:
        return said.out
    if "no crontab for" in said.err:
        return b""
    raise FilesystemError(
        TOOL, f"it cannot be read ({said.err or said.code})", "nothing was changed"
    )


def _put(table: bytes, machine: Machine, done: Done) -> bool:
    said = machine.call(TOOL, "-", given=table)
    if said.code != 0:
        what = said.err or f"ended with {said.code}"
        done.problems.append(Problem(TOOL, what, "add the line with: crontab -e"))
    return said.code == 0
