"""What is written for each scheduler comes back, through that scheduler's own rules, as it was."""

from __future__ import annotations

import plistlib
import re
import shlex
import shutil
import subprocess
from datetime import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scheduling.plans import NAMES, plan
from vault_dream.config import Settings
from vault_dream.engine.errors import SettingsError
from vault_dream.scheduling import cron, launchd, systemd, windows
from vault_dream.scheduling.machine import Machine
from vault_dream.scheduling.plan import parse_time, plan_for, temporary
from vault_dream.scheduling.shell import shell_command

NO_TOOLS = Machine({"PATH": "/nowhere", "HOME": "/home/ada"})
folder_names = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="/\ufffe\uffff"),
    min_size=1,
    max_size=40,
)


# The plan ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "at"), [("3:05", time(3, 5)), ("23:59", time(23, 59))])
def test_a_time_of_day(text: str, at: time) -> None:
    assert parse_time(text) == at


@pytest.mark.parametrize("text", ["24:00", "3", "3:5", "3:60", "", "noon", "03:30:00", "٣:٣٠"])
def test_no_time_of_day(text: str) -> None:
    with pytest.raises(ValueError, match="03:30"):
        parse_time(text)


def test_a_name_is_plain_and_is_the_vaults_own(tmp_path: Path) -> None:
    names = set()
    for name in (*NAMES, "日记"):
        made = plan_for(tmp_path / name, Settings(), time(3), environ={}, program=("x",))
        assert re.fullmatch(r"vault-dream-[a-z0-9-]*[0-9a-f]{8}", made.name)
        assert made == plan_for(tmp_path / name, Settings(), time(3), environ={}, program=("x",))
        names.add(made.name)
    assert len(names) == len(NAMES) + 1


@pytest.mark.parametrize("name", ["a\nb", "tab\there", "\udcff", "a\u2028b", "\x7f", "\uffff"])
def test_a_path_that_no_entry_can_hold_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no schedule can hold"):
        plan_for(tmp_path / name, Settings(), time(3), environ={}, program=("x",))


def test_a_program_that_will_not_last_is_known(tmp_path: Path) -> None:
    assert temporary(str(tmp_path / "vault-dream"))
    assert temporary("/home/ada/.cache/uv/archive-v0/x/bin/vault-dream")
    assert not temporary("/opt/apps/vault-dream")


# systemd -----------------------------------------------------------------------------------------


def words_of(line: str) -> list[str]:
    """A command line as systemd.syntax(7) splits it."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    assert " ".join(f'"{word}"' for word in words) == line
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in words]


@given(folder_names)
def test_systemd_reads_the_words_that_were_meant(name: str) -> None:
    made = plan(name)
    service = systemd.entries(made, NO_TOOLS)[0].text
    (line,) = re.findall("^ExecStart=(.*)$", service, re.M)
    program, *rest = words_of(line)
    assert (program, *(word.replace("$$", "$") for word in rest)) == made.command
    assert "%" not in line.replace("%%", "")
    assert "$" not in line.replace("$$", "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_verifies_the_units(name: str, tmp_path: Path) -> None:
    program = tmp_path / ("my 100% \"'apps'" if "%" in name else "my 100% apps") / "vault-dream"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = plan(
        name, program=(str(program),), zone="Europe/Berlin",
        folders={"VAULT_DREAM_STATE_HOME": "/home/ada/100% \"my\\ state\" $X"},
    )  # fmt: skip
    files = []
    for entry in systemd.entries(made, NO_TOOLS):
        files.append(tmp_path / Path(entry.where).name)
        files[-1].write_text(entry.text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", *map(str, files)],
        capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    told = [line for line in done.stderr.splitlines() if str(tmp_path) in line or made.name in line]
    assert (done.returncode, told) == (0, []), done.stderr


def test_the_timer_makes_up_for_missed_nights_in_the_vaults_zone() -> None:
    timer = systemd.entries(plan("Notes", zone="Asia/Tokyo"), NO_TOOLS)[1].text
    assert "OnCalendar=*-*-* 03:05:00 Asia/Tokyo\n" in timer
    assert "\nPersistent=true\n" in timer
    assert "OnCalendar=*-*-* 03:05:00\n" in systemd.entries(plan("Notes"), NO_TOOLS)[1].text


# cron --------------------------------------------------------------------------------------------


def after_cron(command: str, *, both: bool) -> str:
    """The command as cron hands it to the shell: Vixie's loop. ``both``: it takes a backslash from
    before a backslash too, as some crons do."""
    out, escaped = "", False
    for ch in command:
        if escaped:
            if ch == "%" or (both and ch == "\\"):
                out = out[:-1]
            out, escaped = out + ch, False
            continue
        assert ch != "%", "cron would end the command here"
        escaped = ch == "\\"
        out += ch
    return out


@given(folder_names, st.booleans())
def test_cron_and_the_shell_read_the_words_that_were_meant(name: str, both: bool) -> None:
    made = plan(name)
    minute, hour, *stars, command = cron.line(made).split(" ", 5)
    assert (minute, hour, stars) == ("5", "3", ["*", "*", "*"])
    words = shlex.split(after_cron(command, both=both), comments=True)
    assert tuple(words) == shell_command(made)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("moved", [{}, {"VAULT_DREAM_STATE_HOME": "/x y/100% 'z'"}])
def test_the_cron_line_runs(name: str, moved: dict[str, str], tmp_path: Path) -> None:
    """With the key from the owner's file, and nowhere else."""
    program = tmp_path / "it's 5%" / "vault-dream"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$OPENAI_API_KEY" "$VAULT_DREAM_STATE_HOME" "$@"\n'
    )
    program.chmod(0o755)
    env_file = tmp_path / "my config" / "environment"
    env_file.parent.mkdir()
    env_file.write_text("OPENAI_API_KEY='s3cret word'\n")
    made = plan(
        name, program=(str(program),), env_file=env_file,
        log_folder=tmp_path / "a %d \"log", folders=moved,
    )  # fmt: skip
    line = cron.line(made)
    assert "s3cret" not in line
    command = after_cron(line.split(" ", 5)[5], both=False)
    subprocess.run(["/bin/sh", "-c", command], check=True, env={"PATH": "/usr/bin:/bin"})
    log = tmp_path / 'a %d "log' / "nightly.log"
    state = moved.get("VAULT_DREAM_STATE_HOME", "")
    assert log.read_text() == f"s3cret word\n{state}\nrun\n--vault\n{made.vault}\n"
    assert log.stat().st_mode & 0o077 == 0


def test_without_the_owners_file_the_line_runs_all_the_same(tmp_path: Path) -> None:
    made = plan("Notes", program=("/bin/echo",), env_file=tmp_path / "no", log_folder=tmp_path)
    subprocess.run(["/bin/sh", "-c", shlex.join(shell_command(made))], check=True)
    assert (tmp_path / "nightly.log").read_text() == "run --vault /home/ada/Notes\n"


def test_a_line_that_cron_would_cut_is_refused() -> None:
    with pytest.raises(SettingsError, match="longer than cron reads"):
        cron.line(plan("x" * 900))


# launchd and Windows -----------------------------------------------------------------------------


@given(folder_names)
def test_launchd_reads_the_words_that_were_meant(name: str) -> None:
    made = plan(name)
    (entry,) = launchd.entries(made, NO_TOOLS)
    assert entry.where == f"/home/ada/Library/LaunchAgents/{made.name}.plist"
    value = plistlib.loads(entry.text.encode())
    assert value["Label"] == made.name
    assert value["StartCalendarInterval"] == {"Hour": 3, "Minute": 5}
    assert tuple(value["ProgramArguments"]) == shell_command(made)


def split_as_windows_does(line: str) -> list[str]:
    """CommandLineToArgvW: backslashes count only before a quote."""
    words, word, quoted, started, i = [], "", False, False, 0
    while i < len(line):
        slashes = len(line[i:]) - len(line[i:].lstrip("\\"))
        if slashes and line[i + slashes : i + slashes + 1] == '"':
            word, i, started = word + "\\" * (slashes // 2), i + slashes, True
            if slashes % 2:
                word, i = word + '"', i + 1
            continue
        if slashes:
            word, i, started = word + "\\" * slashes, i + slashes, True
        elif line[i] == '"':
            quoted, started, i = not quoted, True, i + 1
        elif line[i] in " \t" and not quoted:
            words, word, started, i = [*words, word] if started else words, "", False, i + 1
        else:
            word, started, i = word + line[i], True, i + 1
    return [*words, word] if started else words


@given(folder_names)
def test_task_scheduler_reads_the_words_that_were_meant(name: str) -> None:
    made = plan(name)
    root = ElementTree.fromstring(windows.xml(made).encode("utf-16"))
    space = {"t": windows.SPACE}
    assert root.findtext(".//t:StartWhenAvailable", None, space) == "true"
    assert root.findtext(".//t:StartBoundary", "", space).endswith("T03:05:00")
    program = root.findtext(".//t:Command", "", space)
    arguments = split_as_windows_does(root.findtext(".//t:Arguments", "", space))
    assert (program, *arguments[:3]) == made.command
    assert arguments[3:] == ["--log-file", str(made.log_folder / "nightly.log")]
