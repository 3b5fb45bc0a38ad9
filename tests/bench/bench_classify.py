"""How well the duplicate sense tells a unit's own node from its siblings, relatives and strangers.

``bench_classify.py [--world household]``: a confusion table over labelled pairs. The default world
is not the one that the thresholds were set on.
"""

from __future__ import annotations

import argparse
from collections import Counter

from tests.bench.query_set import Pair, pairs
from tests.bench.vault_generator import WORLDS, generate
from vault_dream.engine.digest.classify import classify

TRUTHS = ("same", "sibling", "value", "related", "unrelated")
KINDS = ("same_abstraction", "related", "unrelated")


def confusion(labelled: list[Pair]) -> Counter[tuple[str, str]]:
    """How often each truth was given each class."""
    return Counter(
        (pair.truth, classify(pair.name, pair.summary, pair.quotes, pair.candidate).kind)
        for pair in labelled
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=4_000)
    parser.add_argument("--world", choices=sorted(WORLDS), default="household")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--units", type=int, default=800)
    args = parser.parse_args()
    vault = generate(args.nodes, WORLDS[args.world], args.seed)
    table = confusion(pairs(vault, args.units, args.seed))
    print(f"{'the truth':10} " + " ".join(f"{kind:>17}" for kind in KINDS))
    for truth in TRUTHS:
        whole = sum(table[truth, kind] for kind in KINDS) or 1
        print(f"{truth:10} " + " ".join(f"{table[truth, kind] / whole:16.1%} " for kind in KINDS))


if __name__ == "__main__":
    main()
