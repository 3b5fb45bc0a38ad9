"""What a program that stays says: one line for each event, for a person or for a machine."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from vault_dream.engine.errors import FilesystemError
from vault_dream.summary import printable

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Line:
    """One event. ``event`` is its kind, a word that never changes; ``more`` is for machines."""

    at: datetime
    level: Level
    event: str
    text: str
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_text(self) -> str:
        at = self.at.isoformat(timespec="seconds")
        words = " ".join(printable(self.text).split())
        return f"{at} {self.level:<7} {self.event}: {words}"

    def as_json(self) -> str:
        value = {
            **self.more,
            "at": self.at.isoformat(timespec="seconds"),
            "level": self.level,
            "event": self.event,
            "text": self.text,
        }
        return json.dumps(value, sort_keys=True)


class Log:
    """Writes lines of at least ``level`` to ``stream`` and ``file``. Stateful: ``lines`` counts.

    The file is opened for each line, so that it may be moved away by whoever rotates logs. Raises
    :class:`FilesystemError` where it cannot be written at the start; what fails later is left out.
    """

    def __init__(
        self,
        now: Callable[[], datetime],
        *,
        stream: TextIO | None,
        file: Path | None = None,
        as_json: bool = False,
        level: Level = "info",
    ) -> None:
        self._now = now
        self._stream = stream
        self._file = file
        self._as_json = as_json
        self._least = LEVELS.index(level)
        if file is not None:
            try:
                self._append(file, "")
            except OSError as error:
                raise FilesystemError(
                    str(file), f"the log cannot be written ({error.strerror})", "choose another"
                ) from None

    def say(self, level: Level, event: str, text: str, **more: Any) -> None:
        """Write one line."""
        if LEVELS.index(level) < self._least:
            return
        line = Line(self._now(), level, event, text, more)
        words = line.as_json() if self._as_json else line.as_text()
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._append(self._file, words + "\n")
        if self._stream is not None:
            with contextlib.suppress(OSError, ValueError):
                self._stream.write(words + "\n")
                self._stream.flush()

    @staticmethod
    def _append(file: Path, words: str) -> None:
        with file.open("a", encoding="utf-8", errors="backslashreplace") as out:
            out.write(words)
