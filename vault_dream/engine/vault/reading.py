"""Opening a vault's files: never through a link, never what is no regular file, never out of it."""

from __future__ import annotations

import os
import stat
import sys

from vault_dream.engine.errors import FilesystemError, VaultDreamError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Protocol

    from vault_dream.engine.vault.listing import Entry
    from vault_dream.engine.vault.notes import Note

    class Place(Protocol):
        """What is known of the vault that is read, as ``Vault`` has it."""

        @property
        def root(self) -> str | os.PathLike[str]: ...
        @property
        def platform(self) -> str: ...
        def known_entries(self) -> Mapping[str, Entry]: ...
        def disk_path(self, path: str) -> Path: ...


MAX_NOTE_BYTES = 64 * 1024 * 1024
"""Largest note that is read; a vault may hold any file under a note's name."""

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_READ |= getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = _READ | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and bool(_NO_FOLLOW)


class Reading:
    """A run of reads (stateful): keeps the last note's folder open until it is closed.

    Opening the folders above a note takes longer than reading it, and a listing gives the notes
    folder by folder. Each file is still looked at, opened without following a link, and looked at
    again. Not to be kept: a folder that was moved meanwhile is still read from where it went.
    """

    def __init__(self, vault: Place) -> None:
        self._vault = vault
        self.root = os.fspath(vault.root)
        self.platform = vault.platform
        self._evicts = vault.platform == "darwin"
        self._entries = vault.known_entries()
        self._folder = -1
        self._folder_name = ""

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder that is open."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def read(self, path: str) -> Note:
        """The note at ``path``; raises as ``Vault.read``."""
        from vault_dream.engine.vault.notes import parse_note

        if path not in self._entries:
            path = _normal(path)
        return parse_note(path, self.read_bytes(path))

    def read_or_why(self, path: str) -> Note | VaultDreamError:
        """The note at ``path``, or the error that ``read`` would raise."""
        try:
            return self.read(path)
        except VaultDreamError as error:
            return error

    def notes(
        self, paths: Sequence[str], *, processes: int | None = None
    ) -> Iterator[Note | VaultDreamError]:
        """The notes at ``paths`` in order, an error in the place of one that cannot be read.

        A long pass is shared with a second process where there are processors for it, unless
        ``processes`` is 1; its notes come with links, tags, headings and properties found already.
        """
        if processes is None:
            from vault_dream.engine.vault.beside import LEAST_NOTES, processors

            processes = 2 if len(paths) >= LEAST_NOTES and processors() > 1 else 1
        if processes < 2:
            return map(self.read_or_why, paths)
        from vault_dream.engine.vault.beside import notes_beside

        return notes_beside(self, paths)

    def read_bytes(self, path: str) -> bytes:
        """The bytes of the file at ``path``; raises as ``Vault.read_bytes``."""
        known = self._entries.get(path)
        if known is None:
            path = _normal(path)
            known = self._entries.get(path)
        return self.read_named(path, known.disk_name if known is not None else path)

    def name_of(self, path: str) -> str:
        """The name on disk of the file at ``path``, as far as it is known."""
        known = self._entries.get(path)
        return known.disk_name if known is not None else path

    def read_named(self, path: str, name: str) -> bytes:
        """The bytes of the file at ``path``, whose name on disk is thought to be ``name``."""
        try:
            return self._by_name_or_closely(path, name)
        except OSError as error:
            raise FilesystemError(
                path, f"it cannot be read: {error.strerror or error}", "check that it is there"
            ) from error

    def _by_name_or_closely(self, path: str, name: str) -> bytes:
        try:
            return self._by_name(path, name)
        except OSError:
            # Perhaps a link on the way, perhaps another Unicode form: look closely, once.
            self.close()
            found = os.path.relpath(self._vault.disk_path(path), self.root)
            if found == name:
                raise
            return self._by_name(path, found)

    def _by_name(self, path: str, name: str) -> bytes:
        """Read a file by its real name, following no link on the way."""
        if not _BY_DESCRIPTOR:
            real: Path = self._vault.disk_path(path)
            return self._checked(path, os.fspath(real), None)
        folder, _, base = name.rpartition("/")
        if folder != self._folder_name or self._folder < 0:
            self._enter(folder)
        return self._checked(path, base, self._folder)

    def _enter(self, folder: str) -> None:
        self.close()
        here = os.open(self.root, _READ | getattr(os, "O_DIRECTORY", 0))
        try:
            for part in folder.split("/") if folder else ():
                inner = os.open(part, _FOLDER, dir_fd=here)
                os.close(here)
                here = inner
        except OSError:
            os.close(here)
            raise
        self._folder, self._folder_name = here, folder

    def _checked(self, path: str, name: str, folder: int | None) -> bytes:
        # Looked at before it is opened: opening a pipe waits, opening an evicted file downloads it.
        self._check(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
        descriptor = os.open(name, _READ | _NO_FOLLOW, dir_fd=folder)
        try:
            size = self._check(path, os.fstat(descriptor))
            raw = os.read(descriptor, size + 1)
            if len(raw) != size:
                raw = _to_the_end(descriptor, raw)
        finally:
            os.close(descriptor)
        if len(raw) > MAX_NOTE_BYTES:
            raise FilesystemError(path, "it grew too large to read", "exclude it")
        return raw

    def _check(self, path: str, status: os.stat_result) -> int:
        """The size of a file that may be read. Raises OSError for a link, else FilesystemError."""
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            if stat.S_ISLNK(status.st_mode):
                raise OSError(40, "it is a link")  # ELOOP, as O_NOFOLLOW would say
            raise FilesystemError(path, "it is not a regular file", "exclude it")
        if sys.platform != "win32" and self._evicts and size and not status.st_blocks:
            raise FilesystemError(
                path, "it is not available locally", "open it once so that the cloud fetches it"
            )
        if size > MAX_NOTE_BYTES:
            raise FilesystemError(
                path, f"it is larger than {MAX_NOTE_BYTES >> 20} MB", "exclude it"
            )
        return size


def _to_the_end(descriptor: int, raw: bytes) -> bytes:
    """``raw`` and what is after it: the file grew, shrank, or was given in pieces."""
    pieces = [raw]
    size = len(raw)
    while size <= MAX_NOTE_BYTES and (piece := os.read(descriptor, 1 << 20)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _normal(path: str) -> str:
    """The path normalised; most are, which is seen without the patterns that ``paths`` compiles."""
    odd = any(mark in path for mark in ("\\", ":", "//", "/."))
    if path and path.isascii() and path.isprintable() and path.strip("/.") == path and not odd:
        return path
    from vault_dream.engine.vault.paths import normalise

    return normalise(path)
