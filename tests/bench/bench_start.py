"""How long the quick commands take, against the floor that a bare interpreter is.

Prints a table; asserts nothing. Run as ``python -m tests.bench.bench_start [--notes N]``.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
DAYS = 5_000


def timed(arguments: list[str], environ: dict[str, str]) -> tuple[float, float]:
    """Median seconds and peak memory in MB of a process."""
    times, memory = [], 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        process = subprocess.Popen(arguments, env=environ, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        times.append(time.perf_counter() - began)
        if status:
            raise SystemExit(f"{arguments} ended with {status}")
        memory = max(memory, usage.ru_maxrss / 1024)
    return statistics.median(times), memory


def write_vault(root: Path, notes: int) -> None:
    """Daily notes over many years and ordinary notes, ``notes`` in all."""
    from datetime import date, timedelta

    (root / ".obsidian").mkdir(parents=True)
    (root / "daily").mkdir()
    days = min(DAYS, notes // 2)
    for i in range(days):
        day = date(2026, 11, 30) - timedelta(days=i)
        (root / f"daily/{day}.md").write_text(f"# {day}\n\n- Some words of that day, number {i}.\n")
    for i in range(notes - days):
        folder = root / f"notes/{i % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"note {i}.md").write_text(f"# Note {i}\n\nSee [[note {i + 1}]].\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=10_000)
    notes = parser.parse_args().notes
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        write_vault(root, notes)
        environ = {
            **os.environ,
            "VAULT_DREAM_STATE_HOME": f"{folder}/state",
            "VAULT_DREAM_CACHE_HOME": f"{folder}/cache",
            "VAULT_DREAM_CONFIG_HOME": f"{folder}/config",
        }
        script = str(Path(sys.executable).with_name("vault-dream"))
        command = [script] if Path(script).exists() else [sys.executable, "-m", "vault_dream"]
        dream = [*command, "--headless", str(root), "--provider", "offline", "-q"]
        dream += ["--date", "2026-11-30"]
        subprocess.run(dream, env=environ, stdout=subprocess.DEVNULL, check=True)
        rows = [
            ("python -c pass", [sys.executable, "-c", "pass"]),
            ("vault-dream --version", [*command, "--version"]),
            (f"status, {notes:,} notes, warm", [*command, "status", str(root)]),
            (f"headless, {notes:,} notes, nothing new", dream),
        ]
        floor = 0.0
        print(f"{'':<40}{'ms':>8}{'ratio':>8}{'peak MB':>9}")
        for name, arguments in rows:
            seconds, memory = timed(arguments, environ)
            floor = floor or seconds
            print(f"{name:<40}{seconds * 1000:>8.1f}{seconds / floor:>8.1f}{memory:>9.0f}")


if __name__ == "__main__":
    main()
