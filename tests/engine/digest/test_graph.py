"""The graph: edges with predicates, backlinks, what hangs loose, the way between two notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import make_vault
from vault_dream.config import Settings
from vault_dream.engine.digest.graph import Graph
from vault_dream.engine.errors import PathError
from vault_dream.engine.lookup import Lookup

NOTES = {
    "daily/2026-11-29.md": "Saw [[b]] and ![[plan.pdf]], and [[missing]] in `[[code]]`.\n",
    "digest/wiki/a.md": (
        '---\nname: A\ndepends_on: ["[[digest/wiki/b.md|B]]"]\n---\n\nIt depends on [[b|that]].\n\n'
        "## Sources\n\n- Seen [[daily/2026-11-29.md|then]]. %%[[digest/wiki/lonely.md]]%%\n"
    ),
    "digest/wiki/b.md": "---\nname: B\n---\n\nSee [a](a.md) and [site](https://example.org).\n",
    "digest/wiki/lonely.md": "---\nname: Lonely\n---\n\nFrom [[daily/2026-11-29]], [[lonely]].\n",
    "notes/x/twin.md": "one\n",
    "notes/y/twin.md": "other\n",
    "notes/far.md": "[[Twin]] and [[#here]]\n",
    "plan.pdf": b"%PDF",
}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    root = make_vault(tmp_path / "vault", NOTES)
    with Lookup(root, Settings, folder=tmp_path / "cache") as lookup:
        yield lookup.graph()


def test_edges_out_have_predicates(graph: Graph) -> None:
    edges = [(edge.predicate, edge.target) for edge in graph.edges_out("digest/wiki/a.md")]
    assert edges == [
        ("depends_on", "digest/wiki/b.md"),
        ("depends_on", "digest/wiki/b.md"),
        ("derived_from", "daily/2026-11-29.md"),
    ]


def test_edges_in_come_from_all_notes(graph: Graph) -> None:
    edges = {(edge.node, edge.predicate) for edge in graph.edges_in("digest/wiki/b.md")}
    assert edges == {("daily/2026-11-29.md", "links_to"), ("digest/wiki/a.md", "depends_on")}
    assert graph.backlinks("plan.pdf") == ("daily/2026-11-29.md",)


def test_what_hangs_loose(graph: Graph) -> None:
    assert [(one.note, one.target) for one in graph.unresolved] == [
        ("daily/2026-11-29.md", "missing")
    ]
    (tie,) = graph.ambiguous
    assert (tie.note, tie.candidates) == ("notes/far.md", ("notes/x/twin.md", "notes/y/twin.md"))
    assert graph.orphans("digest") == ("digest/wiki/lonely.md",)


def test_the_shortest_way_goes_along_links_of_both_directions(graph: Graph) -> None:
    way = graph.way("plan.pdf", "digest/wiki/a.md")
    assert [(edge.node, edge.predicate, edge.target) for edge in way] == [
        ("daily/2026-11-29.md", "links_to", "plan.pdf"),
        ("digest/wiki/a.md", "derived_from", "daily/2026-11-29.md"),
    ]
    assert graph.way("digest/wiki/a.md", "notes/far.md") == ()
    assert graph.way("plan.pdf", "plan.pdf") == ()
    assert graph.way("plan.pdf", "nowhere.md") == ()


def test_a_note_is_found_by_path_or_name(graph: Graph) -> None:
    assert graph.find("lonely") == graph.find("digest/wiki/lonely.md") == "digest/wiki/lonely.md"
    with pytest.raises(PathError):
        graph.find("nobody")


def test_the_graph_follows_the_vault(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {"a.md": "[[b]]\n", "sub/b.md": "x\n"})
    with Lookup(root, Settings, folder=tmp_path / "cache") as lookup:
        assert lookup.graph().out["a.md"] == ("sub/b.md",)
        (root / "b.md").write_text("nearer\n")
        assert lookup.graph().out["a.md"] == ("b.md",)
        (root / "b.md").unlink()
        (root / "sub/b.md").rename(root / "sub/c.md")
        assert [one.target for one in lookup.graph().unresolved] == ["b"]
