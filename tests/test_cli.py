"""The command line from the outside: what it prints where, and which exit code it ends with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.support import NOON, REPOSITORY, SAMPLE_VAULT, contents, make_vault, snapshot
from vault_dream.cli import TAKES_VALUE, command_line, main
from vault_dream.commands import COMMANDS
from vault_dream.config import Settings
from vault_dream.engine import ReviewSession

DAY = "daily/2026-11-30.md"
TEXT = "# Monday\n\nWe decided to keep the old index because the new one loses accents.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT})


def dream(root: Path, *more: str) -> int:
    return main(["--headless", str(root), "--provider", "offline", "--date", "2026-11-30", *more])


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], ["review"]),
        (["notes"], ["review", "notes"]),
        (["--headless", "notes"], ["run", "notes"]),
        (["run", "notes", "date=2026-06-20"], ["run", "notes", "--date", "2026-06-20"]),
        (["run", "max_units=8"], ["run", "--max-units", "8"]),
        (["-V", "status", "status"], ["status", "-V", "status"]),
        (["./status"], ["review", "./status"]),
        (["--demo", "--headless"], ["run", "--demo"]),
        (["--help"], ["--help"]),
    ],
)
def test_the_command_that_is_meant(given: list[str], meant: list[str]) -> None:
    assert command_line(given) == meant


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_helps_and_its_values_are_not_taken_for_commands(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    assert f"vault-dream {name}" in capsys.readouterr().out
    command = import_module(f"vault_dream.commands.{name}").command
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.is_flag:
            assert set(parameter.opts) <= TAKES_VALUE


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("vault-dream ")


def test_json_is_exactly_one_document_on_stdout(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dream(vault, "--json") == 0
    out = capsys.readouterr().out
    report = json.loads(out)
    assert report["version"] == 1
    stored = vault / f"metadata/runs/{report['run_id']}.json"
    assert json.loads(stored.read_text()) == report


def test_the_summary_goes_to_stdout_and_progress_to_stderr(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault)
    out, err = capsys.readouterr()
    assert "1 note in these days, 1 changed" in out
    assert "1 note read" in err and "\x1b" not in out + err


def test_quiet_says_nothing_on_stderr_and_the_log_has_it(
    vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "-q", "--log-file", str(tmp_path / "log"))
    assert capsys.readouterr().err == ""
    assert "1 changed" in (tmp_path / "log").read_text()


def test_a_dry_run_writes_nothing_anywhere_in_the_vault(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(vault)
    assert dream(vault, "--dry-run") == 0
    assert snapshot(vault) == before
    assert "nothing was written" in capsys.readouterr().out


def test_status_tells_what_waits_without_writing(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "--policy", "queue")
    before = snapshot(vault)
    capsys.readouterr()
    assert main(["status", str(vault), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [item["action"] for item in found["queued"]] == ["CREATE"]
    assert found["last_run"]["status"] == "ok"
    assert snapshot(vault) == before
    assert main(["status", str(vault)]) == 0
    assert "1 proposal waiting for you" in capsys.readouterr().out


# Bad input ---------------------------------------------------------------------------------------


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    return code, capsys.readouterr().err


def test_no_vault_lists_those_that_obsidian_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, err = failure(capsys, "--headless")
    assert code == 2
    assert "no vault was given" in err and "Next:" in err


def test_a_missing_vault_and_a_file_for_a_vault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = failure(capsys, "--headless", str(tmp_path / "gone"))
    assert (code, "there is no such folder" in err) == (6, True)
    file = tmp_path / "note.md"
    file.write_text("words")
    code, err = failure(capsys, "--headless", str(file))
    assert (code, "is a file, not a vault" in err) == (6, True)
    assert file.read_text() == "words"


@pytest.mark.parametrize("files", [{}, {"Home.md": "# Home\n"}, {"daily/notes.md": "undated\n"}])
def test_a_vault_without_daily_notes_is_no_error(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_vault(tmp_path / "vault", files)
    before = snapshot(root)
    assert dream(root) == 0
    assert "nothing new" in capsys.readouterr().out
    assert snapshot(root) == before


def test_a_date_that_has_not_come_is_told(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day, told in (("9999-01-01", True), ("2020-01-01", False)):
        assert main(["--headless", str(vault), "--provider", "offline", "--date", day]) == 0
        assert (f"{day} has not come yet" in capsys.readouterr().out) == told


def test_a_mistyped_command_is_told_what_it_may_have_been(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, err = failure(capsys, "serach", "tea")
    assert code == 6 and "did you mean `vault-dream search`?" in err


def test_the_list_of_commands_cuts_no_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert "..." not in capsys.readouterr().out


def test_a_page_of_help_is_drawn_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", "search"]) == 0
    markdown = capsys.readouterr().out
    assert markdown.startswith("# ") and "\x1b" not in markdown
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["help", "search"]) == 0
    drawn = capsys.readouterr().out
    assert "\x1b[1m" in drawn and "`" not in drawn and "| --" not in drawn
    plain = re.sub(r"\x1b\[\d+m", "", drawn)
    assert all(len(line) < 60 for line in plain.splitlines())
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["help", "search"]) == 0
    assert capsys.readouterr().out == markdown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--date", "2026-13-01"], "--date"),
        (["--date", "yesterday"], "write it as 2026-11-30"),
        (["--scan-days", "0"], "--scan-days: scan_days must be a whole number from 1"),
        (["--max-units", "0"], "--max-units"),
        (["--policy", "bold"], "one of apply, safe, queue"),
        (["--edge-style", "loud"], "one of sentence, inline, field"),
        (["--provider", "nobody"], "one of openai, offline"),
        (["--frobnicate"], "No such option"),
    ],
)
def test_bad_options_end_with_2_and_say_what_is_wrong(
    vault: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(vault)
    code, err = failure(capsys, "--headless", str(vault), *arguments)
    assert code == 2
    assert words in err and "Next:" in err
    assert snapshot(vault) == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scan_dais: 3\n", ":1: there is no setting 'scan_dais'"),
        ("max_units: 5\nscan_days: many\n", ":2: scan_days must be a whole number"),
        ("scan_days: 2\nscan_days: 3\n", ":2: scan_days is set twice"),
        ("digest_dir: ../other\n", "digest_dir must be a folder inside the vault"),
        ("digest_dir: daily/x\ndaily_dir: daily\n", "overlap"),
        ("timezone: Mars/Olympus\n", "an IANA time zone"),
        ("exclude: [1\n", ":2:"),
        ("- a\n- b\n", "not a list of 'key: value' lines"),
    ],
)
def test_a_bad_setting_names_file_and_line(
    vault: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "vault-dream.yaml").write_text(text)
    code, err = failure(capsys, "--headless", str(vault), "--provider", "offline")
    assert code == 2
    assert "vault-dream.yaml" in err and words in err


def test_changed_notes_without_a_model_end_with_4_and_name_the_offline_reader(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(vault)
    code, err = failure(capsys, "--headless", str(vault), "--date", "2026-11-30")
    assert (code, "--provider offline" in err) == (4, True)
    assert snapshot(vault) == before


def test_an_error_is_one_json_document_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--headless", str(tmp_path / "gone"), "--json"]) == 6
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == "failed"
    assert set(document["errors"][0]) == {"where", "what", "next"}


@pytest.mark.parametrize(
    "broken", [b"{", b"\xff\xfe", b"[]", b'{"version": 1}', b'{"version": 1, "files": []}', b""]
)
def test_a_broken_catalog_is_set_aside_and_made_anew(
    vault: Path, broken: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault)
    catalog = vault / "metadata/file_catalog/dream.json"
    catalog.write_bytes(broken)
    capsys.readouterr()
    assert dream(vault, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert any("dream.json" in warning and "set aside" in warning for warning in report["warnings"])
    assert report["status"] == "nothing" and report["nodes_created"] == []
    assert json.loads(catalog.read_bytes())["files"][DAY]["state"] == "done"
    (aside,) = catalog.parent.glob("dream.json.unreadable-*")
    assert aside.read_bytes() == broken


def test_a_newer_catalog_is_refused_and_left_alone(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault)
    catalog = vault / "metadata/file_catalog/dream.json"
    catalog.write_text('{"version": 99, "files": {}}')
    code, err = failure(capsys, "--headless", str(vault), "--provider", "offline")
    assert (code, "newer" in err) == (6, True)
    assert catalog.read_text() == '{"version": 99, "files": {}}'


def test_an_unreadable_folder_is_reported_and_the_rest_is_read(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "closed").mkdir()
    real = os.scandir

    def scandir(path: object) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", scandir)
    assert dream(vault, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["checkpoint_paths"] == [DAY]
    assert any("closed" in warning for warning in report["warnings"])


def test_a_second_dreamer_ends_with_3_and_is_told_who_dreams(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from vault_dream.engine.vault.locks import VaultLock

    with VaultLock(vault, "dream").acquire("a long dream"):
        code, err = failure(
            capsys, "--headless", str(vault), "--provider", "offline", "--date", "2026-11-30"
        )
        assert main(["status", str(vault)]) == 0
    assert (code, str(os.getpid()) in err, "a long dream" in err) == (3, True, True)


def test_a_full_disk_ends_with_6_and_leaves_the_vault_whole(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import errno

    from vault_dream.engine.vault.disk import Disk

    before = contents(vault)

    def full(self: Disk, *args: object, **kwargs: object) -> None:
        raise self.explained(OSError(errno.ENOSPC, "No space left on device"), vault / "digest")

    monkeypatch.setattr(Disk, "stage", full)
    code, err = failure(
        capsys, "--headless", str(vault), "--provider", "offline", "--date", "2026-11-30"
    )
    assert (code, "the disk is full" in err) == (6, True)
    assert contents(vault) == before


def test_the_demo_runs_on_a_fresh_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(SAMPLE_VAULT)
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "vault_dream", "--demo", "--headless"],
        capture_output=True, text=True, cwd=REPOSITORY, env=environ, check=True,
    )  # fmt: skip
    assert "Open it in Obsidian" in done.stdout
    assert snapshot(SAMPLE_VAULT) == before
    shutil.rmtree(next(tmp_path.iterdir()))


# Looking -----------------------------------------------------------------------------------------


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return make_vault(
        tmp_path / "library",
        {
            "notes/tea.md": "# Tea\n\nOolong \x1b[31mred\x1b[0m [[bold|tea]] &\u202e more.\n",
            "digest/wiki/pot.md": "---\nname: The pot\ndescription: Clay.\n---\n\nFor [[tea]].\n",
            "notes/odd 'n #1 ü.md": "Sencha and [[nowhere]].\n",
        },
    )


def looked_up(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    return code, *capsys.readouterr()


def test_search_prints_path_line_and_words_that_do_nothing(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = looked_up(capsys, "search", "-V", str(library), "oolong")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "notes/tea.md:3  Tea"
    assert "Oolong" in out and "\x1b" not in out and "\u202e" not in out


@pytest.mark.parametrize("short_way", [True, False])
def test_search_as_json(library: Path, short_way: bool, capsys: pytest.CaptureFixture[str]) -> None:
    limit = ["--limit", "5"] if short_way else ["--limit=5"]
    arguments = ["search", "-V", str(library), "sencha", "--json", "--links", *limit]
    code, out, _ = looked_up(capsys, *arguments)
    found = json.loads(out)
    (hit,) = found["hits"]
    assert (code, found["version"], hit["path"]) == (0, 1, "notes/odd 'n #1 ü.md")
    assert hit["uri"] == (
        "obsidian://open?vault=library&file=notes%2Fodd%20%27n%20%231%20%C3%BC.md"
    )
    assert (hit["line"], hit["links"]) == (1, {"out": [], "in": []})


def test_search_of_nodes_and_of_nothing(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = looked_up(capsys, "search", "--nodes", "pot", "-V", str(library))
    assert (code, out.split()[:3]) == (0, ["digest/wiki/pot.md", "The", "pot"])
    code, out, err = looked_up(capsys, "search", "unheard", "-V", str(library))
    assert (code, out) == (0, "") and "Nothing found" in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search"], 2),
        (["search", "x", "--limit", "0"], 2),
        (["search", "x", "--frobnicate"], 2),
        (["search", "before:soon"], 2),
        (["search", "x", "-V", "/no/such/vault"], 6),
        (["links", "nobody"], 2),
        (["links", "--to", "tea"], 2),
        (["search", "--help"], 0),
    ],
)
def test_looking_wrongly(
    library: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int
) -> None:
    monkeypatch.chdir(library)
    assert main(arguments) == code


def test_a_search_writes_nothing_in_the_vault_and_imports_nothing_slow(library: Path) -> None:
    before = snapshot(library)
    code = "import sys; from vault_dream.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    arguments = [sys.executable, "-c", code, "search", "oolong", "-V", str(library)]
    loaded = set(
        subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"click", "openai", "textual", "asyncio", "rich", "watchfiles", "numpy"}
    assert not loaded & {"vault_dream.engine.session", "vault_dream.commands.program"}
    assert snapshot(library) == before
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True
    )
    for file in library.rglob("*.md"):
        os.utime(file, (1_700_000_000, 1_700_000_000))  # old enough to be trusted
    arguments[4] = "clay"
    subprocess.run(arguments, capture_output=True, check=True)  # the index is there from now on
    again = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "pot.md" in again.stdout
    loaded = set(again.stdout.split()) - set(bare.stdout.split())
    slow = {"re", "typing", "dataclasses", "inspect", "pathlib", "hashlib", "json", "threading"}
    assert not loaded & slow


@pytest.mark.parametrize(
    "words",
    [
        ["tea", "-kettle"],
        ["-kettle", "tea"],
        ["-kettle", "tea", "-n", "5"],
        ["--", "-kettle", "tea"],
    ],
)
def test_a_word_of_a_search_may_begin_with_a_dash(
    library: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "-V", str(library), "tea -kettle"]) == 0
    meant = capsys.readouterr().out
    for line in (["search", "-V", str(library), *words], ["-V", str(library), "search", *words]):
        assert main(line) == 0
        assert capsys.readouterr().out == meant


@pytest.mark.parametrize("words", [[""], ["-n", "0", "tea"], ["-n", "many", "tea"], ["--kettle"]])
def test_what_no_search_can_be_is_refused(
    library: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = failure(capsys, "search", "-V", str(library), *words)
    assert code == 2 and "Next:" in err


def test_tags_are_listed(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        looked_up(capsys, "search", "--tags", "-V", str(library))[2] == "The vault has no tags.\n"
    )
    (library / "notes/tea.md").write_text("Oolong #leaf/green and #Leaf.\n")
    out = looked_up(capsys, "search", "--tags", "-V", str(library))[1]
    assert [line.split() for line in out.splitlines()] == [["1", "#Leaf"], ["1", "#leaf/green"]]
    out = looked_up(capsys, "search", "--tags", "--json", "-V", str(library))[1]
    assert json.loads(out)["tags"][0] == {"tag": "Leaf", "notes": 1, "own": 1}
    assert looked_up(capsys, "search", "--tags", "leaf", "-V", str(library))[0] == 2
    assert looked_up(capsys, "search", "-V", str(library))[0] == 2


def test_links_of_a_note_of_two_and_of_the_vault(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = looked_up(capsys, "links", "tea", "-V", str(library), "--json")
    found = json.loads(out)
    assert (code, found["path"]) == (0, "notes/tea.md")
    assert [edge["target"] for edge in found["out"] if not edge["resolved"]] == ["bold"]
    assert [edge["node"] for edge in found["in"]] == ["digest/wiki/pot.md"]
    _, out, _ = looked_up(capsys, "links", "tea", "--to", "pot", "-V", str(library))
    assert out.splitlines()[:2] == ["notes/tea.md", "  <- links_to digest/wiki/pot.md"]
    _, out, _ = looked_up(capsys, "links", "-V", str(library))
    assert "Links that lead nowhere: 2" in out and "[[nowhere]]" in out


@pytest.mark.parametrize(
    ("environ", "shown"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm", "VTE_VERSION": "6003"}, True),
        ({"TERM": "xterm", "VTE_VERSION": "4000"}, False),
        ({"TERM": "screen", "VTE_VERSION": "6003"}, False),
        ({"TERM": "xterm", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm", "FORCE_HYPERLINK": "1"}, True),
        ({"TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"}, False),
    ],
)
def test_which_terminals_show_links(environ: dict[str, str], shown: bool) -> None:
    from vault_dream.terminal import shows_links

    assert shows_links(environ) is shown


@pytest.mark.parametrize("value", [None, "", "/somewhere/else"])
def test_folders_are_those_of_platformdirs(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    import platformdirs

    from vault_dream.origins import cache_folder_name, user_config_file

    for name in ("VAULT_DREAM_CACHE_HOME", "VAULT_DREAM_CONFIG_HOME"):
        monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, value) if value is not None else None
    app = {"appname": "vault-dream", "appauthor": False}
    assert cache_folder_name(os.environ) == platformdirs.user_cache_dir(**app)
    assert user_config_file() == platformdirs.user_config_path(**app) / "config.yaml"


# Afterwards --------------------------------------------------------------------------------------


def last_run(vault: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["log", "-V", str(vault), "--json"]) == 0
    return str(json.loads(capsys.readouterr().out)["runs"][0]["run_id"])


def test_log_lists_runs_and_shows_one_as_diffs(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "--policy", "apply")
    run_id = last_run(vault, capsys)
    assert main(["log", "-V", str(vault)]) == 0
    assert run_id in capsys.readouterr().out
    assert main(["log", run_id, "-V", str(vault)]) == 0
    out = capsys.readouterr().out
    assert "--- /dev/null" in out and "+kind: " in out
    assert main(["log", "20200101T000000-none", "-V", str(vault)]) == 2


def test_log_tells_what_was_undone(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told() -> tuple[str, str]:
        capsys.readouterr()
        assert main(["log", "-V", str(vault), "--json"]) == 0
        undone = json.loads(capsys.readouterr().out)["undone"]
        assert main(["log", "-V", str(vault)]) == 0
        shown = capsys.readouterr().out.splitlines()[0].rpartition("waiting")[2]
        return "".join(undone.values()), shown

    (vault / "daily/2026-11-30.md").write_text(TEXT)
    (vault / "daily/2026-11-29.md").write_text(
        "We chose the small mill because the large one is too loud.\n"
    )
    dream(vault, "--policy", "apply")
    assert told() == ("", "")
    first, *_ = sorted((vault / "digest").rglob("*.md"))
    assert main(["undo", "-V", str(vault), "--node", str(first.relative_to(vault))]) == 0
    assert told() == ("partly", ", partly undone")
    assert main(["undo", "-V", str(vault)]) == 0
    assert told() == ("wholly", ", undone")
    (record,) = (vault / "metadata/runs").glob("*.undo.json")
    for damaged in (b"{", b'{"version": 1, "writes": 3}', b'{"version": 99}'):
        record.write_bytes(damaged)
        assert told() == ("", "") and record.read_bytes() == damaged, "log only looks"


def test_undo_gives_the_bytes_back_and_a_second_undo_has_nothing_to_do(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(vault)
    dream(vault, "--policy", "apply")
    capsys.readouterr()
    assert main(["undo", "-V", str(vault), "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [file["outcome"] for file in files] == ["trashed"]
    ours = ("metadata/", ".trash/")
    assert {p: h for p, h in contents(vault).items() if not p.startswith(ours)} == before
    assert main(["undo", "-V", str(vault)]) == 0
    assert capsys.readouterr().out == "Nothing to undo.\n"


def test_undo_leaves_a_node_that_changed_since_and_says_so(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "--policy", "apply")
    (node,) = (vault / "digest").rglob("*.md")
    mine = node.read_text() + "\nMy own last line.\n"
    node.write_text(mine)
    capsys.readouterr()
    assert main(["undo", "-V", str(vault)]) == 1
    assert "changed since" in capsys.readouterr().out
    assert node.read_text() == mine


def test_what_was_undone_comes_back_only_with_again(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "--policy", "apply")
    assert main(["undo", "-V", str(vault)]) == 0
    dream(vault, "--policy", "apply")
    assert not list((vault / "digest").rglob("*.md"))
    (vault / DAY).write_text(
        TEXT + "\nWe chose the small mill because the large one is too loud.\n"
    )
    dream(vault, "--policy", "apply")
    assert main(["undo", "-V", str(vault), "--again"]) == 0
    dream(vault, "--policy", "apply")
    assert list((vault / "digest").rglob("*.md"))


def test_forget_takes_a_notes_words_out_of_everything(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dream(vault, "--policy", "queue")
    held = [p for p in (vault / "metadata").rglob("*.json") if "loses accents" in p.read_text()]
    assert held
    assert main(["forget", DAY, "-V", str(vault)]) == 0
    left = [p for p in (vault / "metadata").rglob("*.json") if "loses accents" in p.read_text()]
    assert left == []


def test_runs_of_one_second_keep_their_order(vault: Path) -> None:
    made = []
    for token in ("00ff", "00aa", "ffff", "0001"):
        with ReviewSession(
            vault, Settings(timezone="UTC"), clock=lambda: NOON, token=lambda token=token: token
        ) as session:
            made.append(session.run.id)
        report = vault / f"metadata/runs/{made[-1]}.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text("{}")
    assert made == sorted(made)
    assert len(set(made)) == 4


@pytest.mark.parametrize("command", ["log", "undo"])
def test_a_run_that_never_was(
    vault: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "20200101T000000-abcd", "-V", str(vault)]) == 2
    assert "there is no such run" in capsys.readouterr().err
