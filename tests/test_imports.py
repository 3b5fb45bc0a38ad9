"""What a command loads, counted in modules: the price of starting, without a clock."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import REPOSITORY, SAMPLE_VAULT

LOADED = """
import json, sys
before = set(sys.modules)
from vault_dream.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(set(sys.modules) - before)]))
"""

NEVER = frozenset(
    {"httpx", "jiter", "numpy", "openai", "pydantic", "rich", "textual", "watchfiles"}
    | {"email", "http", "multiprocessing", "tomllib", "unittest", "xml"}
)
"""What only the app, a model or ``serve`` needs."""

SLOW = frozenset({"asyncio", "ssl", "sqlite3"}) | NEVER
"""With what a run needs: the loop that a reader works in, and the index."""

OFFLINE_RUN = ["V", "--provider", "offline", "--date", "2026-11-30"]


def loaded(home: Path, *arguments: str) -> set[str]:
    """The packages and top modules that this command line loads, beside a sample vault ``V``."""
    if not (home / "V").exists():
        shutil.copytree(SAMPLE_VAULT, home / "V")
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=home, env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"},
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stdout + done.stderr
    return {name.partition(".")[0] for name in modules}


def test_the_version_loads_nothing_at_all(tmp_path: Path) -> None:
    assert loaded(tmp_path, "--version") <= {"__future__", "vault_dream"}


@pytest.mark.parametrize(
    "command", [["--help"], ["status", "--help"], ["help"], ["help", "search"]]
)
def test_help_opens_no_vault(tmp_path: Path, command: list[str]) -> None:
    assert not loaded(tmp_path, *command) & {*SLOW, "yaml", "rapidfuzz"}


@pytest.mark.parametrize(
    "command",
    [
        ["status", "-V", "V"],
        ["log", "-V", "V"],
        ["search", "index", "-V", "V"],
        ["search", "index", "-V", "V", "--nodes"],
        ["links", "-V", "V"],
        ["schedule", "V", "--at", "03:30"],
    ],
    ids=" ".join,
)
def test_a_look_loads_the_index_at_the_most(tmp_path: Path, command: list[str]) -> None:
    assert loaded(tmp_path, *command) & SLOW <= {"sqlite3"}


@pytest.mark.parametrize(
    "command",
    [
        ["--headless", *OFFLINE_RUN],
        ["--headless", *OFFLINE_RUN, "--dry-run"],
        ["topics", *OFFLINE_RUN],
    ],
    ids=" ".join,
)
def test_an_offline_run_loads_no_screen_and_no_model(tmp_path: Path, command: list[str]) -> None:
    assert not loaded(tmp_path, *command) & NEVER


def test_a_doctor_without_an_endpoint_to_ask_loads_none(tmp_path: Path) -> None:
    loaded(tmp_path, "--version")
    (tmp_path / "V/vault-dream.yaml").write_text("provider: offline\n", encoding="utf-8")
    assert not loaded(tmp_path, "doctor", "-V", "V") & NEVER
