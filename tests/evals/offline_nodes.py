"""The nodes that the offline reader writes from its corpus, one day after the other, printed.

python -m tests.evals.offline_nodes [FOLDER]
"""

from __future__ import annotations

import asyncio
import sys
from datetime import date, timedelta
from pathlib import Path

from tests.engine.dream.offline.daytext import DAYS, days, source
from tests.engine.dream.offline.faketools import FakeTools
from tests.engine.dream.offline.locating import located
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.reader import ExtractRequest, IntegrateRequest


def main() -> None:
    reader, tools = OfflineReader(), FakeTools()
    when = date(2025, 3, 1)
    for day in days(Path(sys.argv[1]) if len(sys.argv) > 1 else DAYS):
        when += timedelta(days=1)
        text = source(day.text, path=f"daily/{when}.md", day=when)
        answer = asyncio.run(reader.extract(ExtractRequest((text,), max_units=5)))
        for claim in answer.units:
            request = IntegrateRequest(located(claim, (text,)), (text,), when, "digest")
            receipt = asyncio.run(reader.integrate(request, tools))
            if receipt.action != "CREATE":
                print(f"{receipt.action} {receipt.target} for {claim.name}: {receipt.note}")
    for path, text_of in tools.notes.items():
        print(f"\n===== {path}\n{text_of}", end="")


if __name__ == "__main__":
    main()
