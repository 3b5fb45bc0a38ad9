"""Identifiers as models retype them: resolved when there is one reading, refused otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.model.handles import HandleError, Handles

NAMES = [
    "daily/2026-11-29.md",
    "daily/2026-11-29/unsent.md",
    "digest/procedure/restore-the-orders-database.md",
    "projects/外婆's recipe book.md",
    "digest/wiki/one-number-one-owner.md",
]
HANDLES = Handles.number(NAMES)


@pytest.mark.parametrize(
    "said",
    [
        *(
            3,
            3.0,
            "3",
            "[3]",
            "3.",
            "(3)",
            '"3"',
            "`3`",
            "#3",
            " 3 ",
            "source 3",
            "[source 3]",
            "３",
        ),
        *("Handle: 3", "3.0", "3)", "【3】", [3], ["3"], "来源3"),
        "digest/procedure/restore-the-orders-database.md",
        "digest/procedure/restore-the-orders-database",
        "[[digest/procedure/restore-the-orders-database.md|Restore]]",
        "[[digest/procedure/restore-the-orders-database#Sources]]",
        "./Digest/Procedure/Restore-the-orders-database.md",
        "restore-the-orders-database",
        "procedure/restore-the-orders-database",
        "digest/procedure/rest",
        "restore-",
        "restore-the-ord…",
        "restore-the-ord...",
    ],
)
def test_one_reading_resolves(said: object) -> None:
    assert HANDLES.resolve(said) == 3


@pytest.mark.parametrize(
    "said",
    [
        *(0, 6, -1, 3.5, "6", "3, 4", "3-4", "", "   ", True, None, {}, [], [1, 2], float("nan")),
        *(float("inf"), "restore", "digest/p" * 9, "nothing like it", "../daily/2026-11-29.md"),
        "99999999999999999999999",
        "daily/20",
        "[[]]",
    ],
)
def test_none_or_several_are_refused(said: object) -> None:
    with pytest.raises(HandleError, match=r"send|none"):
        HANDLES.resolve(said)


def test_the_whole_name_wins_over_what_it_begins() -> None:
    assert HANDLES.resolve("daily/2026-11-29") == 1
    assert HANDLES.resolve("2026-11-29") == 1


def test_a_name_that_looks_like_another_handle_is_refused() -> None:
    with pytest.raises(HandleError, match="send the number"):
        Handles({1: "2.md", 2: "b.md"}).resolve("2")


@given(st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.text())))
def test_nothing_breaks_it(said: object) -> None:
    try:
        assert HANDLES.resolve(said) in range(1, 6)
    except HandleError:
        pass


@given(st.sampled_from(NAMES), st.sampled_from(['"{}"', "[[{}]]", "`{}`", " {} ", "[{}]", "{}"]))
def test_every_name_in_any_dress_is_itself(name: str, dress: str) -> None:
    assert NAMES[HANDLES.resolve(dress.format(name)) - 1] == name
