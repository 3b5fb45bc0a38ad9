"""Putting the nightly run in place and taking it away: twice is once, nothing else is touched."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.scheduling.plans import plan
from tests.scheduling.tools import Tools
from vault_dream.engine.errors import FilesystemError
from vault_dream.scheduling import cron, launchd, systemd, windows
from vault_dream.scheduling.machine import Machine

NAME = plan("Notes").name


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path / "tools")


@pytest.fixture
def machine(tools: Tools, tmp_path: Path) -> Machine:
    return Machine({"PATH": str(tools.bin), "HOME": str(tmp_path / "home")})


def files(machine: Machine) -> list[str]:
    return sorted(file.name for file in machine.home.rglob("*") if not file.is_dir())


def test_systemd(tools: Tools, machine: Machine) -> None:
    tools.add("systemctl")
    for _ in range(2):
        assert systemd.install(plan("Notes"), machine).problems == []
        assert tools.calls == [
            "systemctl --user daemon-reload", f"systemctl --user enable --now {NAME}.timer"
        ]  # fmt: skip
    assert files(machine) == [f"{NAME}.service", f"{NAME}.timer"]
    done = systemd.remove(plan("Notes"), machine)
    assert len(done.steps) == 3 and files(machine) == []
    assert tools.calls[0] == f"systemctl --user disable --now {NAME}.timer"
    assert systemd.remove(plan("Notes"), machine).steps == [] and tools.calls == []


def test_systemd_units_go_where_xdg_says(machine: Machine, tmp_path: Path) -> None:
    environ = {**machine.environ, "XDG_CONFIG_HOME": str(tmp_path / "my config")}
    systemd.install(plan("Notes"), Machine(environ))
    assert (tmp_path / f"my config/systemd/user/{NAME}.timer").is_file()
    systemd.install(plan("Notes"), Machine({**machine.environ, "XDG_CONFIG_HOME": "relative"}))
    assert (machine.home / f".config/systemd/user/{NAME}.timer").is_file()


@pytest.mark.parametrize("way", [systemd, launchd, windows])
def test_without_the_tool_the_entry_is_written_and_the_rest_is_said(
    way: ModuleType, machine: Machine, tmp_path: Path
) -> None:
    made = plan("Notes", log_folder=machine.home / "state")
    done = way.install(made, machine)
    assert [step.split()[0] for step in done.steps] == ["wrote"] * len(done.steps)
    (problem,) = done.problems
    assert "is not on this machine" in problem.what and problem.next.startswith("run: ")
    assert len(files(machine)) == len(done.steps)
    way.remove(made, machine)
    assert files(machine) == []


def test_systemd_that_cannot_be_reached_is_no_success(tools: Tools, machine: Machine) -> None:
    tools.add("systemctl", "echo 'Failed to connect to bus' >&2; exit 1")
    done = systemd.install(plan("Notes"), machine)
    assert [problem.what for problem in done.problems] == ["Failed to connect to bus"]


def test_launchd(tools: Tools, machine: Machine) -> None:
    tools.add("launchctl")
    done = launchd.install(plan("Notes"), machine)
    assert done.problems == [] and files(machine) == [f"{NAME}.plist"]
    assert [call.split()[1] for call in tools.calls] == ["bootout", "bootstrap"]
    assert len(launchd.remove(plan("Notes"), machine).steps) == 2
    assert launchd.remove(plan("Notes"), machine).steps == []


def test_windows(tools: Tools, machine: Machine) -> None:
    tools.add("schtasks")
    made = plan("Notes", log_folder=machine.home / "state")
    assert windows.install(made, machine).problems == []
    assert f"/TN \\Vault Dream\\{NAME} /XML" in tools.calls[0]
    file = machine.home / "state/task.xml"
    assert file.read_bytes().startswith(b"\xff\xfe") and "StartWhenAvailable" in file.read_text(
        "utf-16"
    )
    assert len(windows.remove(made, machine).steps) == 2


OTHERS = b"# mine\nMAILTO=ada\n\n0 1 * * * backup 100\\% # nightly\n\xff\xfe odd bytes"


@pytest.mark.parametrize("before", [None, b"", OTHERS, OTHERS + b"\n"])
def test_cron_touches_its_own_line_only(
    before: bytes | None, tools: Tools, machine: Machine
) -> None:
    tools.add_crontab()
    if before is not None:
        tools.table.write_bytes(before)
    assert cron.install(plan("Notes"), machine).problems == []
    first = tools.table.read_bytes()
    ended = before + b"\n" if before and not before.endswith(b"\n") else before or b""
    assert first == ended + cron.line(plan("Notes")).encode() + b"\n"
    cron.install(plan("Notes"), machine)
    assert tools.table.read_bytes() == first
    cron.install(plan("Other", name="vault-dream-other-76543210"), machine)
    cron.install(plan("Notes, later"), machine)
    assert tools.table.read_bytes().count(NAME.encode()) == 1
    cron.remove(plan("Other", name="vault-dream-other-76543210"), machine)
    cron.remove(plan("Notes"), machine)
    assert tools.table.read_bytes() == ended
    assert cron.remove(plan("Notes"), machine).steps == []


def test_a_line_that_its_owner_turned_off_is_theirs(tools: Tools, machine: Machine) -> None:
    tools.add_crontab()
    off = b"#" + cron.line(plan("Notes")).encode() + b"\n"
    tools.table.write_bytes(off)
    cron.remove(plan("Notes"), machine)
    assert tools.table.read_bytes() == off


def test_a_crontab_that_cannot_be_read_is_not_taken_for_an_empty_one(
    tools: Tools, machine: Machine
) -> None:
    tools.add("crontab", "echo 'crontab: cannot open: Permission denied' >&2; exit 1")
    with pytest.raises(FilesystemError, match="Permission denied"):
        cron.install(plan("Notes"), machine)
    assert tools.calls == ["crontab -l"]


def test_no_crontab_at_all(machine: Machine) -> None:
    done = cron.install(plan("Notes"), machine)
    assert "not on this machine" in done.problems[0].what
    assert cron.remove(plan("Notes"), machine).steps == []


def test_a_file_that_cannot_be_written(machine: Machine) -> None:
    machine.home.mkdir()
    (machine.home / ".config").write_text("a file in the way")
    with pytest.raises(FilesystemError, match="cannot be written"):
        systemd.install(plan("Notes"), machine)
