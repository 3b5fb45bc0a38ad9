"""Watching which files of a vault change while a program stays open."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Self


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon changes are told, in milliseconds: once it was quiet for so long (a file is often
    written in several steps), at the latest after ``longest``. Each ``quiet`` costs a stir."""

    quiet: int = 30
    longest: int = 150
    look: int = 100


AT_ONCE = Pace()
AT_LEISURE = Pace(quiet=1_000, longest=5_000, look=1_000)


class Watcher:
    """Tells ``changed`` the vault paths of files that were written, made, moved or deleted.

    Stateful: a thread of its own from ``start`` to ``stop``, in which ``changed`` is called. Dot
    files and dot folders are not there, as in a listing. ``problem`` says why it no longer watches.
    """

    def __init__(
        self, root: Path, changed: Callable[[frozenset[str]], object], pace: Pace = AT_ONCE
    ) -> None:
        self._root = os.path.realpath(root)
        self._changed = changed
        self._pace = pace
        self.problem = ""
        self._stop = Event()
        self._ready = Event()
        self._thread = Thread(target=self._watch, name="watcher", daemon=True)

    def start(self) -> Self:
        """Start watching; once this returns, no later change is missed."""
        self._thread.start()
        self._ready.wait(timeout=5)
        return self

    def stop(self) -> None:
        """Stop, once the ``changed`` call in progress is done."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def _watch(self) -> None:
        try:
            self._follow()
        except (OSError, RuntimeError) as error:  # no folder, or no more watches to be had
            self.problem = str(error) or type(error).__name__
        finally:
            self._ready.set()

    def _follow(self) -> None:
        from watchfiles import watch

        changes = watch(
            self._root,
            watch_filter=None,
            debounce=self._pace.longest,
            step=self._pace.quiet,
            rust_timeout=self._pace.look,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for found in changes:
            self._ready.set()  # the first comes when all folders are watched, changes or not
            names = {below for _, name in found for below in _with_files(name)}
            paths = frozenset(path for name in names if (path := self._vault_path(name)))
            if paths and not self._stop.is_set():
                self._changed(paths)

    def _vault_path(self, name: str) -> str:
        """The vault path of a file, '' for one that is no part of the vault."""
        if not name.startswith(self._root + os.sep):
            return ""
        path = name[len(self._root) + 1 :].replace(os.sep, "/")
        hidden = any(part.startswith(".") for part in path.split("/"))
        return "" if hidden else unicodedata.normalize("NFC", path)


def _with_files(name: str) -> Iterator[str]:
    """A path, and the files below it: what is put into a new folder before that is watched is told
    by the folder alone."""
    yield name
    for folder, _, files in os.walk(name):  # nothing where it is no folder
        yield from (os.path.join(folder, file) for file in files)  # noqa: PTH118 - as it came
