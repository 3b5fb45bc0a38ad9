"""``python -m tests.evals --check``: read every labelled case and say what is not in the format."""

from __future__ import annotations

import sys
from collections import Counter

from tests.evals.cases import SPLITS, CaseError, load_split, load_surroundings


def main() -> int:
    try:
        load_surroundings()
        for split in SPLITS:
            counted = Counter(case.kind for case in load_split(split))
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counted.items()))
            print(f"{split}: {counted.total()} cases ({kinds})")
    except CaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
