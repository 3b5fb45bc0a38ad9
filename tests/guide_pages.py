"""The README and the guide as tests read them: fenced blocks, transcripts, and running those."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support import REPOSITORY, SAMPLE_VAULT

README = REPOSITORY / "README.md"
GUIDE = REPOSITORY / "assets/guide"
PAGES = (README, *sorted(GUIDE.glob("*.md")))

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
VARYING = (
    (re.compile(r"\b\d{8}T\d{6}-[0-9a-f]{4}\b"), "RUN"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
    (re.compile(r"vault-dream-demo-\w+"), "vault-dream-demo-FOLDER"),
)
"""What differs from run to run: ids of runs, times of day, the demo's folder."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: what stands after the fence, its text, and the line it begins at."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a transcript, and what is shown of its output."""

    command: str
    shown: str


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str, kind: str | None = None) -> list[Block]:
    """The fenced blocks of a page, all of them or those of one kind."""
    found = [Block(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in FENCED.finditer(text)]
    return [block for block in found if kind is None or block.kind == kind]


def steps(text: str) -> Iterator[Step]:
    """The commands of a page's ``console`` blocks, in their order."""
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            yield Step(command, shown)


def make_home(folder: Path, page: Path) -> Path:
    """A home with the sample vault as ``Notes``, read offline. A page that shows ``init`` begins
    with a vault that has no settings yet."""
    folder = folder.resolve()
    (folder / "tmp").mkdir()
    vault = folder / "Notes"
    shutil.copytree(SAMPLE_VAULT, vault)
    settings = vault / "vault-dream.yaml"
    if "$ vault-dream init" in read(page):
        settings.unlink()
    else:
        settings.write_text(settings.read_text(encoding="utf-8") + "provider: offline\n")
    return folder


def surroundings(home: Path) -> dict[str, str]:
    """The environment of a command: nothing of this machine's, and no network is needed."""
    names = ("STATE", "CACHE", "CONFIG")
    return {
        **{f"VAULT_DREAM_{name}_HOME": str(home / name.lower()) for name in names},
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
    }


def run(command: str, home: Path) -> tuple[int, str]:
    """The exit code of a command as a person types it in ``home``, and what it prints: its output,
    and where it fails what it says about that."""
    words = shlex.split(command, comments=True)
    if words == ["make", "demo"]:
        words = _recipe("demo")
    assert words[0] == "vault-dream", command
    arguments = [w.replace("~", str(home), 1) if w.startswith("~") else w for w in words[1:]]
    found = subprocess.run(
        [sys.executable, "-m", "tests.guide_clock", *arguments],
        env=surroundings(home),
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        cwd=home,
    )
    assert "Traceback" not in found.stderr, found.stderr
    output = found.stdout + (found.stderr if found.returncode else "")
    output = output.replace(str(home / "tmp"), "/tmp").replace(str(home), "/home/you")
    return found.returncode, output


def _recipe(target: str) -> list[str]:
    """The command that ``make`` runs for a target, once all is installed."""
    recipe = re.search(rf"^{target}:.*\n\t@(.*)$", read(REPOSITORY / "Makefile"), re.M)
    assert recipe
    return shlex.split(recipe[1].replace("$(BIN)/", ""))


def evened(text: str) -> str:
    """The text without what differs from run to run."""
    for what, name in VARYING:
        text = what.sub(name, text)
    return text


def shows(shown: str, output: str) -> bool:
    """Whether ``shown`` is the output; a line ``...`` in it leaves lines out, and ``...`` at the
    end of a line the rest of that line. Nothing but ``...`` shows nothing."""
    if not shown.replace("...", "").strip():
        return shown == output
    parts = re.split(r"^\.\.\.\n", evened(shown), flags=re.M)
    pattern = r"(?:.*\n)*?".join(
        re.escape(part).replace(r"\.\.\." + "\\\n", ".*\n") for part in parts
    )
    return re.fullmatch(pattern, evened(output)) is not None
