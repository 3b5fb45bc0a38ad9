"""Completion as shells do it: what Tab offers, by running the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.outside import DAY, NODE, Place, new_place
from vault_dream.commands import COMMANDS


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = new_place(tmp_path_factory.mktemp("completing") / "place")
    assert place.call("run", "{vault}", "--date", "2026-11-30", "-q").code == 0
    program = place.folder / "bin/vault-dream"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vault_dream "$@"\n')
    program.chmod(0o755)
    return place


def shell(place: Place, *command: str, stdin: str = "") -> str:
    environ = place.environ
    environ["PATH"] = f"{place.folder / 'bin'}:{environ['PATH']}"
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environ, cwd=place.vault
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bash(place: Place, *words: str) -> list[str]:
    """What bash offers for the last of ``words``."""
    script = (
        'eval "$(vault-dream completions bash 2>/dev/null)"\n'
        'COMP_WORDS=(vault-dream "$@"); COMP_CWORD=$#\n'
        "compopt() { :; }\n"
        "_vault_dream_completion vault-dream\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    found = shell(place, "bash", "-s", "--", *words, stdin=script)
    return [line for line in found.splitlines() if line]


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("",), list(COMMANDS)),
        (("un",), ["undo"]),
        (("status", "--js"), ["--json"]),
        (("run", "--policy", ""), ["apply", "safe", "queue"]),
        (("--headless", "--policy", "s"), ["safe"]),
        (("./x", "--prov"), ["--provider"]),
        (("schedule", "--for", "s"), ["systemd"]),
        (("help", "set"), ["settings"]),
        (("links", "digest/wiki/p"), [NODE]),
        (("links", "notes/tea.md", "--to", "NOTES"), ["notes/tea.md"]),
        (("forget", "daily/2026-11-3"), [DAY]),
        (("forget", "metadata/"), []),
        (("undo", "--node", "DIGEST/WIKI/P"), [NODE]),
        (("links", "-V", "/no/such/vault", ""), []),
        (("completions", "z"), ["zsh"]),
        (("nosuchcommand", "--frob"), []),
    ],
)
def test_bash(place: Place, words: tuple[str, ...], offered: list[str]) -> None:
    assert bash(place, *words) == offered


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_completes_runs(place: Place) -> None:
    assert bash(place, "log", "20") == [place.last_run()]
    assert bash(place, "undo", "-V", str(place.vault), "20") == [place.last_run()]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish(place: Place) -> None:
    script = "vault-dream completions fish 2>/dev/null | source; complete -C 'vault-dream un'"
    assert shell(place, "fish", "-c", script).split() == ["undo"]


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_reads_what_it_is_given(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "_vault-dream"
    file.write_text(place.call("completions", "zsh").out)
    shell(place, "zsh", "-n", str(file))
    asks = "COMP_WORDS='vault-dream un' COMP_CWORD=1 _VAULT_DREAM_COMPLETE=zsh_complete vault-dream"
    assert "undo" in shell(place, "zsh", "-c", asks).split()


def test_an_instruction_that_is_none_says_nothing(place: Place) -> None:
    answer = place.call("status", _VAULT_DREAM_COMPLETE="tcsh_complete")
    assert (answer.code, answer.out) == (1, "")
