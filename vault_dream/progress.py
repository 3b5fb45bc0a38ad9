"""Progress on stderr: one line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.events import (
    Answering,
    Committed,
    DayBegun,
    Event,
    Extracted,
    Extracting,
    Integrated,
    Integrating,
    Scanned,
    Sending,
    Tagged,
    TopicsFound,
)
from vault_dream.summary import count, printable


def describe(event: Event) -> str:
    """What an event means, in a line."""
    match event:
        case Scanned(scanned, changed, fresh):
            return f"{count(scanned, 'note')} read, {changed} changed, {fresh} with something new"
        case DayBegun(number, total, day):
            return f"day {number} of {total}: {day.isoformat()}"
        case Sending(host, model, notes, characters):
            return (
                f"first request to {host} ({model}): {count(notes, 'note')}, "
                f"{characters:,} characters"
            )
        case Extracting(sources, tokens, calls, cost):
            about = f"looking for what is worth keeping in {count(sources, 'note')}"
            if tokens:
                about += f" (about {tokens:,} tokens in {count(calls, 'call')}"
                about += ")" if cost is None else f", {cost:.2f})"
            return about
        case Extracted(names):
            return f"{count(len(names), 'thing')} worth keeping"
        case Integrating(number, total, name):
            return f"{number}/{total} {name}"
        case Answering(label, "waiting", _, seconds, reason):
            return f"{label}: {reason}; trying again in {seconds:.0f} s"
        case Answering(label, state, characters):
            return f"{label}: {state}" + (f", {characters:,} characters" if characters else "")
        case Integrated(number, total, name, action, target, failure, _, so_far):
            counted = f" ({so_far:,} tokens so far)" if so_far else ""
            return f"{number}/{total} {name}: {failure or f'{action} {target}'}{counted}"
        case Committed(landed, stale):
            written = [f"{count(len(landed), 'change')} written"] if landed else []
            return ", ".join((*written, *([f"{len(stale)} went stale"] if stale else [])))
        case Tagged(path, tags, failure):
            return f"{path}: {failure or ', '.join(tags)}"
        case TopicsFound(path, titles):
            return f"{count(len(titles), 'new topic')} for {path}"
    return ""


def is_passing(event: Event) -> bool:
    """Whether an event only says how far an answer has come: that is for a line that changes."""
    return isinstance(event, Answering) and event.state != "waiting"


def _one_line(text: str) -> str:
    """As much of ``text`` as one line of the terminal holds; a longer one could not be cleared."""
    from rich.cells import chop_cells

    room = min(100, shutil.get_terminal_size().columns - 1)
    return chop_cells(text, max(1, room))[0] if text else ""


class Progress:
    """Shows events. Stateful: remembers whether the terminal's line is to be cleared."""

    def __init__(
        self, *, quiet: bool = False, file: str | None = None, stream: IO[str] | None = None
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._quiet = quiet
        self._line = not quiet and self._stream.isatty()
        self._file: IO[str] | None = None
        if file is not None:
            try:
                self._file = Path(file).open("a", encoding="utf-8")  # noqa: SIM115
            except OSError as error:
                raise FilesystemError(
                    file, f"the log cannot be written ({error.strerror})", "choose another file"
                ) from None

    def show(self, event: Event) -> None:
        """Show one event, wherever it is to be shown."""
        text = printable(describe(event))
        passing = is_passing(event)
        if not text or (passing and not self._line):
            return
        if self._file is not None and not passing:
            self._file.write(text + "\n")
            self._file.flush()
        if self._quiet:
            return
        with suppress(OSError):
            line = self._line and not isinstance(event, Sending)  # that one stays
            clear = "\r\x1b[2K" if self._line else ""
            self._stream.write(f"{clear}{_one_line(text)}" if line else f"{clear}{text}\n")
            self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._line:
            with suppress(OSError):
                self._stream.write("\r\x1b[2K")
                self._stream.flush()
        if self._file is not None:
            self._file.close()
