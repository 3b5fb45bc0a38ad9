"""The app: from process start to a useful Home, and from a key to its frame on a large vault.

Both are set against Textual's own floor on the same machine: a bare app with a table and a footer,
and a key in a list of the same app.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent

BARE = """
from textual.app import App
from textual.widgets import DataTable, Footer
import os, time
class Bare(App):
    BINDINGS = [("q", "quit", "quit")]
    def compose(self):
        yield DataTable()
        yield Footer()
    def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("day", "state")
        for day in range(40):
            table.add_row(str(day), "read")
        self.call_after_refresh(os._exit, 0)
Bare().run(headless=True)
"""

HOME = """
import os, sys
from pathlib import Path
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.home import HomePage
drawn = HomePage._lay_out
def useful(self, *given):
    drawn(self, *given)
    self.call_after_refresh(os._exit, 0)
HomePage._lay_out = useful
VaultDreamApp(Path(sys.argv[1]), flags={"provider": "offline"}, watch=False).run(headless=True)
"""


OPENED = HOME.replace("_lay_out", "_show")
"""The same, once the vault is open: what a start shows that has nothing to remember."""


def start_times(rounds: int = 9) -> tuple[float, float, float]:
    """Median milliseconds from process start to a drawn frame: of a bare Textual app, of Home as it
    was seen last, and of Home with the vault open."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "sample_vault"
        shutil.copytree(REPOSITORY / "sample_vault", root)
        env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        for place in ("STATE", "CACHE", "CONFIG"):
            env[f"VAULT_DREAM_{place}_HOME"] = f"{folder}/{place}"
        found: tuple[list[float], list[float], list[float]] = ([], [], [])
        for number in range(rounds + 1):
            for times, code in zip(found, (BARE, OPENED, HOME), strict=True):
                began = time.perf_counter()
                subprocess.run([sys.executable, "-c", code, str(root)], env=env, check=True)
                if number:  # the first fills the caches
                    times.append((time.perf_counter() - began) * 1000)
        bare, opened, seen = map(statistics.median, found)
        return bare, seen, opened


def large_vault(root: Path, nodes: int, proposals: int, lines: int) -> None:
    """A vault with many nodes and as many queued proposals, the first on a very long node."""
    from tests.support import ScriptedReader, add_source, claim, node_text, open_session
    from tests.ui.scenes import vault
    from vault_dream.engine.dream.edits import ReplaceText, text_hash
    from vault_dream.engine.vault.statefiles import json_bytes

    files = {
        f"digest/wiki/node-{i:05d}.md": node_text(
            f"Node {i}", f"What number {i} is about, in a sentence or two.", bucket="wiki"
        )
        for i in range(nodes)
    }
    body = "\n".join(f"Line {i} of a note that grew for ten years." for i in range(lines))
    files["digest/wiki/long.md"] = node_text("The long one", body, bucket="wiki")
    files["daily/2026-11-01.md"] = "An earlier day.\n"
    files["daily/2026-11-30.md"] = "A day on which many things were said about many notes.\n"
    vault(root, files)
    one = ScriptedReader(
        claims=[claim("One", (1, "many things were said about many notes"))],
        plans={"One": add_source("digest/wiki/long.md")},
    )
    with open_session(root, one) as session:
        session.scan()
        session.extract()
        session.integrate()
        session.save()
        if not session.proposals:
            raise SystemExit(f"nothing was proposed: {session.run.failures}")
        (made,) = session.proposals
        for number in range(2, proposals + 1):
            path = f"digest/wiki/node-{number:05d}.md"
            text = (root / path).read_text(encoding="utf-8")
            ops = (ReplaceText("in a sentence or two.", "in two sentences."),)
            change = replace(made.changes[0], path=path, base=text_hash(text), ops=ops)
            other = replace(
                made, id=f"{made.run_id}/{number}", target=path, changes=(change,), edges=()
            )
            (root / session.state.proposal_path(other)).write_bytes(json_bytes(other.as_json()))


async def key_times(root: Path, keys: int = 60) -> dict[str, list[float]]:
    """Milliseconds from a key to its painted frame, in the app and in a bare list."""
    from textual import events
    from textual.app import App, ComposeResult
    from textual.pilot import Pilot
    from textual.widgets import OptionList

    from tests.ui.scenes import app_over, press, settled

    async def frame(pilot: Pilot[None], key: str) -> float:
        began = time.perf_counter()
        forwarded = asyncio.Event()
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        pilot.app.call_later(forwarded.set)
        await forwarded.wait()
        await pilot._wait_for_screen()
        pilot.app.screen._on_timer_update()
        return (time.perf_counter() - began) * 1000

    class Floor(App[None]):
        def compose(self) -> ComposeResult:
            yield OptionList(*(f"item {i}" for i in range(1000)))

    times: dict[str, list[float]] = {}
    floor = Floor()
    async with floor.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        times["Textual's floor (1,000 options)"] = [await frame(pilot, "down") for _ in range(keys)]
    app = app_over(root)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, "enter")
        times["j through 1,000 proposals"] = [await frame(pilot, "j") for _ in range(keys)]
        await press(pilot, "g", *("plus",) * 5)
        times["+ whole 5,000-line note, page down"] = []
        await press(pilot, "tab")
        for _ in range(keys):
            times["+ whole 5,000-line note, page down"].append(await frame(pilot, "pagedown"))
        times["v (lay the long note out anew)"] = [await frame(pilot, "v") for _ in range(6)]
        await press(pilot, "escape", "g")
        times["a (approve, the queue drawn anew)"] = []
        for _ in range(20):
            times["a (approve, the queue drawn anew)"].append(await frame(pilot, "a"))
            await settled(pilot)
        if len(app.desk.approved) < 15:
            raise SystemExit("the keys did not approve what they should")
    return times


def main() -> None:
    bare, seen, opened = start_times()
    print(f"start: bare Textual app {bare:.0f} ms")
    print(f"start: Home as it was seen last {seen:.0f} ms, {seen / bare:.2f} x")
    print(f"start: Home with the vault open {opened:.0f} ms, {opened / bare:.2f} x")
    with tempfile.TemporaryDirectory() as folder:
        for place in ("STATE", "CACHE", "CONFIG"):
            os.environ[f"VAULT_DREAM_{place}_HOME"] = f"{folder}/{place}"
        root = Path(folder) / "vault"
        large_vault(root, 10_000, 1_000, 5_000)
        found = asyncio.run(key_times(root))
    for name, times in found.items():
        ordered = sorted(times)
        p95 = ordered[int(len(ordered) * 0.95) - 1]
        print(f"{name:<38} p50 {statistics.median(times):6.1f} ms   p95 {p95:6.1f} ms")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
