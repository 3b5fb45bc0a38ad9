"""Who may dream in a vault, who is writing to it, and who serves it: locks on this machine.

They live in the user's own state folder, never in the vault: a lock that a sync program carries to
another machine would block it, or claim that nobody holds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from vault_dream.engine.errors import BusyError, FilesystemError
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.machine import state_home as state_home
from vault_dream.engine.vault.machine import vault_state_folder as vault_state_folder
from vault_dream.engine.vault.statefiles import json_bytes, parse_state

if TYPE_CHECKING:
    from filelock import FileLock

LockName = Literal["dream", "commit", "serve"]


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a lock: ``since`` is an ISO time with its offset."""

    pid: int
    since: str
    what: str
    host: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} ({self.what}), since {self.since}"


class VaultLock:
    """One lock of one vault. Stateful: held or not; a context manager once acquired.

    Keep the object: when it goes, the lock goes.

    The lock itself is the system's, so it is free the moment its process ends, however it ends. The
    record beside it only says who, and is believed only while the lock is really held.
    """

    def __init__(
        self,
        root: Path,
        name: LockName,
        *,
        state_folder: Path | None = None,
        disk: Disk | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self.root = root
        self.folder = state_folder or vault_state_folder(root)
        self._disk = disk or Disk(root)
        self._clock = clock
        self._lock: FileLock | None = None

    @property
    def _record(self) -> Path:
        return self.folder / f"{self.name}.holder.json"

    @property
    def held(self) -> bool:
        """Whether this object holds it."""
        return self._lock is not None

    def acquire(self, what: str, *, timeout: float = 0) -> Self:
        """Take the lock, waiting up to ``timeout`` seconds.

        ``what`` is what the process does, for the person who finds the lock held. Raises
        BusyError, naming the holder and since when, if it is still held, and FilesystemError if the
        folder cannot be used.
        """
        from filelock import FileLock, Timeout

        self._disk.make_folder(self.folder)
        path = self.folder / f"{self.name}.lock"
        lock = FileLock(path, timeout=timeout, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise self._busy() from None
        except OSError as error:
            raise self._disk.explained(error, path) from error
        self._lock = lock
        try:
            token = f"{self.name}-holder"
            self._disk.put(self._record, self._describe(what), sync=False, token=token)
        except BaseException:  # an interrupt too: this process may live on
            self.release()
            raise
        return self

    def release(self) -> None:
        """Release the lock; does nothing if it is not held."""
        lock, self._lock = self._lock, None
        if lock is not None:
            try:
                self._disk.remove(self._record, quietly=True)
            finally:
                lock.release()

    def _describe(self, what: str) -> bytes:
        import socket

        return json_bytes(
            {
                "version": 1,
                "pid": os.getpid(),
                "since": self._clock().isoformat(timespec="seconds"),
                "what": what,
                "host": socket.gethostname(),
                "vault": str(self.root),
            }
        )

    def _recorded(self) -> Holder:
        try:
            value = parse_state(self._disk.read(self._record) or b"") or {}
        except FilesystemError:
            value = {}
        pid = value.get("pid")
        return Holder(
            pid if isinstance(pid, int) else 0,
            str(value.get("since", "an unknown time")),
            str(value.get("what", "starting or ending")),
            str(value.get("host", "this machine")),
        )

    def _busy(self) -> BusyError:
        doing = {
            "dream": "is dreaming in this vault",
            "commit": "is writing to this vault",
            "serve": "serves this vault",
        }
        return BusyError(
            str(self.root),
            f"another process {doing[self.name]}: {self._recorded()}",
            "wait until it is done, or end it; a killed one leaves nothing behind",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()
