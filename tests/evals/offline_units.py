"""Unit precision and recall of the offline reader on its own corpus of days.

    python -m tests.evals.offline_units [-v] [FOLDER]

A unit is right when one of its quotes shares its words with something the owner would keep; a unit
that is right in the wrong bucket counts, and is listed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tests.engine.dream.offline.daytext import DAYS, Day, days, source
from vault_dream.engine.dream.offline.extract import extract
from vault_dream.engine.dream.reader import ExtractRequest, UnitClaim


@dataclass(slots=True)
class Score:
    right: int = 0
    wrong: int = 0
    found: int = 0
    wanted: int = 0
    bucket: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.wanted)


def units_of(day: Day) -> tuple[UnitClaim, ...]:
    return extract(ExtractRequest((source(day.text),), max_units=5)).units


def measure(corpus: tuple[Day, ...], *, loud: bool = False) -> Score:
    score = Score()
    for day in corpus:
        units = units_of(day)
        matched = {
            id(k): [u for u in units if any(k.proved_by(q) for _, q in u.quotes)] for k in day.keeps
        }
        needed = [k for k in day.keeps if not k.optional]
        good = [u for u in units if any(u in m for m in matched.values())]
        score.right += len(good)
        score.wrong += len(units) - len(good)
        score.wanted += len(needed)
        score.found += sum(bool(matched[id(k)]) for k in needed)
        for keep in day.keeps:
            for unit in matched[id(keep)]:
                if unit.bucket in keep.buckets:
                    score.bucket += 1
                elif loud:
                    print(f"   bucket {unit.bucket}: {unit.name}")
        if loud:
            print(f"## {day.name}")
            for unit in units:
                print(f" {'+' if unit in good else 'WRONG'} [{unit.bucket}] {unit.name}")
                print(f"      {unit.summary}")
            for keep in needed:
                if not matched[id(keep)]:
                    print(f" MISSED {keep.words}")
    return score


def main() -> None:
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    corpus = days(Path(arguments[0]) if arguments else DAYS)
    score = measure(corpus, loud="-v" in sys.argv)
    print(
        f"{len(corpus)} days, {score.wanted} things to keep: "
        f"precision {score.precision:.2f} ({score.wrong} wrong), recall {score.recall:.2f} "
        f"({score.wanted - score.found} missed), bucket right {score.bucket}/{score.right}"
    )


if __name__ == "__main__":
    main()
