"""Rows: cut and wrapped by cells, whatever the script; diffs that say exactly what changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from vault_dream.engine.dream.revise import hunks
from vault_dream.ui.diff_rows import DiffView, diff_rows, pieces_of
from vault_dream.ui.glyphs import ASCII, UNICODE
from vault_dream.ui.lines import columns, cut, line, pad, plain, wrap
from vault_dream.ui.rendered import rendered
from vault_dream.ui.worddiff import parts

WORDS = st.text(alphabet="ab \t酱油，。é🧂-—[]|#*`", max_size=80)
TEXTS = st.lists(st.sampled_from(["a", "b", "- x [[p/q.md|q]] y", "", "酱油 1.2 升", "# H"]))


def cells(pieces: tuple[tuple[str, str], ...]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


@given(WORDS, st.integers(8, 40))
def test_wrapped_rows_fit_and_lose_only_spaces(text: str, width: int) -> None:
    rows = wrap(line(text).pieces, width)
    assert all(cells(row) <= width for row in rows)
    kept = "".join(part for row in rows for part, _ in row)
    assert kept.split() == plain(line(text)).split() or "".join(kept.split()) == "".join(
        plain(line(text)).split()
    )


@given(WORDS, st.integers(8, 40))
def test_cut_and_padded_rows_have_their_width(text: str, width: int) -> None:
    pieces = line(text).pieces
    assert cells(cut(pieces, width)) <= width
    assert cells(pad(pieces, width)) == width
    assert cells(columns([text], ["right"], width).pieces) >= min(width, 5)


@given(TEXTS, TEXTS, st.booleans(), st.integers(20, 130))
def test_a_diff_with_the_whole_context_holds_every_line(
    old: list[str], new: list[str], beside: bool, width: int
) -> None:
    before, after = "\n".join(old) + "\n", "\n".join(new) + "\n"
    view = DiffView(context=None, side_by_side=beside, exact=True)
    found = hunks(before, after)
    rows = diff_rows(before, found, view, width, UNICODE)
    said = "".join("".join(plain(row).split()) for row in rows)
    if not beside:
        changed = {hunk.index for hunk in found if hunk.new or hunk.old}
        assert {row.key for row in rows if row.key} == {f"hunk:{index}" for index in changed}
    for one in {*old, *new}:
        if one.strip() and not beside and width > 60:
            assert "".join(one.split())[:4] in said


def test_a_changed_word_is_marked_in_its_line() -> None:
    found = parts("runs on Postgres 14, here", "runs on Postgres 16, here")
    assert found is not None
    assert [(p.kind, p.text) for p in found if p.kind != " "] == [("-", "14"), ("+", "16")]


def test_lines_with_nothing_in_common_are_not_one_line() -> None:
    assert parts("completely different words", "一二三四五六七") is None


def test_without_colours_words_are_marked_by_signs() -> None:
    before, after = "the port is 80 here\n", "the port is 81 here\n"
    view = DiffView(plain=True)
    rows = diff_rows(before, hunks(before, after), view, 60, ASCII)
    assert plain(rows[0]) == "~  the port is [-80-] {+81+} here"


def test_links_show_their_labels_or_exactly_what_is_written() -> None:
    text = "see [[daily/2026-11-29.md#Evening|29 Nov]] and [[people/Bett]]"
    assert "".join(t for t, _ in pieces_of(text, "text")) == "see 29 Nov and Bett"
    assert "".join(t for t, _ in pieces_of(text, "text", exact=True)) == text.replace(
        "[[people/Bett]]", "[[people/Bett]]"
    )


@given(st.text(max_size=400), st.integers(10, 100))
def test_any_text_can_be_rendered(text: str, width: int) -> None:
    assert all(cells(row.pieces) <= max(width, 24) + 16 for row in rendered(text, width))
