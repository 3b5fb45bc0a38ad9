"""Paths as people give them: whole, in another case, without ``.md``, and of nothing at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import make_vault, snapshot
from vault_dream.cli import main

DAY = "daily/2026-11-30.md"
SECRET = "We decided to keep the old index, because the new one loses the accents of names"
NODE = "digest/wiki/accents.md"
NODE_TEXT = "---\nname: Accents\ndescription: Where they go.\n---\n\nGone, as [[nowhere]] says.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = make_vault(
        tmp_path / "vault",
        {
            DAY: f"# Monday\n\n- {SECRET}.\n",
            "daily/2026-11-30/call.md": "A call.\n",
            NODE: NODE_TEXT,
            "daily/2026-11-29.md": "See [[accents]] and [[nothing]].\n",
        },
    )
    assert main(["--headless", str(root), "--provider", "offline", "--date", "2026-11-30"]) == 0
    return root


def kept(root: Path) -> bool:
    """Whether the state still has the secret's words."""
    files = (path for path in (root / "metadata").rglob("*") if path.is_file())
    return any(b"loses the accents" in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    "spelled",
    ["daily/2026-11-30", "./daily//2026-11-30.md", "DAILY/2026-11-30.MD", "{vault}/" + DAY],
)
@pytest.mark.parametrize("there", [True, False])
def test_a_note_is_forgotten_however_its_path_is_spelled(
    vault: Path, spelled: str, there: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kept(vault)
    if not there:
        (vault / DAY).unlink()
    capsys.readouterr()
    assert main(["forget", spelled.format(vault=vault), "-V", str(vault)]) == 0
    assert f"{DAY}: forgotten" in capsys.readouterr().out
    assert not kept(vault)


def test_a_folder_is_no_note_to_forget(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forget", "daily", "-V", str(vault)]) == 2
    assert "daily: is a folder" in capsys.readouterr().err


def test_links_and_move_take_the_whole_path_of_a_note(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["links", f"{vault}/{NODE}", "-V", str(vault)]) == 0
    assert "<- links_to daily/2026-11-29.md" in capsys.readouterr().out
    assert main(["move", f"{vault}/{NODE}", "digest/wiki/marks.MD", "-V", str(vault)]) == 0
    assert (vault / "digest/wiki/marks.md").read_text() == NODE_TEXT
    assert main(["move", "marks", f"{vault}/digest/personal/", "-V", str(vault)]) == 0
    assert (vault / "digest/personal/marks.md").is_file()
    assert main(["links", str(vault.parent / "other.md"), "-V", str(vault)]) == 2


def test_links_that_lead_nowhere_are_among_the_links(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_vault(tmp_path / "v", {"a.md": "[[b]] [[c]] [[d]]\n", "b.md": "[[c]]\n"})
    assert main(["links", "-V", str(root), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["links"], len(document["unresolved"])) == (4, 3)


def test_undo_names_a_node_that_the_run_did_not_change(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(vault)
    assert main(["undo", "--node", NODE, "-V", str(vault)]) == 2
    assert f"{NODE}: run " in (said := capsys.readouterr().err) and "did not change it" in said
    assert snapshot(vault) == before


def test_undo_takes_a_node_by_its_whole_path(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [path for path in (vault / "digest").rglob("*.md") if path != vault / NODE]
    assert len(made) == 1
    assert main(["undo", "--node", str(made[0]), "-V", str(vault)]) == 0
    assert not made[0].exists()


def test_nothing_to_undo_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_vault(tmp_path / "v", {DAY: "A day.\n"})
    assert main(["undo", "-V", str(root)]) == 0
    assert capsys.readouterr().out == "Nothing to undo.\n"
    assert main(["undo", "--json", "-V", str(root)]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "run_id": None, "files": []}


def test_a_hidden_name_is_refused_for_what_it_is(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", NODE, ".accents", "-V", str(vault)]) == 2
    assert "digest/wiki/.accents.md: is hidden" in capsys.readouterr().err
