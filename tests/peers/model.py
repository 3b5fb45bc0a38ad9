"""The scripted model: it answers both programs from one script, each in its own dialect.

What it says depends only on the conversation that it is shown, so a repeated request gets the
repeated answer, as from a model at temperature zero.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.engine.model.server import Step, call, say_json

Call = tuple[str, Mapping[str, Any]]


def nothing() -> None:
    """What happens beside the run in most scenes."""


@dataclass(frozen=True, slots=True)
class Act:
    """How the model integrates one unit: its tool calls in turn, then its receipt.

    ``instead`` are the calls that it makes once any call was refused. ``meanwhile`` happens in the
    world just before the call number ``at``.
    """

    action: str
    target: str
    calls: Sequence[Call]
    instead: Sequence[Call] = ()
    meanwhile: Callable[[], None] = nothing
    at: int = -1
    note: str = "done"


@dataclass(frozen=True, slots=True)
class Unit:
    """What the model extracts. ``quotes``: (path, words) each."""

    name: str
    bucket: str
    summary: str
    quotes: Sequence[tuple[str, str]]
    act: Act

    @property
    def paths(self) -> list[str]:
        return list(dict.fromkeys(path for path, _ in self.quotes))


@dataclass
class Model:
    """Stateful only in what it counts: calls, seconds, characters of messages and tools."""

    units: Sequence[Unit]
    calls: int = 0
    seconds: float = 0.0
    characters: int = 0
    happened: set[str] = field(default_factory=set)

    def __call__(self, body: dict[str, Any]) -> Step:
        began = time.perf_counter()
        self.calls += 1
        tools = json.dumps(body.get("tools") or [], ensure_ascii=False)
        self.characters += len(_text(body["messages"])) + len(tools)
        try:
            offered = {tool["function"]["name"] for tool in body.get("tools") or ()}
            if "write" in offered:
                return self._integrate(body["messages"], ours="receipt" in offered)
            return self._extract(body)
        finally:
            self.seconds += time.perf_counter() - began

    def _extract(self, body: dict[str, Any]) -> Step:
        told = _text(body["messages"])
        units = [u for u in self.units if any(quote in told for _, quote in u.quotes)]
        if "response_format" not in body:
            return say_json(
                {
                    "units": [
                        {"name": u.name, "bucket": u.bucket, "summary": u.summary, "paths": u.paths}
                        for u in units
                    ]
                }
            )
        return say_json({"units": [self._by_number(u, told) for u in units]})

    def _by_number(self, unit: Unit, told: str) -> dict[str, Any]:
        """A unit with the numbers that the request gave the notes."""
        quotes = [
            {"source": told[: told.index(quote)].count(" NOTE "), "text": quote}
            for _, quote in unit.quotes
            if quote in told
        ]
        return {
            "name": unit.name,
            "bucket": unit.bucket,
            "summary": unit.summary,
            "sources": sorted({quote["source"] for quote in quotes}),
            "quotes": quotes,
        }

    def _integrate(self, messages: Sequence[Mapping[str, Any]], *, ours: bool) -> Step:
        asked = _text(messages[:2])
        unit = next(unit for unit in self.units if unit.name in asked)
        act = unit.act
        results = [str(m.get("content")) for m in messages if m["role"] == "tool"]
        calls = list(act.calls)
        if act.instead and len(results) >= len(calls) and _refused(results[len(calls) - 1]):
            calls += act.instead
        done = len(results)
        if done == act.at and unit.name not in self.happened:
            self.happened.add(unit.name)
            act.meanwhile()
        if done < len(calls):
            name, given = calls[done]
            if name == "frontmatter_update" and not ours:
                given = {"path": given["path"], "metadata": given["values"]}
            return _numbered(done, name, given)
        if ours:
            receipt = {"action": act.action, "target": act.target, "note": act.note}
            return _numbered(done, "receipt", {**receipt, "related": [], "classes": []})
        return say_json({"action": act.action, "target_path": act.target, "note": act.note})


def _numbered(number: int, name: str, given: Mapping[str, Any]) -> Step:
    """A tool call with an id that no other of its conversation has."""
    step = call((name, given))
    assert step.message is not None
    step.message["tool_calls"][0]["id"] = f"call_{number}"
    return step


def _refused(result: str) -> bool:
    """Whether a tool said no; the peer's tools say what they did in these words otherwise."""
    return not any(word in result for word in ("Wrote", "Replaced", "staged", "Staged", "Updated"))


def _text(messages: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, list):
            content = "\n".join(str(part.get("text", "")) for part in content)
        parts.append(content or "")
        parts += [str(made["function"]) for made in message.get("tool_calls") or ()]
    return "\n".join(parts)
