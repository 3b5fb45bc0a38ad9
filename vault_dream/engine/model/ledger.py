"""The ledger: one line for each request that left, with its size and never its text."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from vault_dream.engine.errors import FilesystemError

EMBEDDINGS = "embeddings"
"""The purpose under which texts are counted that became vectors."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it left. ``tokens`` is our estimate: the line is written before the send."""

    time: str
    host: str
    model: str
    purpose: str
    characters: int
    tokens: int


class Ledger:
    """An append-only JSONL file that only its owner may read. Stateful: a file."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = _now) -> None:
        self.path = path
        self._clock = clock

    def record(self, *, host: str, model: str, purpose: str, characters: int, tokens: int) -> None:
        """Count one request that is about to leave. FilesystemError: then it must not leave."""
        stamp = self._clock().isoformat(timespec="seconds")
        line = json.dumps(
            asdict(Sent(stamp, host, model, purpose, characters, tokens)), ensure_ascii=False
        )
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self.path, flags, 0o600)
            try:
                if _ends_torn(descriptor):
                    data = b"\n" + data
                os.write(descriptor, data)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise FilesystemError(
                str(self.path),
                f"the ledger of what is sent cannot be written ({error.strerror})",
                "nothing was sent; make the file writable",
            ) from error

    def entries(self) -> tuple[Sent, ...]:
        """Every whole line, oldest first; one that a crash cut short is passed over."""
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return ()
        found = []
        for line in lines:
            try:
                found.append(Sent(**json.loads(line)))
            except (ValueError, TypeError):
                continue
        return tuple(found)

    def known(self, host: str) -> bool:
        """Whether notes were sent to ``host`` before; the first send asks. Embeddings are of single
        nodes, where the owner named a model for just that, and are no leave for more."""
        return any(e.host == host and e.purpose != EMBEDDINGS for e in self.entries())

    def embedded(self, host: str) -> bool:
        """Whether texts were sent to ``host`` before, to be made vectors of."""
        return any(e.host == host and e.purpose == EMBEDDINGS for e in self.entries())


def _ends_torn(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    if not size:
        return False
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) != b"\n"
