"""The scripted model of the sixty nights: it knows which sentences are facts, and nothing of where
notes lie but what ``node_search`` shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.engine.model.server import Step, call, say_json
from tests.evals.longitudinal.diary import Diary, Mention

NOTE = re.compile(r" NOTE (\d+) ")
PLACE = re.compile(r"digest/\S+\.md")


class DiaryModel:
    """Stateful: it remembers which node it wrote for which fact, as its owner's digest does."""

    def __init__(self, diary: Diary) -> None:
        self.mentions = {m.text: m for m in diary.mentions(len(diary.days))}
        self.nodes: dict[str, str] = {}
        self.missed = 0
        """Times that the search did not show the node of a fact that had one."""

    def __call__(self, body: dict[str, Any]) -> Step:
        messages = body["messages"]
        if any(tool["function"]["name"] == "write" for tool in body.get("tools") or ()):
            return self._integrate(messages)
        asked = messages[-1]["content"]
        if "response_format" in body and "units" in json.dumps(body["response_format"]):
            return say_json({"units": self._units(asked)})
        return say_json({"tags": []})

    def _units(self, asked: str) -> list[dict[str, Any]]:
        units = []
        number = 0
        for line in asked.splitlines():
            if found := NOTE.search(line):
                number = int(found[1])
            mention = self.mentions.get(line.removeprefix("+ "))
            if mention is not None and line.startswith("+ "):
                units.append(_unit(mention, number))
        return units

    def _integrate(self, messages: Sequence[Mapping[str, Any]]) -> Step:
        asked = messages[1]["content"]
        mention = next(m for m in self.mentions.values() if f"]]: {_quote(m)}" in asked)
        source = next(line[2:] for line in asked.splitlines() if line.startswith("- daily/"))
        results = [str(m["content"]) for m in messages if m["role"] == "tool"]
        name = mention.fact.names[mention.variant]
        if not results:
            return call(("node_search", {"query": f"{name} {mention.value}", "limit": 20}))
        known = self.nodes.get(mention.fact.id)
        if known is not None and known not in results[0]:
            self.missed += len(results) == 1
            known = None
        if known is None:
            steps = self._create(mention, source)
        else:
            steps = _update(mention, source, known, _inside(results[1]) if results[1:] else "")
        done = len(results) - 1
        if done < len(steps):
            return _numbered(done + 1, *steps[done])
        if known is None:
            staged = PLACE.search(results[1])
            target = staged[0] if staged else self._path(mention)
            action = "CREATE"
            self.nodes[mention.fact.id] = target
        else:
            action, target = "CORRECT" if mention.changed else "CORROBORATE", known
        classes = [{"path": target, "kind": "same_abstraction"}] if known else []
        given = {"action": action, "target": target, "related": [], "classes": classes}
        return _numbered(done + 1, "receipt", {**given, "note": mention.text})

    def _path(self, mention: Mention) -> str:
        stem = re.sub(r"\W+", "-", mention.fact.names[mention.variant].lower())
        return f"digest/{mention.fact.bucket}/{stem}.md"

    def _create(self, mention: Mention, source: str) -> list[tuple[str, Mapping[str, Any]]]:
        name = mention.fact.names[mention.variant]
        body = f"{mention.text}\n\n## Sources\n\n{_line(mention, source)}\n"
        given = {"path": self._path(mention), "name": name, "description": mention.text}
        return [("write", {**given, "content": body})]


def _unit(mention: Mention, number: int) -> dict[str, Any]:
    return {
        "name": mention.fact.names[mention.variant],
        "bucket": mention.fact.bucket,
        "summary": mention.text,
        "sources": [number],
        "quotes": [{"source": number, "text": _quote(mention)}],
    }


def _quote(mention: Mention) -> str:
    return mention.text.rstrip(".")


def _line(mention: Mention, source: str) -> str:
    day = source.removeprefix("daily/").removesuffix(".md")
    return f'- It was written down in [[{source}|{day}]]: "{_quote(mention)}".'


def _update(
    mention: Mention, source: str, known: str, shown: str = ""
) -> list[tuple[str, Mapping[str, Any]]]:
    steps: list[tuple[str, Mapping[str, Any]]] = [("read", {"path": known})]
    if shown:
        last = shown.rstrip("\n").split("\n")[-1]
        new = f"{last}\n{_line(mention, source)}"
        steps.append(("edit", {"path": known, "old": last, "new": new}))
        old = mention.fact.values[0]
        first = next((p for p in shown.split("\n") if old in p and not p.startswith("- ")), "")
        if mention.changed and first:
            steps.append(("edit", {"path": known, "old": first, "new": mention.text}))
    return steps


def _inside(result: str) -> str:
    """A note's text out of the fence in which a tool gives it."""
    lines = result.rstrip("\n").split("\n")
    fenced = lines[0].startswith("<<<") and lines[-1].endswith(">>>")
    return "\n".join(lines[1:-1] if fenced else lines)


def _numbered(number: int, name: str, given: Mapping[str, Any]) -> Step:
    step = call((name, given))
    assert step.message is not None
    step.message["tool_calls"][0]["id"] = f"call_{number}"
    return step
