"""What a newcomer is told: the contracts, the rooms and the tests are those that there are."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.guide_pages import GUIDE, blocks, read
from tests.support import REPOSITORY

CONTRIBUTING = REPOSITORY / "CONTRIBUTING.md"
PROMISES = GUIDE / "promises.md"
NAMED = re.compile(r"`(tests/[\w/.]+?)(?:::(\w+))?`")


def test_the_contracts_are_listed() -> None:
    project = tomllib.loads(read(REPOSITORY / "pyproject.toml"))
    contracts = [each["name"] for each in project["tool"]["importlinter"]["contracts"]]
    assert re.findall(r"^\* (.+)$", section("The layout"), re.M) == contracts


def test_every_module_of_the_program_and_its_engine_is_in_the_tree() -> None:
    (tree,) = (block.text for block in blocks(section("The layout")))
    for folder in (REPOSITORY / "vault_dream", REPOSITORY / "vault_dream/engine"):
        for file in folder.glob("*.py"):
            assert file.stem.startswith("__") or re.search(rf"\b{file.stem}\b", tree), file
        for room in folder.iterdir():
            if (room / "__init__.py").is_file():
                assert f" {room.name}/ " in tree, room
    for name in re.findall(r"(\w+)\.py\b", tree):
        assert list((REPOSITORY / "vault_dream").rglob(f"{name}.py")), name


def test_each_rule_is_there_once_with_its_reason_and_a_test() -> None:
    rules = re.findall(
        r"^\| (\d?) ?\| (?!rule)(.+) \| (.+) \| (.+) \|$", section("The rules"), re.M
    )
    assert [number for number, *_ in rules if number] == list("12345678")
    assert all(rule and why and NAMED.search(test) for _, rule, why, test in rules)


@pytest.mark.parametrize("page", (CONTRIBUTING, PROMISES), ids=lambda page: page.stem)
def test_the_tests_that_are_named_are_there(page: Path) -> None:
    named = NAMED.findall(read(page))
    assert len(named) > 15
    for path, test in named:
        assert (REPOSITORY / path).exists(), path
        if test:
            tree = ast.parse(read(REPOSITORY / path))
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            assert test in {n.name for n in ast.walk(tree) if isinstance(n, functions)}, test


def test_every_failure_of_the_promises_names_its_test() -> None:
    rows = re.findall(r"^\| (?!what happens|---)(.+) \|$", read(PROMISES), re.M)
    assert len(rows) > 20
    assert all(NAMED.search(row.split(" | ")[-1]) for row in rows)


def section(title: str) -> str:
    """The text under the heading that begins with ``title``, up to the next one."""
    found = re.search(rf"^## {title}.*?(?=^## |\Z)", read(CONTRIBUTING), re.M | re.S)
    assert found, title
    return found[0]
