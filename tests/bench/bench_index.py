"""What keeping the indexes costs, each figure against its floor in the same run.

``bench_index.py [--nodes 10000]``. The floors: reading every byte of the vault, a bare scandir
and stat of it, and a bare interpreter. Programs are measured with their bytecode compiled, as they
are once installed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event

from tests.bench.vault_generator import WORLDS, generate, write_vault
from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.tokens import spaced
from vault_dream.engine.lookup import Lookup
from vault_dream.engine.vault.listing import list_vault
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.pulse import pulse
from vault_dream.engine.vault.targets import targets_in
from vault_dream.engine.vault.vault import Vault

OLD = 1_750_000_000


def files(root: Path, read: bool) -> int:
    """Walk the vault with the least there is; stat every file, or read it."""
    size, waiting = 0, [str(root)]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for item in found:
                if item.is_dir(follow_symlinks=False):
                    waiting.append(item.path)
                elif read:
                    with open(item.path, "rb") as file:  # noqa: PTH123
                        size += len(file.read())
                else:
                    size += item.stat().st_size
    return size


def best(
    work: Callable[[], object], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The least of some rounds, in milliseconds: what is left when nothing else runs."""
    times = []
    for _ in range(rounds):
        began = clock()
        work()
        times.append((clock() - began) * 1000)
    return min(times)


def busy() -> float:
    """Processor seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def row(name: str, value: float, floor: float, of: str) -> None:
    print(f"{name:<46}{value:>9.1f} ms{value / floor:>8.2f} x {of}")


def cold_vault(root: Path, cache: Path) -> None:
    """List the vault, and index all of it from nothing."""
    shutil.rmtree(cache, ignore_errors=True)
    with Lookup(root, Settings, folder=cache) as lookup:
        lookup.search("x")


def digest(root: Path, cache: Path) -> None:
    """List the vault, and index its digest nodes from nothing."""
    for file in cache.glob("nodes.sqlite*"):
        file.unlink()
    one = Digest(Vault(root), "digest", index_file=cache / "nodes.sqlite")
    one.search("x")
    one.close()


def texts(root: Path) -> list[str]:
    with Vault(root).reading() as run:
        return [run.read(entry.path).text for entry in list_vault(root).notes]


def fts5(notes: list[str], options: str) -> None:
    """Put raw text into an FTS5 table, as a bare program would."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE note USING fts5(text{options})")
        connection.executemany("INSERT INTO note (rowid, text) VALUES (?, ?)", enumerate(notes, 1))


def properties_and_links(root: Path) -> None:
    with Vault(root).reading() as run:
        for entry in list_vault(root).notes:
            note = run.read(entry.path)
            read_properties(note)
            targets_in(note)


def cold_parts(root: Path, reading: float) -> None:
    """What a cold index cannot do without, each part alone."""
    notes = texts(root)
    parts: list[tuple[str, Callable[[], object]]] = [
        ("  of it: list the vault with all its care", lambda: list_vault(root).skipped),
        ("  of it: read, properties, links", lambda: properties_and_links(root)),
        ("  of it: words of every text", lambda: [spaced(text) for text in notes]),
        ("  beside: FTS5 with the raw text, its tokenizer", lambda: fts5(notes, "")),
        ("  beside: the same, no positions, no text kept", lambda: fts5(notes, _LEAST)),
    ]
    for name, work in parts:
        row(name, best(work, 3, time.process_time), reading, "reading")


_LEAST = ", content='', detail=none, columnsize=0"


def watched(root: Path, cache: Path) -> float:
    """Milliseconds from writing a note until a search can find it: median of some."""
    seen = Event()
    note = root / "daily/2026-01-01.md"
    times = []
    with Lookup(root, Settings, folder=cache, quick=True) as lookup:
        lookup.search("x")

        def update(paths: frozenset[str]) -> None:
            lookup.update(paths)
            seen.set()

        watcher = lookup.watch()
        watcher._changed = update
        with watcher:
            for number in range(7):
                seen.clear()
                began = time.perf_counter()
                note.write_text(f"needle{number}")
                seen.wait(10)
                assert lookup.search(f"needle{number}")
                times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def peak(code: str, *arguments: str) -> float:
    """Peak memory in MB of a process that runs ``code``."""
    code += "; print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"
    command = [sys.executable, "-c", code, *arguments]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


COLD = (
    "import sys; from pathlib import Path; from tests.bench.bench_index import cold_vault;"
    "cold_vault(Path(sys.argv[1]), Path(sys.argv[2]))"
)
WARM = (
    "import sys; from pathlib import Path; from vault_dream.config import Settings;"
    "from vault_dream.engine.lookup import Lookup;"
    "Lookup(Path(sys.argv[1]), Settings, folder=Path(sys.argv[2])).search('x')"
)


def process_ms(command: list[str]) -> float:
    return best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 25)


def processor_ms(command: list[str]) -> float:
    """Processor time of a process and of those that it waited for."""
    times = []
    for _ in range(25):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0
        times.append((usage.ru_utime + usage.ru_stime) * 1000)
    return min(times)


SEARCH = "import sys; from vault_dream.cli import main; sys.exit(main())"  # as installed, it is so


def fresh_process(root: Path, cache: str, looking: float) -> None:
    """What a search costs that is a process of its own, and what of that no search is without."""
    os.environ["VAULT_DREAM_CACHE_HOME"] = f"{cache}/indexes"
    os.environ["PYTHONPYCACHEPREFIX"] = f"{cache}/bytecode"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    python = [sys.executable, "-c"]
    command = [*python, SEARCH, "search", "almond kettle", "-V", str(root)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    bare = process_ms([*python, "pass"])
    row("python -c pass", bare, bare, "bare")
    database = process_ms([*python, "import sqlite3; sqlite3.connect(':memory:')"]) - bare
    row("  and: import sqlite3, connect", database, bare, "bare")
    row("  and: scandir and stat", looking, bare, "bare")
    row("vault-dream search, a fresh process", process_ms(command), bare, "bare")
    busy = processor_ms([*python, "pass"])
    row("  its processor time, forked process too", processor_ms(command), busy, "bare")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    nodes = parser.parse_args().nodes
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / "vault", Path(folder) / "cache"
        count = write_vault(root, generate(nodes, WORLDS["household"], 7), days=nodes // 10)
        for file in root.rglob("*.md"):
            os.utime(file, (OLD, OLD))
        # Processor time: a long job is stopped by others where a short one slips through.
        reading = best(lambda: files(root, True), 9, busy)
        waited = best(lambda: files(root, True), 9)
        looking = best(lambda: files(root, False), 9)
        print(f"{count:,} notes, {files(root, False) / 1e6:.1f} MB")
        row("read every byte", waited, waited, "reading")
        row("  its processor time", reading, reading, "reading")
        row("scandir and stat", looking, looking, "scandir")
        for name, work in (("vault index", cold_vault), ("node index", digest)):
            row(
                f"cold: list, read, {name}",
                best(lambda work=work: work(root, cache), 7),
                waited,
                "reading",
            )
            took = best(lambda work=work: work(root, cache), 5, busy)
            row("  its processor time, of all processes", took, reading, "reading")
        cold_parts(root, reading)
        row("unchanged, known by its pulse", best(lambda: pulse(root), 9), looking, "scandir")
        with Lookup(root, Settings, folder=cache) as lookup:
            lookup.search("x")
            row(
                "unchanged, and a search",
                best(lambda: lookup.search("almond"), 9),
                looking,
                "scandir",
            )
            row("the graph of all links", best(lambda: _graph(lookup), 3), reading, "reading")
        print(f"{'a changed note, from its event to a hit':<46}{watched(root, cache):>9.1f} ms")
        fresh_process(root, folder, looking)
        floor = peak("pass")
        for name, code in (("cold", COLD), ("warm", WARM)):
            used = peak(code, str(root), str(cache))
            print(f"{'memory over the interpreter, ' + name:<46}{used - floor:>9.1f} MB")


def _graph(lookup: Lookup) -> None:
    lookup._graph = None
    lookup.graph()


if __name__ == "__main__":
    main()
