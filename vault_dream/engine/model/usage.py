"""What calls cost: tokens as the endpoint counted them, and money where prices are set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vault_dream.engine.errors import SettingsError

MILLION = 1_000_000
_PROMPT_KEYS = ("prompt", "input", "in")
_COMPLETION_KEYS = ("completion", "output", "out")


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls, tokens and wall time. ``estimated``: the endpoint did not count, so we guessed."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
            self.estimated or other.estimated,
        )


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Prices:
    """Money per million tokens, in whatever currency the owner thinks in."""

    prompt: float
    completion: float

    def cost(self, usage: Usage) -> float:
        spent = usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion
        return spent / MILLION


def read_prices(value: Mapping[str, Any], model: str) -> Prices | None:
    """The prices of ``model`` in the setting ``prices``; None where none are set for it.

    Either ``{prompt: 0.5, completion: 2}`` (also ``input``/``output``), or that under the name of
    each model. SettingsError where it is neither.
    """
    if not value:
        return None
    if all(isinstance(part, Mapping) for part in value.values()):
        return read_prices(value[model], model) if model in value else None
    prompt = _price(value, _PROMPT_KEYS)
    completion = _price(value, _COMPLETION_KEYS)
    if prompt is None or completion is None or len(value) != 2:
        raise SettingsError(
            "prices",
            "must give two numbers, prompt and completion, per million tokens",
            "write prices: {prompt: 0.5, completion: 2.0}, or the same under the model's name",
        )
    return Prices(prompt, completion)


def _price(value: Mapping[str, Any], keys: tuple[str, ...]) -> float | None:
    for key in keys:
        number = value.get(key)
        if isinstance(number, int | float) and not isinstance(number, bool) and number >= 0:
            return float(number)
    return None
