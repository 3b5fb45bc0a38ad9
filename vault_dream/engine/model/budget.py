"""Ceilings of one run and what has been spent under them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from vault_dream.engine.errors import BudgetError
from vault_dream.engine.model.usage import Usage

DEFAULT_TURNS = 12
REMOTE_SECONDS = 2 * 3600
LEAST_ANSWER = 128
"""Tokens below which asking for an answer is a waste of the prompt."""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Limits of one run; 0 means none. ``turns`` is per unit."""

    calls: int = 0
    tokens: int = 0
    seconds: int = 0
    turns: int = DEFAULT_TURNS


def derive_ceilings(
    *, calls: int, tokens: int, seconds: int, turns: int, units: int, local: bool
) -> Ceilings:
    """The ceilings that the settings mean, where a 0 is derived.

    Turns: 12. Calls: enough for ``units`` units that use all their turns three times over (retries
    and repairs included), so that only a run gone wrong meets it. Seconds: two hours, and none for
    a local endpoint, which may take all night. Tokens are never derived: 0 is none.
    """
    turns = turns or DEFAULT_TURNS
    return Ceilings(
        calls=calls or 40 + 3 * turns * max(units, 1),
        tokens=tokens,
        seconds=seconds or (0 if local else REMOTE_SECONDS),
        turns=turns,
    )


class Spending:
    """What a run has spent, by label (a unit, a step). Stateful; counts from its making on."""

    def __init__(
        self, ceilings: Ceilings | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.ceilings = ceilings or Ceilings()
        self.by_label: dict[str, Usage] = {}
        self._clock = clock
        self._start = clock()

    @property
    def total(self) -> Usage:
        return sum(self.by_label.values(), Usage())

    @property
    def seconds(self) -> float:
        """Wall time since the run began, waiting included."""
        return self._clock() - self._start

    def now(self) -> float:
        return self._clock()

    def add(self, label: str, usage: Usage) -> None:
        self.by_label[label] = self.by_label.get(label, Usage()) + usage

    def tokens_left(self) -> int | None:
        ceiling = self.ceilings.tokens
        return max(0, ceiling - self.total.tokens) if ceiling else None

    def seconds_left(self) -> float | None:
        ceiling = self.ceilings.seconds
        return max(0.0, ceiling - self.seconds) if ceiling else None

    def check(self, prompt_tokens: int = 0, wait: float = 0.0) -> None:
        """Before a call, with what it is about to send and how long it must wait first.

        BudgetError where a ceiling is reached or this call would pass it.
        """
        ceilings = self.ceilings
        if ceilings.calls and self.total.calls >= ceilings.calls:
            raise _spent("calls", f"{ceilings.calls} calls were made")
        tokens = self.tokens_left()
        if tokens is not None and tokens < prompt_tokens + LEAST_ANSWER:
            raise _spent(
                "tokens",
                f"{self.total.tokens} of {ceilings.tokens} tokens are used "
                f"and the next call needs about {prompt_tokens + LEAST_ANSWER}",
            )
        seconds = self.seconds_left()
        if seconds is not None and seconds <= wait:
            raise _spent("seconds", f"{self.seconds:.0f} of {ceilings.seconds} seconds are used")

    def out_of_time(self) -> BudgetError:
        """What to raise when a call was stopped because its run's time was up."""
        return _spent("seconds", f"the {self.ceilings.seconds} seconds of this run are used")


def _spent(key: str, what: str) -> BudgetError:
    return BudgetError(
        f"budget: {key}",
        what,
        f"finished work is kept and the rest is pending; raise budget.{key} for more in one run",
    )
