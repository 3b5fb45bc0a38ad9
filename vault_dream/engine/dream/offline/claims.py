"""Claims: which statements of a source its owner would want to find again, and how strongly.

A claim is one statement (or one list of steps) with what explains it. Everything is judged by the
cues of :mod:`.cues`, by structure and by place; a day without them yields nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.cues import ENOUGH, Kind
from vault_dream.engine.dream.offline.judging import (
    Judgement,
    asks,
    cue_sum,
    errand,
    generalises,
    hits_of,
    imperative,
    judge,
    objections,
    spoken_for,
)
from vault_dream.engine.dream.offline.passages import Passage, Sentence, passages
from vault_dream.engine.dream.offline.words import terms, weight
from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.units import Bucket

BUCKET: dict[Kind, Bucket] = {
    "steps": "procedure",
    "fix": "procedure",
    "rule": "procedure",
    "lesson": "wiki",
    "decision": "wiki",
    "preference": "personal",
    "definition": "wiki",
    "change": "wiki",
}
_STEPS_AT_LEAST = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement worth keeping. ``more`` explains it, ``steps`` are its list, if it has one."""

    kind: Kind
    score: float
    main: Sentence
    more: tuple[Sentence, ...]
    steps: tuple[Sentence, ...]
    context: tuple[str, ...]
    line: int
    end_line: int
    headings: tuple[str, ...]
    fresh: bool
    label: str = ""  # the kind of the callout it stands in

    @property
    def bucket(self) -> Bucket:
        return "personal" if self.kind == "decision" and _of_people(self) else BUCKET[self.kind]

    @property
    def text(self) -> str:
        return " ".join(s.text for s in (self.main, *self.more, *self.steps))

    @property
    def quotable(self) -> tuple[Sentence, ...]:
        """The sentences it may be proved with, the best first."""
        return (self.main, *self.steps, *self.more)


def claims_in(source: SourceText) -> tuple[Claim, ...]:
    """Every claim of ``source``, in reading order, stale blocks' claims too."""
    found: list[Claim] = []
    run: list[Passage] = []
    for passage in passages(source):
        if run and _same_list(run[-1], passage):
            run.append(passage)
            continue
        found.extend(_claims(run))
        run = [passage]
    found.extend(_claims(run))
    return tuple(_folded(found))


def _folded(found: Sequence[Claim]) -> Iterator[Claim]:
    """A warning or remark right under a list of steps belongs to it."""
    kept: list[Claim] = []
    for claim in found:
        last = kept[-1] if kept else None
        if (
            last is not None
            and last.steps
            and not claim.steps
            and claim.headings == last.headings
            and 0 < claim.line - last.end_line <= 2
        ):
            more = (*last.more, claim.main, *claim.more)
            kept[-1] = replace(last, more=more, end_line=claim.end_line)
        else:
            kept.append(claim)
    yield from kept


def _same_list(a: Passage, b: Passage) -> bool:
    return (
        a.shape in ("item", "step")
        and b.shape in ("item", "step")
        and a.headings == b.headings
        and b.line - a.end_line <= 2
    )


def _claims(run: Sequence[Passage]) -> Iterator[Claim]:
    """The claims of a paragraph, or of one whole list."""
    if not run:
        return
    taken: set[int] = set()
    for _, group in groupby(sorted(run, key=lambda p: p.depth), key=lambda p: p.depth):
        for siblings in _siblings(tuple(group)):
            steps = _step_list(siblings)
            if steps is not None:
                taken.update(p.line for p in siblings)
                yield steps
    for index, passage in enumerate(run):
        if passage.line not in taken:
            yield from _statements(passage, _children(run, index))


def _siblings(items: Sequence[Passage]) -> Iterator[tuple[Passage, ...]]:
    """Items of one depth, cut where the shape or the lead changes."""
    for _, group in groupby(items, key=lambda p: (p.shape, p.lead)):
        yield tuple(group)


def _children(run: Sequence[Passage], index: int) -> tuple[Passage, ...]:
    parent = run[index]
    found: list[Passage] = []
    for at in range(index + 1, len(run)):
        passage = run[at]
        if passage.depth <= parent.depth:
            break
        found.append(passage)
    return tuple(found)


# Lists of steps


def _step_list(items: Sequence[Passage]) -> Claim | None:
    """``items`` as one procedure, if that is what they are."""
    if not 2 <= len(items) <= 30 or items[0].shape not in ("step", "item"):
        return None
    ordered = items[0].shape == "step"
    first = items[0]
    place = " / ".join(first.context[:2])
    how = cues.HOW_PLACE.search(place) is not None
    if (cues.TASK_PLACE.search(place) and not how) or any(p.task == "open" for p in items):
        return None
    verbs = sum(imperative(p.sentences[0].text) for p in items) / len(items)
    errands = sum(errand(p.sentences[0].text) for p in items) / len(items)
    against = sum(objections(p.text) + asks(p.text) for p in items) / len(items)
    score = (1.0 if ordered else 0.0) + (1.25 if how else 0.0) + 1.25 * verbs
    score += 0.25 * (len(items) >= _STEPS_AT_LEAST) - 2 * errands - 1.5 * against
    score += 0.5 * (sum(cue_sum(p.text) for p in items) / len(items) >= 1)
    score -= 1.5 * (sum(cues.PAST.search(p.text) is not None for p in items) / len(items))
    if score < ENOUGH or verbs < 0.5 or (not how and (len(items) < 3 or not ordered)):
        return None
    steps = tuple(p.sentences[0] for p in items)
    extra = tuple(s for p in items for s in p.sentences[1:] if not asks(s.text))
    if sum(weight(s.text) for s in steps) / len(steps) < 2:
        return None
    return Claim(
        "steps",
        score + 0.5,
        steps[0],
        extra,
        steps,
        first.context,
        first.line,
        items[-1].end_line,
        first.headings,
        any(p.fresh for p in items),
    )


# Statements


def _statements(passage: Passage, children: Sequence[Passage]) -> Iterator[Claim]:
    """The claims of one block; neighbouring sentences on one subject make one claim."""
    if passage.task not in ("", "x", "X") or spoken_for(passage):
        return
    judged = _paired([(s, judge(s.text, passage)) for s in passage.sentences])
    used: set[int] = set()
    ranked = sorted(range(len(judged)), key=lambda i: (-judged[i][1].score, i))
    for index in ranked:
        sentence, verdict = judged[index]
        if index in used or verdict.kind is None or verdict.score < ENOUGH:
            continue
        near = _neighbours(judged, index, used)
        used.update((index, *near))
        before = judged[index - 1] if index - 1 in near else None
        if before and before[1].plain_cues >= 0.75 and cues.PRONOUN.match(sentence.text):
            near = tuple(index if i == index - 1 else i for i in near)
            sentence = before[0]
        more = tuple(judged[i][0] for i in near)
        if len(used) == 1 or index == ranked[0]:
            more += tuple(
                s
                for child in children
                if not child.task or child.task in "xX"
                for s in child.sentences
                if not asks(s.text) and objections(s.text) < 1
            )
        yield Claim(
            verdict.kind,
            verdict.score + min(0.5, 0.25 * len(near)),
            sentence,
            more[:6],
            (),
            passage.context,
            passage.line,
            passage.end_line,
            passage.headings,
            passage.fresh,
            passage.label,
        )


def _paired(judged: list[tuple[Sentence, Judgement]]) -> list[tuple[Sentence, Judgement]]:
    """A cause next to its remedy, or a reason before what to do, counts for more."""
    found = list(judged)
    for (i, (a, first)), (b, second) in zip(enumerate(judged), judged[1:], strict=False):
        kinds = {k for k, _ in hits_of(a.text)}, {k for k, _ in hits_of(b.text)}
        mended = bool(kinds[0] & {"reason", "cause", "fix"}) and "fix" in kinds[1]
        advised = (
            (bool(kinds[0] & {"reason", "condition", "contrast"}) or generalises(a.text))
            and imperative(b.text)
            and not errand(b.text)
        )
        if (mended or advised) and objections(a.text) < 1:
            kind = "fix" if mended else first.kind or "lesson"
            found[i] = a, Judgement(kind, first.score + 1.0, first.plain_cues)
            found[i + 1] = b, Judgement(second.kind, second.score, max(1.0, second.plain_cues))
    return found


def _neighbours(
    judged: Sequence[tuple[Sentence, Judgement]], index: int, used: set[int]
) -> tuple[int, ...]:
    """The sentences around ``index`` that belong to its statement, in order."""
    own = terms(judged[index][0].text)
    found: list[int] = []
    for step in (1, -1):
        at = index + step
        while 0 <= at < len(judged) and abs(at - index) <= 3 and at not in used:
            text, verdict = judged[at][0].text, judged[at][1]
            if asks(text) or objections(text) >= 1:
                break
            refers = cues.PRONOUN.match(text) is not None or cues.REFERS.search(text) is not None
            shared = len(own & terms(text))
            if not ((verdict.plain_cues >= 0.75 and (shared or refers)) or (refers and step > 0)):
                if not (step < 0 and cues.PRONOUN.match(judged[index][0].text) and shared >= 0):
                    break
                found.append(at)
                break
            found.append(at)
            at += step
    return tuple(sorted(found))


def _of_people(claim: Claim) -> bool:
    text = claim.main.text
    return cues.AGREED.search(text) is not None or (
        cues.PEOPLE.search(cues.DECIDED.sub("", text, count=1)) is not None
    )
