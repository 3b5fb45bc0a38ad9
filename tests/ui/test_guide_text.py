"""The guide in the app: no word of a page is lost, and no row is wider than the page."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from vault_dream.places import guide_pages
from vault_dream.ui.guide_text import guide_rows
from vault_dream.ui.lines import plain

PAGES = guide_pages()
MARKUP = re.compile(r"<!--.*?-->|^```\w*$|\]\([^)]*\)|^\|[-:| ]+\|$", re.M)


def shown(text: str, width: int) -> list[str]:
    return [plain(row) for row in guide_rows(text, width)]


@pytest.mark.parametrize("width", (40, 80, 120))
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_whole_and_fits(name: str, width: int) -> None:
    rows = shown(PAGES[name], width)
    assert all(cell_len(row) <= width for row in rows)
    words = MARKUP.sub("", PAGES[name])
    lost = Counter(re.findall(r"[^\W_]", words)) - Counter("".join(rows))
    assert not lost, name


def test_lines_of_a_paragraph_and_of_an_item_are_joined() -> None:
    text = "# Head\none\ntwo\n\n* three\n  four\n* five\n\n1. six\n   seven\n"
    assert shown(text, 80) == [
        "",
        "Head",
        "one two",
        "",
        "* three four",
        "* five",
        "",
        "1. six seven",
    ]


def test_a_table_stands_in_columns() -> None:
    rows = shown("| key | does |\n|---|---|\n| `a` | yes |\n| `long` | a \\| b |\n", 80)
    assert [row.rstrip() for row in rows[1:]] == ["  key   does", "  a     yes", "  long  a | b"]


def test_an_empty_head_of_a_table_is_left_out() -> None:
    rows = shown("| | |\n|---|---|\n| a | b |\n", 80)
    assert [row.strip() for row in rows[1:]] == ["a  b"]


def test_a_transcript_stays_as_it_is() -> None:
    text = "```console\n$ vault-dream help\n  | two  # words\n```\nafter\n"
    assert shown(text, 80)[1:] == ["    $ vault-dream help", "      | two  # words", "after"]


@given(st.text(st.sampled_from("|`-# *\n\\ab会[]()!<>"), max_size=80), st.integers(1, 60))
def test_any_text_is_shown(text: str, width: int) -> None:
    assert all(cell_len(row) <= max(width, 24) + 16 for row in shown(text, width))
