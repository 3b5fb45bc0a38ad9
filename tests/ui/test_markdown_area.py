"""The editor's colours: where marks are found, and that no text is lost by them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.scenes import app_over, dreamt, press, screen_text, settled, vault
from vault_dream.ui.markdown_area import BODY, FENCE, FRONTMATTER, MarkdownArea, kinds_of, marks_of


def styles(line: str, kind: str = BODY) -> set[tuple[str, str]]:
    return {(line[start:end], style) for start, end, style in marks_of(line, kind)}


@pytest.mark.parametrize(
    ("line", "words", "style"),
    [
        ("## A heading", "## A heading", "heading"),
        ("- a [[Some note|label]] here", "[[Some note|label]]", "link"),
        ("1. first", "1. ", "accent"),
        ("an *emphasis* of it", "*emphasis*", "quote"),
        ("two **strong words** in it", "**strong words**", "strong"),
        ("a `code [[no]]` span", "`code [[no]]`", "code"),
        ("derived_from:: [[x]]", "derived_from::", "key"),
        ("a #tag/deep and more", "#tag/deep", "accent"),
        ("![an image](a.png)", "![an image](a.png)", "link"),
        ("seen %%and not seen%%", "%%and not seen%%", "faint"),
    ],
)
def test_a_mark_is_found(line: str, words: str, style: str) -> None:
    assert (words, style) in styles(line)


@pytest.mark.parametrize("line", ["a * b * c", "snake_case_name", "C# and F#", "5#3", "a::b", "#1"])
def test_what_is_no_mark_stays_plain(line: str) -> None:
    assert styles(line) == set()


def test_lines_know_what_they_are_in() -> None:
    text = "---\nname: x\n---\n# H\n```py\n# no heading\n````\nout\n---\n~~~\nopen"
    assert kinds_of(text.split("\n")) == [
        *[FRONTMATTER] * 3,
        BODY,
        *[FENCE] * 3,
        BODY,
        BODY,
        FENCE,
        FENCE,
    ]
    assert kinds_of(["---", "never closed", "at all"]) == [BODY] * 3


@given(st.text(), st.sampled_from([BODY, FENCE, FRONTMATTER]))
def test_marks_lie_within_the_line(line: str, kind: str) -> None:
    assert all(0 <= start <= end <= len(line) for start, end, _ in marks_of(line, kind))


def test_the_editor_colours_follow_what_is_typed(tmp_path: Path) -> None:
    async def walk() -> None:
        app: Any = app_over(vault(tmp_path / "vault"))
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(pilot)
            await dreamt(pilot)
            await press(pilot, "e")
            area = app.screen.query_one(MarkdownArea)
            row = next(n for n, one in enumerate(area.document.lines) if one.startswith("## "))
            assert area.get_line(row).spans
            area.move_cursor((row - 1, 0))
            await press(pilot, *"```", "enter")
            assert str(area.get_line(row + 1).spans[0].style) == str(app.looks["code"])
            assert "## Sources" in screen_text(app)

    asyncio.run(asyncio.wait_for(walk(), 60))
