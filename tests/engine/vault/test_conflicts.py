"""What sync programs leave, by name and in the text."""

from __future__ import annotations

import pytest

from vault_dream.engine.vault.conflicts import conflict_copy, merge_marker_line


@pytest.mark.parametrize(
    "name",
    [
        "2026-01-02.sync-conflict-20260102-101112-ABCDEFG.md",
        "2026-01-02.sync-conflict-20260102-101112.md",
        "2026-01-02 (Conflicted copy Laptop 202601021011).md",
        "2026-01-02 (Ann's conflicted copy 2026-01-02).md",
        "2026-01-02 (Ann’s conflicted copy).md",
        "x (Ann's conflicted copy 2026-01-02) (1).md",
        "x (conflicted copy 2026-10-05 103045).md",
        "x (Sam's conflicting copy 2022-08-30).md",
        "x_conflict-20180220-141213.md",
        "x_conflict-ann-20180220-141213.md",
        "x (In Konflikt stehende Kopie von Ann 2026-01-02).md",
        "x (Anns in Konflikt stehende Kopie 2026-01-02).md",
        "x (Copie en conflit de Ann 2016-12-29).md",
        "x (Copia en conflicto de D SM 2024-03-08).md",
        "x (Cópia em conflito de Ann 2024-03-08).md",
        "買い物 (Taketan の競合コピー 2026-09-06).md",
        "README(Cong-Windows的冲突副本1_2026-06-26 02-11-37).md",
        "x (Unicode Encoding Conflict).md",
        "x (Unicode Encoding Conflict)(1).md",
        "x (Case Conflict (2)).md",
    ],
)
def test_conflict_copies(name: str) -> None:  # case ob-27
    assert conflict_copy(name)


@pytest.mark.parametrize(
    "name",
    [
        "2026-01-02.md",
        "2026-01-02 (2).md",
        "How to merge a conflicted copy.md",
        "Sync (the conflicted copy problem).md",
        "Conflict 2026-01-02.md",
        "Marriage (Conflict 2026).md",
        "sync-conflict.md",
        "notes.sync-conflict.md",
        "Konflikt.md",
    ],
)
def test_notes_about_conflicts_are_notes(name: str) -> None:
    assert not conflict_copy(name)


def test_merge_markers() -> None:
    text = "one\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> branch\n"
    assert merge_marker_line(text) == 2
    assert merge_marker_line(text.replace("\n", "\r\n")) == 2


@pytest.mark.parametrize(
    "text",
    ["Title\n=======\n", "<<<<<<< HEAD\nx\n", "> >>>>>>> quote\n<<<<<<< x",
     "<<<<<<<<\n=======\n>>>>>>>>\n",
     ">>>>>>> b\n=======\n<<<<<<< a\n"],
)  # fmt: skip
def test_what_is_no_merge_conflict(text: str) -> None:
    assert merge_marker_line(text) == 0
