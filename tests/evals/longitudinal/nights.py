"""The nights: an unattended run each, an owner who reviews on Sundays, and a vault that grows."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.bench.vault_generator import generate
from tests.bench.vocabulary import HOUSEHOLD
from tests.evals.longitudinal.diary import FIRST_NIGHT, Diary
from vault_dream.config import load_settings
from vault_dream.engine.dream.reader import Reader
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.headless import dream

SUNDAY = 7
NODE_SHARE = 10  # one in so many of the notes that come by themselves is a digest node

QUOTED = re.compile(r'\[\[(daily/[^\]#|]+)[^\]]*\]\][^"“]*["“]([^"”]+)["”]')


@dataclass
class Night:
    """What a night cost, and how the digest stood in the morning after."""

    number: int
    notes: int
    seconds: float
    calls: int
    tokens: int
    told: int
    """Facts that the diary had told so far."""
    nodes: int
    """Nodes that rest on the diary."""
    covered: int
    doubled: int
    """Facts with more than one node."""
    mixed: int
    """Nodes that hold more than one fact."""
    stale: int
    """Facts whose latest value was told at least a Sunday ago and stands in no node of theirs."""
    lost_links: int
    catalog_bytes: int
    queued: int
    failed: int


def play(
    root: Path,
    diary: Diary,
    make_reader: Callable[[], Reader],
    *,
    grow_to: int,
    index_file: Path,
) -> Iterator[Night]:
    """One :class:`Night` after the other over a fresh vault at ``root``."""
    (root / ".obsidian").mkdir(parents=True)
    growth = _Growth(root, grow_to, len(diary.days))
    links: set[tuple[str, str]] = set()
    for number, day in enumerate(diary.days, start=1):
        growth.grow()
        note = root / f"daily/{day.date}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(day.text, encoding="utf-8")
        clock = datetime.combine(day.date, datetime.min.time(), UTC) + timedelta(hours=23)
        settings = load_settings(root, flags={"policy": "apply", "timezone": "UTC"}, environ={})
        began = time.perf_counter()
        with ReviewSession(
            root,
            settings,
            reader=make_reader(),
            clock=lambda now=clock: now,  # type: ignore[misc]
            index_file=index_file,
        ) as session:
            report = dream(session, policy="apply", day=day.date).report
            seconds = time.perf_counter() - began
            if number % SUNDAY == 0 or number == len(diary.days):
                _review(session)
        now = _links(root)
        yield _look(root, diary, number, seconds, report, lost=len(links - now))
        links = now


def _review(session: ReviewSession) -> None:
    """The owner agrees with everything that waits and has no error."""
    session.reload()
    for proposal in (*session.earlier.values(), *session.proposals):
        if proposal.state in ("open", "later") and proposal.worst() != "error":
            session.decide(proposal.id, "approved")
    session.commit()


class _Growth:
    """Stateful: the notes that come to the vault beside the diary, the same number every night."""

    def __init__(self, root: Path, total: int, nights: int) -> None:
        self._root = root
        self._step = total // nights
        nodes = total // NODE_SHARE
        self._nodes = iter(generate(nodes, HOUSEHOLD, seed=5).nodes) if nodes else iter(())
        self._made = 0

    def grow(self) -> None:
        for _ in range(self._step):
            self._made += 1
            if self._made % NODE_SHARE == 0 and (node := next(self._nodes, None)) is not None:
                self._put(node.path, node.markdown())
            else:
                words = f"Something about [[Note {self._made // 2}]]."
                path = f"Notes/{self._made % 97}/Note {self._made}.md"
                self._put(path, f"# Note {self._made}\n\n{words}\n")

    def _put(self, path: str, text: str) -> None:
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _look(
    root: Path, diary: Diary, number: int, seconds: float, report: dict[str, Any], *, lost: int
) -> Night:
    said = list(diary.mentions(number))
    by_day: dict[str, list[Any]] = {}
    for mention in said:
        when = FIRST_NIGHT + timedelta(days=mention.night)
        by_day.setdefault(f"daily/{when}.md", []).append(mention)
    holds: dict[str, set[str]] = {}
    texts: dict[str, str] = {}
    for file in (root / "digest").rglob("*.md"):
        text = file.read_text(encoding="utf-8")
        facts = {
            mention.fact.id
            for path, quote in QUOTED.findall(text)
            for mention in by_day.get(path, ())
            if _longest(quote) in mention.text
        }
        if facts or any(day in text for day in by_day):
            holds[file.name] = facts
            texts[file.name] = text
    facts = {mention.fact.id for mention in said}
    of = {fact: [name for name, found in holds.items() if fact in found] for fact in facts}
    latest = {m.fact.id: m for m in said if m.changed and number - m.night > SUNDAY}
    stale = [
        fact
        for fact, mention in latest.items()
        if of[fact] and not any(mention.value in texts[name] for name in of[fact])
    ]
    usage = report["usage"]
    catalog = root / "metadata/file_catalog/dream.json"
    return Night(
        number=number,
        notes=sum(1 for _ in root.rglob("*.md")),
        seconds=seconds,
        calls=usage["calls"],
        tokens=usage["prompt_tokens"] + usage["completion_tokens"],
        told=len(facts),
        nodes=len(holds),
        covered=sum(bool(names) for names in of.values()),
        doubled=sum(len(names) > 1 for names in of.values()),
        mixed=sum(len(found) > 1 for found in holds.values()),
        stale=len(stale),
        lost_links=lost,
        catalog_bytes=catalog.stat().st_size if catalog.exists() else 0,
        queued=report["queued"],
        failed=len(report["failed_units"]),
    )


def _longest(quote: str) -> str:
    """The longest piece of a quote that may have been shortened."""
    return max(re.split(r"…|\.\.\.", quote), key=len).strip(" .")


def _links(root: Path) -> set[tuple[str, str]]:
    """(node, target) of every link in the digest."""
    return {
        (file.relative_to(root).as_posix(), link.target)
        for file in (root / "digest").rglob("*.md")
        for link in links_in(parse_note("x.md", file.read_bytes()))
    }
