"""Claims: which statements of a source its owner would want to find again, and how strongly.

A claim is one statement (or one procedure) with what explains it. Everything is judged by the
cues of :mod:`.cues`, by structure and by place; a day without them yields nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.compare import differs_in_value
from vault_dream.engine.dream.offline.cues import ENOUGH, Kind
from vault_dream.engine.dream.offline.judging import (
    Judgement,
    asks,
    errand,
    generalises,
    hits_of,
    imperative,
    judge,
    objections,
    spoken_for,
)
from vault_dream.engine.dream.offline.passages import Passage, Sentence, passages
from vault_dream.engine.dream.offline.procedures import Procedure, Step, procedures
from vault_dream.engine.dream.offline.pronouns import EXPLETIVE, named
from vault_dream.engine.dream.offline.recurrences import confirms
from vault_dream.engine.dream.offline.runups import bare
from vault_dream.engine.dream.offline.topics import NO_TOPIC, Topic
from vault_dream.engine.dream.offline.words import is_chinese, overlap, terms
from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.units import Bucket

BUCKET: dict[Kind, Bucket] = {
    "steps": "procedure",
    "fix": "procedure",
    "rule": "procedure",
    "lesson": "wiki",
    "decision": "wiki",
    "preference": "personal",
    "instruction": "personal",
    "definition": "wiki",
    "change": "wiki",
    "recurrence": "wiki",
}
_NEAR = 6  # lines between two statements that may be about one matter
_JUDGED = 500  # sentences of one source; far more than anybody writes in a day
_PASSED_OVER = Judgement(None, 0.0, 0.0)
_MORE = 6  # sentences that explain a statement


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement worth keeping.

    ``more`` explains it; ``steps`` are a procedure's and ``topic`` is what that makes or does;
    ``before`` are the sentences that name what its pronouns mean.
    """

    kind: Kind
    score: float
    main: Sentence
    more: tuple[Sentence, ...]
    steps: tuple[Step, ...]
    context: tuple[str, ...]
    line: int
    end_line: int
    headings: tuple[str, ...]
    fresh: bool
    label: str = ""  # the kind of the callout it stands in
    topic: Topic = NO_TOPIC
    before: tuple[Sentence, ...] = ()

    @property
    def bucket(self) -> Bucket:
        if self.kind == "lesson" and imperative(bare(self.main.text)):
            return "procedure"
        return "personal" if self.kind == "decision" and _of_people(self) else BUCKET[self.kind]

    @property
    def text(self) -> str:
        said = [*self.before, self.main, *self.more]
        return " ".join([*(s.text for s in said), *(s.text for s in self.steps)])

    @property
    def quotable(self) -> tuple[Sentence, ...]:
        """The sentences it may be proved with, the best first."""
        heads = tuple(step.sentences[0] for step in self.steps)
        tails = tuple(s for step in self.steps for s in step.sentences[1:])
        return (self.main, *self.before, *heads, *self.more, *tails)


def claims_in(source: SourceText) -> tuple[Claim, ...]:
    """Every claim of ``source``, in reading order, stale blocks' claims too."""
    read = passages(source)
    made = tuple(procedures(read))
    found = [_of_procedure(p) for p in made]
    taken = frozenset(line for p in made for line in p.taken)
    read_closely = _promising(read)
    for index, passage in enumerate(read):
        if passage.line not in taken:
            children = _children(read, index, taken)
            found.extend(_statements(passage, children, _just_before(read, index), read_closely))
    found.sort(key=lambda c: (c.line, -c.score))
    return tuple(_one_matter(found))


def _promising(read: Sequence[Passage]) -> frozenset[int] | None:
    """Which sentences of an enormous day are judged, by identity; ``None`` for all of them."""
    said = [s for p in read for s in p.sentences]
    if len(said) <= _JUDGED:
        return None
    hints = [len(cues.HINT.findall(s.text)) for s in said]
    best = sorted(range(len(said)), key=lambda i: (-hints[i], i))[:_JUDGED]
    return frozenset(id(said[i]) for i in best)


def _of_procedure(made: Procedure) -> Claim:
    return Claim(
        "steps",
        made.score,
        made.steps[0].sentences[0],
        made.around,
        made.steps,
        made.context,
        made.line,
        made.end_line,
        made.headings,
        made.fresh,
        topic=made.topic,
    )


def _children(read: Sequence[Passage], index: int, taken: frozenset[int]) -> tuple[Passage, ...]:
    """What is nested under a list item."""
    parent = read[index]
    if parent.shape not in ("item", "step"):
        return ()
    found: list[Passage] = []
    for passage in read[index + 1 : index + 1 + 3 * _MORE]:
        if passage.depth <= parent.depth or passage.headings != parent.headings:
            break
        if passage.line not in taken:
            found.append(passage)
    return tuple(found)


def _just_before(read: Sequence[Passage], index: int) -> Sentence | None:
    """The last sentence of the paragraph above, which a pronoun may point to."""
    if not index or read[index].shape != "prose":
        return None
    above = read[index - 1]
    near = above.headings == read[index].headings and read[index].line - above.end_line <= 2
    return above.sentences[-1] if near and above.shape == "prose" else None


# One matter, one claim


def _one_matter(found: Sequence[Claim]) -> Iterator[Claim]:
    """The reason, the exception and the remark that follow a statement belong to it."""
    kept: list[Claim] = []
    for claim in found:
        last = kept[-1] if kept else None
        if last is not None and _of_one_matter(last, claim):
            kept[-1] = _joined(last, claim)
        else:
            kept.append(claim)
    yield from kept


def _of_one_matter(a: Claim, b: Claim) -> bool:
    if a.headings != b.headings or not 0 <= b.line - a.end_line <= _NEAR or b.steps:
        return False
    if a.steps:
        near = b.line - a.end_line <= 2 and b.kind not in ("change", "decision", "instruction")
        refers = cues.REFERS.search(b.main.text) or cues.REFERENT.match(b.main.text)
        return near and bool(refers or terms(a.text) & terms(b.main.text))
    if b.line - a.end_line > 2:
        return False
    if cues.ADDS.match(b.main.text):
        return True
    if differs_in_value(a.main.text, b.main.text) or _parallel(a.main.text, b.main.text):
        return False
    mine, theirs = terms(a.text), terms(b.main.text)
    shared = len(mine & theirs)
    if cues.REFERENT.match(b.main.text) and shared:
        return True
    return shared >= 3 and overlap(theirs, mine) >= 0.4


def _parallel(a: str, b: str) -> bool:
    """Whether two statements begin alike, as the items of a list of several things do."""
    if is_chinese(a):
        return a[:2] == b[:2]
    return a.split()[:1] == b.split()[:1]


def _joined(a: Claim, b: Claim) -> Claim:
    """The two as one, led by the stronger; a procedure stays what it is."""
    lead, other = (b, a) if b.score > a.score + 0.5 and not a.steps and not b.before else (a, b)
    more = (*lead.more, *other.before, other.main, *other.more)
    return replace(
        lead,
        score=max(a.score, b.score) + 0.25,
        more=tuple(dict.fromkeys(more))[: 2 * _MORE],
        line=a.line,
        end_line=max(a.end_line, b.end_line),
        fresh=a.fresh or b.fresh,
    )


# Statements


def _statements(
    passage: Passage,
    children: Sequence[Passage],
    above: Sentence | None,
    closely: frozenset[int] | None,
) -> Iterator[Claim]:
    """The claims of one block; neighbouring sentences on one subject make one claim."""
    if passage.task not in ("", "x", "X") or spoken_for(passage):
        return
    judged = _paired(
        [
            (s, judge(s.text, passage, _told_before(passage, i, above)))
            if closely is None or id(s) in closely
            else (s, _PASSED_OVER)
            for i, s in enumerate(passage.sentences)
        ]
    )
    used: set[int] = set()
    ranked = sorted(range(len(judged)), key=lambda i: (-judged[i][1].score, i))
    for index in ranked:
        sentence, verdict = judged[index]
        if index in used or verdict.kind is None or verdict.score < ENOUGH:
            continue
        near = _neighbours(judged, index, used)
        used.update((index, *near))
        more = tuple(judged[i][0] for i in near if i > index or verdict.kind != "recurrence")
        before: tuple[Sentence, ...] = ()
        more += tuple(_onward(judged, index, (*near, *used), verdict.kind))
        points = cues.REFERENT.match(sentence.text) or cues.PRONOUN.match(sentence.text)
        if points and not EXPLETIVE.match(bare(sentence.text)):
            prior = judged[index - 1][0] if index else above
            if prior is not None and not asks(prior.text):
                more = tuple(s for s in more if s != prior)
                stands = index and judged[index - 1][1].plain_cues >= 0.75
                if stands and (index - 1 not in used or index - 1 in near):
                    sentence, more = prior, (sentence, *more)
                elif cues.REFERENT.match(sentence.text):
                    before = (prior,)
                    near_it = bool(terms(prior.text) & terms(sentence.text)) or generalises(
                        prior.text
                    )
                    if not named(sentence.text, prior.text):
                        if near_it and len(terms(prior.text)) >= 3:
                            sentence, before, more = prior, (), (sentence, *more)
                        elif not passage.context and verdict.kind != "instruction":
                            continue
                used.add(index - 1)
        if len(used) <= 2 or index == ranked[0]:
            more += tuple(_explaining(children))
        yield Claim(
            verdict.kind,
            verdict.score + min(0.5, 0.25 * len(near)),
            sentence,
            more[:_MORE],
            (),
            passage.context,
            passage.line,
            passage.end_line,
            passage.headings,
            passage.fresh,
            passage.label,
            before=before,
        )


def _told_before(passage: Passage, index: int, above: Sentence | None) -> str:
    """The words before a sentence that say who speaks: its passage, and the heading."""
    said = [s.text for s in passage.sentences[max(0, index - 4) : index]]
    if index == 0 and above is not None:
        said.append(above.text)
    return " ".join([*said, *passage.context[:1]])


def _onward(
    judged: Sequence[tuple[Sentence, Judgement]], index: int, used: Sequence[int], kind: Kind
) -> Iterator[Sentence]:
    """The next sentences where they go on with the matter without being a find themselves."""
    for at in range(index + 1, min(index + 3, len(judged))):
        sentence, verdict = judged[at]
        if at in used:
            continue
        finds = verdict.kind is not None and verdict.score >= ENOUGH
        own = {k for k, _ in hits_of(sentence.text)}
        if asks(sentence.text) or objections(sentence.text) >= 0.75 or not own:
            break
        if kind == "recurrence" or (finds and kind != "instruction"):
            break
        yield sentence


def _explaining(children: Sequence[Passage]) -> Iterator[Sentence]:
    for child in children:
        if not child.task or child.task in "xX":
            yield from (s for s in child.sentences if not asks(s.text) and objections(s.text) < 1)


def _paired(judged: list[tuple[Sentence, Judgement]]) -> list[tuple[Sentence, Judgement]]:
    """A cause next to its remedy, or a reason before what to do, counts for more."""
    found = list(judged)
    for (i, (a, first)), (b, second) in zip(enumerate(judged), judged[1:], strict=False):
        kinds = {k for k, _ in hits_of(a.text)}, {k for k, _ in hits_of(b.text)}
        mended = bool(kinds[0] & {"reason", "cause", "fix"}) and "fix" in kinds[1]
        advised = (
            imperative(b.text)
            and not errand(b.text)
            and (bool(kinds[0] & {"reason", "condition", "contrast"}) or generalises(a.text))
        )
        if cues.NOT_IT.match(a.text) and not cues.NOT_IT.match(b.text) and not asks(b.text):
            if objections(b.text) < 1.5 and len(terms(b.text)) >= 3:
                found[i + 1] = b, Judgement("lesson", max(second.score, 0.0) + ENOUGH, 1.0)
            continue
        if confirms(b.text) and len(terms(a.text)) >= 3 and objections(a.text) < 1.5:
            held = found[i][1]
            found[i] = a, Judgement(held.kind or "lesson", max(held.score, 0.0) + ENOUGH, 1.0)
            found[i + 1] = b, Judgement(None, 0.0, 1.0)
            continue
        if found[i][1].kind and cues.ADDS.match(b.text):
            found[i] = a, Judgement(first.kind, first.score + 0.75, first.plain_cues)
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
            adds = step > 0 and cues.ADDS.match(text) is not None
            adds = adds or (verdict.kind == "instruction" == judged[index][1].kind)
            adds = adds or judged[min(at, at - step)][0].text.endswith(("；", ";"))
            if asks(text) or (objections(text) >= 1 and not adds):
                break
            refers = cues.PRONOUN.match(text) is not None or cues.REFERS.search(text) is not None
            shared = len(own & terms(text))
            explains = verdict.plain_cues >= 0.75 and (shared or refers)
            if not (explains or (refers and step > 0) or adds):
                break
            found.append(at)
            at += step
    return tuple(sorted(found))


def _of_people(claim: Claim) -> bool:
    text = claim.main.text
    return cues.AGREED.search(text) is not None or (
        cues.PEOPLE.search(cues.DECIDED.sub("", text, count=1)) is not None
    )
