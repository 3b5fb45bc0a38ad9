"""What installing touches of this machine: a few files of the user's, and the scheduler's tool."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, Problem

PATIENCE = 60
"""Seconds that a scheduler's tool is given."""


@dataclass(frozen=True, slots=True)
class Said:
    """How a tool ended and what it said."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of a schedule. ``where`` is the file that holds it, or what does."""

    where: str
    text: str


@dataclass
class Done:
    """What was done, in words, and what could not be. Stateful: grows as it is done."""

    steps: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Machine:
    """This user's home and this system's tools. Changes both, and nothing else does."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self.environ = os.environ if environ is None else environ
        self.home = Path(self.environ.get("HOME") or Path.home())

    def has(self, tool: str) -> bool:
        return self._which(tool) is not None

    def call(self, tool: str, *arguments: str, given: bytes | None = None) -> Said:
        """Run a tool. One that is missing, hangs or cannot be started ends with code 127."""
        found = self._which(tool)
        if found is None:
            return Said(127, b"", f"{tool} is not on this machine")
        try:
            done = subprocess.run(
                [found, *arguments],
                input=given if given is not None else b"",
                capture_output=True,
                timeout=PATIENCE,
                env={**self.environ, "LC_ALL": "C"},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Said(127, b"", f"{tool} could not be run ({error})")
        return Said(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())

    def write(self, file: Path, data: bytes, done: Done) -> None:
        """Put ``data`` into ``file``, in one step. Raises :class:`FilesystemError`."""
        try:
            if file.is_file() and file.read_bytes() == data:
                done.steps.append(f"{file} is as it should be")
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f".{file.name}.part")
            part.write_bytes(data)
            part.replace(file)
        except OSError as error:
            raise _unwritable(file, error) from None
        done.steps.append(f"wrote {file}")

    def remove(self, file: Path, done: Done) -> bool:
        """Take ``file`` away; whether it was there. Raises :class:`FilesystemError`."""
        try:
            file.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _unwritable(file, error) from None
        done.steps.append(f"removed {file}")
        return True

    def _which(self, tool: str) -> str | None:
        return shutil.which(tool, path=self.environ.get("PATH"))


def _unwritable(file: Path, error: OSError) -> FilesystemError:
    return FilesystemError(
        str(file), f"it cannot be written ({error.strerror})", "check its permissions"
    )
