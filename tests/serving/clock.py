"""A clock that is told the time: hours pass in a wait, and things happen meanwhile."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count


class ToldClock:
    """Time passes only in ``wait``. Stateful: what is to happen ``at`` a time happens there.

    ``naps`` are stretches in which the machine is asleep: nothing runs, and afterwards the wait
    goes on for as long as was left of it, as the system's own waits do.
    """

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._woken = False
        self._number = count()
        self._plan: list[tuple[float, int, datetime, Callable[[], object]]] = []
        self.waits = 0

    def now(self) -> datetime:
        return self._now

    def at(self, when: datetime, what: Callable[[], object]) -> None:
        """Have ``what`` happen at ``when``."""
        heapq.heappush(self._plan, (when.timestamp(), next(self._number), when, what))

    def nap(self, start: datetime, end: datetime) -> None:
        """Have the machine sleep from ``start`` to ``end``."""
        self.at(start, lambda: self._wake_up_at(end))

    def _wake_up_at(self, end: datetime) -> None:
        self._now = end

    def wait(self, seconds: float) -> None:
        self.waits += 1
        left = seconds
        while not self._woken and self._plan:
            gap = self._plan[0][0] - self._now.timestamp()
            if gap > left:
                break
            left -= max(gap, 0.0)
            _, _, when, what = heapq.heappop(self._plan)
            if gap > 0:
                self._now = when
            what()
        if not self._woken:
            self._now += timedelta(seconds=left)
        self._woken = False

    def wake(self) -> None:
        self._woken = True
