"""The command line given odd words, terminals and settings: a clear error, never a traceback."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import REPOSITORY, make_vault, snapshot
from vault_dream.cli import command_line, main

DAY = "daily/2026-11-30.md"
TEXT = "# Monday\n\n- 我们决定保留旧的索引，因为新的会丢失名字里的重音符号。🛒\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT})


def run(root: Path, *more: str) -> int:
    return main(["--headless", str(root), "--provider", "offline", "--date", "2026-11-30", *more])


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--headless", "--hint", "status", "notes"], ["run", "--hint", "status", "notes"]),
        (["--model", "run", "--headless"], ["run", "--model", "run"]),
        (["--headless", "--log-file", "review"], ["run", "--log-file", "review"]),
        (["run", "hint=a=b"], ["run", "--hint", "a=b"]),
        (["run", "hint=" + "x" * 5000], ["run", "--hint", "x" * 5000]),
        (["run", "--hint", "a=b"], ["run", "--hint", "a=b"]),
        (["run", "dry_run=true", "json=False"], ["run", "--dry-run"]),
        (["run", "max_units=1", "nosuch=x"], ["run", "--max-units", "1", "--nosuch", "x"]),
        (["--hint=status", "notes"], ["review", "--hint=status", "notes"]),
    ],
)
def test_the_command_is_no_options_value(given: list[str], meant: list[str]) -> None:
    assert command_line(given) == meant


@pytest.mark.parametrize(
    "arguments",
    [
        ["--date", "0001-01-01"],
        ["--date", "0001-01-01", "--scan-days", "3660"],
        ["--date", "9999-12-31"],
        ["--scan-days", "3660"],
        ["--max-units", "100"],
        ["--hint", "\x1b[31m\n]]"],
    ],
)
def test_the_ends_of_the_calendar_are_days_like_others(vault: Path, arguments: list[str]) -> None:
    assert main(["--headless", str(vault), "--provider", "offline", *arguments]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["--date", ""],
        ["--date", "2026-02-30"],
        ["--date", "30.11.2026"],
        ["--scan-days", "9" * 400],
        ["--scan-days", "-1"],
        ["--max-units", "1e3"],
        ["--provider", ""],
        ["--policy", "APPLY"],
        ["extra", "words"],
    ],
)
def test_a_bad_value_ends_with_2_and_changes_nothing(
    vault: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(vault)
    assert main(["--headless", str(vault), "--provider", "offline", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "Next:" in err and "Traceback" not in err
    assert snapshot(vault) == before


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
@pytest.mark.parametrize("as_json", [True, False])
def test_a_terminal_that_cannot_show_a_word_stops_nothing(
    vault: Path, encoding: str, as_json: bool
) -> None:
    flags = ["--json"] if as_json else []
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "vault_dream",
            "--headless",
            str(vault),
            "--provider",
            "offline",
            "--date",
            "2026-11-30",
            *flags,
        ],
        capture_output=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    if as_json:
        report = json.loads(done.stdout.decode(encoding))
        assert report["checkpoint_paths"] == [DAY]
        assert "索引" in json.dumps(report, ensure_ascii=False)


def test_a_folder_that_is_gone_under_our_feet_is_a_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    before = Path.cwd()
    os.chdir(here)
    try:
        here.rmdir()
        assert main(["--headless"]) in (2, 6)
    finally:
        os.chdir(before)
    assert "Next:" in capsys.readouterr().err


def test_nothing_of_a_note_acts_on_the_terminal(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "daily/2026-11-30/[bold]x \u202egnp.md"
    (vault / "daily/2026-11-30").mkdir()
    (vault / name).write_bytes(b"caf\xe9 \x1b]0;owned\x07\n")
    (vault / DAY).write_text(
        "- \x1b[31mWe decided to keep the \x07index\x1b[0m because it works well.\n"
    )
    run(vault)
    out, err = capsys.readouterr()
    assert not set("\x1b\x07\u202e") & set(out + err)


def test_a_log_in_a_folder_that_is_none_is_a_clear_error(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(vault, "--log-file", str(vault / "no" / "log")) == 6
    assert "the log cannot be written" in capsys.readouterr().err


def test_a_bad_option_is_to_be_left_out_and_a_bad_variable_unset(
    vault: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(vault, "--max-units", "0") == 2
    assert "or leave the option out to use the default" in capsys.readouterr().err
    monkeypatch.setenv("VAULT_DREAM_MAX_UNITS", "0")
    assert run(vault) == 2
    assert "or unset it to use the default" in capsys.readouterr().err


def test_an_address_that_is_none_is_a_bad_setting(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "vault-dream.yaml").write_text("model: m\nbase_url: localhost:11434\n")
    assert main(["--headless", str(vault)]) == 2
    said = capsys.readouterr().err
    assert "vault-dream.yaml:2: base_url must be a web address, such as http://" in said
    (vault / "vault-dream.yaml").write_text("embeddings: {model: m, base_url: 'ftp://x'}\n")
    assert main(["--headless", str(vault)]) == 2
    assert "a web address, such as http://" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["links", ""], ["log", ""], ["undo", ""]])
def test_an_error_about_nothing_says_that_it_is_empty(
    vault: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "-V", str(vault)]) == 2
    assert "vault-dream: (empty): " in capsys.readouterr().err


def test_a_word_that_is_no_vault_may_be_a_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["stats"]) == 6
    assert "did you mean `vault-dream status`?" in capsys.readouterr().err
    assert main(["qqqq"]) == 6
    assert "`vault-dream --help` lists the commands" in capsys.readouterr().err
    assert main(["status", "./qqqq"]) == 6
    assert "command" not in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that are no text")
def test_a_vault_whose_name_is_no_text_is_a_vault_like_others(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    root = make_vault(Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9")), {DAY: TEXT})
    here, there = ("-V", str(root)), ("--provider", "offline", "--date", "2026-11-30")
    for command in (["run", *there], ["status"], ["log"], ["doctor", "--no-model"], ["undo"]):
        assert main([*command, *here, "--json"]) == int(command[0] == "doctor")
        assert json.loads(capsysbinary.readouterr().out)["version"] == 1
    assert (root / DAY).read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    "command", ["status", "search Monday", "links", "log --json", "completions bash"]
)
@pytest.mark.parametrize(("out", "code"), [(">&-", 0), ("> /dev/full", 6)])
def test_an_output_that_takes_nothing_is_no_traceback(
    vault: Path, command: str, out: str, code: int
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has a device that is full")
    line = f'"$0" -m vault_dream {command} {out}'
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "VAULT_DREAM_VAULT": str(vault)}
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, text=True, env=environ
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr and "ignored" not in done.stderr
    assert ("standard output: it cannot be" in done.stderr) == (code == 6)


def test_an_error_of_the_system_that_names_no_file_is_not_blamed_on_the_output(
    vault: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refused() -> str:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("vault_dream.engine.session.socket.gethostname", refused)
    run = ["run", str(vault), "--provider", "offline", "--date", "2026-11-30", "-q"]
    assert main(run) == 6
    said = capfd.readouterr().err
    assert "Too many open files" in said and "standard output" not in said
    assert main([*run, "--json"]) == 6
    (told,) = json.loads(capfd.readouterr().out)["errors"]
    assert "Too many open files" in told["what"] and told["next"]
    print("still open")
    assert capfd.readouterr().out == "still open\n"


@pytest.mark.parametrize(
    "line",
    [
        "quiet_minutes: {}",
        "keep_undo_days: {}",
        "context_tokens: {}",
        "budget: {{seconds: {}}}",
        "budget: {{calls: {}}}",
    ],
)
def test_a_number_that_no_clock_can_count_to_is_refused_and_the_largest_works(
    vault: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = vault / "vault-dream.yaml"
    settings.write_text(line.format(99999999999999999999))
    assert run(vault) == 2
    largest = int(capsys.readouterr().err.split(" to ", 1)[1].split(",")[0])
    settings.write_text(line.format(largest))
    assert run(vault) == 0
