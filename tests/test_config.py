"""Settings: every key has a good value that is kept and bad ones that are refused by place."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from vault_dream.config import NAMES, VALIDATORS, Settings, load_settings
from vault_dream.engine.errors import SettingsError
from vault_dream.settings_file import parse_value


def loaded(root: Path, text: str = "", **given: Any) -> Settings:
    (root / "vault-dream.yaml").write_text(text)
    given.setdefault("environ", {})
    given.setdefault("user_file", root / "user.yaml")
    return load_settings(root, **given)


def test_every_setting_has_its_check() -> None:
    fields = {item.name for item in dataclasses.fields(Settings)} - {"origins", "job"}
    assert set(NAMES) == fields
    assert set(NAMES) - set(VALIDATORS) == {"auto_dream", "jobs"}  # tests/test_pipeline_settings.py


GOOD: dict[str, tuple[str, Any]] = {
    "daily_dir": ("Journal/Days", "Journal/Days"),
    "daily_format": ("YYYY/MM/DD", "YYYY/MM/DD"),
    "extra_inputs": ("[a, 'b/*.md']", ("a", "b/*.md")),
    "digest_dir": ("Knowledge", "Knowledge"),
    "state_dir": ("state", "state"),
    "timezone": ("Europe/Berlin", "Europe/Berlin"),
    "scan_days": ("7", 7),
    "max_units": ("8", 8),
    "edge_style": ("inline", "inline"),
    "edge_properties": ("all", "all"),
    "link_format": ("obsidian", "obsidian"),
    "file_names": ("title", "title"),
    "language": ("zh", "zh"),
    "tag_field": ("tags", "tags"),
    "reviewed_field": ('""', ""),
    "exclude": ("Private", ("Private",)),
    "exclude_headings": ("[Private]", ("Private",)),
    "exclude_tags": ("['#x']", ("#x",)),
    "day_index": ("off", "off"),
    "quiet_minutes": ("5", 5),
    "runs_on": ("[host]", ("host",)),
    "provider": ("offline", "offline"),
    "model": ("m", "m"),
    "base_url": ("http://localhost:11434/v1", "http://localhost:11434/v1"),
    "api_key_env": ("MY_KEY", "MY_KEY"),
    "context_tokens": ("8192", 8192),
    "tools": ("structured", "structured"),
    "policy": ("queue", "queue"),
    "on_commit": ("git", "git"),
    "keep_undo_days": ("30", 30),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_value_is_kept_from_every_place(tmp_path: Path, name: str) -> None:
    text, value = GOOD[name]
    from_file = loaded(tmp_path, f"{name}: {text}\n")
    assert getattr(from_file, name) == value
    if name != "state_dir":  # its variable names the folder of the machine's own state
        environ = {f"VAULT_DREAM_{name.upper()}": text}
        assert getattr(loaded(tmp_path, environ=environ), name) == value
    assert from_file == dataclasses.replace(Settings(), **{name: value}, origins=from_file.origins)
    assert from_file.origins[name].endswith("vault-dream.yaml:1")


BAD: dict[str, list[str]] = {
    "daily_dir": ["../x", "/x", "[a]", ".hidden"],
    "daily_format": ["[a]", "7"],
    "extra_inputs": ["7", "[1]", "{a: b}", "['']"],
    "digest_dir": [
        "",
        "../x",
        ".obsidian",
        "'C:/x'",
        "metadata",
        "'a#b'",
        "'a|b'",
        "'[[x]]'",
        "daily/x/..",
    ],
    "state_dir": ["", "..", "digest/x", "[x]"],
    "timezone": ["Mars/Olympus", "7", "''", "../etc"],
    "scan_days": ["0", "-1", "1.5", "many", "true", "99999", "''", "[1]"],
    "max_units": ["0", "101", "no"],
    "edge_style": ["loud", "[sentence]", "{a: b}"],
    "tag_field": ["''", "name", "Description", "created", "7", "'a: b'", "'a\\nb'"],
    "reviewed_field": ["name", "kind", "[x]", "'a: b'"],
    "quiet_minutes": ["-5", "soon"],
    "provider": ["nobody", "''", "null"],
    "budget": ["7", "{calls: -1}", "{pens: 3}", "{turns_per_unit: 0}", "{tokens: x}"],
    "embeddings": ["[a]", "{model: 7}", "{name: x}"],
    "auto_dream": ["7", "x"],
    "jobs": ["[a]", "7"],
    "exclude_tags": ["{a: b}", "[[x]]"],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in BAD.items() for t in texts])
def test_a_bad_value_names_its_place_and_what_would_be_good(
    tmp_path: Path, name: str, text: str
) -> None:
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path, f"# mine\n{name}: {text}\n")
    assert "vault-dream.yaml" in error.value.where
    assert name in error.value.what and error.value.next


@pytest.mark.parametrize("name", ["scan_dais", "SCAN_DAYS", "scan-days", "x", "", "42", "[a]"])
def test_a_key_that_is_not_known_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path, f"{name}: 3\n" if name else "'': 3\n")
    assert "vault-dream.yaml:1" in error.value.where


def test_the_nearer_place_wins(tmp_path: Path) -> None:
    (tmp_path / "user.yaml").write_text("scan_days: 3\nmax_units: 3\npolicy: queue\nlanguage: zh\n")
    settings = loaded(
        tmp_path,
        "scan_days: 4\nmax_units: 4\npolicy: apply\n",
        environ={"VAULT_DREAM_SCAN_DAYS": "5", "VAULT_DREAM_MAX_UNITS": "5"},
        flags={"scan_days": 6},
    )
    assert (settings.scan_days, settings.max_units) == (6, 5)
    assert (settings.policy, settings.language) == ("apply", "zh")
    assert settings.origins["scan_days"] == "--scan-days"


@pytest.mark.parametrize(
    "text",
    [
        "scan_days: 2\n\tx: 1\n",
        "a: b: c\n",
        "scan_days: [1\n",
        "- a\n",
        "7\n",
        "scan_days: 2\n---\nscan_days: 3\n",
        "\x00",
        "jobs: " + "[" * 3000 + "]" * 3000,
        "scan_days: !!python/object/apply:os.system ['x']\n",
        "jobs: &a {x: *a}\n",
        "? [a, b]\n: 3\n",
    ],
)
def test_what_is_no_settings_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError):
        loaded(tmp_path, text)


@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_a_file_that_grows_when_it_is_read_is_refused_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 19)]
    with pytest.raises(SettingsError):
        loaded(tmp_path, "jobs:\n  " + "\n  ".join(lines) + "\n")


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"caf\xe9: 1\n"])
def test_a_file_of_other_bytes_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "vault-dream.yaml").write_bytes(raw)
    with pytest.raises(SettingsError):
        load_settings(tmp_path, environ={}, user_file=tmp_path / "none")


@pytest.mark.parametrize(
    "raw", [b"", b"\xef\xbb\xbfscan_days: 2\r\n", b"# only words\n", b"---\n", b"null\n"]
)
def test_empty_files_byte_order_marks_and_windows_lines_are_fine(
    tmp_path: Path, raw: bytes
) -> None:
    (tmp_path / "vault-dream.yaml").write_bytes(raw)
    assert load_settings(tmp_path, environ={}, user_file=tmp_path / "none").scan_days == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("off", "off"),
        ("0123", 123),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("2026-01-02", "2026-01-02"),
        ("true", True),
        ("yes", "yes"),
        ("~", None),
        ("", None),
        ("'7'", "7"),
        ("[a, 1]", ["a", 1]),
        ("a: b: c", "a: b: c"),
        ("1e3", 1000.0),
        ("@x", "@x"),
    ],
)
def test_values_are_read_as_yaml_1_2_does(text: str, value: Any) -> None:
    assert parse_value(text) == value


def test_the_reserved_names_of_the_environment_are_no_settings(tmp_path: Path) -> None:
    environ = {
        f"VAULT_DREAM_{name}": "x" for name in ("VAULT", "STATE_HOME", "CACHE_HOME", "CONFIG_HOME")
    }
    assert loaded(tmp_path, environ=environ) == loaded(tmp_path)
    with pytest.raises(SettingsError, match=re.escape("VAULT_DREAM_NONSENSE")):
        loaded(tmp_path, environ={"VAULT_DREAM_NONSENSE": "x"})


@pytest.mark.parametrize(
    "line",
    [
        "base_url: user:sk-topsecret99@gateway.example/v1",
        "base_url: ftp://u:sk-topsecret99@h/",
        "base_url: [sk-topsecret99]",
        "embeddings: {model: m, base_url: 'u:sk-topsecret99@h'}",
        "embeddings: sk-topsecret99",
        "api_key_env: sk-topsecret99",
    ],
)
def test_a_key_that_was_written_into_a_setting_is_not_repeated(tmp_path: Path, line: str) -> None:
    (tmp_path / "vault-dream.yaml").write_text(line + "\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path, environ={}, user_file=tmp_path / "none")
    assert "topsecret" not in str(caught.value)
    assert ":1" in caught.value.where
