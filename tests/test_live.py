"""A real model at a real endpoint, where the environment names one; skipped everywhere else.

    VAULT_DREAM_TEST_BASE_URL=http://localhost:11434/v1 VAULT_DREAM_TEST_MODEL=qwen3:30b make test

``VAULT_DREAM_TEST_KEY_ENV`` names the variable that holds the key (``OPENAI_API_KEY``). What a
model finds is its own; held is what must be so with any: nothing outside the rules, nothing lost,
and a report that says what happened.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support import SAMPLE_VAULT, TODAY, contents, open_session
from vault_dream.config import Settings
from vault_dream.headless import dream
from vault_dream.readers import make_reader, probe_model

BASE_URL = os.environ.get("VAULT_DREAM_TEST_BASE_URL", "")
MODEL = os.environ.get("VAULT_DREAM_TEST_MODEL", "")
KEY_ENV = os.environ.get("VAULT_DREAM_TEST_KEY_ENV", "OPENAI_API_KEY")
KEY = os.environ.get(KEY_ENV, "")  # read here: the tests' own environment holds none

pytestmark = pytest.mark.skipif(
    not (BASE_URL and MODEL), reason="VAULT_DREAM_TEST_BASE_URL and _MODEL name no endpoint"
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    if KEY:
        monkeypatch.setenv(KEY_ENV, KEY)


def settings(**more: Any) -> dict[str, Any]:
    endpoint = {"provider": "openai", "base_url": BASE_URL, "model": MODEL, "api_key_env": KEY_ENV}
    return {**endpoint, **more}


def test_doctor_is_answered() -> None:
    found = probe_model(Settings(**settings()))
    assert found.latencies and found.mode
    assert found.context.tokens >= 4096
    assert not found.cut, found.problems


@pytest.mark.parametrize("way", ["auto", "structured"])
def test_a_night_over_the_sample_vault(way: str, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(SAMPLE_VAULT, root)
    before = contents(root)
    given = settings(tools=way, exclude_headings=("Private",), daily_dir="daily")
    with open_session(root, **given) as session:
        session.reader = make_reader(session.settings, root)
        report = dream(session, policy="apply", day=TODAY).report
    print(report["integrate_results"], report["failed_units"], report["usage"], sep="\n")
    assert report["units"], "six things in these days are worth keeping"
    assert report["status"] in ("ok", "partial") and report["usage"]["prompt_tokens"] > 0
    assert not any(result["links_lost"] for result in report["integrate_results"])
    settled = {"committed", "settled", "queued"}
    decisions = [result["decision"] for result in report["integrate_results"]]
    assert settled.issuperset(decisions) and decisions
    after = contents(root)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    allowed = ("digest/", "metadata/", "daily/2026-11-30.md")  # the last holds a list of notes
    assert not {path for path in changed if not path.startswith(allowed)}
