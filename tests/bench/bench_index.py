"""What keeping the indexes costs, each figure against its floor in the same run.

``bench_index.py [--nodes 10000]``. The floors: reading every byte of the vault, a bare scandir
and stat of it, and a bare interpreter.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from tests.bench.vault_generator import WORLDS, generate, write_vault
from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.lookup import Lookup
from vault_dream.engine.vault.pulse import pulse
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
    return best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 15)


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
        reading = best(lambda: files(root, True), 5, time.process_time)
        looking = best(lambda: files(root, False), 9)
        print(f"{count:,} notes, {files(root, False) / 1e6:.1f} MB")
        row("read every byte", reading, reading, "reading")
        row("scandir and stat", looking, looking, "scandir")
        for name, work in (("vault index", cold_vault), ("node index", digest)):
            took = best(lambda work=work: work(root, cache), 3, time.process_time)
            row(f"cold: list, read, {name}", took, reading, "reading")
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
        os.environ["VAULT_DREAM_CACHE_HOME"] = folder
        command = [sys.executable, "-m", "vault_dream", "search", "almond kettle", "-V", str(root)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        bare = process_ms([sys.executable, "-c", "pass"])
        row("python -c pass", bare, bare, "bare")
        row("vault-dream search, a fresh process", process_ms(command), bare, "bare")
        floor = peak("pass")
        for name, code in (("cold", COLD), ("warm", WARM)):
            used = peak(code, str(root), str(cache))
            print(f"{'memory over the interpreter, ' + name:<46}{used - floor:>9.1f} MB")


def _graph(lookup: Lookup) -> None:
    lookup._graph = None
    lookup.graph()


if __name__ == "__main__":
    main()
