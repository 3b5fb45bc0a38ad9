"""A bounded conversation in which the model calls tools until it hands in a receipt.

Every fault of a call goes back to the model in words; the same call over and over is told so and
then ended. What the tools did is the caller's to judge: the loop never says that work succeeded.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from vault_dream.engine.errors import BudgetError, VaultDreamError
from vault_dream.engine.model.answers import Shape
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.conversation import Conversation
from vault_dream.engine.model.dialects import calls_in_text, known_name, read_arguments
from vault_dream.engine.model.errors import AnswerError, UnsupportedError
from vault_dream.engine.model.json_text import find_json, parse_json
from vault_dream.engine.model.refusals import refuses
from vault_dream.engine.model.schema import coerce, flaws
from vault_dream.engine.model.usage import NOTHING, Usage
from vault_dream.engine.model.wire import (
    DEFAULT_ANSWER_TOKENS,
    Message,
    OnProgress,
    Reply,
    Request,
    ToolCall,
)

MOST_REPEATS = 3
"""The same call with the same outcome this often ends the conversation."""
MOST_PARALLEL = 16
"""Calls of one turn that are carried out; the others are told to wait."""
MOST_NUDGES = 2
"""Turns without any call that are answered with a reminder."""
LARGER = 4

Ended = Literal["receipt", "turns", "repeats", "silent", "refused", "empty"]


class ToolRefusal(Exception):
    """A tool declines; the message tells the model what to do instead."""


@dataclass(frozen=True, slots=True)
class Tool:
    """``call`` takes the checked arguments and returns what the model is told (JSON, or text).

    ``changes``: an identical call that succeeded is not carried out again.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[Mapping[str, Any]], object | Awaitable[object]]
    changes: bool = False

    @property
    def declared(self) -> dict[str, Any]:
        """The tool as the API takes it."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Step:
    """One call that the model made, and what it was told; ``ok``: the tool did it."""

    turn: int
    tool: str
    arguments: str
    told: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Conversed:
    """How a conversation ended. ``receipt`` fits its shape, or is None and ``problem`` says why.

    Work that tools staged before an end without a receipt is the caller's to keep or drop.
    """

    receipt: Any | None
    ended: Ended
    problem: str
    turns: int
    steps: tuple[Step, ...]
    usage: Usage

    def require(self, where: str) -> Any:
        """The receipt. AnswerError where there is none."""
        if self.receipt is None:
            raise AnswerError(
                where, self.problem, "the unit is tried again next time; a larger model helps"
            )
        return self.receipt


async def converse(
    client: ChatClient,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    receipt: Shape,
    *,
    max_turns: int = 0,
    label: str = "",
    purpose: str = "integrate",
    max_tokens: int = DEFAULT_ANSWER_TOKENS,
    refusals: tuple[type[Exception], ...] = (ToolRefusal,),
    earlier: Sequence[Step] = (),
    on_progress: OnProgress | None = None,
) -> Conversed:
    """Let the model work with ``tools`` until it calls the one that ``receipt`` describes.

    ``max_turns`` 0 means the ceiling of the client's spending. ``refusals`` are the exceptions by
    which tools decline; those of the VaultDreamError family decline too, but for BudgetError.
    ``earlier`` are the steps of a conversation that this one goes on from: what they changed is not
    changed again.
    Raises UnsupportedError where the endpoint or the model takes no tools (structured answers are
    for those), BudgetError, and whatever :meth:`ChatClient.chat` raises besides.
    """
    conversation = Conversation(messages, client)
    loop = _Loop(client, conversation, tools, receipt, refusals, earlier)
    turns = max_turns or client.spending.ceilings.turns
    request = Request((), label=label, purpose=purpose, max_tokens=max_tokens)
    return await loop.run(request, turns, on_progress)


class _Loop:
    """One conversation. Stateful: what was said and done so far."""

    def __init__(
        self,
        client: ChatClient,
        conversation: Conversation,
        tools: Sequence[Tool],
        receipt: Shape,
        refusals: tuple[type[Exception], ...],
        earlier: Sequence[Step],
    ) -> None:
        self._client = client
        self._conversation = conversation
        self._tools = {tool.name: tool for tool in tools}
        self._shape = receipt
        self._refusals = refusals
        self._earlier = tuple(earlier)
        finish = Tool(
            receipt.name,
            receipt.description or "Call this last, alone, when the work is done.",
            receipt.schema,
            lambda _: None,
        )
        self._known = (*self._tools, receipt.name)
        self._declared = (*(tool.declared for tool in tools), finish.declared)
        self._steps: list[Step] = []
        self._outcomes: dict[str, tuple[str, int]] = {}
        self._usage = NOTHING
        self._turn = 0
        self._nudges = 0
        self._enlarged = False
        self._called = False

    async def run(
        self, request: Request, max_turns: int, on_progress: OnProgress | None
    ) -> Conversed:
        while self._turn < max_turns:
            self._turn += 1
            reply = await self._reply(request, on_progress)
            if reply.refusal or reply.filtered:
                words = reply.refusal or reply.finish
                return self._end("refused", f"the model refused: {words[:200]}")
            if reply.cut and not self._enlarged:
                self._enlarged = True
                larger = request.max_tokens * LARGER
                request = replace(request, max_tokens=larger)
                if reply.empty:
                    continue
            ended = await self._hear(reply)
            if ended is not None:
                return ended
            left = max_turns - self._turn
            if left in (1, 3):
                self._conversation.say(
                    f"{left} more {'turns' if left > 1 else 'turn'}; then call {self._shape.name}."
                )
        return self._end("turns", f"the model did not finish within {max_turns} turns")

    async def _reply(self, request: Request, on_progress: OnProgress | None) -> Reply:
        asked = Request(
            self._conversation.fitting(request.max_tokens, self._declared),
            request.label,
            request.purpose,
            request.max_tokens,
            tools=self._declared,
        )
        capabilities, endpoint = self._client.capabilities, self._client.endpoint
        try:
            reply = await self._client.chat(asked, on_progress)
        except UnsupportedError:
            if not self._called:
                capabilities.learn(endpoint, tools=False)
            raise
        self._usage += reply.usage
        reply = self._named(reply) if reply.tool_calls else self._from_text(reply)
        if reply.tool_calls and not self._called:
            self._called = True
            capabilities.learn(endpoint, tools=True)
        return reply

    async def _hear(self, reply: Reply) -> Conversed | None:
        """Carry out what a reply asks for; the end of the conversation, or None to go on."""
        if not reply.tool_calls:
            return self._hear_words(reply)
        self._conversation.called(reply)
        self._nudges = 0
        failed = False
        for number, call in enumerate(reply.tool_calls):
            if call.name == self._shape.name:
                continue
            step = await self._carry_out(call, reply.cut, number)
            failed = failed or not step.ok
            self._steps.append(step)
            self._conversation.answered(call, step.told, _key(call))
        for call in reply.tool_calls:
            if call.name != self._shape.name:
                continue
            value, told = self._read_receipt(call.arguments, failed)
            if value is not None:
                return self._end("receipt", "", value)
            self._steps.append(Step(self._turn, call.name, call.arguments, told, False))
            self._repeat(call, told)
            self._conversation.answered(call, told, _key(call))
        if any(count >= MOST_REPEATS for _, count in self._outcomes.values()):
            return self._end("repeats", "the model made the same call again and again")
        return None

    def _hear_words(self, reply: Reply) -> Conversed | None:
        """A turn without calls: a receipt written out, a refusal, or a reminder."""
        for found in find_json(reply.text):
            value, _ = self._fit(found.value)
            if value is not None and not reply.cut and not refuses(found.prose):
                return self._end("receipt", "", value)
        if refuses(reply.text):
            return self._end("refused", f"the model refused: {reply.text.strip()[:200]}")
        self._nudges += 1
        if self._nudges > MOST_NUDGES:
            if not reply.text.strip():
                return self._end("empty", "the model stopped answering before it finished")
            return self._end("silent", "the model wrote text instead of calling a tool")
        if reply.text.strip():
            self._conversation.add({"role": "assistant", "content": reply.text})
        self._conversation.say(
            f"Nothing happens unless you call a tool. Go on with one of "
            f"{', '.join(self._tools)}, or call {self._shape.name} if the work is done."
        )
        return None

    async def _carry_out(self, call: ToolCall, cut: bool, number: int) -> Step:
        def step(told: str, ok: bool) -> Step:
            return Step(self._turn, call.name, call.arguments, told, ok)

        if number >= MOST_PARALLEL:
            return step(f"Not done: at most {MOST_PARALLEL} calls at once. Call it again.", False)
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join((*self._tools, self._shape.name))
            told = f"There is no tool {call.name!r}. Use one of: {known}."
            return step(self._repeat(call, told), False)
        arguments, fault = read_arguments(call.arguments, tool.parameters)
        if fault:
            if cut:
                fault += " Your answer was cut off: make it shorter, or one call at a time."
            return step(self._repeat(call, fault), False)
        key = _key(call)
        if tool.changes and any(s.ok and _same(s, key) for s in (*self._earlier, *self._steps)):
            told = "Done already, and not done again. Go on with something else."
            return step(self._repeat(call, told), True)
        try:
            result = tool.call(arguments)
            if inspect.isawaitable(result):
                result = await result
        except BudgetError:
            raise
        except VaultDreamError as error:
            return step(self._repeat(call, _refused(f"{error.what}. {error.next}")), False)
        except self._refusals as error:
            return step(self._repeat(call, _refused(str(error))), False)
        return step(self._repeat(call, _spell(result)), True)

    def _repeat(self, call: ToolCall, told: str) -> str:
        """``told``, or that this very call had this very outcome before."""
        key = _key(call)
        if key in self._conversation.forgotten:  # asked to ask again, it must be told in full
            self._conversation.forgotten.discard(key)
            self._outcomes.pop(key, None)
        before, count = self._outcomes.get(key, ("", 0))
        count = count + 1 if told == before else 1
        self._outcomes[key] = (told, count)
        if count == 1:
            return told
        return (
            f"You made this same call {count} times, and the outcome is the same as before. "
            f"Do something else, or call {self._shape.name}. It was: {told[:400]}"
        )

    def _read_receipt(self, arguments: str, failed: bool) -> tuple[Any | None, str]:
        if failed:
            return None, (
                f"Not finished: another call of this turn failed, see its answer. "
                f"Put that right, then call {self._shape.name} alone."
            )
        try:
            value = parse_json(arguments)
        except ValueError as error:
            return None, f"The arguments are not JSON ({error}). Call it again."
        return self._fit(value)

    def _fit(self, value: Any) -> tuple[Any | None, str]:
        if isinstance(value, dict) and value.get("name") == self._shape.name:
            value = value.get("arguments", value)
        value = coerce(value, self._shape.schema)
        found = flaws(value, self._shape.schema)
        if found or not isinstance(value, dict):
            return None, "Not accepted: " + "; ".join(str(flaw) for flaw in found[:8])
        return value, ""

    def _named(self, reply: Reply) -> Reply:
        """``reply`` with its calls under the names that the tools have here."""
        calls = (
            replace(call, name=known_name(call.name, self._known)) for call in reply.tool_calls
        )
        return replace(reply, tool_calls=tuple(calls))

    def _from_text(self, reply: Reply) -> Reply:
        """Calls that a model wrote as text, because its server does not read its dialect."""
        spelt = calls_in_text(reply.text, self._known)
        calls = (ToolCall(f"text_{self._turn}_{n}", *call) for n, call in enumerate(spelt))
        return replace(reply, text="", tool_calls=tuple(calls)) if spelt else reply

    def _end(self, ended: Ended, problem: str, receipt: Any | None = None) -> Conversed:
        return Conversed(receipt, ended, problem, self._turn, tuple(self._steps), self._usage)


def _key(call: ToolCall) -> str:
    """The call, however its arguments are spaced and ordered."""
    return _canonical(call.name, call.arguments)


def _same(step: Step, key: str) -> bool:
    return _canonical(step.tool, step.arguments) == key


def _canonical(name: str, arguments: str) -> str:
    try:
        spelt = json.dumps(parse_json(arguments or "{}"), sort_keys=True)
    except ValueError:
        spelt = arguments
    return f"{name} {spelt}"


def _refused(words: str) -> str:
    return f"Refused: {words.strip()}"


def _spell(result: object) -> str:
    if result is None:
        return "done"
    if isinstance(result, str):
        return result
    return json.dumps(result, ensure_ascii=False, default=str)
