"""Schedulers' tools as scripts of a few lines, which write down how they were called."""

from __future__ import annotations

from pathlib import Path

CRONTAB = """#!/bin/sh
echo "crontab $*" >>"{calls}"
case "$1" in
  -l) [ -f "{table}" ] || {{ echo "no crontab for ada" >&2; exit 1; }}; exec /bin/cat "{table}" ;;
  -) exec /bin/cat >"{table}" ;;
esac
exit 2
"""
PLAIN = """#!/bin/sh
printf "%s\\n" "{name} $*" >>"{calls}"
{more}
"""


class Tools:
    """A folder for PATH. Stateful: it is on disk."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        self._calls = folder / "calls"
        self.table = folder / "table"

    def add(self, name: str, more: str = "") -> None:
        """A tool that does ``more``, and succeeds where that does."""
        self._script(name, PLAIN.format(name=name, calls=self._calls, more=more))

    def add_crontab(self) -> None:
        self._script("crontab", CRONTAB.format(calls=self._calls, table=self.table))

    @property
    def calls(self) -> list[str]:
        """How the tools were called since the last look."""
        found = self._calls.read_text().splitlines() if self._calls.exists() else []
        self._calls.unlink(missing_ok=True)
        return found

    def _script(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)
