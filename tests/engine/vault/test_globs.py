"""Globs over vault paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_dream.engine.vault.globs import matcher

MATCHED = [
    ("Private", "Private/diary.md"),
    ("Private", "Work/private/2026.md"),
    ("Private/", "private/a/b.md"),
    ("/Private", "Private/diary.md"),
    ("Work/Private", "work/PRIVATE/x.md"),
    ("*.draft.md", "a/b/c.draft.md"),
    ("Work/*.md", "Work/plan.md"),
    ("Work/*/plan.md", "Work/2026/plan.md"),
    ("Work/**", "Work/a/b.md"),
    ("Work/**/plan.md", "Work/plan.md"),
    ("Work/**/plan.md", "Work/a/b/plan.md"),
    ("**/plan.md", "plan.md"),
    ("**/**/plan.md", "a/plan.md"),
    ("**", "plan.md"),
    ("Wor?/plan.md", "Work/plan.md"),
    ("[wv]ork/plan.md", "Work/plan.md"),
    ("[!a]ork/plan.md", "Work/plan.md"),
    ("x[.*].md", "x*.md"),
    ("a.*", "notes/a.md"),
    ("Zo\u00eb", "Zoe\u0308/x.md"),
    ("STRASSE", "Straße/x.md"),
    ("(a|b)+.md", "(a|b)+.md"),
]
UNMATCHED = [
    ("Private", "Privateer/diary.md"),
    ("/Private", "Work/Private"),
    ("Work/Private", "Home/Work/Private/x.md"),
    ("Work/*.md", "Work/a/plan.md"),
    ("Work/**", "Work"),
    ("Work/**", "Works/a.md"),
    ("a?b.md", "a/b.md"),
    ("a[!x]b.md", "a/b.md"),
    ("x[.*].md", "xabc.md"),
    ("a.*", "abc"),
    ("**/plan.md", "a/xplan.md"),
    ("", "a.md"),
    ("/", "a.md"),
]


@pytest.mark.parametrize(("pattern", "path"), MATCHED)
def test_what_a_pattern_matches(pattern: str, path: str) -> None:
    assert matcher(["nothing", pattern])(path)


@pytest.mark.parametrize(("pattern", "path"), UNMATCHED)
def test_what_it_does_not_match(pattern: str, path: str) -> None:
    assert not matcher([pattern])(path)


def test_many_stars_are_no_burden() -> None:
    assert not matcher(["**/" * 40 + "a*" * 40 + "b"])("/".join(["a" * 100] * 40))


def by_regex(pattern: str) -> str:
    """The same for patterns of plain characters, ``*`` and ``**``, in another way."""
    parts = pattern.strip("/").split("/")
    out = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    for number, part in enumerate(parts):
        if part == "**":
            out += "[^/].*" if number == len(parts) - 1 else "(?:[^/]+/)*"
        else:
            out += re.escape(part).replace(r"\*", "[^/]*") + ("/" * (number < len(parts) - 1))
    return out + "(?:/.*)?"


NAMES = st.lists(st.sampled_from(["a", "b", "ab", "ba.md"]), min_size=1, max_size=5).map("/".join)
PATTERNS = st.lists(
    st.sampled_from(["a", "b", "*", "**", "a*", "*.md", "*b*"]), min_size=1, max_size=5
).map("/".join)


@given(PATTERNS, st.sampled_from(["", "/"]), NAMES)
@example("**/a/**/**", "", "a/b")
def test_they_agree_with_a_regular_expression(pattern: str, before: str, path: str) -> None:
    pattern = before + pattern
    assert matcher([pattern])(path) == bool(re.fullmatch(by_regex(pattern), path))
