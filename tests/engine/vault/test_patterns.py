"""Excluded-files patterns match as a regular expression does, but in bounded time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.vault.patterns import Pattern, UnboundedPatternError

steady = settings(derandomize=True, deadline=None, max_examples=400)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(.*)*x", ".*.*.*.*.*.*y", "(a{0,20}){0,20}z"]
)
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_hostile_patterns_do_not_hang(pattern: str) -> None:
    text = "a" * 4_000 + "!"
    assert not Pattern(pattern).search(text)


@pytest.mark.parametrize("pattern", ["(?=a)b", "(?!Public)", r"(a)\1", "((a{50}){50}){50}"])
def test_what_cannot_be_bounded_is_said(pattern: str) -> None:
    with pytest.raises(UnboundedPatternError):
        Pattern(pattern)


atoms = st.sampled_from(
    ["a", "b", "B", ".", "[ab]", "[^a/]", r"\d", r"\W", r"\.", "/", "é", r"\b", "^", "$"]
)
pattern_text = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}", "*?"])).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)


@steady
@given(pattern_text, st.text(alphabet="abAB/.é1 _", max_size=8))
def test_agrees_with_re(pattern: str, text: str) -> None:
    expected = re.compile(pattern, re.IGNORECASE | re.ASCII).search(text.lower()) is not None
    found = Pattern(pattern)
    assert found.search(text) == expected
    assert found.search(text) == expected  # the second time from memory


def test_javascript_spellings() -> None:
    assert Pattern(r"^Private\/").search("Private/x.md")
    assert Pattern("(?<year>[0-9]{4})").search("a/2026.md")
    assert Pattern("a[^]b").search("a\nb")
