"""Every command that the README and the guide show is run, and what they print is compared."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.guide_pages import PAGES, blocks, make_home, read, run, shows, steps, surroundings
from tests.support import REPOSITORY
from vault_dream.cli import command_line
from vault_dream.commands import COMMANDS

KINDS = {"console", "sh", "yaml", "python", "text"}
NOT_RUN = {
    # Other programs, which a test cannot have:
    "uv tool install .",
    "make test",
    "python -m tests.bench.bench_tokens",
    'make eval EVAL="--provider openai --model …"',
    "OLLAMA_CONTEXT_LENGTH=32768 ollama serve",
    "llama-server -m model.gguf -c 32768 --port 8080",
    "vllm serve the-model --max-model-len 32768",
    "journalctl --user -u 'vault-dream-*'",
    # The app needs a terminal; tests/ui/ plays it.
    "vault-dream ~/Notes",
    # These go on until they are stopped, ask a server, or change the machine;
    # tests/serving/, tests/test_doctor.py and tests/scheduling/ run them.
    "vault-dream serve ~/Notes",
    "vault-dream doctor ~/Notes",
    "vault-dream schedule ~/Notes --at 4:30 --install",
    "vault-dream schedule ~/Notes --remove",
    # Shells of their own:
    'eval "$(vault-dream completions bash)"',
    "vault-dream completions fish > ~/.config/fish/completions/vault-dream.fish",
    "vault-dream search tea --json | jq -r '.hits[].path'",
}
"""The lines of ``sh`` blocks: what is shown and not run."""

MENTIONED = re.compile(r"`(vault-dream [^`]+)`")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_transcripts_come_out_as_shown(page: Path, tmp_path: Path) -> None:
    home = make_home(tmp_path, page)
    code, told = 0, True
    for step in steps(read(page)):
        if step.command == "echo $?":
            assert step.shown == f"{code}\n", step
            told = True
            continue
        assert told, "a command failed, and `echo $?` does not show it"
        code, output = run(step.command, home)
        told = code == 0
        assert shows(step.shown, output), f"{step.command}\n{output}"
    assert told, "a command failed, and `echo $?` does not show it"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_shown_and_not_run_is_listed(page: Path) -> None:
    text = read(page)
    for block in blocks(text):
        assert block.kind in KINDS, f"{page.name}:{block.line}"
        if block.kind == "sh":
            lines = {line.split("   #")[0].strip() for line in block.text.splitlines()}
            assert lines - {""} <= NOT_RUN, f"{page.name}:{block.line}"
        elif block.kind != "console":
            assert not re.search(r"^\$? ?vault-dream ", block.text, re.M), page.name
    assert not re.search(r"^ {4,}\$? ?vault-dream", text, re.M), f"{page.name}: use a fence"


def test_nothing_is_listed_that_no_page_shows() -> None:
    shown = "".join(block.text for page in PAGES for block in blocks(read(page), "sh"))
    assert not {line for line in NOT_RUN if line not in shown}


def mentioned() -> list[str]:
    lines = [line for line in NOT_RUN if line.startswith("vault-dream ")]
    found = [command for page in PAGES for command in MENTIONED.findall(read(page))]
    return sorted({re.split(r" [|>] ", command)[0].strip() for command in (*lines, *found)})


@pytest.mark.parametrize("command", mentioned())
def test_what_is_written_as_a_command_is_one(command: str) -> None:
    """Its name and its options exist, whatever the vault."""
    words = shlex.split(command)[1:]
    if words in (["--version"], ["--help"]):
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


def test_pages_that_are_pointed_to_exist() -> None:
    names = {page.stem for page in PAGES} | set(COMMANDS)
    for page in PAGES:
        for topic in re.findall(r"vault-dream help ([a-z][a-z-]*)", read(page)):
            assert topic in names, f"{page.name}: {topic}"
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", read(page)):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_nothing_is_said_twice() -> None:
    """No line of more than a few words stands on two pages, transcripts and tables' heads aside."""
    seen: dict[str, str] = {}
    for page in PAGES:
        text = read(page)
        for block in blocks(text):
            text = text.replace(block.text, "")
        for line in {line for line in text.splitlines() if len(line.split()) > 7}:
            if not line.startswith("| night |"):
                assert seen.setdefault(line, page.name) == page.name, line


def test_the_python_of_the_guide_does_what_is_shown(tmp_path: Path) -> None:
    page = REPOSITORY / "assets/guide/python.md"
    home = make_home(tmp_path, page)
    found = blocks(read(page))
    programs = [block for block in found if block.kind == "python"]
    outputs = [block for block in found if block.kind == "text"]
    assert len(programs) == len(outputs) >= 2
    for program, output in zip(programs, outputs, strict=True):
        clock = "from tests.guide_clock import set_clock\nset_clock()\n"
        done = subprocess.run(
            [sys.executable, "-c", clock + program.text],
            env=surroundings(home),
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert shows(output.text, done.stdout), done.stdout
