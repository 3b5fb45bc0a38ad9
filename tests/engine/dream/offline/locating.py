"""Claims as the pipeline turns them into units: every quote located in its line."""

from __future__ import annotations

from collections.abc import Sequence

from vault_dream.engine.dream.reader import SourceText, UnitClaim
from vault_dream.engine.dream.units import Evidence, Unit, to_bucket


def located(claim: UnitClaim, sources: Sequence[SourceText]) -> Unit:
    evidence: list[Evidence] = []
    by_handle = {s.handle: s for s in sources}
    for handle, quote in claim.quotes:
        source = by_handle[handle]
        for block in source.blocks:
            lines = block.text.splitlines()
            at = next((i for i, line in enumerate(lines) if quote in line), None)
            if at is not None:
                heading = block.headings[-1] if block.headings else ""
                evidence.append(Evidence(source.path, block.line + at, quote, heading))
                break
    paths = tuple(by_handle[h].path for h in claim.handles)
    return Unit(claim.name, to_bucket(claim.bucket), claim.summary, paths, tuple(evidence))
