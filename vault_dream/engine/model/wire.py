"""Chat requests and replies as values, read out of whatever JSON a server sends.

Servers leave out, null, rename and misplace nearly every field; what is absent here is empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from vault_dream.engine.model.thinking import separate_reasoning
from vault_dream.engine.model.usage import NOTHING, Usage

Message = Mapping[str, Any]
"""A chat message as the API takes it."""

DEFAULT_ANSWER_TOKENS = 4096

_CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens", "token_limit"})
_FILTERED = frozenset({"content_filter", "safety", "refusal", "prohibited_content", "blocklist"})


@dataclass(frozen=True, slots=True)
class Request:
    """One chat call. ``label``: what its usage is counted under (a unit's name, a step);
    ``purpose``: what the ledger calls it (``extract``, ``integrate``, …)."""

    messages: tuple[Message, ...]
    label: str = ""
    purpose: str = "chat"
    max_tokens: int = DEFAULT_ANSWER_TOKENS
    tools: tuple[Mapping[str, Any], ...] = ()
    tool_choice: str | Mapping[str, Any] | None = None
    response_format: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model spelt it; ``arguments`` may be any text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. ``finish`` is the server's word for why it ended, in small letters: ``stop``,
    ``length``, …"""

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    finish: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = NOTHING

    @property
    def cut(self) -> bool:
        return self.finish in _CUT

    @property
    def filtered(self) -> bool:
        return self.finish in _FILTERED

    @property
    def empty(self) -> bool:
        return not self.text.strip() and not self.tool_calls and not self.refusal


@dataclass(frozen=True, slots=True)
class Progress:
    """How a call is doing. ``state``: ``sent``, ``thinking``, ``writing``, or ``waiting`` for
    ``seconds`` before another try because of ``reason``."""

    label: str
    purpose: str
    state: Literal["sent", "thinking", "writing", "waiting"]
    characters: int = 0
    seconds: float = 0.0
    reason: str = ""


OnProgress = Callable[[Progress], None]

OnSend = Callable[[str, str, Mapping[str, Any]], None]
"""Is given the label, the purpose and the exact body of a request."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens that a server reported; None where it did not. ``cached`` are prompt tokens that
    some servers leave out of the count."""

    prompt: int | None = None
    completion: int | None = None
    cached: int = 0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: Any) -> Mapping[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _text(value: Any) -> str:
    """Text of a field that is a string, null, a typed part, or a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(part) for part in value if isinstance(part, str | Mapping))
    if isinstance(value, Mapping) and value.get("type") in ("text", "output_text", None):
        text = value.get("text")
        return text if isinstance(text, str) else ""
    return ""


def _thought(message: Mapping[str, Any]) -> str:
    """Reasoning under any of the names in use: DeepSeek's and vLLM's, OpenRouter's, Mistral's."""
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(key), str) and message[key]:
            return str(message[key])
    content = message.get("content")
    if isinstance(content, list):
        parts = (_mapping(part) for part in content)
        return "".join(_text(p.get("thinking")) for p in parts if p.get("type") == "thinking")
    return ""


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    listed = message.get("tool_calls")
    calls: list[ToolCall] = []
    taken: set[str] = set()
    entries = [listed] if isinstance(listed, Mapping) else listed
    entries = entries if isinstance(entries, list) else []
    if not entries and isinstance(message.get("function_call"), Mapping):  # the API before 2024
        entries = [{"function": message["function_call"]}]
    for number, entry in enumerate(entries, 1):
        function = _mapping(_mapping(entry).get("function")) or _mapping(entry)
        name = function.get("name")
        if not isinstance(name, str) or not name.strip():
            continue
        arguments = function.get("arguments")
        if not isinstance(arguments, str):  # some servers decode them
            arguments = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        given = _mapping(entry).get("id")
        call_id = given if isinstance(given, str) and given and given not in taken else ""
        call_id = call_id or f"call_{number}"
        taken.add(call_id)
        calls.append(ToolCall(call_id, name.strip(), arguments))
    return tuple(calls)


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and value.isdecimal() and len(value) < 12:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def read_counts(body: Mapping[str, Any]) -> Counted:
    usage = _mapping(body.get("usage"))
    details = _mapping(usage.get("prompt_tokens_details"))
    return Counted(
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _count(details.get("cached_tokens")) or 0,
    )


def read_reply(body: Mapping[str, Any]) -> Reply:
    """The reply in a chat completion; an empty one where there is none. Usage is not filled in."""
    choice = _first(body.get("choices"))
    message = _mapping(choice.get("message"))
    thought = _thought(message)
    said = message.get("content") if message else choice.get("text")  # completions, before chat
    text, inline = separate_reasoning(_text(said))
    refusal = message.get("refusal")
    return Reply(
        text=text,
        reasoning="\n".join(part for part in (thought, inline) if part),
        refusal=refusal if isinstance(refusal, str) else "",
        finish=str(choice.get("finish_reason") or "").lower(),
        tool_calls=_calls(message),
    )


@dataclass(slots=True)
class StreamedReply:
    """Puts the pieces of a streamed reply together. Stateful: grows until the stream ends."""

    content: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    finish: str = ""
    characters: int = 0
    counts: Counted = field(default_factory=Counted)
    pieces: int = 0
    _calls: dict[Any, dict[str, str]] = field(default_factory=dict)

    @property
    def thinking(self) -> bool:
        return bool(self.thoughts) and not self.content and not self._calls

    def feed(self, chunk: Mapping[str, Any]) -> None:
        self.pieces += 1
        counts = read_counts(chunk)
        if counts.prompt or counts.completion:
            self.counts = counts
        choice = _first(chunk.get("choices"))
        delta = _mapping(choice.get("delta"))
        if not delta and not self.characters and not self._calls:
            # a server that takes no notice of stream: true may send the whole message; one that
            # does may tell it again at the end
            delta = _mapping(choice.get("message"))
        self.finish = str(choice.get("finish_reason") or "") or self.finish
        for piece, into in (
            (_text(delta.get("content")), self.content),
            (_thought(delta), self.thoughts),
            (_text(delta.get("refusal")), self.refusal),
        ):
            if piece:
                into.append(piece)
                self.characters += len(piece)
        listed = delta.get("tool_calls")
        for entry in listed if isinstance(listed, list) else ():
            self._feed_call(_mapping(entry))

    def _feed_call(self, entry: Mapping[str, Any]) -> None:
        function = _mapping(entry.get("function"))
        given = entry.get("id")
        index = entry.get("index")
        if index is None:  # some servers send none: a new id begins a new call
            last = len(self._calls) - 1
            index = last if last >= 0 and not given else len(self._calls)
        call = self._calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        if given and call["id"] and given != call["id"]:  # every call under index 0
            call = self._calls.setdefault(given, {"id": "", "name": "", "arguments": ""})
        if isinstance(given, str):
            call["id"] = given
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and name:
            call["name"] = name if call["name"] in ("", name) else call["name"] + name
        if isinstance(arguments, Mapping):
            arguments = json.dumps(arguments, ensure_ascii=False)
        if isinstance(arguments, str):
            call["arguments"] += arguments
            self.characters += len(arguments)

    def reply(self) -> Reply:
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in self._calls.values()
        ]
        message = {
            "content": "".join(self.content),
            "reasoning_content": "".join(self.thoughts),
            "refusal": "".join(self.refusal),
            "tool_calls": calls,
        }
        return read_reply({"choices": [{"message": message, "finish_reason": self.finish}]})
