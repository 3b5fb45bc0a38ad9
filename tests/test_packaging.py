"""The wheel: what travels in it, and that the demo runs from it outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import REPOSITORY


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=REPOSITORY, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_assets_sample_vault_types_and_licence_travel_in_the_wheel(site: Path) -> None:
    data = site / "vault_dream/_data"
    assert (data / "sample_vault/.obsidian/daily-notes.json").is_file()
    assert (data / "sample_vault/daily/2026-11-30.md").is_file()
    assert (data / "assets/guide/settings.md").is_file()
    assert (data / "assets/prompts/zh/extract.md").is_file()
    assert (data / "assets/schemas/run.json").is_file()
    assert (site / "vault_dream/py.typed").is_file()
    assert list(site.glob("*.dist-info/licenses/LICENSE"))
    assert not (site / "tests").exists()


def test_all_assets_travel_but_the_screenshots(site: Path) -> None:
    here = {each.name for each in (REPOSITORY / "assets").iterdir()}
    there = {each.name for each in (site / "vault_dream/_data/assets").iterdir()}
    assert there == here - {"screenshots"}


def test_the_demo_runs_from_the_wheel(site: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(site), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "vault_dream", "--demo", "--headless", "-q"],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "read by the offline reader" in done.stdout
