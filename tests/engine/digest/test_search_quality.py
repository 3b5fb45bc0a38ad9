"""A small run of the benchmarks, so that neither they nor the quality rot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(BENCH))
    yield
    for name in ("bench_classify", "bench_search", "query_set", "vault_generator", "vocabulary"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("bench")
def test_search_quality_on_a_thousand_nodes(tmp_path: Path) -> None:
    from bench_search import measure, ours

    from tests.bench.query_set import queries
    from tests.bench.vault_generator import HOUSEHOLD, generate

    vault = generate(1_000, HOUSEHOLD, seed=3)
    got = measure(ours([node.text() for node in vault.nodes], tmp_path), queries(vault, 15, seed=3))
    assert got["recall"] >= 0.98
    assert got["mrr"] >= 0.93


@pytest.mark.usefixtures("bench")
def test_units_are_told_from_siblings() -> None:
    from bench_classify import confusion

    from tests.bench.query_set import pairs
    from tests.bench.vault_generator import HOUSEHOLD, generate

    table = confusion(pairs(generate(500, HOUSEHOLD, seed=3), 100, seed=3))
    assert table["same", "same_abstraction"] >= 90
    assert table["sibling", "same_abstraction"] <= 1
    assert table["value", "same_abstraction"] == 0
    assert table["unrelated", "unrelated"] >= 0.97 * sum(
        count for (truth, _), count in table.items() if truth == "unrelated"
    )


@pytest.mark.usefixtures("bench")
def test_a_written_vault_is_the_same_every_time(tmp_path: Path) -> None:
    from tests.bench.vault_generator import WORKSHOP, generate, write_vault

    for name in ("one", "two"):
        assert write_vault(tmp_path / name, generate(30, WORKSHOP, seed=5), days=4) == 34
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.md")
        }
        for name in ("one", "two")
    )
    assert one == two
