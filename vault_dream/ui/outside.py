"""What the app asks of the world outside: an editor, Obsidian, the clipboard."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from vault_dream.engine.errors import VaultDreamError

WINDOWED = frozenset({"code", "codium", "subl", "zed", "gedit", "kate", "gvim", "mate", "atom"})
"""Editors with windows of their own: they return at once unless they are told to wait."""


class Outside:
    """Launches programs. Stateless; tests put their own in its place."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ

    def edit(
        self, text: str, name: str, suspend: Callable[[], AbstractContextManager[None]]
    ) -> str:
        """``text`` as the person's editor leaves it; :class:`VaultDreamError` without one."""
        command = self._editor()
        with tempfile.TemporaryDirectory(prefix="vault-dream-") as folder:
            file = Path(folder) / f"{name[:80] or 'node'}.md"
            file.write_bytes(text.encode("utf-8"))
            try:
                with suspend():
                    done = subprocess.run([*command, str(file)], check=False)
            except OSError as error:
                raise VaultDreamError(
                    command[0], f"it cannot be started ({error.strerror})", "set EDITOR"
                ) from None
            if done.returncode:
                raise VaultDreamError(
                    command[0], "it ended with an error; nothing was changed", "try e"
                )
            return file.read_bytes().decode("utf-8", "replace")

    def _editor(self) -> list[str]:
        given = self._environ.get("VISUAL") or self._environ.get("EDITOR") or ""
        command = shlex.split(given)
        if not command:
            raise VaultDreamError("EDITOR", "no editor is set", "set EDITOR, or press e")
        if Path(command[0]).name in WINDOWED and "--wait" not in command and "-w" not in command:
            command.append("--wait" if Path(command[0]).name != "gvim" else "-f")
        return command

    def open(self, address: str, opener: Callable[[str], None]) -> None:
        """Open an ``obsidian://`` address."""
        opener(address)
