"""The system's own account of a commit: no call that changes the disk goes past the one counter."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

SCRIPT = """
import json, os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.engine.journal_scenes import RUN, SCENES, World
world = World(Path(sys.argv[2]))
warm = World(Path(sys.argv[2]) / "warm")
warm.journal().commit(RUN, SCENES["several files"](warm), warm.states)
journal = world.journal()
for scene in ("several files", "move"):
    sets = SCENES[scene](world)
    os.access("/begin", os.F_OK)
    journal.commit(scene.split()[0], sets, world.states)
    os.access("/end", os.F_OK)
os.access("/begin", os.F_OK)
journal.undo("move")
os.access("/end", os.F_OK)
print(json.dumps(journal._disk.counts))
"""

CHANGES = {
    "write": "write",
    "pwrite64": "write",
    "writev": "write",
    "fsync": "sync",
    "fdatasync": "sync",
    "mkdir": "mkdir",
    "mkdirat": "mkdir",
    "rename": "rename",
    "renameat": "rename",
    "renameat2": "rename",
    "unlink": "unlink",
    "unlinkat": "unlink",
    "rmdir": "rmdir",
    "chmod": "chmod",
    "fchmod": "chmod",
    "fchmodat": "chmod",
    "fchmodat2": "chmod",
    "chown": "chown",
    "fchown": "chown",
    "lchown": "chown",
    "fchownat": "chown",
    "truncate": "truncate",
    "ftruncate": "truncate",
    "fallocate": "other",
    "link": "other",
    "linkat": "other",
    "symlink": "other",
    "symlinkat": "other",
    "utimensat": "other",
    "setxattr": "other",
    "fsetxattr": "other",
    "copy_file_range": "other",
    "sendfile": "other",
}
COUNTED = {
    "create": "create",
    "write": "write",
    "sync": "sync",
    "sync-folder": "sync",
    "mkdir": "mkdir",
    "rename": "rename",
    "swap": "rename",
    "take": "rename",
    "replace": "rename",
    "unlink": "unlink",
    "rmdir": "rmdir",
    "chmod": "chmod",
    "chown": "chown",
    "truncate": "truncate",
}
CALL = re.compile(r"^(?:\d+\s+)?(\w+)\((.*)$")


def test_every_call_that_changes_the_disk_is_counted(tmp_path: Path) -> None:
    lines = traced(tmp_path)
    counts = json.loads(lines.pop())
    seen = Counter(kind for line in during_commits(lines) if (kind := changing(line)))
    counted: Counter[str] = Counter()
    for op, number in counts.items():
        counted[COUNTED[op]] += number
    assert seen == counted
    print(f"{seen.total()} calls that change the disk, all of them counted: {dict(seen)}")


def traced(tmp_path: Path) -> list[str]:
    """The trace's lines, and last what the script printed."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    out = tmp_path / "trace"
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    here = Path(__file__).parent
    tracing = [strace, "-f", "-y", "-s", "0", "-e", "trace=%file,%desc", "-o", out]
    done = subprocess.run(
        [*tracing, sys.executable, "-B", script, here, tmp_path / "worlds"],
        env={**os.environ, "PYTHONPATH": str(here.parent.parent)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "ptrace" in done.stderr and "not permitted" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    return [*out.read_text().splitlines(), done.stdout.strip()]


def during_commits(lines: list[str]) -> list[str]:
    kept: list[str] = []
    inside = False
    for line in lines:
        if '"/begin"' in line:
            inside = True
        elif '"/end"' in line:
            inside = False
        elif inside and ".lock" not in line:  # the lock library's own file, held and not changed
            kept.append(line)
    return kept


def changing(line: str) -> str:
    """The kind of change that a traced call makes; '' for one that only looks.

    Removing what is not there is tried and counted all the same; making a folder that is there (the
    lock library does) changes nothing.
    """
    match = CALL.match(line)
    if match is None:
        return ""
    name, rest = match.groups()
    if name in ("open", "openat"):
        writes = any(flag in rest for flag in ("O_CREAT", "O_TRUNC"))
        return "create" if writes else ""
    if name in ("mkdir", "mkdirat") and "EEXIST" in rest:
        return ""
    if name == "unlinkat" and "AT_REMOVEDIR" in rest:
        return "rmdir"
    return CHANGES.get(name, "")
