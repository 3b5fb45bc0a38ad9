"""``python -m tests.bench``: every benchmark, one table after another."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def main() -> None:
    sys.argv = sys.argv[:1]
    for file in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"\n== {file.stem} ==\n", flush=True)
        runpy.run_module(f"tests.bench.{file.stem}", run_name="__main__")


if __name__ == "__main__":
    main()
