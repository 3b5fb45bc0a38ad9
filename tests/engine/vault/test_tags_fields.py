"""Tags by Obsidian's grammar, and Dataview's inline fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.vault.texts import bodies
from vault_dream.engine.vault.fields import fields_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.tags import body_tags, is_tag, tags_in, to_tag


def tags(text: str, *, hidden: bool = False) -> tuple[str, ...]:
    return tags_in(parse_note("n.md", text.encode()), hidden=hidden)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#a #B-c_d/e #A\n#x", ("a", "B-c_d/e", "x")),
        ("(#no) /#no \\#no a#no ##no # no [#no]", ()),
        ("#1984 #y1984 #19-84", ("y1984", "19-84")),
        ("#日本語 #🛒買い物 #👩‍🚀 #été", ("日本語", "🛒買い物", "👩‍🚀", "été")),
        ("#a, #b. #c! #d' #e:f #g#h", ("a", "b", "c", "d", "e", "g")),
        ("#a/ #/b #c//d", ("a",)),
        ("`#no` $x #no$\n```\n#no\n```\n<!-- #no -->", ()),
        ("[[x #no]] [a](x #no) <p style=' #no '> [[a]] #yes", ("yes",)),
        ("- #a\n> #b\n| c | #d |", ("a", "b", "d")),
        ("---\ntags: [a, 2024, '#b']\n---\n#A #c", ("a", "b", "c")),
        ("---\na: '#no'\n---\n", ()),
        ("#a\r\n#b\r\n", ("a", "b")),
    ],
)
def test_tags(text: str, expected: tuple[str, ...]) -> None:
    assert tags(text) == expected


def test_tags_in_comments_are_given_only_when_asked_for() -> None:
    assert tags("%% #a %% #b") == ("b",)
    assert tags("%% #a %% #b", hidden=True) == ("a", "b")


@given(bodies())
def test_a_tag_stands_where_its_span_says(text: str) -> None:
    it = parse_note("n.md", text.encode())
    for tag, span in body_tags(it):
        assert text[span.start : span.end] == f"#{tag}"
        assert is_tag(tag)


@given(st.text())
def test_to_tag_makes_a_tag_or_nothing(text: str) -> None:
    tag = to_tag(text)
    assert tag == "" or (is_tag(tag) and to_tag(tag) == tag and tags(f"#{tag}") == (tag,))


def test_to_tag() -> None:
    assert to_tag("Search index") == "Search-index"
    assert to_tag("#area / Q&A!") == "area/Q-A"
    assert to_tag("123") == to_tag("!?") == ""


# -- fields --------------------------------------------------------------------------------------


def fields(text: str) -> list[tuple[str, str, str]]:
    return [(f.key, f.value, f.form) for f in fields_in(parse_note("n.md", text.encode()))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Key:: v", [("Key", "v", "line")]),
        ("Two words:: [[x]], y  ", [("Two words", "[[x]], y", "line")]),
        ("**Bold**:: v\n- item:: v\n- [ ] task:: v\n> q:: v",
         [("Bold", "v", "line"), ("item", "v", "line"), ("task", "v", "line"), ("q", "v", "line")]),
        ("a [k:: v] b (l:: w) c", [("k", "v", "bracket"), ("l", "w", "paren")]),
        ("[k:: [[A]] (b)] (l:: (x) y)", [("k", "[[A]] (b)", "bracket"), ("l", "(x) y", "paren")]),
        ("[k:: a \\] b]", [("k", "a \\] b", "bracket")]),
        ("[a:: [b:: c]", [("b", "c", "bracket")]),
        ("[a:: [b:: c]]", [("a", "[b:: c]", "bracket")]),
        ("[x [k]:: v]\n[:: v]", []),
        ("key::\n語:: v\n🛒:: v", [("key", "", "line"), ("語", "v", "line"), ("🛒", "v", "line")]),
        ("`a:: b`\n```\na:: b\n```\n%%\na:: b\n%%", []),
        ("---\na:: b\n---\nc:: d", [("c", "d", "line")]),
        ("k:: v\r\nl:: w\r\n", [("k", "v", "line"), ("l", "w", "line")]),
        ("(derived_from:: [[daily/x.md]])", [("derived_from", "[[daily/x.md]]", "paren")]),
    ],
)  # fmt: skip
def test_fields(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert fields(text) == expected


@given(bodies())
def test_a_field_stands_where_its_spans_say(text: str) -> None:
    it = parse_note("n.md", text.encode())
    for field in fields_in(it):
        assert text[field.value_start : field.value_end] == field.value
        assert field.start <= field.value_start <= field.value_end <= field.end <= len(text)
        assert field.line == it.line_of(field.start)
        assert f"{field.key}" in text[field.start : field.value_start]


@pytest.mark.parametrize(
    "text",
    [
        *("[a:: " * 200_000, "(" * 500_000 + "::", "a::b " * 200_000, "a:: b\n" * 60_000),
        *("#" * 500_000, "#a " * 150_000, "[[#a " * 100_000, "<a #b" * 100_000, "- [x" * 99_999),
        "> " * 200_000 + "a::",
    ],
)
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_time_grows_with_the_size_alone(text: str) -> None:
    it = parse_note("n.md", text.encode())
    fields_in(it), body_tags(it)
