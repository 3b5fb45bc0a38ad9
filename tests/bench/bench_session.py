"""What a whole session's commit costs beside the plainest loop that writes the same files safely.

Run: ``python -m tests.bench.bench_session``. The session commits 1 and 100 approved proposals with
their catalog, queue, report and undo record, fsync and all; the loop writes the files that are new
or changed afterwards, each by temporary file, fsync, rename and an fsync of the folder.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.plain_writing import write_plainly
from tests.support import ScriptedReader, claim, make_vault, open_session
from vault_dream.engine.journal import Journal, Landing

ROUNDS = 7
DAY = "daily/2026-11-30.md"


def lines(number: int) -> list[str]:
    return [
        f"Thing {i} is best kept on shelf {i} of the shed behind the house" for i in range(number)
    ]


def by_session(root: Path, number: int) -> tuple[float, float, dict[str, bytes]]:
    """Seconds of the whole commit, those of its writing (journal, notes, state, undo record), and
    the files that it left."""
    text = "# Monday\n\n" + "".join(f"- {line}\n" for line in lines(number))
    make_vault(root, {DAY: text})
    before = files(root)
    claims = [claim(f"Thing {i}", (1, line), bucket="wiki") for i, line in enumerate(lines(number))]
    with open_session(root, ScriptedReader(claims), max_units=1000) as session:
        session.recover()
        session.scan()
        session.extract()
        for proposal in session.integrate():
            session.decide(proposal.id, "approved", by="policy")
        writing = timed(session.journal)
        begin = time.perf_counter()
        landing = session.commit()
        spent = time.perf_counter() - begin
    assert len(landing.landed) == number, landing
    return spent, sum(writing), {p: b for p, b in files(root).items() if before.get(p) != b}


def timed(journal: Journal) -> list[float]:
    """Seconds of each commit of ``journal`` from now on, as they come."""
    seconds: list[float] = []
    commit = journal.commit

    def measured(*given: Any) -> Landing:
        begin = time.perf_counter()
        try:
            return commit(*given)
        finally:
            seconds.append(time.perf_counter() - begin)

    journal.commit = measured  # type: ignore[method-assign]
    return seconds


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def by_loop(root: Path, written: dict[str, bytes]) -> float:
    for path in written:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
    begin = time.perf_counter()
    for path, data in written.items():
        target = root / path
        write_plainly(target, data)
    return time.perf_counter() - begin


def main() -> int:
    worst = 0.0
    for number in (1, 100):
        commits, writings, loops = [], [], []
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
                os.environ["VAULT_DREAM_STATE_HOME"] = f"{one}/state"
                spent, writing, written = by_session(Path(one) / "vault", number)
                commits.append(spent)
                writings.append(writing)
                loops.append(by_loop(Path(other), written))
        commit, writing, loop = map(statistics.median, (commits, writings, loops))
        worst = max(worst, writing / loop)
        print(
            f"{number:4} proposals: plain loop {loop * 1000:7.1f} ms, writing "
            f"{writing * 1000:7.1f} ms, ratio {writing / loop:.2f} (at most 3); with rebasing, "
            f"checks and accounts {commit * 1000:7.1f} ms, ratio {commit / loop:.2f}"
        )
    return 0 if worst <= 3 else 1


if __name__ == "__main__":
    sys.exit(main())
