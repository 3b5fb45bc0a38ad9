"""``init``: what it finds and writes, and that it never writes over anything."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from tests.commands.outside import new_place
from tests.support import contents, make_vault
from vault_dream.candidates import candidates, models_at
from vault_dream.cli import main
from vault_dream.config import Settings, load_settings
from vault_dream.obsidian_files import base_text, snippet_text


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {"daily/2026-11-30.md": "# Monday\n"})


def init(root: Path, *more: str) -> int:
    return main(["init", str(root), "--no-model", *more])


def test_every_setting_stands_in_the_file_and_its_default_is_the_default(vault: Path) -> None:
    assert init(vault) == 0
    file = vault / "vault-dream.yaml"
    assert all(line.startswith("#") for line in file.read_text().splitlines() if line)
    assert load_settings(vault).origins == {}
    stated = re.findall(r"^# (\w+: .*)$", file.read_text(), re.M)
    keys = {line.partition(":")[0] for line in stated}
    assert keys >= {
        f
        for f in Settings.__dataclass_fields__
        if f not in {"origins", "auto_dream", "jobs", "job"}
    }
    told = [line for line in stated if not line.startswith(("daily_", "provider: offline"))]
    file.write_text("\n".join(told))
    found, default = load_settings(vault), Settings()
    for name in found.origins:
        assert getattr(found, name) == getattr(default, name), name


@pytest.mark.parametrize("model", ["qwen3:30b", "a: b # c", "'quoted'", "yes", "模型"])
def test_what_is_chosen_is_what_is_read_back(vault: Path, model: str) -> None:
    assert init(vault, "--model", model, "--base-url", "http://localhost:11434/v1") == 0
    settings = load_settings(vault)
    assert (settings.provider, settings.model) == ("openai", model)
    assert settings.base_url == "http://localhost:11434/v1"


def test_nothing_that_is_there_is_touched(vault: Path) -> None:
    make_vault(vault, {
        "vault-dream.yaml": "scan_days: 3 # mine\n",
        "digest/digest.base": "views: []\n",
        ".obsidian/snippets/vault-dream.css": "/* mine */\n",
    })  # fmt: skip
    before = contents(vault)
    assert init(vault, "--obsidian") == 0
    assert contents(vault) == before


def test_the_settings_folder_by_another_name(vault: Path) -> None:
    (vault / ".obsidian").rmdir()
    make_vault(vault, {".mobile/app.json": "{}", ".mobile/appearance.json": "{}"})
    (vault / ".obsidian").rmdir()
    assert init(vault, "--obsidian") == 0
    assert (vault / ".mobile/snippets/vault-dream.css").is_file()
    assert not (vault / ".obsidian").exists()


def test_a_vault_that_obsidian_has_not_opened_gets_no_settings_folder(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / ".obsidian").rmdir()
    assert init(vault, "--obsidian") == 0
    assert "open the vault in Obsidian first" in capsys.readouterr().out
    assert not (vault / ".obsidian").exists()


def test_a_folder_that_leads_out_of_the_vault(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dotfiles").mkdir()
    (vault / ".obsidian/snippets").symlink_to(tmp_path / "dotfiles")
    assert init(vault, "--obsidian", "--json") == 0
    outcomes = {f["path"]: f["outcome"] for f in json.loads(capsys.readouterr().out)["files"]}
    assert outcomes[".obsidian/snippets/vault-dream.css"] == "left out"
    assert list((tmp_path / "dotfiles").iterdir()) == []


def test_a_link_to_nowhere_is_not_written_through(vault: Path, tmp_path: Path) -> None:
    (vault / "vault-dream.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert init(vault) == 0
    assert not (tmp_path / "elsewhere.yaml").exists()


# The Base and the snippet ------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["digest", "my digest", 'a\'b "c" \\ d', "记忆/摘要"])
@pytest.mark.parametrize("reviewed", ["reviewed", "", "seen by me"])
def test_the_base_is_yaml_over_that_folder(folder: str, reviewed: str) -> None:
    base = yaml.safe_load(base_text(Settings(digest_dir=folder, reviewed_field=reviewed)))
    call = base["filters"]["and"][0]
    assert json.loads(call.removeprefix("file.inFolder(").removesuffix(")")) == folder
    names = [view["name"] for view in base["views"]]
    assert ("Not yet approved" in names) is bool(reviewed)
    assert names[-1] == "With what links here"
    known = {*base["properties"], "file.mtime"}
    for view in base["views"]:
        assert set(view["order"]) <= known
        assert {one["property"] for one in view.get("sort", ())} <= known
        if view["name"] == "Not yet approved":
            assert view["filters"] == {"and": [f'!note["{reviewed}"]']}


def test_the_base_names_what_the_settings_call_tags() -> None:
    text = base_text(Settings(tag_field="memory tags"))
    assert "note.memory tags" in text and "memory_tags" not in text
    assert "@" not in text


def test_the_snippet_names_the_folder() -> None:
    text = snippet_text(Settings(digest_dir='my "own" digest'))
    assert '[data-path="my \\"own\\" digest"]' in text and "@" not in text
    assert text.count("{") == text.count("}")


# Who could read ----------------------------------------------------------------------------------


def test_candidates_are_those_that_answer_and_those_with_a_key() -> None:
    def ask(address: str) -> tuple[str, ...]:
        return ("llama3",) if ":11434/" in address else ()

    found = candidates({"OPENAI_API_KEY": "sk-secret"}, ask)
    assert [one.name.partition(",")[0] for one in found] == ["Ollama", "OpenAI"]
    assert "sk-secret" not in str(found)


@pytest.mark.parametrize(
    ("body", "models"),
    [
        ('{"data": [{"id": "b"}, {"id": "A"}, {"id": "b"}]}', ("A", "b")),
        ('{"data": [{"id": "x\\u001b[2J\\n"}, {"id": 3}, "y", {"id": ""}]}', ()),
        ('{"data": 5}', ()),
        ("[" * 50_000, ()),
        ("<html>", ()),
        ("", ()),
    ],
)
def test_what_a_server_lists(body: str, models: tuple[str, ...]) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert models_at(f"http://127.0.0.1:{server.server_port}/v1") == models
    finally:
        server.shutdown()
        server.server_close()
    assert models_at(f"http://127.0.0.1:{server.server_port}/v1") == ()


# On a terminal -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "written"), [("n\n", False), ("y\n", True), ("\n", True)])
def test_a_person_is_shown_the_file_and_asked(tmp_path: Path, answer: str, written: bool) -> None:
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    place = new_place(tmp_path / "place")
    (place.vault / "vault-dream.yaml").unlink()
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_dream", "init", "vault", "--provider", "offline"],
        stdin=slave, stdout=slave, stderr=slave, cwd=place.folder, env=place.environ,
    )  # fmt: skip
    os.close(slave)
    os.write(master, answer.encode())
    said = b""
    while True:
        try:
            said += os.read(master, 65_536)
        except OSError:
            break
    os.close(master)
    assert process.wait() == 0
    assert b"provider: offline" in said and b"Write 1 new file?" in said
    assert (place.vault / "vault-dream.yaml").exists() is written
