"""A second process of ours, and what it must not keep of the first."""

from __future__ import annotations

import os
import select
import signal
import threading

import pytest

from vault_dream.engine.vault import second

ECHO = "tests.engine.vault.echo"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@pytest.fixture
def copy(monkeypatch: pytest.MonkeyPatch) -> second.Forked:
    monkeypatch.setattr(second, "may_fork", lambda: True)
    made = second.start(ECHO)
    assert isinstance(made, second.Forked)
    return made


def test_it_serves_and_ends_when_nothing_more_can_be_asked(copy: second.Forked) -> None:
    copy.stdin.write(b"one line\n")
    copy.stdin.flush()
    assert copy.stdout.readline() == b"ONE LINE\n"
    copy.stdin.close()
    assert copy.stdout.read() == b""
    assert copy.wait() == 0 == copy.returncode
    copy.kill()  # too late, and no harm


def test_it_is_ended(copy: second.Forked) -> None:
    copy.kill()
    assert copy.wait() == -signal.SIGKILL == copy.wait()


def test_it_keeps_nothing_of_ours_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "may_fork", lambda: True)
    ours, theirs = os.pipe()
    copy = second.start(ECHO)
    assert copy is not None
    os.close(theirs)
    ready, _, _ = select.select([ours], [], [], 60)
    assert ready and os.read(ours, 1) == b"", "the pipe's other end is open nowhere"
    os.close(ours)
    copy.kill()
    copy.wait()


def test_what_goes_wrong_in_it_ends_it_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "may_fork", lambda: True)
    copy = second.start("no.such.module")
    assert copy is not None and copy.wait() == 1


def test_it_is_no_copy_where_another_thread_runs() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    assert not second.may_fork()
    done.set()
    thread.join()


def test_where_no_fork_is_to_be_had_it_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(second, "may_fork", lambda: True)
    monkeypatch.setattr(second.os, "fork", refused)
    made = second.start("vault_dream.engine.vault.beside")
    assert made is not None and not isinstance(made, second.Forked)
    made.kill()
    made.wait()
