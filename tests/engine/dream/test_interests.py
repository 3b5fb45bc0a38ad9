"""``interests.yaml``: what is there is read, and added to without touching another byte."""

from __future__ import annotations

from datetime import date

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.dream.interests import read_interests, with_topics
from vault_dream.engine.dream.topics import Topic
from vault_dream.engine.errors import EditError

DAY = date(2026, 11, 30)
TEA = Topic("Tea: “green” # or not", "Because.", "words of a note", ("a", "no"), ("daily/x.md",))

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
titles = texts.filter(str.strip)
topics = st.lists(
    st.builds(
        Topic, titles, texts, texts,
        st.lists(titles, max_size=3).map(tuple), st.lists(titles, max_size=2).map(tuple),
    ),
    min_size=1, max_size=3,
)  # fmt: skip


@given(topics)
def test_what_is_written_is_read_back(made: list[Topic]) -> None:
    raw = with_topics(None, made, DAY)
    assert read_interests(raw).topics == tuple(made)
    others = yaml.safe_load(raw)
    assert others["date"] == "2026-11-30"
    assert [one["title"] for one in others["topics"]] == [topic.title for topic in made]


@given(topics, topics)
def test_what_is_added_comes_after_and_all_else_stays(old: list[Topic], new: list[Topic]) -> None:
    before = with_topics(None, old, DAY)
    after = with_topics(before, new, DAY)
    assert after.startswith(before)
    assert read_interests(after).topics == (*old, *new)


@pytest.mark.parametrize(
    "text",
    [
        "topics: []\n",
        "topics: [] # none yet\nmood: fine\n",
        "topics:\n",
        "topics: ~\nmood: fine\n",
        "mood: fine # today\n",
        "mood: fine",
        "# only a comment\n",
        "topics:\n- title: Mine # by hand\n  reason: so\n\n# at the end\nmood: fine\n",
        "topics:\n    - title: Mine\n      more: [1, 2]\nmood: fine",
        "topics:\n  - title: |\n      Two\n      lines\nmood: fine\n",
        "topics: [{title: Mine, reason: so}]\n",
        "topics: [{title: Mine, reason: so}, ] # flow\nmood: fine\n",
        'topics: [\n  {"title": "Mine"},\n]\n',
        '{"topics": [{"title": "Mine"}], "mood": "fine"}\n',
        "topics:\n  - just a word\n  - title: Mine\n",
        "\ufefftopics:\n  - title: Mine\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_by_hand_is_added_to(text: str, newline: str) -> None:
    before = text.replace("\n", newline).encode()
    old = read_interests(before)
    assert old.problem == ""
    after = with_topics(before, [TEA], DAY)
    found = read_interests(after)
    assert found.problem == "" and found.topics == (*old.topics, TEA)
    added = added_to(before, after)
    for empty in (b"[]", b"~"):
        added = added or added_to(before.replace(empty, b"", 1), after)
    assert added and (b"\n" not in before or after.count(b"\r\n") in (0, after.count(b"\n")))


def added_to(before: bytes, after: bytes) -> bool:
    """Whether ``after`` is ``before`` with something put in at one place, spaces and commas left
    out of account."""
    before, after = (raw.translate(None, b" ,") for raw in (before, after))
    start = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    return start is None or after.endswith(before[start:])


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe", b"topics: [", b"- a\n- b\n", b"just words", b"topics: many\n",
        b"topics: {a: b}\n", b"a: 1\na: 2\n", b"\ttopics: []\n", b"x" * 1_000_001,
    ],
)  # fmt: skip
def test_what_is_none_of_ours_says_why(raw: bytes) -> None:
    found = read_interests(raw)
    assert found.problem and found.topics == ()


@pytest.mark.parametrize(
    "text",
    [
        "topics: &t [{title: a}]\nagain: *t\n",
        "topics:\n  - title: |\n      Two\n      lines",
    ],
)
def test_what_cannot_be_added_to_safely_is_refused_or_right(text: str) -> None:
    try:
        after = with_topics(text.encode(), [TEA], DAY)
    except EditError:
        return
    assert read_interests(after).topics[-1] == TEA
