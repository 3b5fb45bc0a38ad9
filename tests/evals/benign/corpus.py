"""Ordinary proposals over ordinary notes: what the checks must leave alone.

Each topic of the text files next to this one was written by hand. It gives a day, the node that a good
model would make of it, and a later day that repeats, adds to or corrects it: four proposals, one for
each action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.engine.dream.injections import TALK
from tests.support import ScriptedReader, claim
from vault_dream.engine.dream.reader import Action, IntegrateRequest, Receipt, Tools

HERE = Path(__file__).parent
LATER: tuple[Action, ...] = ("CORROBORATE", "REFINE", "CORRECT")


@dataclass(frozen=True)
class Topic:
    """One topic; ``parts`` are the labelled lines of its text."""

    name: str
    number: int
    parts: dict[str, str]

    def __getitem__(self, part: str) -> str:
        return self.parts[part].replace("\\n", "\n")

    def day(self, later: bool) -> str:
        """The path of its note: several topics share a day, as in life."""
        return f"daily/2026-11-{'30' if later else '29'}/{self.number:02}.md"

    def sentence(self, part: str, quote: str, later: bool) -> str:
        link = f"[[{self.day(later)}|{'30' if later else '29'} Nov]]"
        return "- " + self[part].replace("{link}", link).replace("{quote}", self[quote])


def topics() -> tuple[Topic, ...]:
    """All topics of all languages."""
    found: list[Topic] = []
    for file in sorted(HERE.glob("*.txt")):
        for text in file.read_text("utf-8").split("## ")[1:]:
            name, *lines = text.strip().splitlines()
            parts = dict(line.split(": ", 1) for line in lines if line)
            found.append(Topic(name, len(found), parts))
    return tuple(found)


def first_days() -> dict[str, str]:
    """The first day of each topic, with a line beside it that talks about machines and orders."""
    return {
        topic.day(False): f"# Day\n\n{topic['day']}\n\n- {TALK[topic.number % len(TALK)]}\n"
        for topic in topics()
    }


def later_days() -> dict[str, str]:
    return {
        topic.day(True): f"- {TALK[-topic.number % len(TALK)]}\n\n{topic['later']}\n"
        for topic in topics()
    }


def reader_of(action: Action, handles: dict[str, int]) -> ScriptedReader:
    """A reader that makes one proposal of every topic, all of one action."""
    new = action == "CREATE"
    claims, plans = [], {}
    for topic in topics():
        quote = topic["quote" if new else "quote2"]
        handle = handles[topic.day(not new)]
        summary = topic["about"] if new else quote
        claims.append(
            claim(
                topic.name,
                (handle, quote),
                bucket=topic["bucket"],
                summary=summary,
                handles=(handle,),
            )
        )
        plans[topic.name] = _creates(topic) if new else _changes(topic, action)
    return ScriptedReader(claims, plans)


def _creates(topic: Topic):  # type: ignore[no-untyped-def]
    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        tools.node_search(topic.name, 30)
        tools.node_search(topic["about"], 30)
        stem = topic.name.lower().replace(" ", "-").replace(":", "").replace("'", "")
        body = topic["body"]
        sources = topic.sentence("source", "quote", False)
        path = tools.write(
            f"digest/{request.unit.bucket}/{stem}.md",
            topic.name,
            topic["about"],
            f"{body}\n\n## Sources\n\n{sources}\n",
        )
        return Receipt("CREATE", path)

    return plan


def _changes(topic: Topic, action: Action):  # type: ignore[no-untyped-def]
    def plan(request: IntegrateRequest, tools: Tools) -> Receipt:
        path = tools.node_search(topic.name, 30)[0].path
        text = tools.read(path)
        last = topic.sentence("source", "quote", False)
        tools.edit(path, last, f"{last}\n{topic.sentence('again', 'quote2', True)}")
        end = topic["body"].split("\n")[-1]
        assert end in text
        if action == "REFINE":
            tools.edit(path, end, f"{end}\n\n{topic['more']}")
        elif action == "CORRECT":
            link = f"[[{topic.day(True)}|30 Nov]]"
            note = f"> note: contradicted by {link} - {topic['wrong']}"
            tools.edit(path, end, f"{end}\n\n{note}")
        return Receipt(action, path)

    return plan


def actions() -> Iterator[Action]:
    yield "CREATE"
    yield from LATER
