"""Time for a program that stays: what the clock says, waiting with hardly a stir, and signals."""

from __future__ import annotations

import contextlib
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The time, and waiting for it."""

    def now(self) -> datetime:
        """The time with its zone."""

    def wait(self, seconds: float) -> None:
        """Return after ``seconds``, or as soon as somebody wakes it."""

    def wake(self) -> None:
        """End the wait, or the next one; from any thread."""


class SystemClock:
    """The machine's own clock. Stateful: remembers that it was woken."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def now(self) -> datetime:
        if hasattr(time, "tzset"):
            time.tzset()  # the machine may have been carried to another zone
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        self._woken.wait(seconds)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()


ASKED_TO_STOP = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")


class Signals:
    """Signals that ask to stop, as names to wait for. Stateful: it takes the process's handlers.

    Nothing happens in a handler: the system writes the signal's number into a socket, so that no
    lock that the interrupted code holds is ever needed.
    """

    def __init__(self) -> None:
        self._told, self._tell = socket.socketpair()
        self._tell.setblocking(False)

    def nothing_more_to_wait_for(self) -> None:
        """End :meth:`wait`; from any thread."""
        with contextlib.suppress(OSError):
            self._tell.send(b"\0")

    def wait(self) -> str:
        """The name of the signal that came, ``""`` where there is nothing more to wait for."""
        while True:
            select.select([self._told], [], [])
            for number in self._told.recv(64):
                if number == 0:
                    return ""
                if (name := signal.Signals(number).name) in ASKED_TO_STOP:
                    return name

    @contextlib.contextmanager
    def taken(self) -> Iterator[Signals]:
        """Take the signals; afterwards they do what they did before."""
        numbers = [getattr(signal, name) for name in ASKED_TO_STOP if hasattr(signal, name)]
        before = {number: signal.signal(number, lambda *_: None) for number in numbers}
        wakeup = signal.set_wakeup_fd(self._tell.fileno(), warn_on_full_buffer=False)
        try:
            yield self
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._told.close()
            self._tell.close()
