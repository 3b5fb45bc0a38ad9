"""Print the table: ``python -m tests.peers PEER_PYTHON``."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from tests.peers.interchange import interchange
from tests.peers.programs import Played, play
from tests.peers.scenes import SCENES


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("python", type=Path, help="the Python that has reme-ai and agentscope")
    given.add_argument("--scene", help="only the scenes whose names hold this")
    arguments = given.parse_args()
    version = subprocess.check_output(
        [
            arguments.python,
            "-c",
            "from importlib.metadata import version as v; print(v('reme-ai'))",
        ],
        text=True,
    ).strip()
    print(f"| scene | looked at | Vault Dream | ReMe {version} |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number, scene in enumerate(SCENES):
            if arguments.scene and arguments.scene not in scene.name:
                continue
            sides = []
            for name, python in (("ours", None), ("peer", arguments.python.absolute())):
                home = Path(folder) / f"{number}-{name}"
                root = home / "vault"
                root.mkdir(parents=True)
                sides.append(play(scene, root, home, python))
            _show(scene.name, *sides)
        if not arguments.scene:
            for looked, ours, peer in interchange(Path(folder), arguments.python.absolute()):
                print(f"| interchange | {looked} | {ours} | {peer} |")


def _show(name: str, ours: Played, peer: Played) -> None:
    rows = [(key, ours.found[key], peer.found[key]) for key in ours.found]
    rows += [
        ("said to have landed", _claims(ours), _claims(peer)),
        ("ended well, each night", _ends(ours), _ends(peer)),
        ("model calls, each night", _calls(ours), _calls(peer)),
        ("characters sent, each night", _sent(ours), _sent(peer)),
        ("seconds less the model's", _seconds(ours), _seconds(peer)),
    ]
    for number, (key, left, right) in enumerate(rows):
        print(f"| {name if not number else ''} | {key} | {left} | {right} |", flush=True)


def _claims(played: Played) -> str:
    nights = (", ".join(Path(path).stem for path in night.claimed) for night in played.nights)
    return "; ".join(night or "nothing" for night in nights)


def _ends(played: Played) -> str:
    return ", ".join("yes" if night.ok else "no" for night in played.nights)


def _calls(played: Played) -> str:
    return ", ".join(str(night.calls) for night in played.nights)


def _sent(played: Played) -> str:
    return "; ".join(f"{night.characters:,}" for night in played.nights)


def _seconds(played: Played) -> str:
    return ", ".join(f"{night.wall - night.model_seconds:.1f}" for night in played.nights)


if __name__ == "__main__":
    main()
