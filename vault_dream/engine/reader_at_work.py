"""A reader at work: run, watched, stopped on request, its faults told as our own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from vault_dream.engine.dream.arguments import speakable
from vault_dream.engine.dream.reader import Connected, Heard, Reader, Watched
from vault_dream.engine.errors import ReaderError, VaultDreamError
from vault_dream.engine.events import Answering, Event
from vault_dream.engine.worker import Worker

T = TypeVar("T")


class Stopped(VaultDreamError):
    """The run was cancelled."""


class ReaderAtWork:
    """Asks a reader for one thing after another. Stateful: it can be cancelled, and begun again.

    ``tell`` hears what a watched reader is doing.
    """

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._worker = Worker()
        self._cancelled = False

    def begin(self) -> None:
        """Forget an earlier cancel."""
        self._cancelled = False

    def cancel(self) -> None:
        """Stop the reader's work; callable from any thread."""
        self._cancelled = True
        self._worker.cancel()

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def run(self, reader: Reader | None, work: Coroutine[Any, Any, T]) -> T:
        """The result of ``work``, which asks ``reader``; raises :class:`Stopped` once this is
        cancelled, and :class:`ReaderError` where the reader breaks.
        """
        stopped = Stopped("run", "stopped before it was finished", "run again to continue")
        if self._cancelled:
            work.close()
            raise stopped
        if isinstance(reader, Watched):
            reader.watch(self._heard)
        try:
            return self._worker.run(work, cancelled=lambda: self._cancelled)
        except CancelledError:
            raise stopped from None
        except VaultDreamError:
            raise
        except Exception as error:
            # A reader is foreign code: its fault costs what it was asked for, not the run.
            what = f"the reader broke: {type(error).__name__}: {error}".rstrip(": ")
            raise ReaderError("reader", speakable(what), "it will be tried again") from error

    def close(self, reader: Reader | None) -> None:
        """Release the connections of ``reader`` and the thread."""
        if self._worker.started and isinstance(reader, Connected):
            self._worker.run(reader.close())
        self._worker.close()

    def _heard(self, heard: Heard) -> None:
        self._tell(
            Answering(heard.label, heard.state, heard.characters, heard.seconds, heard.reason)
        )
