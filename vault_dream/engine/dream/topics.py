"""Topics: the few things of a day that its owner may want to hear more about.

What a reader claims is checked as units are: the words that it rests on stand in a note, its title
says something, and it is none that the day or the last week has already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol, runtime_checkable

from vault_dream.engine.dream.arguments import speakable
from vault_dream.engine.dream.instructions import orders_in
from vault_dream.engine.dream.quotes import locate
from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.same_topic import same_topic
from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.dream.suspicions import refuses
from vault_dream.engine.vault.plain import plain

MOST_TOPICS = 3
"""Topics of a day (seeds, *Proactive*)."""
DIVERSITY_DAYS = 7
"""Days whose topics are not said again."""
LONGEST_TITLE = 120
LONGEST_REASON = 300
MOST_KEYWORDS = 8
LONGEST_KEYWORD = 40


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic as it stands in ``interests.yaml``; ``evidence`` are words of one of the notes."""

    title: str
    reason: str
    evidence: str = ""
    keywords: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "reason": self.reason,
            "evidence": self.evidence,
            "keywords": list(self.keywords),
            "paths": list(self.paths),
        }


@dataclass(frozen=True, slots=True)
class TopicsRequest:
    """The notes of the days, and the topics that are not to be said again."""

    sources: tuple[SourceText, ...]
    limit: int
    known: tuple[Topic, ...] = ()
    hint: str = ""
    language: str = "auto"


@dataclass(frozen=True, slots=True)
class TopicClaim:
    """A topic as a reader claims it: handles for paths, a quote that nobody found yet."""

    title: str
    reason: str
    quote: str
    keywords: tuple[str, ...]
    handles: tuple[int, ...]


@runtime_checkable
class TopicReader(Protocol):
    """A reader that can name topics. Raises the errors of :mod:`vault_dream.engine.errors`."""

    async def topics(self, request: TopicsRequest) -> Sequence[TopicClaim]: ...


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A topic that goes no further, with the reason."""

    title: str
    reason: str

    def as_json(self) -> dict[str, str]:
        return {"title": self.title, "reason": self.reason}


def choose(
    claims: Iterable[TopicClaim],
    sources: Sequence[SourceText],
    *,
    limit: int,
    today: Sequence[Topic],
    recent: Mapping[date, Sequence[Topic]],
) -> tuple[tuple[Topic, ...], tuple[LeftOut, ...]]:
    """The claims that stand up to their sources and say something new, at most ``limit``."""
    kept: list[Topic] = []
    left: list[LeftOut] = []
    by_handle = {source.handle: source for source in sources}
    for claim in claims:
        topic, why = _topic(claim, by_handle)
        if topic is None:
            title = _line(claim.title, LONGEST_TITLE)
            left.append(LeftOut(title or "(no title)", why))
        elif reason := _said_before(topic, (*today, *kept), recent):
            left.append(LeftOut(topic.title, reason))
        elif len(kept) >= limit:
            left.append(LeftOut(topic.title, "the day has enough topics"))
        else:
            kept.append(topic)
    return tuple(kept), tuple(left)


def _topic(claim: TopicClaim, sources: Mapping[int, SourceText]) -> tuple[Topic | None, str]:
    title, reason = _line(claim.title, LONGEST_TITLE), _line(claim.reason, LONGEST_REASON)
    if not title or not reason:
        return None, "it lacks a title or a reason"
    if refuses(title) or refuses(reason):
        return None, "it is an excuse, not a topic"
    if orders_in(f"{title}\n{reason}"):
        return None, "it reads like an order to a machine"
    cited = [sources[handle] for handle in dict.fromkeys(claim.handles) if handle in sources]
    quote = _line(claim.quote, LONGEST_REASON)
    for source in cited or sources.values():
        found = locate(source.path, quote, source.blocks)
        if quote and found.found:
            if orders_in(found.quote):
                return None, "its words read like an order to a machine"
            paths = dict.fromkeys((source.path, *(each.path for each in cited)))
            keywords = dict.fromkeys(_line(word, LONGEST_KEYWORD) for word in claim.keywords)
            words = [word for word in keywords if word][:MOST_KEYWORDS]
            return Topic(title, reason, quote, tuple(words), tuple(paths)), ""
    return None, "its words are in none of the notes"


def _line(text: object, longest: int) -> str:
    """``text`` as one line of plain words, secrets left out."""
    if not isinstance(text, str):
        return ""
    words = " ".join(plain(redact(speakable(text))).split())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"


def _said_before(
    topic: Topic, today: Iterable[Topic], recent: Mapping[date, Sequence[Topic]]
) -> str:
    for other in today:
        if same_topic(topic, other):
            return f"the day has it already: {other.title}"
    for day in sorted(recent, reverse=True):
        for other in recent[day]:
            if same_topic(topic, other):
                return f"it was a topic on {day.isoformat()}: {other.title}"
    return ""
