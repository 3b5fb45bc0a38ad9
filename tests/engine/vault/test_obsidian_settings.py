"""Obsidian's settings in every shape: read where they are right, reported where they are not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.vault.obsidian import (
    ObsidianSettings,
    is_excluded,
    read_settings,
)


def vault(root: Path, files: dict[str, object], folder: str = ".obsidian") -> Path:
    (root / folder).mkdir(parents=True, exist_ok=True)
    for name, value in files.items():
        path = root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        path.write_text(text, encoding="utf-8")
    return root


PERIODIC = "plugins/periodic-notes/data.json"
DAILY_ON = {"daily": {"folder": "Journal", "format": "YYYY/MM", "enabled": True}}


def daily(found: ObsidianSettings) -> tuple[str, str, bool, str]:
    return found.daily_folder, found.daily_format, found.daily_governed, found.daily_origin


def test_a_vault_without_settings(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == ObsidianSettings()


def test_core_daily_notes(tmp_path: Path) -> None:
    found = read_settings(vault(tmp_path, {"daily-notes.json": {"folder": "/Days/", "format": ""}}))
    assert daily(found) == ("Days", "YYYY-MM-DD", True, ".obsidian/daily-notes.json")
    assert found.warnings == ()


def test_core_settings_count_even_if_the_plugin_is_off(tmp_path: Path) -> None:
    files = {"daily-notes.json": {}, "core-plugins.json": {"daily-notes": False}}
    assert daily(read_settings(vault(tmp_path, files)))[:3] == ("", "YYYY-MM-DD", True)


@pytest.mark.parametrize(
    ("files", "folder"),
    [
        ({PERIODIC: DAILY_ON, "community-plugins.json": ["periodic-notes"]}, "Journal"),
        ({PERIODIC: DAILY_ON, "community-plugins.json": []}, "Core"),
        ({PERIODIC: DAILY_ON}, "Core"),
        (
            {
                PERIODIC: {"daily": {"folder": "Journal", "enabled": False}},
                "community-plugins.json": ["periodic-notes"],
            },
            "Core",
        ),
        (
            {
                PERIODIC: {
                    "activeCalendarSet": "B",
                    "calendarSets": [
                        {"id": "A", "day": {"enabled": True, "folder": "No"}},
                        {"id": "B", "day": {"enabled": True, "folder": "Journal"}},
                    ],
                },
                "community-plugins.json": ["periodic-notes"],
            },
            "Journal",
        ),
    ],
)
def test_periodic_notes_govern_where_they_are_on(
    tmp_path: Path, files: dict[str, object], folder: str
) -> None:
    files = {"daily-notes.json": {"folder": "Core"}, **files}
    assert read_settings(vault(tmp_path, files)).daily_folder == folder


def test_a_folder_outside_is_not_used(tmp_path: Path) -> None:
    found = read_settings(vault(tmp_path, {"daily-notes.json": {"folder": "../other"}}))
    assert daily(found) == ("", "YYYY-MM-DD", False, "")
    assert "../other" in found.warnings[0]


def test_template_folders(tmp_path: Path) -> None:  # case ob-37
    files = {
        "templates.json": {"folder": "Templates"},
        "plugins/templater-obsidian/data.json": {"templates_folder": "⏣ Vorlagen/"},
        "daily-notes.json": {"template": "_meta/daily template"},
    }
    found = read_settings(vault(tmp_path, files))
    assert found.template_folders == ("Templates", "⏣ Vorlagen", "_meta")


def test_a_template_in_the_root_makes_no_template_folder(tmp_path: Path) -> None:
    files = {"daily-notes.json": {"template": "daily"}, "templates.json": {"folder": "/"}}
    assert read_settings(vault(tmp_path, files)).template_folders == ()


def test_links_types_and_attachments(tmp_path: Path) -> None:
    app = {
        "newLinkFormat": "relative",
        "useMarkdownLinks": True,
        "attachmentFolderPath": "./",
        "userIgnoreFilters": ["Private/", "/\\.excalidraw\\.md$/"],
    }
    files = {"app.json": app, "types.json": {"types": {"due": "date", "odd": 3}}}
    found = read_settings(vault(tmp_path, files))
    assert (found.new_link_format, found.use_markdown_links) == ("relative", True)
    assert found.attachment_folder == "./"
    assert dict(found.property_types) == {"due": "date"}
    assert is_excluded(found, "Private/x.md") and is_excluded(found, "private/x.md")
    assert is_excluded(found, "a/Drawing.excalidraw.md")
    assert not is_excluded(found, "Public/Private/x.md")
    assert found.warnings == ()


@pytest.mark.parametrize("value", [None, [], {}])
def test_no_excluded_files(tmp_path: Path, value: object) -> None:
    found = read_settings(vault(tmp_path, {"app.json": {"userIgnoreFilters": value}}))
    assert found.excluded == () and not is_excluded(found, "a.md")
    assert bool(found.warnings) == (value == {})


@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_hostile_patterns_do_not_hang(tmp_path: Path) -> None:
    filters = ["/(a+)+$/", "/(.*)*x/", "/(?=(a+)+$)b/", "/[/", "/(?!Public\\/)^/", ""]
    found = read_settings(vault(tmp_path, {"app.json": {"userIgnoreFilters": filters}}))
    one_by_one = [
        is_excluded(ObsidianSettings(excluded=(one,)), "Public/" + "a" * 3000 + "!")
        for one in found.excluded
    ]
    # What cannot be decided in bounded time excludes, and is reported; what is no pattern does not.
    assert one_by_one == [False, False, True, False, True]
    assert not is_excluded(ObsidianSettings(excluded=("/^(?!Public)/",)), "Public/a.md")
    assert is_excluded(ObsidianSettings(excluded=("/^(?!Public)/",)), "Private/a.md")
    assert any("excludes everything" in warning for warning in found.warnings)
    assert any("not a regular expression" in warning for warning in found.warnings)


def test_another_settings_folder(tmp_path: Path) -> None:
    files = {"app.json": {}, "appearance.json": {}, "daily-notes.json": {"folder": "D"}}
    vault(tmp_path, files, ".config-mobile")
    assert read_settings(tmp_path).config_folder == ".config-mobile"
    vault(tmp_path, {"daily-notes.json": {"folder": "E"}})
    assert read_settings(tmp_path).daily_folder == "E"
    assert read_settings(tmp_path, ".config-mobile").daily_folder == "D"
    assert read_settings(tmp_path, ".none").warnings


def test_several_possible_settings_folders_are_not_guessed(tmp_path: Path) -> None:
    for name in (".one", ".two"):
        vault(tmp_path, {"app.json": {}, "appearance.json": {}, "daily-notes.json": {}}, name)
    found = read_settings(tmp_path)
    assert not found.daily_governed and ".one, .two" in found.warnings[0]


def test_conflict_copies_of_settings_are_reported(tmp_path: Path) -> None:  # case ob-27
    name = "daily-notes.sync-conflict-20260102-101112-ABCDEFG.json"
    found = read_settings(vault(tmp_path, {"daily-notes.json": {"folder": "D"}, name: {}}))
    assert found.daily_folder == "D" and name in found.warnings[0]


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    vault(tmp_path, {})
    os.mkfifo(tmp_path / ".obsidian/app.json")
    (tmp_path / ".obsidian/daily-notes.json").mkdir()
    found = read_settings(tmp_path)
    assert len(found.warnings) == 2 and not found.daily_governed


BROKEN = ["", "\0\0\0", "{", "[1", "nope", '{"a":1} x', "\ufeff", '"text"', "3", "[" * 100_000,
          '{"daily": []}', '{"folder": 3, "format": ["x"], "types": []}', '{"types": {"a": null}}',
          "[null, 3, {}]", "true", "NaN", '{"userIgnoreFilters": [3, null, ""]}',
          '{"newLinkFormat": "odd", "useMarkdownLinks": "yes"}', "null", "{}"]  # fmt: skip
FILES = ["app.json", "daily-notes.json", "community-plugins.json", PERIODIC, "templates.json",
         "plugins/templater-obsidian/data.json", "types.json", "core-plugins.json"]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_broken_files_are_warnings_never_exceptions(tmp_path: Path, text: str) -> None:
    for name in FILES:
        root = tmp_path / name.replace("/", "-")
        found = read_settings(vault(root, {name: text}))
        assert found.daily_folder == "" and found.new_link_format == "shortest"
    found = read_settings(vault(tmp_path / "all", dict.fromkeys(FILES, text)))
    assert isinstance(found.warnings, tuple)
    if text not in ("null", "{}"):
        assert found.warnings


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "daily",
                    "folder",
                    "format",
                    "enabled",
                    "types",
                    "template",
                    "day",
                    "calendarSets",
                    "userIgnoreFilters",
                    "newLinkFormat",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from(FILES), json_values, max_size=4))
def test_any_json_is_survived(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, object]
) -> None:
    files.setdefault("community-plugins.json", ["periodic-notes"])
    found = read_settings(vault(tmp_path_factory.mktemp("v"), files))
    is_excluded(found, "a/b.md")
