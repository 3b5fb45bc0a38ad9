"""Quotes: found where they stand, whatever their dress; long enough by words or by characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.dream.quotes import fold, locate, long_enough, on_fresh_block
from vault_dream.engine.dream.reader import SourceBlock


def block(text: str, line: int = 1, *, kind: str = "paragraph", fresh: bool = True) -> SourceBlock:
    return SourceBlock(line, line + text.count("\n"), kind, text, (), fresh)


@pytest.mark.parametrize(
    ("quote", "enough"),
    [
        ("one two three four five six", True),
        ("one two three four five", False),
        ("索引重建之前必须先停止观察者", True),
        ("索引重建之前必须先停止", False),
        ("インデックスを再構築する前に", True),
        ("ระบบจะหยุดทำงานก่อนสร้างดัชนีใหม่", True),
        ("run 重建索引 before the deploy today", True),
        ("... --- !!! ??? *** ///", False),
        ("", False),
    ],
)
def test_six_words_or_twelve_characters_prove_something(quote: str, enough: bool) -> None:
    assert long_enough(quote) is enough


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Stop the **watcher** before the index.", "stop the watcher before the index"),
        ("- [ ] Stop the [[Watcher|watcher]] first", "Stop the watcher first"),
        ("It’s “half empty” – until then", 'It\'s "half empty" - until then'),
        ("two words\nover lines", "words over"),
        ("索引\n重建", "索引 重建"),
        ("Cafe\u0301 at noon", "Café at noon"),
        ("wait until noon", "…until noon…"),
    ],
)
def test_markup_case_and_quotation_marks_do_not_count(source: str, quote: str) -> None:
    assert locate("a.md", quote, [block(source)]).found


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("stop the watcher", "the watcher stop"),
        ("stop the watcher", "never stop the watcher"),
        ("stop the watcher", ""),
        ("stop the watcher", "..."),
    ],
)
def test_words_and_their_order_count(source: str, quote: str) -> None:
    found = locate("a.md", quote, [block(source)])
    assert (found.found, found.line) == (False, 0)


def test_a_heading_is_no_evidence() -> None:
    assert not locate("a.md", "The plan", [block("# The plan", kind="heading")]).found


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_line_is_the_one_on_which_the_words_begin(before: int, after: int) -> None:
    lines = [f"line number {i} of the text" for i in range(before)]
    lines += ["here the wanted words", "go on over two lines"]
    lines += [f"tail number {i} of the text" for i in range(after)]
    found = locate("a.md", "the wanted words go on", [block("\n".join(lines), line=10)])
    assert found.line == 10 + before


@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_a_block_of_many_lines_takes_no_time() -> None:
    text = "\n".join(f"row {i} of a very long table of figures" for i in range(20_000))
    assert locate("a.md", "row 19990 of a very long table", [block(text)]).line == 19_991


def test_a_quote_is_fresh_where_its_block_is() -> None:
    blocks = [block("old words", 1, fresh=False), block("new words", 3)]
    assert not on_fresh_block(locate("a.md", "old words", blocks), blocks)
    assert on_fresh_block(locate("a.md", "new words", blocks), blocks)


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_that_is_found(text: str) -> None:
    assert fold(text) == " ".join(fold(text).split())
