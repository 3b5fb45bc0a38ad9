"""How each system renames without overwriting, and swaps two files in one step.

Python's ``os.replace`` overwrites whatever stands at the target at that instant, so a note that its
owner saves between our last look and our replace would be lost. Linux (``renameat2``) and macOS
(``renamex_np``) can instead swap two names, after which the file that was there can still be looked
at, and can rename only onto a free name.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}
_AT_FDCWD = -100


@cache
def _system_rename() -> Callable[[bytes, bytes, bool], int] | None:
    """``rename(source, target, swap)`` → errno (0 when done); None where there is no such call."""
    if sys.platform == "win32":
        return None
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        darwin = getattr(libc, "renamex_np", None)
        if darwin is None:
            return None

        def rename_darwin(source: bytes, target: bytes, swap: bool) -> int:
            return ctypes.get_errno() if darwin(source, target, 2 if swap else 4) else 0

        return rename_darwin

    linux = getattr(libc, "renameat2", None)
    if linux is None:
        return None

    def rename_linux(source: bytes, target: bytes, swap: bool) -> int:
        failed = linux(_AT_FDCWD, source, _AT_FDCWD, target, 2 if swap else 1)
        return ctypes.get_errno() if failed else 0

    return rename_linux


def _renamed(source: Path, target: Path, *, swap: bool) -> bool:
    """True when done, False where this system or file system cannot; OSError otherwise."""
    rename = _system_rename()
    if rename is None:
        return False
    code = rename(os.fsencode(source), os.fsencode(target), swap)
    if code in _UNSUPPORTED:
        return False
    if code:
        raise OSError(code, os.strerror(code), str(source), None, str(target))
    return True


def exchange(one: Path, other: Path) -> bool:
    """Swap two files in one step. False, with nothing done, where the system cannot."""
    return _renamed(one, other, swap=True)


def rename_onto_nothing(source: Path, target: Path) -> None:
    """Rename onto a free name. FileExistsError, with nothing done, when the name is taken.

    Where the system has no such call, a hard link does the same; where it has no links either, a
    look before the rename must do.
    """
    if _renamed(source, target, swap=False):
        return
    if sys.platform == "win32":
        source.rename(target)  # Windows never overwrites here
        return
    try:
        target.hardlink_to(source)
    except FileExistsError:
        raise
    except OSError:
        move_aside(source, target)
    else:
        source.unlink()


def move_aside(source: Path, target: Path) -> None:
    """Rename a file of the owner's to a free name that we chose. FileExistsError when it is taken.

    Unlike :func:`rename_onto_nothing` it never removes ``source`` by name, because its owner may
    put a new file there at any moment.
    """
    if _renamed(source, target, swap=False):
        return
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    source.rename(target)
