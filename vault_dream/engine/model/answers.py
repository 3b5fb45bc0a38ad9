"""Structured answers from models that cannot all be asked the same way.

A ladder of modes is climbed down until one works for the endpoint and model, and that is
remembered: a JSON schema, a forced tool, JSON mode, a fenced block in prose. Whatever the mode,
the answer is looked for wherever the model put it, and checked against the same schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from vault_dream.engine.model.capabilities import MODES, Mode
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.errors import AnswerError, RefusedError, UnsupportedError
from vault_dream.engine.model.json_text import find_json, parse_json
from vault_dream.engine.model.refusals import refuses
from vault_dream.engine.model.schema import Flaw, Schema, coerce, flaws, is_strict
from vault_dream.engine.model.usage import NOTHING, Usage
from vault_dream.engine.model.wire import (
    DEFAULT_ANSWER_TOKENS,
    Message,
    OnProgress,
    Reply,
    Request,
)

LARGER = 4
"""How much larger the second allowance is after an empty or cut answer."""
MOST_FLAWS = 8
QUOTED = 4000
"""Characters of a faulty answer that the repair call quotes back."""

Check = Callable[[Any], Iterable[Flaw]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What an answer must look like: an object, by ``schema`` (see :mod:`.schema`).

    ``items`` names the key of a list whose entries stand alone: a bad one is dropped and the others
    kept. ``verbatim`` names keys that quote other people's words, where a refusal is no refusal.
    ``accepts`` is what an answer is held to where that is less than what is asked for.
    """

    name: str
    schema: Schema
    description: str = ""
    items: str = ""
    verbatim: frozenset[str] = frozenset({"quote", "quotes", "evidence", "old"})
    accepts: Schema | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry of the ``items`` list that was not fit to keep."""

    index: int
    value: Any
    flaws: tuple[Flaw, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """``value`` fits the shape. ``calls`` counts the repair and the larger call too."""

    value: Any
    mode: Mode
    dropped: tuple[Dropped, ...] = ()
    reasoning: str = ""
    repaired: bool = False
    enlarged: bool = False
    usage: Usage = NOTHING
    calls: int = 1


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why a reply is no answer."""

    kind: Literal["empty", "cut", "refused", "no_json", "flawed"]
    words: str


async def ask(
    client: ChatClient,
    messages: Sequence[Message],
    shape: Shape,
    *,
    label: str = "",
    purpose: str = "chat",
    max_tokens: int = DEFAULT_ANSWER_TOKENS,
    check: Check | None = None,
    on_progress: OnProgress | None = None,
) -> Answer:
    """The model's answer in the given shape.

    At most one call with a larger allowance (after an empty or cut reply) and one that quotes the
    fault (after any other) are added. ``check`` finds flaws that a schema cannot. Raises
    RefusedError or AnswerError, which say what was missing, and whatever :meth:`ChatClient.chat`
    raises.
    """
    request = Request(tuple(messages), label=label, purpose=purpose, max_tokens=max_tokens)
    asking = _Asking(client, shape, request, check, on_progress)
    return await asking.answer()


def body_of(
    client: ChatClient,
    messages: Sequence[Message],
    shape: Shape,
    *,
    max_tokens: int,
    streamed: bool = False,
) -> Mapping[str, Any]:
    """The body that :func:`ask` would send first, for a person who wants to see it before."""
    request = Request(tuple(messages), max_tokens=max_tokens)
    asking = _Asking(client, shape, request, None, None)
    return client.body(client.concealed(asking.as_sent()), streamed=streamed)


def instruction(shape: Shape) -> str:
    """What a model is told in the modes where the endpoint does not enforce the schema."""
    schema = json.dumps(shape.schema, ensure_ascii=False)
    return (
        "Answer with one JSON object and nothing else, no prose and no code fence. "
        f"It must fit this JSON schema:\n{schema}"
    )


class _Asking:
    """One question until it is answered or given up. Stateful: the mode, the second chances."""

    def __init__(
        self,
        client: ChatClient,
        shape: Shape,
        request: Request,
        check: Check | None,
        on_progress: OnProgress | None,
    ) -> None:
        self._client = client
        self._shape = shape
        self._request = request
        self._check = check
        self._on_progress = on_progress
        self._known = client.capabilities.of(client.endpoint).mode
        self._mode: Mode = self._known or MODES[0]
        self._usage = NOTHING
        self._enlarged = self._repaired = False

    async def answer(self) -> Answer:
        request = self._request
        while True:
            try:
                reply = await self._call(request)
            except AnswerError as error:
                if not self._enlarged or isinstance(error, RefusedError):
                    raise
                raise self._cut_short(error) from None
            outcome = self._read(reply)
            if isinstance(outcome, Answer):
                self._remember()
                return outcome
            following = self._second_chance(request, reply, outcome)
            if following is None:
                raise self._given_up(outcome)
            request = following

    async def _call(self, request: Request) -> Reply:
        """One reply, in the first mode that the endpoint does not refuse."""
        refused: set[Mode] = set()
        while True:
            try:
                reply = await self._client.chat(self._in_mode(request), self._on_progress)
            except UnsupportedError:
                refused.add(self._mode)
                left = [mode for mode in MODES if mode not in refused]
                if self._mode == "text" or not left:
                    raise
                self._mode = left[0]
                continue
            self._usage += reply.usage
            return reply

    def as_sent(self) -> Request:
        """The question as it goes out first."""
        return self._in_mode(self._request)

    def _in_mode(self, request: Request) -> Request:
        shape = self._shape
        function = {"name": shape.name, "description": shape.description or "Give the answer."}
        if self._mode == "json_schema":
            strict = is_strict(shape.schema)
            wanted = {"name": shape.name, "schema": dict(shape.schema), "strict": strict}
            form = {"type": "json_schema", "json_schema": wanted}
            return replace(request, response_format=form)
        if self._mode == "tool":
            tool = {"type": "function", "function": {**function, "parameters": dict(shape.schema)}}
            choice = {"type": "function", "function": {"name": shape.name}}
            return replace(request, tools=(tool,), tool_choice=choice)
        told = replace(request, messages=_told(request.messages, instruction(shape)))
        if self._mode == "json":
            return replace(told, response_format={"type": "json_object"})
        return told

    def _second_chance(self, request: Request, reply: Reply, fault: _Fault) -> Request | None:
        if fault.kind in ("empty", "cut"):
            if self._enlarged:
                return None
            self._enlarged = True
            return replace(request, max_tokens=request.max_tokens * LARGER)
        if self._repaired:
            return None
        self._repaired = True
        if fault.kind == "no_json":
            self._step_down()
        quoted = reply.refusal or reply.text or "\n".join(c.arguments for c in reply.tool_calls)
        repair = (
            {"role": "assistant", "content": quoted[:QUOTED] or "(nothing)"},
            {
                "role": "user",
                "content": f"That cannot be used: {fault.words}.\n"
                f"Give the whole answer again, put right.\n\n{instruction(self._shape)}",
            },
        )
        return replace(request, messages=(*self._request.messages, *repair))

    def _step_down(self) -> None:
        """A mode that brought no JSON is not enforced here; the next one asks differently."""
        at = MODES.index(self._mode)
        if at + 1 < len(MODES):
            self._mode = MODES[at + 1]

    def _remember(self) -> None:
        if self._mode != self._known:
            self._client.capabilities.learn(self._client.endpoint, mode=self._mode)

    def _read(self, reply: Reply) -> Answer | _Fault:
        if reply.refusal or reply.filtered:
            return _Fault("refused", f"it is a refusal: {_start(reply.refusal) or reply.finish}")
        if reply.cut:
            return _Fault("cut", "it was cut off before its end (finish_reason: length)")
        if reply.empty and not _is_object(reply.reasoning):
            what = "there was reasoning and no answer" if reply.reasoning else "it was empty"
            return _Fault("empty", what)
        return self._judge(reply)

    def _judge(self, reply: Reply) -> Answer | _Fault:
        best: _Fault | None = None
        for value, prose in _candidates(reply, self._shape):
            if refuses(prose):
                return _Fault("refused", f"it is a refusal: {_start(prose)}")
            outcome = self._fit(value, reply)
            if isinstance(outcome, Answer):
                return outcome
            best = best or outcome
        if best is not None:
            return best
        if refuses(reply.text):
            return _Fault("refused", f"it is a refusal: {_start(reply.text)}")
        return _Fault("no_json", f"there is no JSON object in it; it starts: {_start(reply.text)}")

    def _fit(self, value: Any, reply: Reply) -> Answer | _Fault:
        """``value`` as an answer, without the entries that are not fit to keep."""
        shape = self._shape
        value = coerce(_unwrap(value, shape), shape.accepts or shape.schema)
        found = self._all_flaws(value)
        dropped: tuple[Dropped, ...] = ()
        if found and shape.items:
            kept, dropped = _without_bad_items(value, shape.items, found)
            if kept is not None and not self._all_flaws(kept):
                value, found = kept, ()
        if found:
            listed = "; ".join(str(flaw) for flaw in found[:MOST_FLAWS])
            return _Fault("flawed", listed)
        return Answer(
            value,
            self._mode,
            dropped,
            reply.reasoning,
            self._repaired,
            self._enlarged,
            self._usage,
            self._usage.calls,
        )

    def _all_flaws(self, value: Any) -> tuple[Flaw, ...]:
        found = flaws(value, self._shape.accepts or self._shape.schema)
        if found:
            return found
        found = tuple(_refusing(value, self._shape.verbatim, ()))
        return (*found, *(self._check(value) if self._check else ()))

    def _given_up(self, fault: _Fault) -> AnswerError:
        where = f"{self._client.endpoint.where}, {self._request.purpose}"
        if fault.kind == "refused":
            return RefusedError(
                where, fault.words, "reword the note, leave it out (dream: false), or change model"
            )
        advice = {
            "empty": "a model that reasons at length needs more room: try a larger context",
            "cut": "choose a model with a larger answer or context, or lower max_units",
        }
        return AnswerError(
            where,
            f"the answer cannot be used: {fault.words}",
            advice.get(fault.kind, "the unit is tried again next time; a larger model helps"),
        )

    def _cut_short(self, error: AnswerError) -> AnswerError:
        """The larger call was not to be had: the first fault is the one to tell."""
        return type(error)(
            error.where, f"the answer was empty or cut, and a larger one {error.what}", error.next
        )


def _told(messages: tuple[Message, ...], words: str) -> tuple[Message, ...]:
    """``messages`` with ``words`` at the end of the last one a user wrote."""
    last = messages[-1]
    if last.get("role") != "user" or words in str(last.get("content")):
        return messages if words in str(last.get("content")) else (*messages, _user(words))
    return (*messages[:-1], _user(f"{last['content']}\n\n{words}"))


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _candidates(reply: Reply, shape: Shape) -> Iterable[tuple[Any, str]]:
    """Values that may be the answer, and the prose around each."""
    calls = sorted(reply.tool_calls, key=lambda call: call.name != shape.name)
    for call in calls:
        try:
            yield parse_json(call.arguments), ""
        except ValueError:
            for found in find_json(call.arguments):
                yield found.value, ""
    for found in find_json(reply.text):
        yield found.value, found.prose
    if reply.empty and _is_object(reply.reasoning):
        yield parse_json(reply.reasoning), ""


def _is_object(text: str) -> bool:
    """Some servers file a whole answer under reasoning; a draft among thoughts is none."""
    try:
        return isinstance(parse_json(text), dict)
    except ValueError:
        return False


def _unwrap(value: Any, shape: Shape) -> Any:
    """The answer inside what models like to put around it: a tool call, one more key, or nothing
    around the list itself. An empty list or object is never taken for more than it says."""
    properties = shape.schema.get("properties", {})
    if isinstance(value, dict) and not any(key in properties for key in value):
        for key in ("arguments", "parameters", "input"):
            if key in value and ("name" in value or "function" in value):
                inner = value[key]
                return _parsed(inner) if isinstance(inner, str) else inner
        if len(value) == 1:
            inner = next(iter(value.values()))
            if isinstance(inner, dict) and any(key in properties for key in inner):
                return inner
            if isinstance(inner, list) and inner:
                value = inner
    if isinstance(value, list) and value:
        lists = [key for key, part in properties.items() if part.get("type") == "array"]
        if len(lists) == 1 and set(shape.schema.get("required", ())) <= set(lists):
            return {lists[0]: value}
        if len(value) == 1 and isinstance(value[0], dict):
            return value[0]
    return value


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return text


def _without_bad_items(
    value: Any, key: str, found: Sequence[Flaw]
) -> tuple[dict[str, Any] | None, tuple[Dropped, ...]]:
    """``value`` without the entries of its list that have flaws; None where that saves nothing."""
    if not isinstance(value, Mapping) or not isinstance(value.get(key), list):
        return None, ()
    bad: dict[int, list[Flaw]] = {}
    for flaw in found:
        if len(flaw.path) < 2 or flaw.path[0] != key or not isinstance(flaw.path[1], int):
            return None, ()
        bad.setdefault(flaw.path[1], []).append(flaw)
    entries = value[key]
    if len(bad) >= len(entries):
        return None, ()
    kept = [entry for number, entry in enumerate(entries) if number not in bad]
    dropped = (Dropped(n, entries[n], tuple(listed)) for n, listed in sorted(bad.items()))
    return {**value, key: kept}, tuple(dropped)


def _refusing(value: Any, verbatim: frozenset[str], path: tuple[str | int, ...]) -> Iterable[Flaw]:
    if isinstance(value, str):
        if refuses(value):
            yield Flaw(path, f"is a refusal, not an answer: {_start(value)}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _refusing(item, verbatim, (*path, number))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in verbatim:
                yield from _refusing(item, verbatim, (*path, key))


def _start(text: str) -> str:
    text = " ".join(text.split())
    return f'"{text[:100]}{"..." if len(text) > 100 else ""}"' if text else ""
