"""Settings, keys, exit codes, messages and addresses in the guide are those of the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests import guide_keys
from tests.guide_pages import GUIDE, PAGES, blocks, read
from tests.support import REPOSITORY
from vault_dream.candidates import LOCAL_SERVERS
from vault_dream.commands.answers import EXIT_CODES, EXIT_USAGE, INTERRUPTED
from vault_dream.config import Settings, load_settings
from vault_dream.pipeline import DEFAULT_STEPS


def rows(text: str, head: str) -> list[list[str]]:
    """The cells of each row of the tables whose head begins with ``head``."""
    found = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[-|: ]+\|\n((?:\|.*\n)+)", text, re.M)
    assert found, head
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for table in found
        for line in table.splitlines()
    ]


def test_the_settings_are_all_settings_with_their_defaults(tmp_path: Path) -> None:
    shown = blocks(read(GUIDE / "settings.md"), "yaml")[0].text
    (tmp_path / "vault-dream.yaml").write_text(shown)
    found = load_settings(tmp_path, environ={}, user_file=tmp_path / "none")
    assert found.origins.keys() == Settings.__dataclass_fields__.keys() - {"origins", "job"}
    for name in found.origins.keys() - {"daily_dir", "daily_format", "auto_dream", "jobs"}:
        assert getattr(found, name) == getattr(Settings(), name), name
    assert [step.name for step in found.auto_dream.steps] == list(DEFAULT_STEPS)
    assert found.jobs.keys() == Settings().jobs.keys()


def test_settings_that_other_pages_name_exist() -> None:
    names = Settings.__dataclass_fields__.keys() | {"jobs"}
    shown = {"models.md", "local-models.md", "search.md"}
    for page in PAGES:
        for block in blocks(read(page), "yaml") if page.name in shown else ():
            for key in re.findall(r"^(\w+):", block.text, re.M):
                assert key in names, f"{page.name}: {key}"


def test_the_keys_are_those_of_the_app() -> None:
    """``python -m tests.guide_keys`` writes the table anew."""
    assert read(guide_keys.PAGE).endswith("\n" + guide_keys.key_table())


def test_each_exit_code_is_explained_once() -> None:
    told = [int(row[0]) for row in rows(read(GUIDE / "troubleshooting.md"), "exit")]
    assert told == sorted({0, 1, EXIT_USAGE, *(code for _, code in EXIT_CODES), INTERRUPTED})
    for page in PAGES:
        assert page.stem == "troubleshooting" or "| 130 |" not in read(page)


def test_the_messages_are_those_of_the_program() -> None:
    said = sentences()
    for cell, *_ in rows(read(GUIDE / "troubleshooting.md"), "message"):
        assert re.fullmatch(r"`[^`]+`", cell), cell
        words = cell.strip("`").removesuffix("…").strip()
        assert any(words in text for text in said), cell


def sentences() -> set[str]:
    """Every text constant of the program, the parts of f-strings each for itself."""
    return {
        node.value
        for file in (REPOSITORY / "vault_dream").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_local_servers_are_those_that_are_asked() -> None:
    told = [(row[0], row[1].strip("`")) for row in rows(read(GUIDE / "local-models.md"), "server")]
    assert tuple(told) == LOCAL_SERVERS


def test_the_prompts_are_those_that_there_are() -> None:
    told = {
        name
        for row in rows(read(GUIDE / "prompts.md"), "name")
        for name in re.findall(r"`(\w+)`", row[0])
    }
    shipped = {file.stem for file in (REPOSITORY / "assets/prompts").rglob("*.md")}
    assert told == {name.removesuffix("_zh").partition(".")[0] for name in shipped}


def test_the_views_of_the_base_are_named() -> None:
    base = (REPOSITORY / "assets/obsidian/digest.base").read_text(encoding="utf-8")
    assert len(re.findall(r"^    name: ", base, re.M)) == 4
    assert "four views" in read(GUIDE / "obsidian.md")
