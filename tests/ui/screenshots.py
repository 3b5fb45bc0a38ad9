"""Screenshots of the app over the sample vault, as SVG: ``python -m tests.ui.screenshots``."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.support import REPOSITORY, SAMPLE_VAULT
from tests.ui.scenes import FakeOutside, press, screen_text
from vault_dream.commands.demo import STORY_DAY, story_clock
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.glyphs import UNICODE

TARGET = REPOSITORY / "assets" / "screenshots"

SCENES: tuple[tuple[str, str, tuple[int, int], tuple[str, ...]], ...] = (
    ("home", "dark", (100, 34), ()),
    ("units", "dark", (100, 34), ("d",)),
    ("review", "dark", (132, 38), ("d", "enter", "enter", "j", "j", "j", "j")),
    ("review-side-by-side", "dark", (180, 44), ("d", "enter", "enter", "j", "j", "v")),
    ("review-light", "light", (132, 38), ("d", "enter", "enter", "j", "j")),
    ("review-small", "colour-blind", (80, 24), ("d", "enter", "enter", "j", "j", "tab")),
    ("evidence", "dark", (100, 30), ("d", "enter", "enter", "j", "j", "tab", "tab", "enter")),
    ("preview", "dark", (100, 34), ("d", "enter", "enter", "j", "p")),
    ("commit", "dark", (100, 30), ("d", "enter", "enter", "A", "enter", "C")),
    ("committed", "dark", (100, 30), ("d", "enter", "enter", "A", "enter", "C", "enter")),
    (
        "history",
        "dark",
        (120, 36),
        (*("d", "enter", "enter", "A", "enter", "C", "enter"), "escape", "escape", "h"),
    ),
    ("search", "high-contrast", (120, 36), ("slash", *"database", "enter", "tab")),
    ("neighbourhood", "dark", (100, 34), ("slash", *"restore", "enter", "n")),
    ("palette", "dark", (100, 34), ("d", "enter", "enter", "colon", *"link")),
    ("help", "dark", (100, 40), ("d", "enter", "enter", "question_mark")),
    ("older-days", "dark", (100, 30), ("b",)),
    ("edit", "dark", (100, 34), ("d", "enter", "enter", "j", "e")),
)


async def take(name: str, theme: str, size: tuple[int, int], keys: tuple[str, ...]) -> str:
    """Walk to one scene and save it; returns the screen as text."""
    with tempfile.TemporaryDirectory() as folder:
        for place in ("STATE", "CACHE", "CONFIG"):
            os.environ[f"VAULT_DREAM_{place}_HOME"] = f"{folder}/{place.lower()}"
        root = Path(folder) / "sample_vault"
        shutil.copytree(SAMPLE_VAULT, root)
        app = VaultDreamApp(
            root,
            flags={"provider": "offline"},
            clock=story_clock,
            day=STORY_DAY,
            outside=FakeOutside(),
            glyphs=UNICODE,
            theme=theme,
            watch=False,
        )
        async with app.run_test(size=size) as pilot:
            await press(pilot, *keys)
            TARGET.mkdir(parents=True, exist_ok=True)
            svg = app.export_screenshot(title="vault-dream")
            (TARGET / f"{name}.svg").write_text(svg, encoding="utf-8")
            return screen_text(app)


def main(wanted: list[str]) -> None:
    for name, theme, size, keys in SCENES:
        if not wanted or name in wanted:
            text = asyncio.run(take(name, theme, size, keys))
            print(f"== {name}\n{text}" if wanted else name)


if __name__ == "__main__":
    main(sys.argv[1:])
