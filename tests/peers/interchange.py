"""Whether a workspace that one program wrote is read by the other, links and all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.peers.programs import peers, play
from tests.peers.scenes import INVOICE, REBUILD, SCENES, targets
from tests.support import REPOSITORY


def interchange(folder: Path, python: Path) -> Iterator[tuple[str, str, str]]:
    """Rows (what, of the workspace that ours wrote, of the one that the peer wrote), each read by
    the other program."""
    roots = {}
    for name, which in (("ours", None), ("peer", python)):
        home = folder / f"interchange-{name}"
        roots[name] = home / "vault"
        roots[name].mkdir(parents=True)
        play(SCENES[0], roots[name], home, which)
    by_peer = _edges_by_peer(roots["ours"], python)
    by_ours = _edges_by_ours(roots["peer"], folder / "interchange-home")
    written = {name: _edges_on_disk(root) for name, root in roots.items()}
    yield (
        "edges of the digest that the other program reads",
        f"{len(by_peer & written['ours'])} of {len(written['ours'])}",
        f"{len(by_ours & written['peer'])} of {len(written['peer'])}",
    )


def _edges_on_disk(root: Path) -> set[tuple[str, str]]:
    return {
        (path, target)
        for path in (REBUILD, INVOICE)
        for target in targets((root / path).read_text(encoding="utf-8"))
    }


def _edges_by_ours(root: Path, home: Path) -> set[tuple[str, str]]:
    homes = {f"VAULT_DREAM_{name}_HOME": str(home / name) for name in ("STATE", "CACHE", "CONFIG")}
    found = set()
    for path in (REBUILD, INVOICE):
        out = subprocess.check_output(
            [sys.executable, "-m", "vault_dream", "links", path, "--vault", str(root), "--json"],
            env={**os.environ, **homes, "PYTHONPATH": str(REPOSITORY)},
            text=True,
        )
        document: dict[str, Any] = json.loads(out)
        found |= {(path, edge["target"]) for edge in document["out"] if edge.get("target")}
    return found


def _edges_by_peer(root: Path, python: Path) -> set[tuple[str, str]]:
    command, _ = peers(python, root, "http://127.0.0.1:9/v1", "graph_snapshot")
    out = subprocess.check_output(command, text=True, cwd=root.parent)
    line = next(line for line in out.splitlines() if line.startswith('{"answers"'))
    answer = json.loads(line)["answers"]["graph_snapshot"]["answer"]
    snapshot = json.loads(answer) if isinstance(answer, str) else answer
    return {(edge["source"], edge["target"]) for edge in snapshot["edges"]}
