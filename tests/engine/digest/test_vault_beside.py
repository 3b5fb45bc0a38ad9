"""Rows that a second process makes are the rows that this one would have made."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.engine.vault.test_beside import ODD, SAMPLE, anew, watched, way
from vault_dream.engine.digest import vaultbeside
from vault_dream.engine.digest.vaultbeside import rows_beside
from vault_dream.engine.digest.vaultrows import Row, Wanted, read_rows
from vault_dream.engine.vault import beside, second
from vault_dream.engine.vault.vault import Vault

__all__ = ["anew", "way"]

OLD, NOW = 1_750_000_000, 1_750_000_001_000_000_000


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    for name, value in (("BATCH", 3), ("_ALONE", 2), ("_AHEAD", 2), ("_MOST", 2)):
        monkeypatch.setattr(vaultbeside, name, value)
    root = tmp_path / "v"
    shutil.copytree(SAMPLE, root)
    for name, raw in ODD.items():
        (root / name).write_bytes(raw)
    for place, file in enumerate(sorted(root.rglob("*.md"))):
        os.utime(file, (OLD, OLD - 10 * (place % 2)))  # every other may change again
    return Vault(root)


def wanted_of(vault: Vault) -> list[Wanted]:
    found = [(one.path, one.size, one.mtime_ns, None) for one in vault.listing().notes]
    gone: list[Wanted] = [("gone.md", 1, 1, None), ("\ud800.md", 1, 1, None)]
    known: list[Wanted] = []
    with vault.reading() as run:
        for row in read_rows(found[:8], run, "memory_tags", lambda: NOW):
            known.append((row.path, row.size, row.mtime_ns, row.digest))
    return [*known, *gone, *found[8:]]


def both(vault: Vault) -> tuple[list[Row], list[Row]]:
    wanted = wanted_of(vault)
    with vault.reading() as run:
        one = read_rows(wanted, run, "memory_tags", lambda: NOW)
        batches = rows_beside(wanted, run, "memory_tags", lambda: NOW)
        return [row for batch in batches for row in batch], one


@pytest.mark.usefixtures("way")
def test_the_rows_are_the_same_and_in_order(vault: Vault) -> None:
    two, one = both(vault)
    assert two == one
    assert {row.settled for row in one} == {True, False}


@pytest.mark.usefixtures("way")
def test_no_row_is_made_there_that_this_process_could_not_wait_for(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside.Beside, "ready", lambda self: False)
    two, one = both(vault)
    assert two == one


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("start", ["import sys; sys.exit(1)", "print('x' * 100)", "1/0"])
def test_without_the_second_process_all_rows_are_made_here(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    monkeypatch.setattr(second, "START", start)
    two, one = both(vault)
    assert two == one


@pytest.mark.usefixtures("anew")
def test_where_no_process_can_start_all_rows_are_made_here(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second.sys, "executable", "")
    two, one = both(vault)
    assert two == one


@pytest.mark.usefixtures("way")
def test_who_stops_early_leaves_no_process(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    started = watched(monkeypatch)
    with vault.reading() as run:
        batches = rows_beside(wanted_of(vault), run, "tags", lambda: NOW)
        next(batches)
        batches.close()
    assert [process.returncode is not None for process in started] == [True]
