"""Search quality and speed, side by side in one run: ours, plain FTS5, BM25, fuzzy matching.

``bench_search.py [--nodes 1000 10000 50000] [--world household] [--per-class 100]``. The default
world and seed are not the ones that ranking was tuned on (``--world workshop --seed 1``). Rivals
that look at every node for each query are left out above 10,000 nodes.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tests.bench.query_set import CLASSES, Query, queries
from tests.bench.vault_generator import WORLDS, GeneratedVault, generate
from vault_dream.engine.digest.index import NodeIndex
from vault_dream.engine.digest.nodes import NodeText

Search = Callable[[str], list[str]]
LIMIT = 20


def ours(texts: list[NodeText], folder: Path) -> Search:
    by_path = {text.path: text for text in texts}
    index = NodeIndex(folder / "nodes.db")
    index.refresh([(path, 1, 1) for path in by_path], by_path.get)
    return lambda query: [hit.path for hit in index.search(query, LIMIT)]


def plain_fts5(texts: list[NodeText], folder: Path) -> Search:
    """FTS5 as its manual shows it: default tokenizer, all words or-ed, ordered by rank."""
    database = sqlite3.connect(folder / "plain.db")
    database.execute(
        "CREATE VIRTUAL TABLE node USING fts5(path UNINDEXED, name, description, body)"
    )
    rows = [(t.path, t.name, t.description, t.body) for t in texts]
    database.executemany("INSERT INTO node VALUES (?, ?, ?, ?)", rows)
    database.commit()

    def search(query: str) -> list[str]:
        words = "".join(c if c.isalnum() else " " for c in query).split()
        match = " OR ".join(f'"{word}"' for word in words)
        found = database.execute(
            "SELECT path FROM node WHERE node MATCH ? ORDER BY rank LIMIT ?", (match, LIMIT)
        )
        return [path for (path,) in found]

    return search


def rank_bm25(texts: list[NodeText], folder: Path) -> Search:
    def split(text: str) -> list[str]:
        return "".join(c if c.isalnum() else " " for c in text.lower()).split()

    corpus = [split(f"{t.name} {t.description} {t.body}") for t in texts]
    bm25 = import_module("rank_bm25").BM25Okapi(corpus)
    paths = [t.path for t in texts]
    return lambda query: list(bm25.get_top_n(split(query), paths, n=LIMIT))


def rapidfuzz_alone(texts: list[NodeText], folder: Path) -> Search:
    from rapidfuzz import fuzz, process, utils

    choices = {t.path: utils.default_process(f"{t.name} {t.description}") for t in texts}
    return lambda query: [
        path
        for _, _, path in process.extract(
            utils.default_process(query), choices, scorer=fuzz.token_set_ratio, limit=LIMIT
        )
    ]


def reme(texts: list[NodeText], folder: Path) -> Search:
    """ReMe's keyword index with its own tokenizer (`pip install reme-ai agentscope`)."""
    import asyncio

    index = import_module("reme.components.keyword_index.bm25_index").BM25Index()
    index.tokenizer = import_module("reme.components.tokenizer").RegexTokenizer()
    loop = asyncio.new_event_loop()
    texts_by_path = {t.path: f"{t.name}\n{t.description}\n{t.body}" for t in texts}
    loop.run_until_complete(index.add_docs(texts_by_path))
    return lambda query: list(loop.run_until_complete(index.retrieve(query, LIMIT)))


RIVALS: dict[str, tuple[Callable[[list[NodeText], Path], Search], str]] = {
    "vault-dream": (ours, ""),
    "plain FTS5": (plain_fts5, ""),
    "rank_bm25": (rank_bm25, "rank_bm25"),
    "rapidfuzz": (rapidfuzz_alone, "rapidfuzz"),
    "reme-ai": (reme, "reme"),
}


SLOW = {"plain FTS5", "rank_bm25", "rapidfuzz", "reme-ai"}


def measure(search: Search, asked: list[Query]) -> dict[str, float]:
    """recall@20, MRR, MRR by class, median and 95th percentile in milliseconds."""
    ranks: dict[str, list[float]] = {kind: [] for kind in CLASSES}
    times = []
    for query in asked:
        begun = time.perf_counter()
        found = search(query.text)
        times.append((time.perf_counter() - begun) * 1000)
        ranks[query.kind].append(
            1 / (found.index(query.answer) + 1) if query.answer in found else 0.0
        )
    every = [rank for kind in ranks.values() for rank in kind]
    return {
        "recall": sum(rank > 0 for rank in every) / len(every),
        "mrr": statistics.fmean(every),
        "median": statistics.median(times),
        "p95": sorted(times)[int(len(times) * 0.95)],
        **{kind: statistics.fmean(of) for kind, of in ranks.items() if of},
    }


def compare(vault: GeneratedVault, asked: list[Query], skip: set[str]) -> None:
    """Print a line for every rival that is installed, and why another is not there."""
    texts = [node.text() for node in vault.nodes]
    print(
        f"{len(texts)} nodes of the {vault.world.name} world, {len(asked)} queries;"
        " last columns: MRR by class"
    )
    print(
        f"{'':12} recall@20    MRR  median    p95  index  "
        + " ".join(f"{kind:>9}" for kind in CLASSES)
    )
    for name, (build, needs) in RIVALS.items():
        if name in skip:
            continue
        if needs and find_spec(needs) is None:
            print(f"{name:12} not measured: {needs} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            try:
                search = build(texts, Path(folder))
            except ImportError as error:
                print(f"{name:12} not measured: {error}")
                continue
            built = time.perf_counter() - begun
            search("a wram up queery")
            got = measure(search, asked)
        print(
            f"{name:12} {got['recall']:9.3f} {got['mrr']:6.3f}"
            f" {got['median']:5.2f}ms {got['p95']:4.1f}ms {built:5.1f}s  "
            + " ".join(f"{got.get(kind, 0):9.3f}" for kind in CLASSES)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1_000, 10_000, 50_000])
    parser.add_argument("--world", choices=sorted(WORLDS), default="household")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--per-class", type=int, default=100)
    parser.add_argument("--skip", nargs="*", default=[], choices=sorted(RIVALS))
    args = parser.parse_args()
    for nodes in args.nodes:
        vault = generate(nodes, WORLDS[args.world], args.seed)
        slow = SLOW if nodes > 10_000 else set()
        compare(vault, queries(vault, args.per_class, args.seed), {*args.skip, *slow})


if __name__ == "__main__":
    main()
