"""A splice changes the span it names and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.splice import Splice, apply, replace_once


@given(st.text(), st.data())
def test_what_no_splice_names_stays(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    new = [data.draw(st.text(max_size=3)) for _ in spans]
    edited = apply(text, [Splice(a, b, n) for (a, b), n in zip(spans, new, strict=True)])
    position = 0
    for start, end in reversed(spans):  # cut the new texts out again, last first
        replaced = new.pop()
        shift = sum(len(n) for n in new) - sum(b - a for a, b in spans[: len(new)])
        assert edited[start + shift : start + shift + len(replaced)] == replaced
        edited = edited[: start + shift] + text[start:end] + edited[start + shift + len(replaced) :]
        for index, (a, b) in enumerate(spans[: len(new)]):  # the earlier ones are still there
            assert a <= b <= start, index
        position = start
    assert position >= 0
    assert edited == text


@pytest.mark.parametrize(
    "splices",
    [
        [Splice(0, 2, ""), Splice(1, 3, "")],
        [Splice(-1, 1, "")],
        [Splice(0, 9, "")],
        [Splice(2, 1, "")],
    ],
)
def test_overlap_and_outside_are_refused(splices: list[Splice]) -> None:
    with pytest.raises(EditError):
        apply("abc", splices)


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply("ab", [Splice(1, 1, "x"), Splice(1, 1, "y")]) == "axyb"


def test_replace_once() -> None:
    assert replace_once("one two", "two", "2", where="a.md") == "one 2"
    for text, old, new in [("a", "b", "c"), ("aa", "a", "b"), ("aaa", "aa", "b"), ("a", "a", "a")]:
        with pytest.raises(EditError, match=r"a\.md"):
            replace_once(text, old, new, where="a.md")
    with pytest.raises(EditError, match="empty"):
        replace_once("a", "", "b", where="a.md")
    with pytest.raises(EditError, match="3 times"):
        replace_once("a a a", "a", "b", where="a.md")
