"""Terminals with little: no sign but ASCII, no colour, nothing that acts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from tests.support import ScriptedReader, claim
from tests.ui.scenes import FILES, app_over, press, screen_text, settled, vault
from vault_dream.engine.vault.plain import INVISIBLE
from vault_dream.ui.filters import AsciiOnly, Harmless, as_ascii
from vault_dream.ui.glyphs import ASCII, UNICODE, glyphs_for

BLACK = Color(0, 0, 0)
WORDS = "每天早上先写三页 naïve café Łódź – “quoted” 🗂️ → ½ and that was it"


@given(st.text(st.characters(exclude_characters="\n\r\t\v\f")))
def test_ascii_keeps_the_width_that_was_laid_out(text: str) -> None:
    (shown,) = Harmless().apply([Segment(text)], BLACK)
    (plain,) = AsciiOnly().apply([shown], BLACK)
    assert not INVISIBLE.search(shown.text) and plain.text.isascii()
    assert len(plain.text) == cell_len(text)


def test_letters_keep_their_likeness() -> None:
    assert as_ascii("naïve Łódź – “x” → 每") == 'naive Lodz - "x" > ??'


@pytest.mark.parametrize(
    ("environ", "plain"),
    [
        ({"LC_ALL": "C"}, True),
        ({"LANG": "POSIX"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, True),
        ({"LC_ALL": "C.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "TERM": "xterm"}, False),
        ({"LANG": "en_US.UTF-8", "TERM": "linux"}, True),
        ({}, False),
    ],
)
def test_what_a_terminal_says_decides(environ: dict[str, str], plain: bool) -> None:
    assert glyphs_for(environ) == (ASCII if plain else UNICODE)


SCREENS = (
    *(("d",), ("w",), ("escape",), ("enter", "enter"), ("tab", "tab"), ("enter",), ("escape",)),
    *(("escape", "v"), ("v", "p"), ("escape", "x"), ("escape", "r"), ("escape", "n"), ("escape",)),
    *(("slash",), ("escape", "A"), ("escape", "colon"), ("escape", "question_mark")),
    *(("escape", "e"), ("f4", "a", "C"), ("enter",), ("escape", "escape", "h"), ("escape", "f1")),
    *(("escape", "slash", *"page", "enter"), ("n",), ("escape", "escape"), ("s",)),
)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["small", "wide"])
def test_no_screen_shows_a_sign_that_a_plain_terminal_lacks(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async def walk() -> None:
        files = {**FILES, "daily/2026-11-30.md": f"# {WORDS}\n\nSomething of {WORDS} it says.\n"}
        reader = ScriptedReader(
            claims=[claim(f"Name {WORDS}", (2, f"Something of {WORDS}"), summary=WORDS)]
        )
        root = vault(tmp_path / "vault", files)
        app: Any = app_over(root, given=reader, glyphs=ASCII)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            for keys in ((), *SCREENS):
                await press(pilot, *keys)
                shown = screen_text(app)
                bad = {sign for sign in shown if not sign.isascii()}
                assert not bad, (keys, app.screen, bad)

    asyncio.run(asyncio.wait_for(walk(), 60))
