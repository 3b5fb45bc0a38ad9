"""The two programs, run as a person's scheduler runs them: a process, a vault, an exit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.engine.model.server import serving
from tests.peers.model import Model
from tests.peers.scenes import DAY, Scene, Side
from tests.support import REPOSITORY

PEER = Path(__file__).with_name("reme_dream.py")


@dataclass
class Night:
    """One run: what was said of it and what it took."""

    ok: bool
    claimed: tuple[str, ...]
    calls: int
    characters: int
    wall: float
    model_seconds: float
    words: str = ""


@dataclass
class Played:
    """A scene by one program."""

    nights: list[Night] = field(default_factory=list)
    found: Mapping[str, str] = field(default_factory=dict)


def ours(root: Path, url: str, home: Path) -> tuple[list[str], dict[str, str]]:
    """Our command, and its environment."""
    settings = root / "vault-dream.yaml"
    settings.write_text(
        f"provider: openai\nmodel: scripted\nbase_url: {url}\npolicy: apply\n"
        "auto_dream:\n  steps: [dream_extract_step, dream_integrate_step, dream_finish_step]\n"
    )
    homes = {f"VAULT_DREAM_{name}_HOME": str(home / name) for name in ("STATE", "CACHE", "CONFIG")}
    command = [sys.executable, "-m", "vault_dream", "--headless", str(root)]
    return [*command, "--date", DAY, "--json", "-q"], {**homes, "PYTHONPATH": str(REPOSITORY)}


def peers(python: Path, root: Path, url: str, *jobs: str) -> tuple[list[str], dict[str, str]]:
    """The peer's command; its index is made first, as its own service would have."""
    return [str(python), str(PEER), str(root), url, DAY, *(jobs or ("auto_dream",))], {}


def play(scene: Scene, root: Path, home: Path, python: Path | None) -> Played:
    """``scene`` over a fresh vault at ``root``: by the peer in ``python``, by ours without."""
    for path, text in scene.vault.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    played = Played()
    running: list[subprocess.Popen[str]] = []

    def stop() -> None:
        running[-1].send_signal(signal.SIGKILL)

    side = Side(root, stop)
    model = Model(scene.units(side))
    with serving() as server:
        server.otherwise = model
        for night in range(scene.runs):
            if night:
                scene.between(side)
            command, more = (
                ours(root, server.url, home) if python is None else peers(python, root, server.url)
            )
            before = model.calls, model.seconds, model.characters
            began = time.perf_counter()
            process = subprocess.Popen(
                command,
                env={**os.environ, "OPENAI_API_KEY": "none", **more},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=home,
            )
            running.append(process)
            out, err = process.communicate()
            wall = time.perf_counter() - began
            ok, claimed = (_ours_said if python is None else _peer_said)(out)
            played.nights.append(
                Night(
                    ok=ok and process.returncode == 0,
                    claimed=claimed,
                    calls=model.calls - before[0],
                    characters=model.characters - before[2],
                    wall=wall,
                    model_seconds=model.seconds - before[1],
                    words=err[-2000:],
                )
            )
    played.found = scene.look(side, scene.vault)
    return played


def _ours_said(out: str) -> tuple[bool, tuple[str, ...]]:
    if not out.strip():
        return False, ()
    report: dict[str, Any] = json.loads(out)
    landed = tuple(
        result["target_path"]
        for result in report.get("integrate_results", ())
        if result["decision"] == "committed"
    )
    return report.get("status") in ("ok", "nothing"), landed


def _peer_said(out: str) -> tuple[bool, tuple[str, ...]]:
    lines = [line for line in out.splitlines() if line.startswith('{"answers"')]
    if not lines:
        return False, ()
    answer = json.loads(lines[-1])["answers"]["auto_dream"]
    dream = answer["metadata"].get("dream", {})
    landed = tuple(result["target_path"] for result in dream.get("integrate_results", ()))
    return bool(answer["success"]), landed
