"""What reading a vault costs beside plainly reading its bytes, and beside obsidiantools.

Run: ``python -m tests.bench.bench_reading``. The vault is mixed: generated digest nodes and daily
notes, and copies of the sample vault's and (where they are there) the shared vaults' notes.

The floor tells what limits it: the same bytes decoded, and searched once by each pattern that any
answer needs (lines, brackets, tags, fences), without making anything of what is found.

*Plainly reading* is ``open(name, "rb").read()`` of each note by the listing's own names, nothing
else: no path is checked, nothing is decoded. *Reading and parsing* is ``Vault.reading`` and each
note's links, properties, tags and headings; by *two processes* it is ``Reading.notes``, with the
second one's start and end counted (its processor seconds are not). Rounds are interleaved and the
best of each counts, so that another program's load falls on neither; processor seconds stand beside
those of the clock.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.vault_generator import generate, write_vault
from tests.bench.vocabulary import WORKSHOP
from vault_dream.engine.vault.beside import processors
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.links_simple import BRACKETS
from vault_dream.engine.vault.notes import CLOSING, Note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.sketch import LINE
from vault_dream.engine.vault.tags import IN_BODY, tags_in
from vault_dream.engine.vault.vault import Vault

NOTES = 10_000
PEER_NOTES = 1_500
ROUNDS = 7
REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared" / "vaults"
BOM = b"\xef\xbb\xbf"


# Vaults --------------------------------------------------------------------------------------


def mixed_vault(root: Path, notes: int, shared: Path = SHARED) -> None:
    """Write ``notes`` notes: half of them generated, half copies of notes that people wrote."""
    days = min(365, notes // 20)
    write_vault(root, generate(notes // 2 - days, WORKSHOP), days)
    written = [
        (path.relative_to(folder.parent), path.read_bytes())
        for folder in (REPOSITORY / "sample_vault", shared)
        for path in sorted(folder.rglob("*.md"))
        if path.stat().st_size and not any(part[0] == "." for part in path.parts[1:])
    ]
    for number in range(notes - notes // 2):
        turn, place = divmod(number, len(written))
        name, raw = written[place]
        target = root / f"copy-{turn:03}" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw)


def windows_vault(root: Path, original: Path) -> None:
    """The same notes as some Windows programs write them: CRLF, and every tenth with a BOM."""
    for number, path in enumerate(sorted(original.rglob("*.md"))):
        raw = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        target = root / path.relative_to(original)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw if number % 10 or raw.startswith(BOM) else BOM + raw)


# What is measured ----------------------------------------------------------------------------


def bare_walk(root: Path) -> int:
    """Every file's and folder's status by ``os.scandir``, nothing kept."""
    count, waiting = 0, [os.fspath(root)]
    while waiting:
        with os.scandir(waiting.pop()) as items:
            for item in items:
                if item.is_dir(follow_symlinks=False):
                    waiting.append(item.path)
                else:
                    item.stat(follow_symlinks=False)
                    count += 1
    return count


def list_notes(root: Path) -> int:
    return len(Vault(root).listing().notes)


def read_plainly(names: list[str]) -> int:
    size = 0
    for name in names:
        with open(name, "rb") as file:  # noqa: PTH123 - the plainest there is
            size += len(file.read())
    return size


def read_only(vault: Vault, paths: list[str]) -> int:
    with vault.reading() as reading:
        return sum(len(reading.read(path).text) for path in paths)


def read_and_parse(vault: Vault, paths: list[str]) -> int:
    count = 0
    with vault.reading() as reading:
        for path in paths:
            note = reading.read(path)
            count += len(links_in(note)) + len(tags_in(note)) + len(note.headings)
            count += len(read_properties(note).values)
    return count


def read_beside(vault: Vault, paths: list[str]) -> int:
    """The same by two processes."""
    count = 0
    with vault.reading() as reading:
        for note in reading.notes(paths, processes=2):
            assert isinstance(note, Note)
            count += len(links_in(note)) + len(tags_in(note)) + len(note.headings)
            count += len(read_properties(note).values)
    return count


def decode_and_search(names: list[str]) -> int:
    """Read plainly, decode, and search once by each pattern; nothing is made of what is found."""
    count = 0
    for name in names:
        with open(name, "rb") as file:  # noqa: PTH123
            text = file.read().decode("utf-8", "replace")
        for pattern in (LINE, BRACKETS, IN_BODY, CLOSING):
            for _ in pattern.finditer(text):
                count += 1
    return count


def read_with_peer(root: Path) -> int:
    import obsidiantools.api as otools  # type: ignore[import-untyped]

    peer = otools.Vault(root).connect().gather()
    return len(peer.md_file_index)


# How -----------------------------------------------------------------------------------------


Times = dict[str, tuple[float, float]]  # what → best seconds by the clock, and of the processor


def best_of(rounds: int, jobs: dict[str, Callable[[], int]]) -> Times:
    best: Times = {}
    for _ in range(rounds):
        for what, job in jobs.items():
            clock, processor = time.perf_counter(), time.process_time()
            job()
            spent = time.perf_counter() - clock, time.process_time() - processor
            old = best.get(what, spent)
            best[what] = (min(old[0], spent[0]), min(old[1], spent[1]))
    return best


def ratio(times: Times, what: str, beside: str) -> str:
    clock, processor = (a / b for a, b in zip(times[what], times[beside], strict=True))
    return f"{clock:5.2f} by the clock, {processor:5.2f} of the processor"


def measure_reading(root: Path, name: str, rounds: int) -> tuple[Times, int]:
    """Print the table of one vault; returns its times, and how many notes it has."""
    vault = Vault(root)
    entries = vault.listing().notes
    paths = [entry.path for entry in entries]
    names = [f"{vault.root}/{entry.disk_name}" for entry in entries]
    times = best_of(
        rounds,
        {
            "bare walk": lambda: bare_walk(root),
            "listing": lambda: list_notes(root),
            "plain read": lambda: read_plainly(names),
            "read": lambda: read_only(vault, paths),
            "floor": lambda: decode_and_search(names),
            "read and parse": lambda: read_and_parse(vault, paths),
            "two processes": lambda: read_beside(vault, paths),
        },
    )
    size = read_plainly(names)
    print(f"{name}: {len(paths)} notes, {size / 1e6:.1f} MB, best of {rounds} rounds")
    for what, (clock, processor) in times.items():
        each = clock / len(paths) * 1e6
        print(f"  {what:15} {clock:7.3f} s, processor {processor:7.3f} s, {each:6.1f} us a note")
    print(f"  listing / bare walk          {ratio(times, 'listing', 'bare walk')}")
    print(f"  read / plain read            {ratio(times, 'read', 'plain read')}")
    print(f"  floor / plain read           {ratio(times, 'floor', 'plain read')}")
    print(f"  read and parse / plain read  {ratio(times, 'read and parse', 'plain read')}")
    clock = times["two processes"][0] / times["plain read"][0]
    print(f"  two processes / plain read   {clock:5.2f} by the clock (at most 6)")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"  ({processors()} processors for this process{load})")
    return times, len(paths)


def measure_peer(root: Path, base: Path, times: Times, notes: int) -> float:
    """Print and return how many times slower the peer is; its time is scaled by the notes."""
    part = base / "part"
    names = [entry.disk_name for entry in Vault(root).listing().notes]
    chosen = names[:: max(1, len(names) // PEER_NOTES)][:PEER_NOTES]
    for name in chosen:
        target = part / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((root / name).read_bytes())
    clock = time.perf_counter()
    read_with_peer(part)
    spent = time.perf_counter() - clock
    ours = times["listing"][0] + times["read and parse"][0]
    faster = spent * notes / len(chosen) / ours
    print(
        f"obsidiantools, connect and gather: {spent:.1f} s for {len(chosen)} of the notes, scaled\n"
        f"  linearly to {spent * notes / len(chosen):.0f} s for all;"
        f" listing, reading and parsing is {faster:.0f} times faster (at least 50)"
    )
    return faster


def measure_memory(root: Path) -> None:
    """Peak memory of child processes that read the vault: what is kept, and what is not."""
    for kept in ("nothing", "listing", "links", "notes"):
        command = [sys.executable, "-m", "tests.bench.bench_reading", "--child", kept, str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY)
        print(f"  peak memory, keeping {kept:8} {done.stdout.strip():>6} MB")


def child(kept: str, root: Path) -> None:
    """Read the whole vault, keep what is asked for, and print the peak in MB."""
    keep: list[object] = []
    if kept != "nothing":
        vault = Vault(root)
        notes = vault.listing().notes
        with vault.reading() as reading:
            for entry in notes if kept != "listing" else ():
                note = reading.read(entry.path)
                found = (links_in(note), tags_in(note), note.headings, read_properties(note))
                keep.append((note, found) if kept == "notes" else found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(round(peak / (1e6 if sys.platform == "darwin" else 1e3)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--no-peer", action="store_true", help="leave obsidiantools out")
    parser.add_argument("--shared", type=Path, default=SHARED, help="more vaults to copy notes of")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.child[0], Path(args.child[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        root, windows = base / "vault", base / "windows"
        mixed_vault(root, args.notes, args.shared)
        windows_vault(windows, root)
        times, notes = measure_reading(root, "mixed vault", args.rounds)
        measure_memory(root)
        measure_reading(windows, "the same with CRLF and BOM", args.rounds)
        faster = 50.0 if args.no_peer else measure_peer(root, base, times, notes)
    good = times["two processes"][0] <= 6 * times["plain read"][0] and faster >= 50
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
