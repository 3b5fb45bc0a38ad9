"""Who may dream and who may write: one process at a time, and a killed one blocks nobody."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vault_dream.engine.errors import BusyError, FilesystemError
from vault_dream.engine.vault.locks import VaultLock, state_home, vault_state_folder

NOW = datetime(2026, 11, 30, 3, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT_DREAM_STATE_HOME", str(tmp_path / "state"))


@contextmanager
def another_process_holds(root: Path, *, killed: bool = False) -> Iterator[int]:
    """A child that takes the dream lock and waits; on leaving it is killed, or was before."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        lock = VaultLock(root, "dream", clock=lambda: NOW)
        lock.acquire("nightly run")
        os.write(writer, b"!")
        signal.pause()
    assert os.read(reader, 1) == b"!"
    try:
        if killed:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        yield child
    finally:
        if not killed:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)


def test_a_second_process_is_told_who_holds_the_lock_and_since_when(tmp_path: Path) -> None:
    with another_process_holds(tmp_path) as pid:
        with pytest.raises(BusyError) as caught:
            VaultLock(tmp_path, "dream").acquire("interactive review")
        assert f"process {pid} on " in caught.value.what
        assert "(nightly run), since 2026-11-30T03:30:00+00:00" in caught.value.what
        assert caught.value.next
        with VaultLock(tmp_path, "commit").acquire("review"):
            pass  # an open app blocks neither the nightly nor the other way round


def test_a_killed_holder_leaves_nothing_that_blocks(tmp_path: Path) -> None:
    with (
        another_process_holds(tmp_path, killed=True),
        VaultLock(tmp_path, "dream").acquire("review") as lock,
    ):
        assert lock.held


def test_a_record_that_makes_no_sense_does_not_hide_that_the_lock_is_held(tmp_path: Path) -> None:
    first = VaultLock(tmp_path, "dream").acquire("one")
    for junk in (b"", b"\xff", b'{"version": 1, "pid": "x"}'):
        (vault_state_folder(tmp_path) / "dream.holder.json").write_bytes(junk)
        with pytest.raises(BusyError):
            VaultLock(tmp_path, "dream").acquire("two")
    first.release()
    first.release()
    VaultLock(tmp_path, "dream").acquire("two").release()


def test_a_vault_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "link").symlink_to("vault")
    assert vault_state_folder(tmp_path / "link") == vault_state_folder(tmp_path / "vault")
    assert vault_state_folder(tmp_path / "vault").is_relative_to(tmp_path / "state")
    assert vault_state_folder(tmp_path) != vault_state_folder(tmp_path / "vault")


def test_without_the_variable_the_users_own_state_folder_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("VAULT_DREAM_STATE_HOME")
    assert state_home().name == "vault-dream"


def test_nothing_is_written_into_the_vault(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    with VaultLock(vault, "dream").acquire("run"), VaultLock(vault, "commit").acquire("commit"):
        assert list(vault.iterdir()) == []


def test_a_state_folder_that_cannot_be_made_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("VAULT_DREAM_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(FilesystemError) as caught:
        VaultLock(tmp_path, "dream").acquire("run")
    assert caught.value.next
