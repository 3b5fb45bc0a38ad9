"""What was sent to the model, kept in memory while the app runs: never written anywhere."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KEPT = 4_000_000
"""Characters of requests that are kept; the oldest give way."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A conversation as it was sent last: every message in it left the machine or came back.

    ``about`` is what it was for, a unit's name or a step; ``body`` is the exact body of the last of
    its ``calls``.
    """

    about: str
    purpose: str
    body: Mapping[str, Any]
    calls: int = 1

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        return tuple(self.body.get("messages", ()))

    @property
    def characters(self) -> int:
        """Characters of all texts in it."""
        return sum(len(text_of(message)) for message in self.messages)


class SentLog:
    """The requests of this session, oldest first. Stateful; used from several threads.

    A request that only goes on with the conversation before it takes its place.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._sent: list[Sent] = []
        self._lock = threading.Lock()

    def add(self, about: str, purpose: str, body: Mapping[str, Any]) -> None:
        """Keep a request that is about to be sent."""
        new = Sent(about, purpose, dict(body))
        with self._lock:
            last = self._sent[-1] if self._sent else None
            if last is not None and _goes_on(last, new):
                self._sent[-1] = Sent(about, purpose, new.body, last.calls + 1)
            else:
                self._sent.append(new)
            total = sum(each.characters for each in self._sent)
            while total > self._kept and len(self._sent) > 1:
                total -= self._sent.pop(0).characters

    @property
    def all(self) -> tuple[Sent, ...]:
        """All that are kept."""
        with self._lock:
            return tuple(self._sent)


def _goes_on(last: Sent, new: Sent) -> bool:
    """Whether ``new`` repeats all messages of ``last``, and perhaps says more."""
    before, now = last.messages, new.messages
    same = (last.about, last.purpose) == (new.about, new.purpose)
    return same and now[: len(before)] == before


def text_of(message: Mapping[str, Any]) -> str:
    """What a message says: its content, and the tools it calls."""
    content = message.get("content")
    words = [content if isinstance(content, str) else "" if content is None else str(content)]
    for call in message.get("tool_calls") or ():
        function = call.get("function", {})
        words.append(f"{function.get('name', '')} {function.get('arguments', '')}")
    return "\n".join(word for word in words if word)
