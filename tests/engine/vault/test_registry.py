"""Obsidian's own list of vaults, and the addresses that open a note in it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.vault.registry import known_vaults
from vault_dream.engine.vault.uri import open_uri

PLACES = [
    ("linux", ".config/obsidian", {}),
    ("linux", "xdg/obsidian", {"XDG_CONFIG_HOME": "{home}/xdg"}),
    ("linux", ".config/obsidian", {"XDG_CONFIG_HOME": "relative"}),
    ("linux", ".var/app/md.obsidian.Obsidian/config/obsidian", {}),
    ("linux", "snap/obsidian/current/.config/obsidian", {}),
    ("linux", "snap/obsidian/common/.config/obsidian", {}),
    ("linux", "snap/obsidian/47/.config/obsidian", {}),
    ("darwin", "Library/Application Support/obsidian", {}),
    ("win32", "AppData/Roaming/obsidian", {}),
    ("win32", "roaming/obsidian", {"APPDATA": "{home}/roaming"}),
]


def register(home: Path, place: str, vaults: object) -> None:
    (home / place).mkdir(parents=True, exist_ok=True)
    text = vaults if isinstance(vaults, str) else json.dumps({"vaults": vaults})
    (home / place / "obsidian.json").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("platform", "place", "environ"), PLACES)
def test_every_place_it_may_be_in(
    tmp_path: Path, platform: str, place: str, environ: dict[str, str]
) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
    register(tmp_path, place, {
        "0123456789abcdef": {"path": str(tmp_path / "one"), "ts": 5},
        "0123456789abcde0": {"path": str(tmp_path / "two"), "ts": 9},
        "0123456789abcde1": {"path": str(tmp_path / "three"), "ts": 1, "open": True},
        "0123456789abcde2": {"path": str(tmp_path / "gone"), "ts": 99, "open": True},
    })  # fmt: skip
    environ = {name: value.format(home=tmp_path) for name, value in environ.items()}
    found = known_vaults(platform=platform, environ=environ, home=tmp_path)
    assert [vault.name for vault in found] == ["three", "two", "one"]
    assert [vault.id for vault in found if vault.open] == ["0123456789abcde1"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"vaults": []}', '{"vaults": {"a": 3, "b": {}, "c": {"path": 3}}}',
     '{"vaults": {"a": {"path": "relative"}, "b": {"path": "/x\\u0000y"}}}'],
)  # fmt: skip
def test_a_broken_registry_holds_no_vaults(tmp_path: Path, text: str) -> None:
    register(tmp_path, ".config/obsidian", text)
    assert known_vaults(platform="linux", environ={}, home=tmp_path) == ()


@pytest.mark.parametrize("ts", [None, "x", 1e400, -5, True, 3.7, float("nan")])
def test_odd_times_are_survived(tmp_path: Path, ts: object) -> None:
    register(tmp_path, ".config/obsidian", {"a": {"path": str(tmp_path), "ts": ts, "open": "yes"}})
    (found,) = known_vaults(platform="linux", environ={}, home=tmp_path)
    assert not found.open


def test_no_registry(tmp_path: Path) -> None:
    assert known_vaults(platform="linux", environ={}, home=tmp_path) == ()


def test_addresses_are_encoded_as_obsidian_does() -> None:
    uri = open_uri("My Vault", "daily/2026 x#1+é.md", subpath="#A b")
    assert uri == ("obsidian://open?vault=My%20Vault&file=daily%2F2026%20x%231%2B%C3%A9.md%23A%20b")


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_addresses_read_back(vault: str, path: str) -> None:
    query = parse_qs(urlsplit(open_uri(vault, path)).query, keep_blank_values=True)
    assert query == {"vault": [vault], "file": [path]}
