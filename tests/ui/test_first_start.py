"""Where no vault was named, a person at a terminal chooses one; anything else is an error."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.ui.scenes import app_over, press, screen_text, settled, vault
from vault_dream.cli import main
from vault_dream.engine.errors import FilesystemError
from vault_dream.places import NoVaultError
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.plainly import choose_vault


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two vaults in Obsidian's registry, neither of them open, and a folder that it does not know.

    The current folder is no vault.
    """
    roots = [vault(tmp_path / name) for name in ("Notes", "[b]Work[x]", "Elsewhere")]
    entries = {str(n): {"path": str(root), "ts": 10 - n} for n, root in enumerate(roots[:2])}
    config = tmp_path / "config"
    (config / "obsidian").mkdir(parents=True)
    (config / "obsidian" / "obsidian.json").write_text(json.dumps({"vaults": entries}))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    monkeypatch.chdir(config)
    return roots


def walk(steps: Any) -> None:
    async def inside() -> None:
        app = app_over(None)
        async with app.run_test(size=(90, 30)) as pilot:
            await settled(pilot)
            await steps(pilot, app)

    asyncio.run(asyncio.wait_for(inside(), 60))


def test_a_vault_that_obsidian_knows_is_chosen_and_remembered(known: list[Path]) -> None:
    async def first(pilot: Any, app: VaultDreamApp) -> None:
        assert "Which vault?" in screen_text(app) and "[b]Work[x]" in screen_text(app)
        await press(pilot, "j", "enter")
        assert app.desk.root == known[1] and app.screen.PLACE == "home"  # type: ignore[attr-defined]
        await press(pilot, "q")
        assert app.return_code == 0

    async def second(pilot: Any, app: VaultDreamApp) -> None:
        assert "chosen last" in screen_text(app)
        await press(pilot, "enter")
        assert app.desk.root == known[1]

    walk(first)
    walk(second)


def test_another_folder_is_typed(known: list[Path]) -> None:
    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "G", "enter", *"/no/such", "enter")
        assert "there is no such folder" in app.screen.bar.word  # type: ignore[attr-defined]
        await press(pilot, "enter")
        app.screen.query_one("Input").value = str(known[2])  # type: ignore[attr-defined]
        await press(pilot, "enter")
        assert app.desk.root == known[2]

    walk(steps)


def test_leaving_without_a_choice_does_nothing(known: list[Path]) -> None:
    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "question_mark", "escape", "f1", "escape", "colon", "escape", "T", "q")
        assert app.return_code == 0

    walk(steps)


def test_without_a_terminal_it_is_an_error_that_names_them(
    known: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review"]) == 2
    assert str(known[0]) in capsys.readouterr().err


def test_the_plain_choice_takes_a_number_or_a_path(known: list[Path]) -> None:
    def choose(answer: str) -> Path:
        return choose_vault(stdin=io.StringIO(answer), out=io.StringIO())

    assert choose("2\n") == known[1]
    assert choose(f"{known[2]}\n") == known[2]
    with pytest.raises(FilesystemError):
        choose("99\n")
    with pytest.raises(NoVaultError):
        choose("")
