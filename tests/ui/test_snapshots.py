"""Screens as text, against what they looked like: ``UPDATE_SNAPSHOTS=1`` writes them anew.

A walk takes several pictures, because opening the app is what costs.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.support import ScriptedReader
from tests.ui.scenes import app_over, press, screen_text, settled, vault
from vault_dream.engine.errors import NoModelError
from vault_dream.ui.glyphs import ASCII, UNICODE

SNAPSHOTS = Path(__file__).with_name("snapshots")

# name: (size, steps); a step is keys, and the name of the picture taken after them
WALKS: dict[str, tuple[tuple[int, int], tuple[tuple[tuple[str, ...], str], ...]]] = {
    "small": (
        (80, 24),
        (
            ((), "home"),
            (("d",), "units"),
            (("enter",), "dreamt"),
            (("enter",), "review"),
            (("tab", "j"), "change"),
            (("tab",), "facts"),
            (("tab", "A"), "approve-all"),
            (("escape", "a", "a", "C"), "commit"),
            (("enter",), "committed"),
            (("escape", "question_mark"), "help"),
        ),
    ),
    "wide": (
        (120, 40),
        (
            ((), "home"),
            (("d", "enter", "enter"), "review"),
            (("v",), "side-by-side"),
            (("p",), "preview"),
            (("escape", "j", "x"), "reject"),
            (("enter", "a", "a", "C", "enter", "escape", "escape"), "home-after"),
            (("h",), "history"),
            (("escape", "slash", *"postgres", "enter", "n"), "node"),
        ),
    ),
}


def compare(name: str, text: str) -> None:
    """Hold ``text`` to the picture called ``name``."""
    file = SNAPSHOTS / f"{name}.txt"
    text = "\n".join(row.rstrip() for row in text.splitlines()).rstrip() + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{file.name} looks different"


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_looks_as_it_did(walk: str, tmp_path: Path) -> None:
    size, steps = WALKS[walk]

    async def inside() -> None:
        app = app_over(vault(tmp_path / "vault"), glyphs=UNICODE)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            for keys, name in steps:
                await press(pilot, *keys)
                compare(f"{walk}-{name}", screen_text(app))

    asyncio.run(asyncio.wait_for(inside(), 60))


def test_trouble_looks_calm(tmp_path: Path) -> None:
    async def inside() -> None:
        error = NoModelError("http://localhost:11434/v1", "nobody answers there", "start it")
        app = app_over(vault(tmp_path / "vault"), glyphs=ASCII, given=ScriptedReader(fails=error))
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            await press(pilot, "d")
            compare("trouble-model", screen_text(app))

    asyncio.run(asyncio.wait_for(inside(), 60))
