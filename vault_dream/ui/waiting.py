"""Where a thread waits for a person's word."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Waiting(Generic[T]):
    """One answer, waited for in one thread and given in another. Stateful: the first word counts.

    ``unless`` is the answer of somebody who left without one.
    """

    def __init__(self, unless: T) -> None:
        self._given = threading.Event()
        self._answer = unless

    def wait(self) -> T:
        """The answer, once it is given."""
        self._given.wait()
        return self._answer

    def give(self, answer: T) -> None:
        """Let the thread go on with ``answer``, unless it got one before."""
        if not self._given.is_set():
            self._answer = answer
            self._given.set()

    def leave(self) -> None:
        """Let the thread go on without a word."""
        self._given.set()
