"""The few lines of shell that cron and launchd start: the log, the owner's variables, the run."""

from __future__ import annotations

from vault_dream.places import shipped
from vault_dream.scheduling.plan import Plan


def shell_command(plan: Plan) -> tuple[str, ...]:
    """The words that run ``assets/schedule/nightly.sh``; paths are its parameters, never its
    text."""
    script = (shipped("assets") / "schedule" / "nightly.sh").read_text("utf-8")
    line = "; ".join(script.strip().splitlines())
    moved = [f"{name}={value}" for name, value in plan.folders.items()]
    env = ("/usr/bin/env", *moved) if moved else ()
    return (
        *("/bin/sh", "-c", line, "vault-dream", str(plan.env_file), str(plan.log_folder)),
        *env,
        *plan.command,
    )
