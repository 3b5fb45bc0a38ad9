"""A three-way merge is clean, or it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.journal.merge import merge_bytes

texts = st.text(alphabet="ab\n\r", max_size=12).map(str.encode)


@given(texts, texts)
def test_one_sided_and_equal_changes_merge(base: bytes, other: bytes) -> None:
    assert merge_bytes(base, other, base) == other
    assert merge_bytes(base, base, other) == other
    assert merge_bytes(base, other, other) == other


@given(texts, texts, texts)
def test_the_sides_are_equal_partners(base: bytes, one: bytes, other: bytes) -> None:
    assert merge_bytes(base, one, other) == merge_bytes(base, other, one)


@given(st.lists(st.integers(0, 9), min_size=3, max_size=9), st.data())
def test_changes_two_lines_apart_merge(lines: list[int], data: st.DataObject) -> None:
    """Distinct lines; ours replaces one, theirs another that is not its neighbour."""
    base = [f"{place} {line}\n" for place, line in enumerate(lines)]
    mine = data.draw(st.integers(0, len(base) - 3))
    theirs = data.draw(st.integers(mine + 2, len(base) - 1))

    def with_lines(*changed: int) -> bytes:
        return "".join(f"new {n}\n" if n in changed else t for n, t in enumerate(base)).encode()

    merged = merge_bytes(with_lines(), with_lines(mine), with_lines(theirs))
    assert merged == with_lines(mine, theirs)


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (b"a\n", b"b\n", b"c\n"),
        (b"a\nb\n", b"A\nb\n", b"a\nB\n"),  # neighbours: a person should look
        (b"a\n", b"a\nx\n", b"a\ny\n"),
        (b"a\nb\n", b"b\n", b"A\nb\n"),
        (b"a\nb", b"A\nb", b"a\nb\n"),
        (b"\xff", b"a", b"\xff"),
    ],
)
def test_what_is_not_clean_is_no_merge(base: bytes, ours: bytes, theirs: bytes) -> None:
    assert merge_bytes(base, ours, theirs) is None


def test_line_endings_are_part_of_the_line() -> None:
    base = b"one\r\ntwo\r\nthree\r\nfour"
    assert (
        merge_bytes(base, b"ONE\r\ntwo\r\nthree\r\nfour", b"one\r\ntwo\r\nthree\r\n4")
        == b"ONE\r\ntwo\r\nthree\r\n4"
    )
