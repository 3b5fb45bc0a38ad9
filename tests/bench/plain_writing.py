"""What a commit is measured against: one file, written so that no power cut can spoil it."""

from __future__ import annotations

import os
from pathlib import Path


def write_plainly(target: Path, data: bytes) -> None:
    """Write a file beside ``target``, put it in its place, and wait for the disk."""
    temp = target.with_name(".temp")
    with temp.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temp.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
