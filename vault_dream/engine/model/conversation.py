"""The messages of a tool conversation, kept valid for every server and short enough to send."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.tokens import estimate_prompt
from vault_dream.engine.model.wire import Message, Reply, ToolCall

LEFT_OUT = "(left out to save room; call the tool again if you need it)"
KEPT = 2
"""The latest tool results, which are never left out."""


class Conversation:
    """Stateful: grows with each turn. Each call is answered once, under its own id."""

    def __init__(self, messages: Sequence[Message], client: ChatClient) -> None:
        self._messages: list[dict[str, Any]] = [dict(message) for message in messages]
        self._client = client
        self._ids: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self.forgotten: set[str] = set()  # keys of calls whose results were left out
        self._count = 0

    def add(self, message: Message) -> None:
        self._messages.append(dict(message))

    def say(self, text: str) -> None:
        """A word from us: joined to what stands last unless the model said that, because some
        templates want turns to alternate and no user right after a tool."""
        if self._messages and self._messages[-1].get("role") in ("user", "tool"):
            last = self._messages[-1]
            self._messages[-1] = {**last, "content": f"{last['content']}\n\n{text}"}
        else:
            self.add({"role": "user", "content": text})

    def called(self, reply: Reply) -> None:
        """The model's calls. Ids are made unique over the whole conversation."""
        listed = []
        self._ids = {}
        for call in reply.tool_calls:
            self._count += 1
            self._ids[call.id] = f"call_{self._count}"
            function = {"name": call.name, "arguments": _valid(call.arguments)}
            listed.append({"id": self._ids[call.id], "type": "function", "function": function})
        self.add({"role": "assistant", "content": reply.text, "tool_calls": listed})

    def answered(self, call: ToolCall, told: str, key: str) -> None:
        """What the call of that ``key`` came to."""
        call_id = self._ids[call.id]
        self._keys[call_id] = key
        self.add({"role": "tool", "tool_call_id": call_id, "content": told or "done"})

    def fitting(self, answer: int, tools: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
        """The messages, the oldest tool results left out where the context is too small for all."""
        context = self._client.context_tokens
        if context:
            room = context - min(answer, context // 4)
            results = [n for n, m in enumerate(self._messages) if m.get("role") == "tool"]
            for number in results[:-KEPT]:
                if estimate_prompt(self._messages, tools) <= room:
                    break
                message = self._messages[number]
                if len(message["content"]) > len(LEFT_OUT):
                    self._messages[number] = {**message, "content": LEFT_OUT}
                    self.forgotten.add(self._keys[message["tool_call_id"]])
        return tuple(self._messages)


def _valid(arguments: str) -> str:
    """Arguments as they may be sent back: some servers parse them and fail on a broken one."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return json.dumps({"unreadable": arguments[:500]}, ensure_ascii=False)
    return arguments if isinstance(value, dict) else json.dumps({"unreadable": arguments[:500]})
