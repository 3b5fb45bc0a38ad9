"""The pulse of a vault: equal while nothing changed, another with every change."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import make_vault
from vault_dream.engine.vault.pulse import Ahead, pulse

FILES = {
    "a.md": "one\n",
    "folder/b.md": "two\n",
    "folder/deeper/ü.md": "three\n",
    ".obsidian/app.json": "{}",
    ".trash/gone.md": "gone\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", FILES)


def retimed(file: Path) -> None:
    os.utime(file, ns=(1, 1))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a.md").write_text("longer\n"),
        lambda root: retimed(root / "folder/deeper/ü.md"),
        lambda root: (root / "folder/b.md").rename(root / "folder/c.md"),
        lambda root: (root / "folder/deeper/ü.md").unlink(),
        lambda root: (root / "folder").rename(root / "other"),
        lambda root: (root / "new.md").touch(),
        lambda root: (root / ".new.md.icloud").touch(),
    ],
)
def test_a_change_gives_another_pulse(vault: Path, change: Callable[[Path], object]) -> None:
    before = pulse(vault)
    assert pulse(vault) == before
    change(vault)
    assert pulse(vault)[0] != before[0]


def test_what_is_no_part_of_the_vault_counts_for_nothing(vault: Path) -> None:
    before = pulse(vault)
    (vault / ".obsidian/app.json").write_text('{"a": 1}')
    (vault / ".trash/more.md").touch()
    (vault / "empty folder").mkdir()
    assert pulse(vault)[1] == before[1]


def test_a_link_in_a_circle_and_a_link_to_nothing_are_survived(vault: Path) -> None:
    (vault / "circle").symlink_to(vault)
    (vault / "nothing.md").symlink_to(vault / "nowhere")
    assert pulse(vault) == pulse(vault)
    assert pulse(vault / "nowhere") == pulse(vault / "nowhere")


def test_a_pulse_taken_ahead_is_the_same(vault: Path) -> None:
    ahead = Ahead(str(vault))
    assert ahead.take() == pulse(vault)
    (vault / "a.md").write_text("longer\n")
    assert ahead.take() == pulse(vault)  # once more, it looks for itself


def test_a_process_that_dies_ahead_costs_nothing(vault: Path) -> None:
    ahead = Ahead(str(vault))
    if ahead._child > 0:
        os.kill(ahead._child, signal.SIGKILL)
    assert ahead.take() == pulse(vault)


def test_a_vault_that_is_gone_is_no_error_ahead(vault: Path) -> None:
    assert Ahead(str(vault / "nowhere")).take() == pulse(vault / "nowhere")


def test_where_no_process_can_be_had_it_is_taken_here(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refused, raising=False)
    assert Ahead(str(vault)).take() == pulse(vault)
