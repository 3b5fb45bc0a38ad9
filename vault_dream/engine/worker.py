"""An event loop in a thread of its own, so that callers stay synchronous and can cancel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

T = TypeVar("T")

_PATIENCE = 1.0  # seconds for what is left to come to its end


class Worker:
    """Runs coroutines one after another. Stateful: owns a thread from the first use to
    ``close``.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._current: Future[Any] | None = None

    def run(
        self, work: Coroutine[Any, Any, T], *, cancelled: Callable[[], bool] = lambda: False
    ) -> T:
        """The result of ``work``; what it raises is raised here. An interrupt cancels it.

        ``cancelled`` says whether somebody wanted it cancelled before ``cancel`` could reach it.
        """
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="vault-dream-model", daemon=True
            )
            self._thread.start()
        self._current = future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            if cancelled():
                future.cancel()
            return future.result()
        except BaseException:
            future.cancel()
            raise
        finally:
            self._current = None

    def cancel(self) -> None:
        """Cancel what runs now, from any thread; ``run`` then raises ``CancelledError``."""
        if (future := self._current) is not None:
            future.cancel()

    @property
    def started(self) -> bool:
        """Whether anything ran here yet."""
        return self._loop is not None

    def close(self) -> None:
        """End the thread, when what was left open in it is closed."""
        if self._loop is None or self._thread is None:
            return
        try:
            self.run(_close_generators())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None


async def _close_generators() -> None:
    """Let the loop finish the generators that nobody reads any more, those of a stream's pieces."""
    import asyncio

    await asyncio.sleep(0)  # one that was thrown away has only asked for it yet
    await asyncio.get_running_loop().shutdown_asyncgens()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        await asyncio.wait(left, timeout=_PATIENCE)
