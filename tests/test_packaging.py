"""Wheel and sdist: what travels in them, and that the demo runs outside the checkout, installed."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.support import REPOSITORY


def build(kind: str, source: Path, folder: Path) -> Path:
    """The one archive of ``kind`` that hatchling makes of ``source``, in ``folder``."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip
    (archive,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", REPOSITORY, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def site(wheel: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_sdist_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", REPOSITORY, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        # Python 3.11.4 brought filters; the archive is our own
        wish = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(tmp_path / "source", **wish)
    (source,) = (tmp_path / "source").iterdir()
    assert (source / "tests/test_packaging.py").is_file()
    assert contents(build("wheel", source, tmp_path / "again")) == contents(wheel)


def test_the_demo_runs_where_the_wheel_is_installed(wheel: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean"
    venv.create(clean, with_pip=True, symlinks=os.name != "nt")
    python = clean / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel]
    subprocess.run(list(map(str, install)), check=True, capture_output=True)
    # What it depends on comes from the environment of the tests: there is no network.
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
    library = Path(subprocess.check_output(ask, text=True).strip())
    (library / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    done = subprocess.run(
        [str(python.with_name("vault-dream")), "--demo", "--headless", "-q"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "read by the offline reader" in done.stdout


USES_THE_API = """
from pathlib import Path
from vault_dream.config import Settings
from vault_dream.engine import ReviewSession, Vault

def names(root: Path) -> list[str]:
    with ReviewSession(root, Settings()) as session:
        found = [proposal.target for proposal in session.proposals]
    return [*found, *(entry.path for entry in Vault(root).listing().notes)]
"""


def test_who_uses_it_is_type_checked(site: Path, tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text(USES_THE_API)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "uses.py"],
        cwd=tmp_path, env={**os.environ, "MYPYPATH": str(site)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_no_dependency_is_unused_or_unlisted() -> None:
    imported: set[str] = set()
    for file in (REPOSITORY / "vault_dream").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    ours = {name for name in imported if name.startswith("_")} | {"vault_dream"}
    foreign = imported - sys.stdlib_module_names - ours  # _sha2 and the like, of other versions
    of = packages_distributions()
    used = {_plain(name) for module in foreign for name in of.get(module, (module,))[:1]}
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {_plain(re.split(r"[ <>=;\[]", line)[0]) for line in project["dependencies"]}
    assert used == listed - {"tzdata"}  # zoneinfo reads it by itself, on Windows


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


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
