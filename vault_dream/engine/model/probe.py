"""What an endpoint can really do, found out by asking it: for ``doctor``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_dream.engine.errors import BudgetError, Problem, VaultDreamError
from vault_dream.engine.model.answers import Shape, ask
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.context import ContextSize, learn_context
from vault_dream.engine.model.errors import AnswerError, ContextError
from vault_dream.engine.model.tokens import estimate_tokens
from vault_dream.engine.model.wire import OnProgress

CALLS = 3
CANARY_TOKENS = 12_000
"""The longest prompt that the canary sends, unless a longer one is asked for."""

_COUNT = Shape(
    "colours",
    {
        "type": "object",
        "properties": {
            "colours": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 2}
        },
        "required": ["colours"],
        "additionalProperties": False,
    },
    "The colours that the text names.",
)
_WORDS = Shape(
    "words",
    {
        "type": "object",
        "properties": {"first": {"type": "string"}, "last": {"type": "string"}},
        "required": ["first", "last"],
        "additionalProperties": False,
    },
    "The two secret words.",
)
_TEXT = "The gate is green, the roof is red and the van is blue. Which colours are named here?"
_LINE = "On day {n} the oven was lit at five, the bread was out by seven, and nobody was late.\n"
FIRST, LAST = "heron", "juniper"


@dataclass(frozen=True, slots=True)
class Probe:
    """``latencies``: seconds of each structured call that worked, of ``calls``. ``empties``: calls
    that needed a second, larger one. ``mode``: how answers are asked for, '' where none worked.

    ``context`` is what the endpoint says; ``read_whole`` the longest prompt that was seen to arrive
    whole, in tokens as the endpoint counts; ``cut`` what was read of one that did not.
    ``problems`` are for people; empty means all is well.
    """

    calls: int
    latencies: tuple[float, ...]
    mode: str
    empties: int
    repairs: int
    context: ContextSize
    read_whole: int
    cut: bool
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


async def probe(
    client: ChatClient,
    *,
    known_context: int = 0,
    canary_tokens: int = CANARY_TOKENS,
    on_progress: OnProgress | None = None,
) -> Probe:
    """Make three structured calls and one with a long prompt, and say what came of them.

    Raises NoModelError where the endpoint cannot be used at all, and BudgetError.
    """
    context = await learn_context(client, known_context)
    latencies: list[float] = []
    empties = repairs = 0
    mode = ""
    problems: list[Problem] = []
    messages = ({"role": "user", "content": _TEXT},)
    for _ in range(CALLS):
        before = client.spending.now()
        try:
            answer = await ask(
                client, messages, _COUNT, label="doctor", purpose="doctor", on_progress=on_progress
            )
        except AnswerError as error:
            problems.append(error.problem)
            continue
        latencies.append(client.spending.now() - before)
        empties += answer.enlarged
        repairs += answer.repaired
        mode = answer.mode
    read_whole, cut, problem = await _canary(client, context, canary_tokens, on_progress)
    if problem is not None:
        problems.append(problem)
    return Probe(
        CALLS, tuple(latencies), mode, empties, repairs, context, read_whole, cut, tuple(problems)
    )


async def _canary(
    client: ChatClient, context: ContextSize, most: int, on_progress: OnProgress | None
) -> tuple[int, bool, Problem | None]:
    """Two words, at the two ends of a long prompt, that only a model that read it all knows."""
    size = min(most, context.tokens * 3 // 4)
    prompt = canary_prompt(size, estimate_tokens)
    messages = ({"role": "user", "content": prompt},)
    try:
        answer = await ask(
            client,
            messages,
            _WORDS,
            label="doctor",
            purpose="doctor canary",
            max_tokens=min(2048, max(256, context.tokens // 8)),
            on_progress=on_progress,
        )
    except BudgetError:
        raise
    except ContextError as error:
        return 0, True, error.problem
    except VaultDreamError as error:
        return 0, False, error.problem
    said = (answer.value["first"].strip().lower(), answer.value["last"].strip().lower())
    read = answer.usage.prompt_tokens // max(1, answer.calls)
    if FIRST in said[0] and LAST in said[1]:
        return read, False, None
    problem = Problem(
        client.endpoint.where,
        f"of a prompt of about {read} tokens the model did not know "
        + ("the beginning" if FIRST not in said[0] else "the end"),
        f"set context_tokens below {read}, or give the server a larger context",
    )
    return 0, FIRST not in said[0], problem


def canary_prompt(tokens: int, estimate: Callable[[str], int]) -> str:
    """About ``tokens`` of dull text between two secret words."""
    head = f"The first secret word is {FIRST}. Remember it.\n\n"
    tail = (
        f"\nThe last secret word is {LAST}. Which are the first and the last secret word? "
        "Answer with the two words only."
    )
    each = estimate(_LINE.format(n=100))
    count = max(1, (tokens - estimate(head) - estimate(tail)) // each)
    return head + "".join(_LINE.format(n=n) for n in range(1, count + 1)) + tail
