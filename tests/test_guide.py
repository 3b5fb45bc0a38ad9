"""Every command that the README and the guide show is run, and what they print is compared."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import REPOSITORY, SAMPLE_VAULT
from vault_dream.commands import COMMANDS
from vault_dream.config import Settings, load_settings
from vault_dream.pipeline import DEFAULT_STEPS

PAGES = (REPOSITORY / "README.md", *sorted((REPOSITORY / "assets/guide").glob("*.md")))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
SHOWN = re.compile(r"^ {4}(vault-dream .*)$|^(vault-dream .*)$|`(vault-dream [^`]+)`", re.M)
PLACEHOLDERS = re.compile(r"\b(?:PATH|RUN|OLD|NEW|TOPIC|COMMAND|NAME|N|DAY|QUERY|VAULT)\b|…|\.\.\.")
NO_RUN = ("make ",)
"""Commands of a transcript that the suite itself is, or that its own test runs."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLE_VAULT, tmp_path / "Notes")
    return tmp_path


def folders(home: Path) -> dict[str, str]:
    return {f"VAULT_DREAM_{name}_HOME": str(home / name) for name in ("STATE", "CACHE", "CONFIG")}


def run(command: str, home: Path) -> tuple[int, str]:
    """The exit code of a command line as a person types it in ``home``, and what it prints."""
    words = shlex.split(command, comments=True)
    assert words[0] == "vault-dream"
    arguments = [w.replace("~", str(home), 1) if w.startswith("~") else w for w in words[1:]]
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "HOME": str(home)}
    found = subprocess.run(
        [sys.executable, "-m", "vault_dream", *arguments],
        env={**kept, **folders(home), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=home,
    )
    assert "Traceback" not in found.stderr, found.stderr
    return found.returncode, found.stdout


def transcript(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a page's ``console`` blocks in their order, each with what is shown of it."""
    for kind, block in BLOCK.findall(text):
        if kind != "console":
            continue
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def pattern(shown: str) -> str:
    """What matches an output of which ``...`` leaves lines out."""
    parts = (re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.M))
    return r"(?:.*\n)*?".join(parts)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_transcripts_come_out_as_shown(page: Path, home: Path) -> None:
    for command, shown in transcript(page.read_text(encoding="utf-8")):
        if command.startswith(NO_RUN):
            continue
        code, output = run(command, home)
        assert code == 0 or (code == 1 and " doctor " in command), command  # 1: it found something
        assert re.fullmatch(pattern(shown), output), f"{command}\n{output}"


def shown_commands() -> list[str]:
    found = {
        next(filter(None, groups)).split("   #")[0].strip()
        for page in PAGES
        for groups in SHOWN.findall(page.read_text(encoding="utf-8"))
    }
    return sorted(found)


@pytest.mark.parametrize("command", shown_commands())
def test_what_is_written_as_a_command_is_one(command: str) -> None:
    """Its name and its options exist, whatever the vault."""
    from importlib import import_module

    import click

    from vault_dream.cli import command_line

    if "|" in command or ">" in command or "$" in command:
        command = re.split(r"[|>]", command)[0].replace('eval "$(', "").strip('"() ')
    words = shlex.split(command, comments=True)[1:]
    if words[:1] == ["--version"] or words == ["--help"]:
        return
    name, *rest = command_line(words)
    if name in ("COMMAND", "--help"):
        return
    assert name in COMMANDS
    options = {
        option
        for parameter in import_module(f"vault_dream.commands.{name}").command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    given = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    if name == "search":
        given = {word for word in given if word.startswith("--")}
    assert given <= {*options, "--help"}, command


def test_the_python_of_the_guide_runs(home: Path) -> None:
    text = (REPOSITORY / "assets/guide/python.md").read_text(encoding="utf-8")
    programs = [block for kind, block in BLOCK.findall(text) if kind == "python"]
    assert len(programs) == 2
    for program in programs:
        found = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **folders(home), "HOME": str(home), "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
        )
        assert found.returncode == 0, found.stderr
        assert found.stdout


def test_pages_that_are_pointed_to_exist() -> None:
    pages = {page.stem for page in PAGES}
    for page in PAGES:
        for topic in re.findall(
            r"vault-dream help ([a-z][a-z-]*)", page.read_text(encoding="utf-8")
        ):
            assert topic in pages or topic in COMMANDS, f"{page.name}: {topic}"


def test_the_contracts_are_listed_and_the_tests_that_are_named_are_there() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in project["tool"]["importlinter"]["contracts"]:
        assert f"* {contract['name']}\n" in text
    promises = (REPOSITORY / "assets/guide/promises.md").read_text(encoding="utf-8")
    for path in re.findall(r"`(tests/[^`*]+?)`", text + promises):
        assert (REPOSITORY / path).exists(), path


def test_the_settings_of_the_guide_are_all_settings_with_their_defaults(tmp_path: Path) -> None:
    text = (REPOSITORY / "assets/guide/settings.md").read_text(encoding="utf-8")
    shown = next(block for kind, block in BLOCK.findall(text) if kind == "yaml")
    (tmp_path / "vault-dream.yaml").write_text(shown)
    found = load_settings(tmp_path, environ={}, user_file=tmp_path / "none")
    assert found.origins.keys() == Settings.__dataclass_fields__.keys() - {"origins", "job"}
    for name in found.origins.keys() - {"daily_dir", "daily_format", "auto_dream", "jobs"}:
        assert getattr(found, name) == getattr(Settings(), name), name
    assert [step.name for step in found.auto_dream.steps] == list(DEFAULT_STEPS)
    assert found.jobs.keys() == Settings().jobs.keys()
