"""One vault: its settings, its listing, and the only way to its notes' bytes."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from vault_dream.engine.errors import FilesystemError, PathError
from vault_dream.engine.vault.paths import key, normalise
from vault_dream.engine.vault.reading import Reading

if TYPE_CHECKING:
    from vault_dream.engine.vault.daily import DailyLayout
    from vault_dream.engine.vault.listing import Entry, Listing
    from vault_dream.engine.vault.notes import Note
    from vault_dream.engine.vault.obsidian import ObsidianSettings
    from vault_dream.engine.vault.resolve import Resolver


class Vault:
    """A vault's folder (stateful: keeps its settings and its last listing until refreshed).

    Raises FilesystemError if ``root`` is not a folder. ``config_folder`` is the name of Obsidian's
    settings folder where it is not ``.obsidian``; ``platform`` is ``sys.platform``'s value.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        config_folder: str | None = None,
        platform: str = sys.platform,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        if not self.root.is_dir():
            raise FilesystemError(os.fspath(root), "there is no such folder", "check the path")
        self._config_folder = config_folder
        self.platform = platform
        self._obsidian: ObsidianSettings | None = None
        self._listing: Listing | None = None
        self._resolver: Resolver | None = None

    @property
    def obsidian(self) -> ObsidianSettings:
        """The vault's Obsidian settings, read when first asked for."""
        if self._obsidian is None:
            from vault_dream.engine.vault.obsidian import read_settings

            self._obsidian = read_settings(self.root, self._config_folder)
        return self._obsidian

    def layout(self, daily_dir: str | None, daily_format: str | None) -> DailyLayout:
        """Where the daily notes live, by these settings of ours, Obsidian's, or the files."""
        from vault_dream.engine.vault.daily import find_layout

        return find_layout(
            self.listing().entries, self.obsidian, daily_dir=daily_dir, daily_format=daily_format
        )

    def listing(self, refresh: bool = False) -> Listing:
        """What is on disk: the last listing, or a fresh one."""
        if self._listing is None or refresh:
            from vault_dream.engine.vault.listing import list_vault

            self._listing = list_vault(self.root, platform=self.platform)
            self._resolver = None
            self._obsidian = None if refresh else self._obsidian
        return self._listing

    def resolver(self) -> Resolver:
        """Resolves links among the files of the listing."""
        if self._resolver is None:
            from vault_dream.engine.vault.resolve import Resolver

            self._resolver = Resolver(self.listing().paths)
        return self._resolver

    def exists(self, path: str) -> bool:
        """Whether a file or folder has this path, or one that differs only in case or form.

        Cloud placeholders exist. Asks the listing, and the disk for what came since.
        """
        path = normalise(path)
        if key(path) in self.listing().keys:
            return True
        try:
            return os.path.lexists(self._on_disk(path))
        except PathError:
            return True  # something is there that leads out

    def read(self, path: str) -> Note:
        """The note at ``path``. Raises PathError, or FilesystemError if it cannot be read.

        Never opens a link that leaves the vault, anything but a regular file, a file that the cloud
        has evicted, or one larger than ``reading.MAX_NOTE_BYTES``.
        """
        with Reading(self) as reading:
            return reading.read(path)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of the file at ``path``, with the same precautions as ``read``."""
        with Reading(self) as reading:
            return reading.read_bytes(path)

    def reading(self) -> Reading:
        """For reading many notes in a row, ideally in the listing's order."""
        return Reading(self)

    def known_entries(self) -> Mapping[str, Entry]:
        """The entries of the last listing; none before the first."""
        return self._listing.entries if self._listing is not None else {}

    def disk_path(self, path: str) -> Path:
        """The real path of ``path`` on disk, inside the vault; for writing, it need not exist yet.

        An existing file or folder is found in its own Unicode form; links inside the vault are
        followed. Raises PathError if it leads out of the vault, FilesystemError if the cloud holds
        only a placeholder there.
        """
        return self._on_disk(normalise(path))

    def _on_disk(self, path: str) -> Path:
        here = os.fspath(self.root)
        for part in path.split("/"):
            here = f"{here}/{_name_on_disk(here, part)}"
        real = os.path.realpath(here)
        if not real.startswith(os.fspath(self.root) + os.sep):
            raise PathError(
                path, "it leads out of the vault", "replace the link with what it points to"
            )
        parent, name = os.path.split(real)
        if not os.path.lexists(real) and os.path.lexists(f"{parent}/.{name}.icloud"):
            raise FilesystemError(
                path, "it is not available locally", "open it once so that the cloud fetches it"
            )
        return Path(real)


def _name_on_disk(folder: str, name: str) -> str:
    """``name`` in the Unicode form that ``folder`` holds it in."""
    if name.isascii() or os.path.lexists(f"{folder}/{name}"):
        return name
    try:
        with os.scandir(folder) as items:
            return next(
                (item.name for item in items if unicodedata.normalize("NFC", item.name) == name),
                name,
            )
    except OSError:
        return name
