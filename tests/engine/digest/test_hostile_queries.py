"""Any text is a query: no syntax, no exception, and a bound on the work."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.digest.classify import classify
from vault_dream.engine.digest.index import NodeIndex
from vault_dream.engine.digest.nodes import NodeText

NODES = {
    f"digest/wiki/{n}.md": NodeText(
        f"digest/wiki/{n}.md", name, 'NEAR "quotes" AND 名前 \0 \ud800', body="the OR body" * n
    )
    for n, name in enumerate(['A "quoted" name', "名前", "???", "NOT", "x\0y", "\ud800", "", "🌱"])
}

HOSTILE = [
    "",
    " ",
    "\0",
    '"',
    '""" OR "',
    "NEAR(a b, 3)",
    "name: x",
    "{name body}: y",
    "a AND",
    "OR",
    "NOT NOT NOT",
    "^x *",
    "x*",
    "-x",
    "'; DROP TABLE node; --",
    "()" * 5000,
    "?!…—",
    "\ud800\udfff",
    "e\u0301\u0302\u0303" * 500,
    "\u0301" * 1000,
    "🌱👩‍🌾" * 300,
    "\u202eevil\u202c שלום",
    "x" * 1_000_000,
    "word " * 200_000,
    " ".join(f"w{n}x" for n in range(100_000)),
    "名" * 1_000_000,
    "aB" * 500_000,
    "a-" * 500_000,
    "zzzqqq " + " ".join(f"unknownword{chr(97 + n % 26)}{n}" for n in range(500)),
]


@pytest.fixture(scope="module")
def index() -> NodeIndex:
    index = NodeIndex(None)
    done = index.refresh([(path, 1, 1) for path in NODES], NODES.get)
    assert done.added == len(NODES)
    return index


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:12]))
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_hostile_queries_answer_in_bounded_time(index: NodeIndex, query: str) -> None:
    for hit in index.search(query):
        assert 0 < hit.score <= 1


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=200), st.integers(-5, 10**6))
def test_any_text_and_limit(index: NodeIndex, query: str, limit: int) -> None:
    assert len(index.search(query, limit)) <= max(0, limit)


def test_a_name_of_punctuation_is_found_by_itself(index: NodeIndex) -> None:
    assert index.search("???")[0].name == "???"


def test_a_path_that_cannot_be_written_costs_only_itself() -> None:
    index = NodeIndex(None)
    path = "digest/wiki/\ud800.md"
    entries = [(path, 1, 1), ("digest/wiki/a.md", 1, 1)]
    done = index.refresh(entries, lambda path: NodeText(path, "A", ""))
    assert (done.added, done.failed) == (1, (path,))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(*[st.text(alphabet=st.characters(), max_size=60)] * 4)
def test_any_text_can_be_classified(name: str, summary: str, node: str, description: str) -> None:
    judgement = classify(name, summary, (summary,), NodeText("n.md", node, description))
    assert 0 <= judgement.score <= 1
