"""The program as its users start it: another process, in a place of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import REPOSITORY, make_vault, node_text

TODAY = "2026-11-30"
DAY = f"daily/{TODAY}.md"
NODE = "digest/wiki/pot.md"
FILES: Mapping[str, str] = {
    DAY: "# Monday\n\nWe decided to keep the old index because the new one loses accents.\n",
    "daily/2026-11-01.md": "Tea with Ada. Words that were said on that day. [[nowhere]]\n",
    "notes/tea.md": "# Tea\n\nOolong, and [[pot]].\n",
    NODE: node_text("The pot", "Clay keeps [[tea]] warm.", bucket="wiki"),
}
SETTINGS = "provider: offline\ntimezone: UTC\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """How the program ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output; ValueError where there is none, or more."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Place:
    """A folder with a vault in it and the machine's folders beside it. Stateful: it is on disk."""

    folder: Path

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @property
    def environ(self) -> dict[str, str]:
        own = {f"VAULT_DREAM_{name}_HOME": str(self.folder / name.lower())
               for name in ("STATE", "CACHE", "CONFIG")}  # fmt: skip
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "TEMP")
                if name in os.environ}  # fmt: skip
        return {**kept, **own, "HOME": str(self.folder / "home"), "PYTHONPATH": str(REPOSITORY)}

    def last_run(self) -> str:
        """The id of the last run that has a report."""
        reports = (self.vault / "metadata/runs").glob("????????T??????-????.json")
        return max(report.stem for report in reports)

    def call(self, *arguments: str, stdin: str = "", **environ: str) -> Answer:
        """Run ``vault-dream`` with ``arguments``; ``{vault}`` and ``{run}`` in them are filled."""
        words = [argument.replace("{vault}", str(self.vault)) for argument in arguments]
        words = [w.replace("{run}", self.last_run()) if "{run}" in w else w for w in words]
        done = subprocess.run(
            [sys.executable, "-m", "vault_dream", *words],
            input=stdin.encode(), capture_output=True, cwd=self.folder, timeout=120,
            env={**self.environ, **environ},
        )  # fmt: skip
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def new_place(folder: Path, *, settings: str = SETTINGS) -> Place:
    """A vault in which nothing ran yet, with a changed day, a note and a node."""
    (folder / "home").mkdir(parents=True)
    make_vault(folder / "vault", {**FILES, "vault-dream.yaml": settings})
    return Place(folder)


def dreamt_place(folder: Path, model: Place) -> Place:
    """A copy of ``model``'s vault, as it is synced to another machine."""
    place = Place(folder)
    (folder / "home").mkdir(parents=True)
    shutil.copytree(model.vault, place.vault)
    return place


Prepare = Callable[[Place], object]


@dataclass(frozen=True)
class Scene:
    """One call of a command with ``--json``: what comes before it, and how it has to end.

    ``dreamt``: a run has been there. ``fails``: the document is the one of an error. ``then`` looks
    at the place and the answer afterwards.
    """

    name: str
    arguments: tuple[str, ...]
    code: int = 0
    dreamt: bool = False
    fails: bool = False
    prepare: Prepare | None = None
    then: Callable[[Place, Any], None] | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""


def bad(name: str, *arguments: str, code: int = 2, **more: Any) -> Scene:
    """A call that fails before it has a result: the document is the one of an error."""
    return Scene(name, arguments, code, fails=True, **more)


NO_VAULT = bad("no such vault", "-V", "{vault}/gone", code=6)
BAD_SETTING = bad(
    "a setting that does not exist", "-V", "{vault}",
    prepare=lambda place: (place.vault / "vault-dream.yaml").write_text("scan_dais: 3\n"),
)  # fmt: skip
