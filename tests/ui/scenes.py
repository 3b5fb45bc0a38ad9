"""Scenes for the app's tests: a vault, a reader that follows a script, and an app over both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from tests.support import ScriptedReader, add_source, claim, make_vault, node_text
from vault_dream.engine.dream.reader import IntegrateRequest, Receipt, Tools
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.glyphs import UNICODE, Glyphs
from vault_dream.ui.outside import Outside

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

DAY_ONE = """# Sunday

After a schema change the index was half empty until the scan finished, about four minutes.

Morning pages helped again, the whole day was calmer for it.
"""

DAY_TWO = """# Monday

Postgres is on sixteen now and no longer on fourteen as it was before.

Always ask for the invoice first, before the van is loaded and gone.
"""

REBUILD = node_text(
    "Rebuild the search index",
    "After a schema change, stop the watcher before dropping the index.\n\n"
    "Never rebuild it while people are ordering.",
    quote="forgot the watcher and it corrupted the cache",
)
PAGES = node_text(
    "Morning pages help",
    "Three pages by hand, before anything else is read.",
    bucket="personal",
    quote="three pages and the day was mine",
)
POSTGRES = node_text(
    "Which Postgres runs where",
    "The orders database runs on Postgres 14, on the grey box.",
    bucket="wiki",
    quote="it is fourteen on the grey box",
)

FILES: Mapping[str, str] = {
    "daily/2026-11-01.md": "An earlier day, with words that were said on that day.\n",
    "daily/2026-11-29.md": DAY_ONE,
    "daily/2026-11-30.md": DAY_TWO,
    "digest/procedure/rebuild-the-search-index.md": REBUILD,
    "digest/personal/morning-pages-help.md": PAGES,
    "digest/wiki/which-postgres-runs-where.md": POSTGRES,
}

CLAIMS = (
    claim(
        "Wait for the first full scan",
        (1, "half empty until the scan finished, about four minutes"),
        summary="Searching right after a rebuild finds half of what is there.",
        handles=(1,),
    ),
    claim(
        "Morning pages helped again",
        (1, "Morning pages helped again, the whole day was calmer"),
        bucket="personal",
        summary="One more calm day after morning pages.",
        handles=(1,),
    ),
    claim(
        "Postgres is on sixteen",
        (2, "Postgres is on sixteen now and no longer on fourteen"),
        bucket="wiki",
        summary="The orders database moved to sixteen.",
        handles=(2,),
    ),
    claim(
        "Ask for the invoice first",
        (2, "Always ask for the invoice first, before the van is loaded"),
        summary="The invoice comes before the loading.",
        handles=(2,),
    ),
)


def refine(request: IntegrateRequest, tools: Tools) -> Receipt:
    """Says more on the node about the index, in two places, and links a neighbour."""
    path = "digest/procedure/rebuild-the-search-index.md"
    tools.node_search("rebuild index")
    tools.edit(
        path,
        "stop the watcher before dropping the index.",
        "stop the watcher before dropping the index. Wait for the first full scan before "
        "searching, about four minutes: results are partial until then.\n\n"
        "It goes with [[digest/wiki/which-postgres-runs-where.md|which Postgres runs where]], "
        "because the wait depends on the version.",
    )
    last = tools.read(path).rstrip("\n").split("\n")[-1]
    source = request.unit.paths[0]
    tools.edit(path, last, f"{last}\n- The wait was measured in [[{source}|29 Nov]] by the clock.")
    return Receipt("REFINE", path)


def correct(request: IntegrateRequest, tools: Tools) -> Receipt:
    """Puts the version right."""
    path = "digest/wiki/which-postgres-runs-where.md"
    tools.node_search("postgres version")
    tools.edit(path, "runs on Postgres 14, on the grey box", "runs on Postgres 16, on the grey box")
    last = tools.read(path).rstrip("\n").split("\n")[-1]
    source = request.unit.paths[0]
    tools.edit(path, last, f"{last}\n- The move was told in [[{source}|30 Nov]], in passing.")
    return Receipt("CORRECT", path)


PLANS = {
    "Wait for the first full scan": refine,
    "Morning pages helped again": add_source("digest/personal/morning-pages-help.md"),
    "Postgres is on sixteen": correct,
}

TAGS = {
    "digest/procedure/rebuild-the-search-index.md": ("search-index",),
    "digest/procedure/ask-for-the-invoice-first.md": ("invoices",),
}


def reader() -> ScriptedReader:
    """A reader that makes one proposal of each action."""
    return ScriptedReader(claims=CLAIMS, plans=PLANS, tags=TAGS)


def vault(root: Path, files: Mapping[str, str | bytes] = FILES) -> Path:
    """The scene's vault at ``root``."""
    made = make_vault(root, files)
    (made / "vault-dream.yaml").write_text("timezone: UTC\nreviewed_field: ''\n")
    return made


@dataclass
class FakeOutside(Outside):
    """The world outside, as a script: what was opened, and how the editor changes a text."""

    opened: list[str] = field(default_factory=list)
    editor: Callable[[str], str] = lambda text: text

    def edit(self, text: str, name: str, suspend: Any) -> str:
        return self.editor(text)

    def open(self, address: str, opener: Any) -> None:
        self.opened.append(address)


def app_over(
    root: Path | None, *, glyphs: Glyphs = UNICODE, given: Any = None, **options: Any
) -> VaultDreamApp:
    """The app over ``root`` at noon of the scene's day."""
    numbers = iter(range(1, 1000))
    return VaultDreamApp(
        root,
        clock=lambda: NOON,
        reader=given if given is not None else reader(),
        session_options={"token": lambda: f"{next(numbers):04d}"},
        outside=FakeOutside(),
        glyphs=glyphs,
        watch=False,
        **options,
    )


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no worker works and every message is through. A dream that waits for a word on
    its units counts as settled."""
    app: Any = pilot.app
    quiet = 0
    while quiet < 3:
        await pilot._wait_for_screen()
        app.screen._on_timer_update()  # lay out and draw now, not at the next frame
        busy = [
            worker
            for worker in app.workers
            if worker.is_running
            and not (
                worker.group == "dream"
                and any(getattr(screen, "waits", False) for screen in app.screen_stack)
            )
        ]
        quiet = 0 if busy else quiet + 1
        if busy:
            tasks = [worker._task for worker in busy if worker._task is not None]
            await asyncio.wait(tasks, timeout=0.01, return_when=asyncio.FIRST_COMPLETED)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each when what came before is settled."""
    for key in keys:
        await settled(pilot)
        name = _character_to_key(key) if len(key) == 1 else key
        pilot.app.post_message(events.Key(name, key if len(key) == 1 else None))
    await settled(pilot)


async def dreamt(pilot: Pilot[None]) -> None:
    """From Home to a review of what the reader's script proposes."""
    await press(pilot, "d", "enter", "enter")


def screen_text(app: VaultDreamApp) -> str:
    """What stands on the screen, a line for each row."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)
