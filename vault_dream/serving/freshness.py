"""Indexes that stay in step with a vault while a program stays open."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from vault_dream.config import Settings
from vault_dream.engine.lookup import Lookup
from vault_dream.engine.vault.paths import key
from vault_dream.engine.vault.watch import AT_LEISURE, Pace, Watcher
from vault_dream.places import index_folder, settings_origin

SETTLED = timedelta(seconds=5)
"""Quiet after which the index is marked as being at the vault's state, so that a search by another
process trusts it without looking."""

UNWATCHED = timedelta(minutes=10)
"""How often the whole vault is looked at where the system cannot watch it."""


class Freshness:
    """Keeps the indexes of notes, links, tags and nodes fresh. Stateful: from ``start`` to ``stop``
    it watches, and what changed waits for ``catch_up``.

    ``wake`` is called, from another thread, when something changed.
    """

    def __init__(
        self,
        root: Path,
        *,
        now: Callable[[], datetime],
        wake: Callable[[], object],
        pace: Pace = AT_LEISURE,
    ) -> None:
        self._root = root
        self._now = now
        self._wake = wake
        self._pace = pace
        self._changed: set[str] = set()
        self._lock = threading.Lock()
        self._lookup: Lookup | None = None
        self._watcher: Watcher | None = None
        self._digest_dir = ""
        self._settle_at: datetime | None = None

    @property
    def problem(self) -> str:
        """Why changes are not told, ``""`` where they are."""
        return self._watcher.problem if self._watcher is not None else ""

    def start(self, settings: Settings) -> None:
        """Watch, and bring the indexes up to date."""
        self._digest_dir = settings.digest_dir
        self._watcher = Watcher(self._root, self._note, self._pace).start()
        self._lookup = Lookup(
            self._root,
            lambda: settings,
            folder=index_folder(self._root),
            origin=settings_origin(os.environ),
            quick=True,
        )
        self._look_at_all(self._lookup)

    def stop(self) -> None:
        """Watch no longer; nothing where it does not."""
        watcher, lookup = self._watcher, self._lookup
        self._watcher = self._lookup = None
        if watcher is not None:
            watcher.stop()
        if lookup is not None:
            lookup.close()

    def catch_up(self) -> int:
        """Bring in what changed since the last time; how many notes were read."""
        lookup = self._lookup
        if lookup is None:
            return 0
        with self._lock:
            changed, self._changed = self._changed, set()
        now = self._now()
        if changed:
            self._settle_at = now + SETTLED
            read = lookup.update(changed)
            folder = key(self._digest_dir) + "/"
            if any(key(path).startswith(folder) for path in changed):
                lookup.refresh_nodes()
            return read
        if self._settle_at is not None and now >= self._settle_at:
            self._look_at_all(lookup)
        return 0

    def seconds_to_next(self) -> float | None:
        """When ``catch_up`` is to be called even if nobody wakes; None for not at all."""
        if self._settle_at is None:
            return None
        return max(0.0, (self._settle_at - self._now()).total_seconds())

    def _look_at_all(self, lookup: Lookup) -> None:
        lookup.refresh()
        lookup.refresh_nodes()
        self._settle_at = self._now() + UNWATCHED if self.problem else None

    def _note(self, paths: frozenset[str]) -> None:
        with self._lock:
            self._changed |= paths
        self._wake()
