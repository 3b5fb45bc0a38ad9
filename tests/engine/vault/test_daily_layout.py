"""Where daily notes are, and which day a note belongs to."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.daily import DailyLayout, find_layout
from vault_dream.engine.vault.obsidian import ObsidianSettings

NONE = ObsidianSettings()
DAY = date(2026, 3, 1)


def governed(folder: str, pattern: str = "YYYY-MM-DD") -> ObsidianSettings:
    return ObsidianSettings(
        daily_folder=folder,
        daily_format=pattern,
        daily_governed=True,
        daily_origin=".obsidian/daily-notes.json",
    )


@pytest.mark.parametrize(
    ("pattern", "locale", "path"),
    [
        (
            "YYYY/MM-MMMM/YYYY-MM-DD [W]WW dddd",
            "de",
            "Journal/2026/03-März/2026-03-01 W09 Sonntag.md",
        ),
        (r"YYYY/MM/YYYY-MM-DD \C\A\L\L", "en", "Journal/2026/03/2026-03-01 CALL.md"),
        ("YYYY/MM MMM/DD ddd", "en", "Journal/2026/03 Mar/01 Sun.md"),
    ],
)
def test_date_to_path_and_back(pattern: str, locale: str, path: str) -> None:  # case ob-34
    layout = find_layout([path], governed("Journal", pattern))
    assert layout.locale == locale
    assert layout.path_for(DAY) == path
    assert layout.date_of(path) == DAY
    assert layout.date_of("Journal/" + path.rpartition("/")[2]) is None
    assert layout.date_of(path.replace("Journal", "Archive")) is None
    assert layout.date_of(path.replace("2026", "2025", 1)) is None or "dddd" not in pattern


def test_the_day_of_notes_in_a_days_folder() -> None:
    layout = DailyLayout("daily", "YYYY-MM-DD", False, "default")
    assert layout.day_folder(DAY) == "daily/2026-03-01"
    assert layout.day_of("daily/2026-03-01.md") == DAY
    assert layout.day_of("daily/2026-03-01/session.md") == DAY
    assert layout.day_of("daily/2026-03-01/deep/er.md") == DAY
    assert layout.day_of("daily/2026-03-01/pic.png") is None
    assert layout.day_of("daily/other/2026-03-01.md") is None
    assert layout.day_of("2026-03-01/session.md") is None
    nested = DailyLayout("", "YYYY/MM/DD", False, "settings")
    assert nested.day_of("2026/03/01/x.md") == nested.day_of("2026/03/01.md") == DAY


@pytest.mark.parametrize(
    ("paths", "folder", "origin"),
    [
        ([], "daily", "default"),
        (["a.md", "notes/2026-03-01.md"], "daily", "default"),
        (["2026-03-01.md"], "", "dated notes in the vault's root"),
        (["daily/2026-03-01.md"], "daily", "dated notes in daily/"),
        (["daily/2026-03-01/x.md"], "daily", "dated notes in daily/"),
        (["daily/2026-03-01.md", "2026-03-01.md"], "daily", "dated notes in daily/"),
        (["daily/2026-03-01.md", "2026-03-02.md", "2026-03-01.md"], "",
         "dated notes in the vault's root"),
    ],
)  # fmt: skip
def test_without_settings(paths: list[str], folder: str, origin: str) -> None:
    layout = find_layout(paths, NONE)
    assert (layout.folder, layout.format, layout.origin) == (folder, "YYYY-MM-DD", origin)
    assert not layout.governed
    both = bool(paths) and paths[0].startswith("daily/") and "2026-03-01.md" in paths
    assert any("daily_dir to choose" in warning for warning in layout.warnings) == both


def test_obsidian_governs_unless_we_are_told_otherwise() -> None:
    paths = ["Days/2026-03-01.md", "Own/2026-03-01.md"]
    layout = find_layout(paths, governed("Days"))
    assert layout == DailyLayout("Days", "YYYY-MM-DD", True, ".obsidian/daily-notes.json")
    own = find_layout(paths, governed("Days"), daily_dir="Own/")
    assert own == DailyLayout("Own", "YYYY-MM-DD", False, "settings")
    assert find_layout(paths, governed("Days"), daily_dir="Days").governed
    assert find_layout(paths, NONE, daily_dir="").folder == ""
    assert find_layout(paths, NONE, daily_format="YYYY.MM.DD").format == "YYYY.MM.DD"


def test_a_folder_that_does_not_exist_is_reported_not_guessed() -> None:
    paths = [f"Journal/2026-03-0{n}.md" for n in range(1, 5)] + ["2026-01-01.md"]
    layout = find_layout(paths, governed("Daily Notes"))
    assert layout.folder == "Daily Notes"
    assert "'Daily Notes'" in layout.warnings[0] and "Journal" in layout.warnings[0]
    assert find_layout(paths, NONE, daily_dir="days").warnings
    assert not find_layout(paths, governed("Journal")).warnings
    assert find_layout([], governed("")).warnings == ()


def test_formats_that_name_no_single_day_are_reported() -> None:
    assert "single day" in find_layout([], governed("", "gggg-[W]ww")).warnings[0]
    assert "time" in find_layout([], governed("", "YYYY-MM-DD HHmm")).warnings[0]


def test_the_language_is_the_one_the_notes_are_in() -> None:
    paths = ["J/2026-03-01 dimanche.md", "J/2026-03-02 lundi.md", "J/2026-03-03 Tuesday.md"]
    layout = find_layout(paths, governed("J", "YYYY-MM-DD dddd"))
    assert layout.locale == "fr"
    assert find_layout(paths, governed("J", "YYYY-MM-DD dddd"), locale="en").locale == "en"
    assert find_layout(["J/2026-03-01.md"], governed("J")).locale == "en"


@pytest.mark.parametrize("pattern", ["[../]YYYY", "[..]/YYYY-MM-DD", r"YYYY[\\]MM-DD"])
def test_formats_that_lead_out_make_no_path(pattern: str) -> None:
    with pytest.raises(PathError):
        DailyLayout("d", pattern, False, "settings").path_for(DAY)


@pytest.mark.parametrize("folder", ["../x", "/etc", "a\\b"])
def test_our_own_folder_must_be_in_the_vault(folder: str) -> None:
    with pytest.raises(PathError):
        find_layout([], NONE, daily_dir=folder)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.dates(date(1000, 1, 1)), st.sampled_from(["", "daily", "a/b"]))
def test_round_trip(day: date, folder: str) -> None:
    layout = DailyLayout(folder, "YYYY/MM/YYYY-MM-DD dddd", False, "settings")
    assert layout.date_of(layout.path_for(day)) == day
    assert layout.day_of(layout.day_folder(day) + "/x/y.md") == day
