"""``on_commit: git``: one commit of exactly what the run wrote, and nothing else is touched."""

from __future__ import annotations

import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.runs.scenes import INDEX, REBUILD, SLOW, Place, reader
from tests.support import NOON

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
LATER = NOON + timedelta(hours=1)


@pytest.fixture(autouse=True)
def _identity(monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ann@example.org")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(root: Path, *arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=check
    )
    return done.stdout


def repository(root: Path, *, committed: bool = True) -> None:
    git(root, "init", "-q", "-b", "main")
    if committed:
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "as it was")


def run(place: Place, **given: object) -> list[str]:
    """One run; its warnings about git."""
    report = place.dream(reader(), on_commit="git", **given).report  # type: ignore[arg-type]
    return [w for w in report["warnings"] if "git" in w]


def committed(root: Path) -> set[str]:
    return set(git(root, "show", "--pretty=", "--name-only", "HEAD").split())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "repo" / "base")


def test_one_commit_of_exactly_our_paths(place: Place) -> None:
    repository(place.root)
    (place.root / "staged.md").write_text("staged")
    git(place.root, "add", "staged.md")
    (place.root / "Home.md").write_text("changed, not staged")
    (place.root / "untracked.md").write_text("new")
    assert run(place) == []
    assert git(place.root, "rev-list", "--count", "HEAD").strip() == "2"
    paths = committed(place.root)
    assert {INDEX, REBUILD, SLOW} <= paths
    assert all(p.startswith(("digest/", "metadata/", "daily/2026-11-30.md")) for p in paths)
    status = git(place.root, "status", "--porcelain").splitlines()
    assert status == [" M Home.md", "A  staged.md", "?? untracked.md"]
    assert run(place, at=LATER) == []


def test_ignored_state_is_left_out(place: Place) -> None:
    (place.root / ".gitignore").write_text("metadata/\n")
    repository(place.root)
    assert run(place) == []
    assert not any(path.startswith("metadata/") for path in committed(place.root))


def test_a_vault_in_a_folder_of_a_repository(place: Place) -> None:
    above = place.base
    (above / "other.txt").write_text("not ours")
    repository(above)
    (above / "other.txt").write_text("changed")
    assert run(place) == []
    assert all(path.startswith("vault/") for path in committed(above))
    assert git(above, "status", "--porcelain").splitlines() == [" M other.txt"]


def test_the_first_commit_of_a_repository(place: Place) -> None:
    repository(place.root, committed=False)
    assert run(place) == []
    assert REBUILD in committed(place.root) and "Home.md" not in committed(place.root)


def test_no_repository_and_no_git_are_a_warning(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert "not in a git repository" in run(place)[0]
    monkeypatch.setenv("PATH", str(tmp_path))
    other = Place(tmp_path / "other")
    assert "git is not installed" in run(other)[0]


def index_of(root: Path) -> str:
    return git(root, "ls-files", "--stage") + git(root, "diff", "--cached", "--name-status")


def test_a_merge_under_way_is_left_alone(place: Place) -> None:
    repository(place.root)
    home = place.root / "Home.md"
    git(place.root, "checkout", "-q", "-b", "other")
    home.write_text("theirs")
    git(place.root, "commit", "-qam", "theirs")
    git(place.root, "checkout", "-q", "main")
    home.write_text("ours")
    git(place.root, "commit", "-qam", "ours")
    git(place.root, "merge", "other", check=False)
    before = index_of(place.root), git(place.root, "rev-parse", "HEAD", "MERGE_HEAD")
    assert "a merge is in progress" in run(place)[0]
    assert (index_of(place.root), git(place.root, "rev-parse", "HEAD", "MERGE_HEAD")) == before
    assert place.read(REBUILD) is not None, "the run itself is done"


def test_a_hook_that_fails_leaves_the_index_as_it_was(place: Place) -> None:
    repository(place.root)
    (place.root / "staged.md").write_text("staged")
    git(place.root, "add", "staged.md")
    hook = place.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no commits on Mondays >&2\nexit 1\n")
    hook.chmod(0o755)
    before = index_of(place.root), git(place.root, "rev-parse", "HEAD")
    assert "no commits on Mondays" in run(place)[0]
    assert (index_of(place.root), git(place.root, "rev-parse", "HEAD")) == before


def test_a_digest_that_is_a_submodule_is_a_warning(place: Place, tmp_path: Path) -> None:
    inner = place.root / "digest"
    repository(inner)
    git(place.root, "init", "-q", "-b", "main")
    git(place.root, "-c", "protocol.file.allow=always", "add", "Home.md", "digest", check=False)
    git(place.root, "commit", "-q", "-m", "as it was")
    before = index_of(place.root), git(inner, "rev-parse", "HEAD"), index_of(inner)
    assert run(place)
    assert (index_of(place.root), git(inner, "rev-parse", "HEAD"), index_of(inner)) == before


def test_another_repository_in_the_environment_is_not_ours(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(place.root)
    other = tmp_path / "elsewhere"
    other.mkdir()
    repository(other, committed=False)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert run(place) == []
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert REBUILD in committed(place.root)
    assert [file.name for file in other.iterdir()] == [".git"]
