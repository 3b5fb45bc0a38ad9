"""JSON files that another program wrote: read within bounds, never an exception."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class JsonFile:
    """``value`` is None where the file is missing, empty or ``null``; ``problem`` if unreadable."""

    value: object = None
    problem: str = ""
    exists: bool = False


def read_json(path: Path) -> JsonFile:
    """The value in a JSON file. Opens regular files only, and none larger than MAX_BYTES."""
    import json

    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return JsonFile(problem="it is not a regular file", exists=True)
        if status.st_size > MAX_BYTES:
            return JsonFile(problem="it is too large", exists=True)
        raw = path.read_bytes()
    except FileNotFoundError:
        return JsonFile()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return JsonFile(problem=f"it cannot be read: {reason}", exists=True)
    if not raw.strip(b"\0 \t\r\n"):
        return JsonFile(problem="it is empty; it may still be syncing", exists=True)
    try:
        return JsonFile(json.loads(raw.decode("utf-8-sig")), exists=True)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        where = f" (line {line})" if line else ""
        return JsonFile(problem=f"it is not valid JSON{where}", exists=True)
