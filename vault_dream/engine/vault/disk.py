"""Every byte that reaches the disk passes here, one counted and announced step at a time."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from vault_dream.engine.errors import FilesystemError, Problem
from vault_dream.engine.vault import rename

Hook = Callable[[str, Path], None]
T = TypeVar("T")

PRIVATE = 0o600
TEMP_PREFIX = ".vault-dream-"
TEMP_SUFFIX = ".tmp"

_EXPLAINED: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", "free some space and run again"),
    errno.EDQUOT: ("your disk quota is used up", "free some space and run again"),
    errno.EACCES: ("no permission", "check who may read and write this file and its folder"),
    errno.EPERM: ("the system does not permit it", "check who may read and write this file"),
    errno.EROFS: ("the disk is read-only", "make it writable, or copy the vault to one that is"),
    errno.EIO: ("the disk reported an error", "check the disk, and your backups, before going on"),
    errno.ENOENT: ("the file or its folder is gone", "check that the vault is still there"),
    errno.ENOTDIR: ("a part of the path is not a folder", "check what is in its place"),
    errno.EISDIR: ("is a folder, not a file", "rename the folder"),
    errno.ENAMETOOLONG: ("the name is too long for this disk", "give it a shorter name"),
    errno.EBUSY: ("another program holds the file", "close it there and run again"),
    errno.EEXIST: ("exists already", "check what is in its place"),
    errno.ESTALE: ("the network folder went away", "reconnect it and run again"),
}
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EOPNOTSUPP}


def temp_name(token: str, number: int = 0) -> str:
    """A dot-prefixed name: Obsidian and its Sync ignore it. It leaves the note's name out, so that
    a note with the longest possible name can be written too."""
    return f"{TEMP_PREFIX}{token}-{number}{TEMP_SUFFIX}"


class Disk:
    """The only code that changes the disk. Stateful: counts what it did, by operation.

    ``before(operation, path)`` and ``after(operation, path)`` are called around each call to the
    system that changes the disk; what they raise is treated as if the system had raised it.

    ``root`` is the vault: errors name files relative to it, and nothing outside its real path is
    ever the target of a note's write (see :meth:`refusal`). Every method raises FilesystemError,
    with the file, what happened and what to do next, and nothing else.
    """

    def __init__(
        self, root: Path, *, before: Hook | None = None, after: Hook | None = None
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self._given = root
        self.counts: Counter[str] = Counter()
        self._before = before
        self._after = after

    # -- looking ---------------------------------------------------------------------------------

    def read(self, path: Path) -> bytes | None:
        """The file's bytes; None if there is no such file."""
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self.explained(error, path) from error

    def where(self, path: Path) -> str:
        """How messages name a path: relative to the vault where it is inside."""
        for root in (self.root, self._given):
            if path.is_relative_to(root):
                return path.relative_to(root).as_posix()
        return str(path)

    def explained(self, error: OSError, path: Path) -> FilesystemError:
        """``error`` in words for a person."""
        what, next = _EXPLAINED.get(
            error.errno or 0,
            (error.strerror or str(error) or type(error).__name__, "check the file and its disk"),
        )
        return FilesystemError(self.where(path), what, next)

    def refusal(self, path: Path) -> Problem | None:
        """Why a note at ``path`` must not be written; None if it may be.

        A link is followed if it stays inside the vault. Replacing one that leaves it, or one name
        of a file that has several, would cut the tie that its owner made.
        """
        where = self.where(path)
        try:
            real = Path(os.path.realpath(path, strict=False))
            if not real.is_relative_to(self.root):
                return Problem(where, "is a link that leaves the vault", "edit the real file")
            found = real.lstat()
        except FileNotFoundError:
            return self._refusal_to_create(path)
        except OSError as error:
            return self.explained(error, path).problem
        if not stat.S_ISREG(found.st_mode):
            return Problem(where, "is not a regular file", "check what is in its place")
        if found.st_nlink > 1:
            return Problem(
                where,
                "has several names (hard links), which a safe write would separate",
                "make it an ordinary file: copy it and rename the copy over it",
            )
        if not found.st_mode & stat.S_IWUSR or not os.access(real, os.W_OK):
            return Problem(where, "is read-only", "make it writable if it may be changed")
        return None

    def _refusal_to_create(self, path: Path) -> Problem | None:
        where = self.where(path)
        if path.is_symlink():
            return Problem(where, "is a link to nothing", "remove the link, or fix it")
        if os.path.lexists(path.with_name(f".{path.name}.icloud")):
            return Problem(where, "is not available locally (iCloud)", "download it first")
        return None

    def closed(self, folder: Path) -> Problem | None:
        """Why nothing can be made in ``folder``, or, where it is missing, in what would hold it."""
        while not os.path.lexists(folder) and folder != folder.parent:
            folder = folder.parent
        if not folder.is_dir():
            return Problem(self.where(folder), "is not a folder", "check what is in its place")
        if os.access(folder, os.W_OK | os.X_OK):
            return None
        where = str(folder) if folder == self.root else self.where(folder)
        what, next_step = _EXPLAINED[errno.EROFS if _is_read_only(folder) else errno.EACCES]
        return Problem(where, f"nothing can be written in this folder: {what}", next_step)

    # -- single steps ----------------------------------------------------------------------------

    def make_folder(self, folder: Path) -> tuple[Path, ...]:
        """Make ``folder`` and its parents; returns those that were missing, outermost first.

        Never the vault itself: one that is missing is not mounted, or was moved.
        """
        missing: list[Path] = []
        while not folder.is_dir():
            if folder == self.root:
                raise FilesystemError(
                    str(folder), "the vault is gone", "check that its drive is still there"
                )
            missing.append(folder)
            folder = folder.parent
        made = tuple(reversed(missing))
        for each in made:
            try:
                self._do("mkdir", each, each.mkdir)
            except FilesystemError as error:
                if not isinstance(error.__cause__, FileExistsError) or not each.is_dir():
                    raise
            self.sync_folder(each.parent)
        return made

    def stage(
        self,
        temp: Path,
        data: bytes,
        *,
        like: Path | None = None,
        mode: int = 0o666,
        sync: bool = True,
    ) -> None:
        """Write and sync a new file; nothing is left of it when that fails.

        ``like`` is the file that it is meant for: errors name that one, and its mode and owner are
        kept where it exists; else ``mode`` under the umask.
        """
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | _flag("O_NOFOLLOW") | _flag("O_BINARY")
        try:
            found = like.stat() if like is not None else None
        except OSError:
            found = None
        first_mode = PRIVATE if found is not None else mode
        fd = self._do("create", temp, lambda: os.open(temp, flags, first_mode), about=like)
        try:
            try:
                if found is not None:
                    self._keep_owner_and_mode(fd, temp, found)
                self._write(fd, temp, data, about=like)
                if sync:
                    self._do("sync", temp, lambda: _sync(fd), about=like)
            finally:
                os.close(fd)
        except FilesystemError:
            self.remove(temp, quietly=True)
            raise

    def _keep_owner_and_mode(self, fd: int, temp: Path, like: os.stat_result) -> None:
        if sys.platform == "win32":
            return
        mine = os.fstat(fd)
        if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
            try:
                self._do("chown", temp, lambda: os.fchown(fd, like.st_uid, like.st_gid))
            except FilesystemError as error:
                if not isinstance(error.__cause__, PermissionError):
                    raise
        mode = stat.S_IMODE(like.st_mode)
        if stat.S_IMODE(mine.st_mode) != mode:
            self._do("chmod", temp, lambda: os.fchmod(fd, mode))

    def _write(self, fd: int, path: Path, data: bytes, about: Path | None = None) -> None:
        rest = memoryview(data)
        while rest:
            written = self._do("write", path, partial(os.write, fd, rest), about=about)
            rest = rest[written:]

    def append(self, path: Path, data: bytes, *, sync: bool = True) -> None:
        """Add ``data`` to the end of an existing file."""
        flags = os.O_APPEND | os.O_WRONLY | _flag("O_NOFOLLOW") | _flag("O_BINARY")
        try:
            fd = os.open(path, flags)
        except OSError as error:
            raise self.explained(error, path) from error
        try:
            self._write(fd, path, data)
            if sync:
                self._do("sync", path, lambda: _sync(fd))
        finally:
            os.close(fd)

    def truncate(self, path: Path, size: int) -> None:
        """Cut a file of ours back to ``size`` bytes, and sync it. Needs no space."""
        flags = os.O_WRONLY | _flag("O_NOFOLLOW") | _flag("O_BINARY")
        try:
            fd = os.open(path, flags)
        except OSError as error:
            raise self.explained(error, path) from error
        try:
            self._do("truncate", path, lambda: os.ftruncate(fd, size))
            self._do("sync", path, lambda: _sync(fd))
        finally:
            os.close(fd)

    def sync_folder(self, folder: Path) -> None:
        """Make the names in ``folder`` durable. Where a system cannot, nothing."""
        if sys.platform == "win32":
            return

        def sync() -> None:
            fd = os.open(folder, os.O_RDONLY)
            try:
                _sync(fd)
            except OSError as error:
                if error.errno not in _NO_FOLDER_SYNC:
                    raise
            finally:
                os.close(fd)

        self._do("sync-folder", folder, sync)

    def remove(self, path: Path, *, quietly: bool = False) -> None:
        """Remove a file of ours; no error when it is gone already, or ``quietly`` at all."""
        try:
            self._do("unlink", path, lambda: path.unlink(missing_ok=True))
        except FilesystemError:
            if not quietly:
                raise

    def remove_folder(self, folder: Path) -> None:
        """Remove a folder that we made, if it is there and nobody put anything into it."""
        try:
            self._do("rmdir", folder, folder.rmdir)
        except FilesystemError:
            return

    def replace(self, source: Path, target: Path) -> None:
        """Rename over whatever stands at ``target``: only for files that are nobody's but ours."""
        self._do("replace", target, lambda: source.replace(target))

    # -- steps that never overwrite what they do not know ------------------------------------------

    def place(self, temp: Path, target: Path, expected: bytes | None) -> bool:
        """Put the staged ``temp`` at ``target``, whose bytes must be ``expected`` (None: no file).

        False, with the target as its owner left it, when they are not. Where the system can swap,
        ``temp`` afterwards holds the file that was there, and a save that falls between the last
        look and the swap is seen and put back.
        """
        if expected is None:
            return self.move(temp, target)
        if self.read(target) != expected:
            return False
        swapped = self.swap(temp, target, expected)
        if swapped is None:
            self.replace(temp, target)
            return True
        return swapped

    def swap(self, temp: Path, target: Path, expected: bytes) -> bool | None:
        """Swap two files if ``target`` then turns out to have held ``expected``, else swap back.

        None where the system cannot swap.
        """
        ours = self.read(temp)
        if not self._exchange(temp, target):
            return None if target.exists() else False
        found = self.read(temp)
        if found == expected:
            return True
        earlier: bytes | None = None
        while True:  # ends when nobody saved between the swap and the look at what came out
            self._exchange(temp, target)
            out = self.read(temp)
            if out in (ours, earlier):
                return False
            earlier, found = found, out

    def move(self, source: Path, target: Path) -> bool:
        """Rename to a free name. Returns False, doing nothing, if the name is taken."""
        return self._rename("rename", source, target, rename.rename_onto_nothing)

    def take(self, target: Path, expected: bytes, to: Path) -> bool:
        """Move a note away to the free name ``to``.

        False, with the note in its place, when its bytes are not ``expected``.
        """
        if self.read(target) != expected:
            return False
        if not self._rename("take", target, to, rename.move_aside):
            return False
        if self.read(to) == expected:
            return True
        self.move(to, target)
        return False

    def _rename(
        self, op: str, source: Path, target: Path, call: Callable[[Path, Path], None]
    ) -> bool:
        try:
            self._do(op, target, lambda: call(source, target))
        except FilesystemError as error:
            if isinstance(error.__cause__, FileExistsError):
                return False
            raise
        return True

    def _exchange(self, temp: Path, target: Path) -> bool:
        try:
            return self._do("swap", target, lambda: rename.exchange(temp, target))
        except FilesystemError as error:
            if isinstance(error.__cause__, FileNotFoundError) and not target.exists():
                return False
            raise

    # -- whole files -----------------------------------------------------------------------------

    def put(
        self,
        path: Path,
        data: bytes,
        *,
        mode: int = PRIVATE,
        sync: bool = True,
        token: str = "",
    ) -> None:
        """Write one of our own files atomically: old or new after a crash, never in between.

        Without ``sync`` that holds for a killed process, not for a power cut. A caller that is
        alone with the file (it holds a lock) gives a ``token`` of its own, so that the next one
        clears away the temporary file of one that was killed.
        """
        self.make_folder(path.parent)
        temp = path.with_name(temp_name(token or os.urandom(6).hex()))
        if token:
            self.remove(temp, quietly=True)
        self.stage(temp, data, like=path, mode=mode, sync=sync)
        try:
            self.replace(temp, path)
        except FilesystemError:
            self.remove(temp, quietly=True)
            raise
        if sync:
            self.sync_folder(path.parent)

    # -- the one gate ----------------------------------------------------------------------------

    def _do(self, op: str, path: Path, call: Callable[[], T], about: Path | None = None) -> T:
        self.counts[op] += 1
        try:
            if self._before is not None:
                self._before(op, path)
            result = call()
            if self._after is not None:
                self._after(op, path)
        except OSError as error:
            raise self.explained(error, about or path) from error
        return result


def _flag(name: str) -> int:
    flag = getattr(os, name, 0)
    return flag if isinstance(flag, int) else 0


def _sync(fd: int) -> None:
    """Down to the platter: macOS' own fsync stops at the drive's cache."""
    if sys.platform != "win32":
        import fcntl

        full = getattr(fcntl, "F_FULLFSYNC", None)
        if full is not None:
            try:
                fcntl.fcntl(fd, full)
                return
            except OSError:
                pass  # a network folder: the ordinary call is all there is
    os.fsync(fd)


def _is_read_only(folder: Path) -> bool:
    """Whether the whole disk that ``folder`` is on is read-only, where the system tells."""
    if sys.platform == "win32":
        return False
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
