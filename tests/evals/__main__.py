"""``python -m tests.evals``: the labelled cases through the pipeline, and how well it did.

The offline reader by default; ``--provider openai`` takes model, address, key and prices from the
settings and the environment, as any run does.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from tests.evals.cases import SPLITS, Case, CaseError, load_split, load_surroundings
from tests.evals.guide import write_guide
from tests.evals.running import CaseResult, run_case
from tests.evals.table import as_json, broken, by_kind, faults, legend, markdown
from vault_dream.config import Settings, load_settings
from vault_dream.engine.dream.reader import Reader
from vault_dream.engine.errors import VaultDreamError
from vault_dream.readers import make_reader


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__)
    made.add_argument("--split", choices=[*SPLITS, "all"], default="all")
    made.add_argument("--case", default="*", metavar="GLOB", help="e.g. 'dev/cjk/*'")
    made.add_argument("--provider", default="offline", help="offline or openai")
    made.add_argument("--model")
    made.add_argument("--base-url")
    made.add_argument("--json", action="store_true", help="print one JSON document")
    made.add_argument("-v", "--verbose", action="store_true", help="show what went wrong")
    made.add_argument("--check", action="store_true", help="only read the cases")
    made.add_argument("--guide", action="store_true", help="write the table into the guide")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        splits = {split: load_split(split) for split in SPLITS if args.split in (split, "all")}
        if args.check:
            load_surroundings()
            for split, cases in splits.items():
                print(counted(split, cases))
            return 0
        return run(args, splits)
    except (CaseError, VaultDreamError) as error:
        print(error, file=sys.stderr)
        return 2


def counted(split: str, cases: Sequence[Case]) -> str:
    kinds = Counter(case.kind for case in cases)
    return f"{split}: {len(cases)} cases ({', '.join(f'{kind} {n}' for kind, n in kinds.items())})"


def run(args: argparse.Namespace, splits: dict[str, tuple[Case, ...]]) -> int:
    """Run the chosen cases and print; 1 where a bound is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("STATE", "CACHE"):
            os.environ[f"VAULT_DREAM_{name}_HOME"] = str(Path(folder) / name.lower())
        settings = settings_of(args)
        results = {
            split: run_all([case for case in cases if fnmatch(case.id, args.case)], settings)
            for split, cases in splits.items()
        }
    reader = {"provider": settings.provider, "model": settings.model}
    if args.json:
        print(json.dumps(as_json(results, reader), ensure_ascii=False, indent=2, sort_keys=True))
    else:
        print(markdown(results), by_kind(results), legend(), sep="\n")
    if args.verbose:
        for result in (result for found in results.values() for result in found):
            for fault in (*faults(result), *result.errors):
                print(f"{result.case.id}: {fault}", file=sys.stderr)
    if args.guide:
        write_guide(results)
    for bound in broken(results):
        print(f"not kept: {bound}", file=sys.stderr)
    return 1 if broken(results) else 0


def settings_of(args: argparse.Namespace) -> Settings:
    given = {"provider": args.provider, "model": args.model, "base_url": args.base_url}
    return load_settings(None, flags={name: value for name, value in given.items() if value})


def run_all(cases: Sequence[Case], settings: Settings) -> tuple[CaseResult, ...]:
    """Every case in a vault of its own; each has a reader of its own, so that its tokens count."""

    def reader(root: Path) -> Reader:
        made = make_reader(settings, root)
        if made is None:
            raise CaseError("no model is configured: give --model, or use --provider offline")
        return made

    around = load_surroundings()
    return tuple(run_case(case, around, reader, settings) for case in cases)


if __name__ == "__main__":
    sys.exit(main())
