"""``python -m tests.bench [--quick]``: every benchmark, one table after another.

``--quick`` takes small vaults where a benchmark lets one choose: to see that all of it runs.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

QUICK = {
    "bench_classify": ["--nodes", "500", "--units", "100"],
    "bench_index": ["--nodes", "1000"],
    "bench_reading": ["--notes", "1000", "--rounds", "1", "--no-peer"],
    "bench_search": ["--nodes", "1000", "--per-class", "20"],
    "bench_start": ["--notes", "500"],
}


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    for file in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"\n== {file.stem} ==\n", flush=True)
        sys.argv = [str(file), *(QUICK.get(file.stem, []) if quick else [])]
        runpy.run_module(f"tests.bench.{file.stem}", run_name="__main__")


if __name__ == "__main__":
    main()
