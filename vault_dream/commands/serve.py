"""``serve``: stay resident, run the jobs when their times come, keep the indexes fresh."""

from __future__ import annotations

import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vault_dream.commands.answers import print_json
from vault_dream.commands.options import vault_options, vault_root

if TYPE_CHECKING:
    from vault_dream.serving.log import Level
    from vault_dream.serving.server import Server


@click.command()
@vault_options
@click.option("--once", is_flag=True, help="Run what is due, then exit.")
@click.option("--provider", metavar="NAME", help="Who reads: openai or offline.")
@click.option("--model", metavar="NAME", help="The model's name.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible endpoint.")
@click.option("--policy", metavar="POLICY", help="apply, safe or queue (safe).")
@click.option("-v", "--verbose", is_flag=True, help="Log each step of a run too.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress on stderr.")
@click.option("--log-file", metavar="FILE", help="Append the progress messages to a file.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    once: bool,
    verbose: bool,
    quiet: bool,
    log_file: str | None,
    **flags: Any,
) -> int:
    """Keep running, and run each job in the settings when its time comes, in the vault's timezone.

    Missed jobs run once on waking. Each event is one line on stderr; with --json, each is a JSON
    object on a line of its own, and stdout gets one document at the end.
    """
    from vault_dream.cron import zone_named
    from vault_dream.serving.freshness import Freshness
    from vault_dream.serving.log import Log
    from vault_dream.serving.server import Server
    from vault_dream.serving.standing import Standing
    from vault_dream.serving.waking import SystemClock

    root = vault_root(vault, vault_argument).absolute()
    standing = Standing(root, {name: value for name, value in flags.items() if value is not None})
    clock = SystemClock()

    def now() -> datetime:
        return clock.now().astimezone(zone_named(standing.settings.timezone))

    level: Level = "debug" if verbose else "info"
    log = Log(
        now,
        stream=None if quiet else sys.stderr,
        file=Path(log_file).absolute() if log_file else None,
        as_json=as_json,
        level=level,
    )
    fresh = None if once else Freshness(root, now=clock.now, wake=clock.wake)
    server = Server(root, standing, clock=clock, log=log, fresh=fresh)
    began = now()
    code = _until_stopped(server, once=once)
    if as_json:
        print_json(
            {
                "version": 1,
                "vault": str(root),
                "began": began.isoformat(timespec="seconds"),
                "ended": now().isoformat(timespec="seconds"),
                "stopped_by": server.stopped_by or None,
                "runs": server.runs,
                "last_runs": [ran.as_json() for ran in server.ran],
                "next": [
                    {"job": job, "at": time.isoformat(timespec="seconds")}
                    for job, time in server.next_times().items()
                ],
            }
        )
    return code


def _until_stopped(server: Server, *, once: bool) -> int:
    """Serve in a thread, while this one does nothing but wait for signals.

    A signal asks to stop, and may come twice; who interrupts a second time does not want to wait.
    """
    from vault_dream.serving.waking import Signals

    ended: list[int | BaseException] = []
    signals = Signals()

    def work() -> None:
        try:
            ended.append(server.serve(once=once))
        except BaseException as error:  # noqa: BLE001 - it is raised again, in the main thread
            ended.append(error)
        signals.nothing_more_to_wait_for()

    thread = threading.Thread(target=work, name="serve", daemon=True)
    with signals.taken():
        thread.start()
        while name := signals.wait():
            if name == "SIGINT" and server.stopped_by:
                raise KeyboardInterrupt
            server.stop(name)
    thread.join()
    (result,) = ended
    if isinstance(result, BaseException):
        raise result
    return result
