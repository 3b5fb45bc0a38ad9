"""The whole pipeline on the sample vault and on three real public vaults (copies of them).

Whatever is in them: no error, the owner's notes byte-identical, every digest link resolves, a dry
run touches nothing, a second run writes nothing, and a ticked checkbox brings nothing back.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support import SAMPLE_VAULT, SHARED_VAULTS, contents, create, snapshot
from vault_dream.config import load_settings
from vault_dream.engine.digest.edges import edges_of
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.quotes import long_enough
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    IntegrateRequest,
    Receipt,
    Tools,
    UnitClaim,
)
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import dream

VAULTS = {
    "sample_vault": (SAMPLE_VAULT, date(2026, 11, 30)),
    "emoji-garden": (SHARED_VAULTS / "emoji-garden", date(2021, 6, 16)),
    "tasks-demo": (SHARED_VAULTS / "tasks-demo", date(2025, 6, 20)),
    "zettel-garden": (SHARED_VAULTS / "zettel-garden", date(2022, 12, 14)),
}


class KeepsEverything(OfflineReader):
    """Takes the first words of each source for a unit, so that every vault gets a digest."""

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        claims = []
        for source in request.sources:
            block = next((b for b in source.blocks if b.fresh and b.kind != "heading"), None)
            if block is not None:
                quote = next((x for x in block.text.splitlines() if long_enough(x)), block.text)
                name = f"What {source.path.rsplit('/', 1)[-1].removesuffix('.md')} says"
                claims.append(
                    UnitClaim(name, "wiki", "Kept.", (source.handle,), ((source.handle, quote),))
                )
        return ExtractAnswer(tuple(claims))

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        return create(request, tools)


READERS = {"offline": OfflineReader, "keeps everything": KeepsEverything}


@pytest.fixture(params=[(v, r) for v in VAULTS for r in READERS], ids=lambda p: f"{p[0]}-{p[1]}")
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, date, Any]]:
    name, reader = request.param
    source, day = VAULTS[name]
    if not source.is_dir():
        pytest.skip("shared vaults not present")
    root = tmp_path / name
    shutil.copytree(source, root)
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    yield root, day, READERS[reader]()


def run(root: Path, day: date, reader: Any, *, dry_run: bool = False) -> dict[str, Any]:
    settings = load_settings(root, environ={})
    with ReviewSession(root, settings, reader=reader, dry_run=dry_run) as session:
        return dream(session, policy="apply", day=day).report


def owners(root: Path) -> dict[str, str]:
    """What belongs to the owner: all but the digest and our state."""
    return {
        path: digest
        for path, digest in contents(root).items()
        if not path.startswith(("digest/", "metadata/"))
    }


def test_a_run_leaves_the_owners_files_alone_and_every_digest_link_resolves(
    place: tuple[Path, date, Any],
) -> None:
    root, day, reader = place
    before = owners(root)
    report = run(root, day, reader)
    assert report["errors"] == [] and report["status"] == "ok"
    changed = {path for path, digest in owners(root).items() if before.get(path) != digest}
    assert changed == set(report["day_pages"])
    if isinstance(reader, KeepsEverything):
        assert report["nodes_created"]
    with ReviewSession(root, load_settings(root, environ={})) as session:
        resolver = session.vault.resolver()
        for path in (*report["nodes_created"], *report["nodes_updated"]):
            edges = edges_of(session.digest.note(path), resolver)
            assert edges and all(edge.resolved for edge in edges)


def test_a_dry_run_leaves_the_vault_untouched(place: tuple[Path, date, Any]) -> None:
    root, day, reader = place
    before = snapshot(root)
    assert run(root, day, reader, dry_run=True)["errors"] == []
    assert snapshot(root) == before


def test_a_second_run_writes_nothing_and_leaves_every_mtime_alone(
    place: tuple[Path, date, Any],
) -> None:
    root, day, reader = place
    run(root, day, reader)
    before = snapshot(root)
    assert run(root, day, reader)["status"] == "nothing"
    assert snapshot(root) == before


def test_a_ticked_checkbox_in_an_old_line_makes_no_new_unit(place: tuple[Path, date, Any]) -> None:
    root, day, reader = place
    first = run(root, day, reader)
    ticked = 0
    for path in first["changed_paths"]:
        text = (root / path).read_text(encoding="utf-8")
        new = re.sub(r"(?m)^(\s*[-*] )\[ \]", r"\1[x]", text)
        if new != text:
            (root / path).write_text(new, encoding="utf-8")
            ticked += 1
    again = run(root, day, reader)
    assert again["units"] == [] and again["files"]["changed"] == ticked


def test_the_sample_shows_all_four_actions(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    shutil.copytree(SAMPLE_VAULT, root)
    report = run(root, date(2026, 11, 30), OfflineReader())
    actions = {result["action"] for result in report["integrate_results"]}
    assert actions == {"CREATE", "CORROBORATE", "REFINE", "CORRECT"}


def test_a_unit_can_be_sent_to_another_node_or_to_a_new_one(tmp_path: Path) -> None:
    root = tmp_path / "sample"
    shutil.copytree(SAMPLE_VAULT, root)
    other = "digest/procedure/take-crumb-down-for-work.md"
    with ReviewSession(root, load_settings(root, environ={}), reader=OfflineReader()) as session:
        session.scan(date(2026, 11, 30))
        session.extract()
        made = {proposal.action: proposal for proposal in session.integrate()}
        moved = session.retarget(made["REFINE"].id, other)
        assert (moved.target, moved.action) == (other, "REFINE")
        fresh = session.retarget(made["CORROBORATE"].id, None)
        assert fresh.action == "CREATE" and fresh.worst() != "error"
