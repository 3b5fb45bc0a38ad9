"""Text of notes and models comes to the screen as words, and nothing in it acts."""

from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import REPOSITORY, ScriptedReader, claim
from tests.ui.scenes import FILES, app_over, press, screen_text, settled, vault
from vault_dream.engine.vault.plain import INVISIBLE
from vault_dream.ui.lines import line, plain
from vault_dream.ui.literal import content, literal

UI = sorted((REPOSITORY / "vault_dream" / "ui").glob("*.py"))

HOSTILE = (
    "[/notes] [x] [@click=app.quit]go[/] \\[[x]] [bold",
    "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link \x9b2J",
    "\u202egnp.exe \u2066iso\u2069 \u200fRTL \U000e0041",
    "zero\u200bwidth\ttab\rreturn \x00nul",
)


@given(st.text())
def test_nothing_that_acts_survives(text: str) -> None:
    for shown in (literal(text), plain(line(text)), content(text).plain.replace("\n", "")):
        assert not INVISIBLE.search(shown)
        assert "\n" not in shown and "\r" not in shown and "\t" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_unit_is_reviewed_and_written_like_any_other(text: str, tmp_path: Path) -> None:
    async def walk() -> None:
        said = f"hostile words {text} that stand in the note of today"
        files = {**FILES, "daily/2026-11-30.md": f"# {text}\n\n{said}\n"}
        reader = ScriptedReader(
            claims=[claim(f"Name {text}", (2, said), summary=said, handles=(2,))],
            tags={},
        )
        app = app_over(vault(tmp_path / "vault", files), given=reader)
        async with app.run_test(size=(124, 40)) as pilot:
            await settled(pilot)
            await press(pilot, "d")
            seen = [screen_text(app)]
            for key in ("enter", "enter", "tab", "p", "escape", "tab", "enter", "escape", "e"):
                await press(pilot, key)
                seen.append(screen_text(app))
            for shown in seen:
                assert not INVISIBLE.search(shown.replace("\n", ""))

    asyncio.run(asyncio.wait_for(walk(), 60))


WIDGETS = {"Static", "Label", "Button", "OptionList", "Checkbox", "DataTable", "Tree", "Markdown"}


@pytest.mark.parametrize("file", UI, ids=lambda file: file.stem)
def test_no_module_gives_text_to_a_widget_that_reads_markup(file: Path) -> None:
    """Lint: rows are drawn by LineList; nothing else is given a string that might be a note's."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = (
            call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        )
        assert name not in WIDGETS, f"{file.name}:{call.lineno} uses {name}"
        assert name != "notify", f"{file.name}:{call.lineno} notifies; say it instead"
        assert name != "from_markup", f"{file.name}:{call.lineno} reads markup"
    assert not re.search(r"border_title|border_subtitle|\btooltip\s*=", file.read_text())
    built = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Line"
    ]
    for call in built:
        for part in ast.walk(call.args[0]) if call.args else ():
            is_raw = isinstance(part, ast.Attribute) and part.attr in ("name", "quote", "summary")
            assert not is_raw, f"{file.name}:{call.lineno} puts raw text into a Line; use line()"
