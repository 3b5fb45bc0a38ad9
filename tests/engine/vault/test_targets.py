"""The quick way to link targets gives what the careful one does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.targets import (
    targets_in,
    words_without_targets,
)

PIECES = [
    "[[", "]]", "|", "#", "a", "Note", "b/c.md", "\n", "\n\n", " ", "`", "](", ")", "[", "]", "%%",
    "<!--", "-->", "\\", "---\n", "up: ", '"', "    ", "$", "https://x.y", "!", "- ", "```", "^",
]  # fmt: skip


def careful(text: str) -> list[str]:
    links = links_in(parse_note("n.md", text.encode()))
    found = [li.target for li in links if li.target and not li.external and not li.hidden]
    return list(dict.fromkeys(found))


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_both_ways_agree(text: str) -> None:
    assert list(targets_in(parse_note("n.md", text.encode()))) == careful(text)


@given(st.lists(st.sampled_from(["[[", "]]", "|", "#", "x", "y z", "\n", "]", "["]), max_size=14))
def test_both_ways_agree_on_brackets(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert list(targets_in(parse_note("n.md", text.encode()))) == careful(text)


@pytest.mark.parametrize(
    "text",
    [
        "[[a]] and [[b|c]], ![[d.png|100]], [[a#h]], [[#own]], [[https://e.f]]",
        '---\nup: "[[p]]"\n---\n[[q]]',
        "|x|\n|-|\n|[[a\\|b]]|",
        "[[ a ]] [[a|]] [[|b]] [[]]",
    ],
)
def test_both_ways_agree_on_examples(text: str) -> None:
    assert list(targets_in(parse_note("n.md", text.encode()))) == careful(text)


def slow_words(text: str) -> str:
    note = parse_note("n.md", text.encode())
    parts, last = [], note.body_start
    for link in links_in(note):
        if link.property is None and link.start >= last:
            parts += [note.text[last : link.start], link.display or ""]
            last = link.end
    return "".join([*parts, note.text[last:]])


@given(
    st.lists(
        st.sampled_from([*PIECES, "# ", "## h", "=", "--", "---", "\n---\n", "\t"]), max_size=16
    )
)
def test_words_agree(pieces: list[str]) -> None:
    text = "".join(pieces)
    note = parse_note("n.md", text.encode())
    assert words_without_targets(note) == slow_words(text)
