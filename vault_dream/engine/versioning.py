"""One commit per run in the vault's own git repository (``on_commit: git``)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

PATIENCE = 60
"""Seconds that git may take before the run goes on without it."""

UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "index.lock": "another git command",
}


def git_commit(root: Path, paths: Sequence[str], message: str) -> str:
    """Commit exactly ``paths`` of the vault at ``root``; what else is staged stays staged.

    Ignored paths are left out; of those that are gone, the tracked ones are committed as gone.
    Returns ``""``, or in words why there is no commit, with the index as it was: git never fails
    a run.
    """
    try:
        if _git(root, "rev-parse", "--is-inside-work-tree").stdout.strip() != "true":
            return "the vault is not in a git repository"
        if busy := _under_way(root):
            return f"{busy} is in progress in the repository; finish it first"
        return _commit(root, _not_ignored(root, paths), message)
    except FileNotFoundError:
        return "git is not installed"
    except subprocess.TimeoutExpired:
        return f"git took longer than {PATIENCE} seconds"
    except OSError:
        return "git could not be run"


def _commit(root: Path, paths: Sequence[str], message: str) -> str:
    tracked = set(_names(_git(root, "ls-files", "-z", "--", *paths).stdout)) if paths else set()
    new = [path for path in paths if path not in tracked and (root / path).exists()]
    ours = [path for path in paths if path in tracked or path in new]
    if not ours:
        return "git ignores everything that was written"
    if not _git(root, "status", "--porcelain", "--", *ours).stdout.strip():
        return ""  # nothing of it differs from what is committed
    # Announced, not staged: `commit --only` takes the files themselves.
    steps = [("commit", "--quiet", "--only", "-m", message, "--", *ours)]
    if new:
        steps.insert(0, ("add", "--intent-to-add", "--", *new))
    for step in steps:
        done = _git(root, *step)
        if done.returncode:
            if new:
                _git(root, "rm", "--quiet", "--cached", "--force", "--ignore-unmatch", "--", *new)
            lines = (done.stderr or done.stdout).strip().splitlines()
            said = [line for line in lines if not line.startswith("hint:")]
            return said[-1] if said else f"git ended with {done.returncode}"
    return ""


def _under_way(root: Path) -> str:
    """The merge, rebase, … that somebody has begun in the repository and not finished."""
    for name, what in UNDER_WAY.items():
        where = _git(root, "rev-parse", "--git-path", name).stdout.strip()
        if where and (root / where).exists():
            return what
    return ""


def _not_ignored(root: Path, paths: Sequence[str]) -> list[str]:
    done = _git(root, "check-ignore", "-z", "--stdin", text="\0".join(paths))
    ignored = set(_names(done.stdout))
    return [path for path in dict.fromkeys(paths) if path not in ignored]


def _names(said: str) -> list[str]:
    return [name for name in said.split("\0") if name]


def _git(root: Path, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    quiet = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}
    if arguments[0] != "check-ignore":  # which takes nothing but paths, and refuses the word
        quiet["GIT_LITERAL_PATHSPECS"] = "1"
    # A hook or alias that starts us names its own repository in these.
    foreign = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}
    inherited = {key: value for key, value in os.environ.items() if key not in foreign}
    return subprocess.run(
        ["git", "-C", str(root), *arguments],
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
        env={**inherited, **quiet},
    )
