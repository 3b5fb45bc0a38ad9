"""What a change is told as; the watching itself is tested where it is used."""

from __future__ import annotations

from pathlib import Path

from vault_dream.engine.vault.watch import _with_files


def test_a_new_folder_tells_of_the_files_that_came_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "digest"
    (folder / "wiki").mkdir(parents=True)
    (folder / "wiki/tea.md").write_text("Oolong.\n")
    told = set(_with_files(str(folder)))
    assert told == {str(folder), str(folder / "wiki/tea.md")}
    assert list(_with_files(str(folder / "wiki/tea.md"))) == [str(folder / "wiki/tea.md")]
    assert list(_with_files(str(tmp_path / "gone"))) == [str(tmp_path / "gone")]
