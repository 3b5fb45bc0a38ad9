"""One commit per run in the vault's own git repository (``on_commit: git``)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

PATIENCE = 60
"""Seconds that git may take before the run goes on without it."""


def git_commit(root: Path, paths: Sequence[str], message: str) -> str:
    """Commit exactly ``paths`` of the vault at ``root``; what else is staged stays staged.

    Ignored paths are left out. Returns ``""``, or in words why there is no commit: a missing
    repository never fails a run.
    """
    try:
        if _git(root, "rev-parse", "--is-inside-work-tree").returncode:
            return "the vault is not in a git repository"
        ours = _not_ignored(root, paths)
        if not ours:
            return "everything that was written is ignored by git"
        steps = (("add", "--", *ours), ("commit", "--quiet", "--only", "-m", message, "--", *ours))
        for step in steps:
            done = _git(root, *step)
            if done.returncode:
                return (done.stderr or done.stdout).strip().splitlines()[-1]
    except FileNotFoundError:
        return "git is not installed"
    except subprocess.TimeoutExpired:
        return f"git took longer than {PATIENCE} seconds"
    except (OSError, IndexError):
        return "git could not be run"
    return ""


def _not_ignored(root: Path, paths: Sequence[str]) -> list[str]:
    done = _git(root, "check-ignore", "-z", "--stdin", text="\0".join(paths))
    ignored = set(done.stdout.split("\0"))
    return [path for path in paths if path not in ignored]


def _git(root: Path, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        ["git", "-C", str(root), *arguments],
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
        env={**os.environ, **quiet},
    )
