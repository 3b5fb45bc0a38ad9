"""Fixtures for every test: no real home, no user settings; and in CI no skip without a reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.engine.model.server import Server

ALLOWED_SKIPS = Path(__file__).with_name("allowed_skips.txt")

settings.register_profile(
    "default",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home, settings, state and cache are the test's own, and no variable leaks in."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("VAULT_DREAM_", "OPENAI_")) or name == "NO_COLOR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("STATE_HOME", "CACHE_HOME", "CONFIG_HOME"):
        monkeypatch.setenv(f"VAULT_DREAM_{name}", str(home / name.lower()))


@pytest.fixture
def server() -> Iterator[Server]:
    """An OpenAI-compatible endpoint on a socket, which says what the test has it say."""
    from tests.engine.model.server import serving

    with serving() as made:
        yield made


_skipped: list[tuple[str, str]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        _skipped.append((report.nodeid, report.longrepr[2].removeprefix("Skipped: ")))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skip counts as a failure unless its reason stands in allowed_skips.txt."""
    if os.environ.get("CI") != "true" or hasattr(session.config, "workerinput"):
        return
    lines = ALLOWED_SKIPS.read_text(encoding="utf-8").splitlines()
    allowed = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    bad = [f"{where}: {reason}" for where, reason in _skipped if reason not in allowed]
    if bad:
        print("\nskipped without leave:", *bad, sep="\n  ")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
