"""A served vault for tests: told time, a log that is kept, no watching, no network."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tests.serving.clock import ToldClock
from vault_dream.config import Settings
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.reader import Reader
from vault_dream.serving.log import Log
from vault_dream.serving.server import Server
from vault_dream.serving.standing import Standing

BERLIN = ZoneInfo("Europe/Berlin")


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


@dataclass
class Served:
    """A vault and what serves it. Stateful: a start after a stop is a new process on the same
    machine."""

    root: Path
    clock: ToldClock
    reader_of: Callable[[Settings, Path], Reader | None] = lambda settings, root: OfflineReader()
    flags: Mapping[str, Any] = field(default_factory=dict)
    said: io.StringIO = field(default_factory=io.StringIO)
    server: Server | None = None
    runs: list[Any] = field(default_factory=list)

    def start(self, *, until: datetime | None = None, once: bool = False) -> int:
        """Serve, until somebody stops it."""
        log = Log(self.clock.now, stream=self.said)
        self.server = Server(
            self.root,
            Standing(self.root, self.flags),
            clock=self.clock,
            log=log,
            reader_of=self.reader_of,
        )
        if until is not None:
            self.clock.at(until, self.stop)
        try:
            return self.server.serve(once=once)
        finally:
            self.runs += self.server.ran

    def stop(self) -> None:
        assert self.server is not None
        self.server.stop("SIGTERM")

    @property
    def log(self) -> list[str]:
        """What was said, without the times."""
        return [" ".join(line.split()[2:]) for line in self.said.getvalue().splitlines()]

    def said_of(self, event: str) -> list[str]:
        return [line for line in self.log if line.startswith(f"{event}: ")]
