"""What a commit costs beside the plainest loop that writes the same files safely.

Run: ``python -m tests.bench.bench_commit``. The loop writes the notes, the state files and the undo
record that the commit leaves, each by temporary file, fsync, rename and an fsync of the folder.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.plain_writing import write_plainly
from vault_dream.engine.journal import FileWrite, Journal, Landing, WriteSet
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.statefiles import json_bytes

NOTE = b"---\nname: A note\ndescription: As long as most.\n---\n\n" + b"One more sentence.\n" * 100
ROUNDS = 15


def vault(base: Path, notes: int) -> list[str]:
    paths = [f"digest/wiki/note-{number}.md" for number in range(notes)]
    (base / "digest/wiki").mkdir(parents=True)
    (base / "metadata/runs").mkdir(parents=True)
    for path in paths:
        (base / path).write_bytes(NOTE)
    return paths


def by_commit(base: Path, notes: int) -> tuple[float, dict[str, bytes]]:
    """Seconds, and the files that the commit left."""
    paths = vault(base / "vault", notes)
    sets = [WriteSet(path, (FileWrite(path, NOTE, NOTE + b"New.\n"),)) for path in paths]

    def state(landing: Landing) -> list[FileWrite]:
        catalog = json_bytes({"version": 1, "done": list(landing.landed)})
        return [FileWrite("metadata/catalog.json", None, catalog)]

    root = base / "vault"
    journal = Journal(
        root, locate=lambda path: root / path, disk=Disk(root), state_folder=base / "state"
    )
    journal.recover()
    begin = time.perf_counter()
    journal.commit("run", sets, state)
    spent = time.perf_counter() - begin
    files = [*paths, "metadata/catalog.json", "metadata/runs/run.undo.json"]
    return spent, {path: (root / path).read_bytes() for path in files}


def by_loop(base: Path, notes: int, files: dict[str, bytes]) -> float:
    vault(base, notes)
    begin = time.perf_counter()
    for path, data in files.items():
        target = base / path
        write_plainly(target, data)
    return time.perf_counter() - begin


def main() -> int:
    worst = 0.0
    for notes in (1, 100):
        commits, loops = [], []
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
                spent, files = by_commit(Path(one), notes)
                commits.append(spent)
                loops.append(by_loop(Path(other), notes, files))
        commit, loop = statistics.median(commits), statistics.median(loops)
        worst = max(worst, commit / loop)
        print(
            f"{notes:4} proposals: commit {commit * 1000:7.1f} ms, "
            f"plain loop {loop * 1000:7.1f} ms, ratio {commit / loop:.2f} (at most 3)"
        )
    return 0 if worst <= 3 else 1


if __name__ == "__main__":
    sys.exit(main())
