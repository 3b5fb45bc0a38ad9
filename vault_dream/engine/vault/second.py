"""A second process of this program: forked where that is safe, else a Python that starts anew.

A fork is there at once, with everything imported; a new Python takes about 60 ms. Forking is safe
where no other thread runs that could hold a lock for ever in the copy, and only on Linux are all
threads seen. The copy keeps nothing open but its two pipes, and never returns to its caller.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import IO, Protocol

START = "import sys; sys.path[:] = sys.argv[1:]; from {0} import serve; serve()"
MOST_FILES = 1 << 16
"""Descriptors that are closed in the copy, where the system does not say how many there are."""


_HANGUP = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has none


class Second(Protocol):
    """A process that is asked by ``stdin`` and answers by ``stdout``."""

    @property
    def stdin(self) -> IO[bytes] | None: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...
    @property
    def returncode(self) -> int | None: ...
    def kill(self) -> None: ...
    def wait(self) -> int: ...


class Forked:
    """A copy of this process, with the face of ``subprocess.Popen``."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None

    def kill(self) -> None:
        """End it, if it still runs."""
        if sys.platform != "win32" and self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end; its exit code, or a signal's number as a negative one."""
        if self.returncode is None:
            try:
                _, status = os.waitpid(self.pid, 0)
            except ChildProcessError:  # somebody else waited for all children
                status = 0
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def start(module: str) -> Second | None:
    """A process that runs ``module.serve()`` on its two pipes; None where none can start."""
    if may_fork() and (forked := _fork(module)) is not None:
        return forked
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    command = [sys.executable, "-I", "-S", "-c", START.format(module)]
    command += [part or os.getcwd() for part in sys.path]  # noqa: PTH109
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=1 << 16,
        )
    except OSError:
        return None


def may_fork() -> bool:
    """Whether this process has one thread, those of libraries counted."""
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208
    except OSError:
        return False


def _fork(module: str) -> Forked | None:
    if sys.platform == "win32":
        return None
    pipes: list[int] = []
    try:
        pipes += os.pipe()
        pipes += os.pipe()
        if min(pipes) < 3:
            raise OSError("standard input or output is closed")
        pid = os.fork()
    except (OSError, RuntimeError):  # the lock library forbids it while it takes a lock
        for one in pipes:
            os.close(one)
        return None
    asked, ask, answers, answered = pipes
    if pid == 0:
        _be_the_copy(module, asked, answered)
    os.close(asked)
    os.close(answered)
    return Forked(pid, os.fdopen(ask, "wb", 1 << 16), os.fdopen(answers, "rb", 1 << 16))


def _be_the_copy(module: str, asked: int, answered: int) -> None:
    """Serve until there is nothing more to do; never return."""
    code = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, _HANGUP):
            signal.signal(number, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        low, high = sorted((asked, answered))
        for first, last in ((3, low), (low + 1, high), (high + 1, MOST_FILES)):
            os.closerange(first, last)
        from importlib import import_module

        served = import_module(module)
        served.serve(os.fdopen(asked, "rb"), os.fdopen(answered, "wb", 1 << 16))
        code = 0
    finally:
        os._exit(code)  # what its parent had begun is not its own to end
