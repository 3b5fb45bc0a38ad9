"""The settings of a program that stays: one for each job with a time, read again on change."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vault_dream.config import VAULT_FILE, Settings, load_settings
from vault_dream.engine.vault.pulse import stamp
from vault_dream.origins import user_config_file


class Standing:
    """The settings of one vault. Stateful: it holds the last good ones.

    ``flags`` are those of the command line. Raises :class:`SettingsError` at first, and in
    ``reload``; the ones that held before then stay.
    """

    def __init__(self, root: Path, flags: Mapping[str, Any] | None = None) -> None:
        self._root = root
        self._flags = dict(flags or {})
        self._files = self._stamps()
        self.settings, self.jobs = self._load()

    def files_changed(self) -> bool:
        """Whether a file of settings is another than when it was last read; asked once, it is told
        once."""
        now = self._stamps()
        if now == self._files:
            return False
        self._files = now
        return True

    def reload(self, *, still_there: Callable[[], bool]) -> bool:
        """Read the settings again; whether they are others now. Where the vault is gone meanwhile,
        so is its file, and nothing is taken from that."""
        settings, jobs = self._load()
        if not still_there():
            return False
        changed = (settings, jobs) != (self.settings, self.jobs)
        self.settings, self.jobs = settings, jobs
        return changed

    def _load(self) -> tuple[Settings, dict[str, Settings]]:
        settings = load_settings(self._root, flags=self._flags)
        jobs = {
            name: load_settings(self._root, flags=self._flags, job=name)
            for name, job in settings.jobs.items()
            if job.cron
        }
        return settings, jobs

    def _stamps(self) -> object:
        return stamp(self._root / VAULT_FILE), stamp(user_config_file(os.environ))
