"""What the owner has refused: words they rejected, and words whose node they took away.

A node that was deleted is a rejection too; one that was moved or renamed keeps its identity
(DESIGN, *Decide*).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.kept import Decisions, evidence_key
from vault_dream.engine.dream.state import State
from vault_dream.engine.dream.units import Unit


def refused(state: State, catalog: Catalog, digest: Digest) -> Decisions:
    """All evidence that no unit may rest on alone, as (path, folded quote)."""
    decisions = state.decisions()
    gone = _nodes_taken_away(catalog, digest)
    if not gone:
        return decisions
    taken = {
        evidence_key(item)
        for run_id in state.run_ids()
        if (report := state.report(run_id)) is not None
        for unit in _units_of(report, gone, digest)
        for item in unit.evidence
    }
    return Decisions(decisions.rejected | taken)


def _nodes_taken_away(catalog: Catalog, digest: Digest) -> frozenset[tuple[str, str]]:
    """Units and their targets that the catalog knows, of nodes that are not there and whose name no
    other node bears."""
    targets = {(name, target) for e in catalog.files.values() for name, _, target in e.units}
    missing = {(name, target) for name, target in targets if not digest.exists(target)}
    if not missing:
        return frozenset()
    names = {node.name.casefold() for node in digest.nodes()}
    return frozenset(unit for unit in missing if unit[0].casefold() not in names)


def _units_of(
    report: Mapping[str, Any], gone: frozenset[tuple[str, str]], digest: Digest
) -> list[Unit]:
    """The units of a run that were committed to a node that is ``gone``. A report calls a node that
    was moved later by its path of then, so the unit's name counts too."""
    units, targets = {name for name, _ in gone}, {target for _, target in gone}
    names = {
        result["unit"]
        for result in report["integrate_results"]
        if result["decision"] == "committed"
        and (
            result["target_path"] in targets
            or (result["unit"] in units and not digest.exists(result["target_path"]))
        )
    }
    return [Unit.from_json(unit) for unit in report["units"] if unit["name"] in names]
