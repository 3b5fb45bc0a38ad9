"""Words out of Markdown: nothing that acts is left, and no text takes long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.vault.plain import inert, plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see [[Notes/Foo.md|the foo]] and [[Bar#Part]]", "see the foo and Bar"),
        ("![[picture.png|100]]caption", "caption"),
        ("- [ ] call **Ann** about ==it==", "call Ann about it"),
        ("> [!note] Title\n> words", "Title words"),
        ("#tag and #other/tag here", "tag and other/tag here"),
        ("depends on:: [[x]]", "depends on: x"),
        ("a %%hidden%% b <!-- c --> d <% e %> f", "a b d f"),
        ("never %% closed", "never %% closed"),
        ("text ^block-id", "text"),
        ("[label](https://example.com) <b>bold</b>", "label bold"),
        ("a\u202eb\u200bc", "abc"),
        ("emoji 👩\u200d🌾 stays", "emoji 👩\u200d🌾 stays"),
    ],
)
def test_what_is_left_of_markup(text: str, words: str) -> None:
    assert plain(text) == words


MARKUP = [
    "[[",
    "]]",
    "|",
    "#",
    "%%",
    "<!--",
    "-->",
    "<%",
    "%>",
    "**",
    "==",
    "~~",
    "![[",
    "::",
    "](",
    "词",
]
PIECES = st.sampled_from([*MARKUP, " ", "\n", "> ", "- [x] "])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_link_task_tag_or_field_is_left(text: str) -> None:
    left = inert(text)
    assert "[[" not in left and "]]" not in left
    assert plain(plain(text)).count("[[") == 0


@pytest.mark.timeout(60)  # what is quadratic takes far longer
@pytest.mark.parametrize(
    "piece", ["**a ", "a ~~", "<!-- ", "<% ", "![[", "%% ", "[a](", "<a ", "[[a|"]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    assert isinstance(plain(piece * 60_000), str)
