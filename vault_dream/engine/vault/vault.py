"""One vault: its settings, its listing, and the only way to its notes' bytes."""

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from vault_dream.engine.errors import FilesystemError, PathError
from vault_dream.engine.vault.paths import key, normalise

if TYPE_CHECKING:
    from vault_dream.engine.vault.listing import Listing
    from vault_dream.engine.vault.notes import Note
    from vault_dream.engine.vault.obsidian import ObsidianSettings
    from vault_dream.engine.vault.resolve import Resolver

MAX_NOTE_BYTES = 64 * 1024 * 1024
"""Largest note that is read; a vault may hold any file under a note's name."""

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = _READ | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and bool(_NO_FOLLOW)


class Vault:
    """A vault's folder (stateful: keeps its settings and its last listing until refreshed).

    Raises FilesystemError if ``root`` is no folder. ``config_folder`` is the name of Obsidian's
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
        self._platform = platform
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

    def listing(self, refresh: bool = False) -> Listing:
        """What is on disk: the last listing, or a new one."""
        if self._listing is None or refresh:
            from vault_dream.engine.vault.listing import list_vault

            self._listing = list_vault(self.root, platform=self._platform)
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

        Opens no link that leaves the vault, nothing that is no regular file, no file that the cloud
        has taken away, and nothing larger than MAX_NOTE_BYTES.
        """
        from vault_dream.engine.vault.notes import parse_note

        path = normalise(path)
        return parse_note(path, self.read_bytes(path))

    def read_bytes(self, path: str) -> bytes:
        """The bytes of the file at ``path``; as careful as ``read``."""
        path = normalise(path)
        try:
            return self._read_bytes(path)
        except OSError as error:
            raise FilesystemError(
                path, f"it cannot be read: {error.strerror or error}", "check that it is there"
            ) from error

    def _read_bytes(self, path: str) -> bytes:
        known = self._listing.entries.get(path) if self._listing is not None else None
        name = known.disk_name if known is not None else path
        try:
            return self._open_and_read(path, name)
        except OSError:
            # Perhaps a link on the way, perhaps another Unicode form: look closely, once.
            found = os.path.relpath(self.disk_path(path), self.root)
            if found == name:
                raise
            return self._open_and_read(path, found)

    def _open_and_read(self, path: str, name: str) -> bytes:
        """Read a file by its real name, following no link on the way."""
        parts = name.split("/")
        if not _BY_DESCRIPTOR:
            return self._read_checked(path, os.fspath(self.disk_path(path)), None)
        folder = os.open(self.root, _READ | getattr(os, "O_DIRECTORY", 0))
        try:
            for part in parts[:-1]:
                inner = os.open(part, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            return self._read_checked(path, parts[-1], folder)
        finally:
            os.close(folder)

    def _read_checked(self, path: str, name: str, folder: int | None) -> bytes:
        # Looked at before it is opened: opening a pipe waits, opening an evicted file downloads it.
        self._check(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
        descriptor = os.open(name, _READ | _NO_FOLLOW, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            self._check(path, status)
            raw = file.read(status.st_size + 1)
            if len(raw) > status.st_size:  # it grew meanwhile
                raw += file.read(MAX_NOTE_BYTES)
        if len(raw) > MAX_NOTE_BYTES:
            raise FilesystemError(path, "it grew too large to read", "exclude it")
        return raw

    def _check(self, path: str, status: os.stat_result) -> None:
        if stat.S_ISLNK(status.st_mode):
            raise OSError(40, "it is a link")  # ELOOP, as O_NOFOLLOW would say
        if not stat.S_ISREG(status.st_mode):
            raise FilesystemError(path, "it is not a regular file", "exclude it")
        if self._platform == "darwin" and status.st_size and not status.st_blocks:
            raise FilesystemError(
                path, "it is not available locally", "open it once so that the cloud fetches it"
            )
        if status.st_size > MAX_NOTE_BYTES:
            raise FilesystemError(
                path, f"it is larger than {MAX_NOTE_BYTES >> 20} MB", "exclude it"
            )

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
            raise PathError(path, "it leads out of the vault", "replace the link by what it shows")
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
