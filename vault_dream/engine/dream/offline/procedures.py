"""Procedures: lists, and told sequences, that say how something is done.

A procedure is its steps, each whole, with the sentences around them that belong to it: what it is
for, what it takes, what to mind. Those are no claims of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.cues import ENOUGH
from vault_dream.engine.dream.offline.judging import (
    asks,
    cue_sum,
    errand,
    hits_of,
    imperative,
    objections,
)
from vault_dream.engine.dream.offline.passages import Passage, Sentence
from vault_dream.engine.dream.offline.topics import HOW_SAID, Topic, said_to_follow, topic_of
from vault_dream.engine.dream.offline.words import is_chinese, terms, weight

_AT_LEAST = 3
_NESTED = 3  # lists within lists that are looked into
_AROUND = 2  # paragraphs before and after a list that may belong to it
_SEQUENCE = re.compile(
    r"(?i)^(?:first|then|next|after that|afterwards|finally|last(?:ly)?|second(?:ly)?|third|"
    r"once (?:that|it)|when (?:that|it)|now|in the (?:morning|evening)|the next day|meanwhile|"
    r"at the end)\b|^(?:首先|先|再|然后|接着|之后|最后|随后|第[一二三四五六]步|等)"
)
_TELLS = re.compile(
    r"(?i)^(?:i|we|he|she|they|my|our|his|her|their|it|there)\b|\?$|^(?:我|他|她|你|今天|昨天)"
)
_BELONGS = re.compile(
    r"(?i)\b(?:needs?|takes?|takes about|enough for|makes|serves|yields|works (?:for|with|in|on)|"
    r"mind|careful|otherwise|or else|never|always|only|before|without|good for|keeps|lasts|"
    r"did the whole|all in all|in total|per)\b|需要|够|别|不要|千万|否则|不然|一共|总共|大约|"
    r"能放|保存"
)
_SAYS_NOTHING = re.compile(
    r"(?i)^(?:lunch|dinner|supper|breakfast|tea|coffee|tomorrow|later|rain|sun|cold|warm|bed|"
    r"home)\b"
    r"|^(?-i:[A-Z][a-z]+) (?:thinks?|says?|said|likes?|wants?|thought|always)\b"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step with its reasons and warnings; ``text`` is all of it as plain words."""

    text: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Procedure:
    """``taken`` are the passages that it is made of, by line; ``around`` what belongs to it."""

    score: float
    topic: Topic
    steps: tuple[Step, ...]
    around: tuple[Sentence, ...]
    context: tuple[str, ...]
    line: int
    end_line: int
    headings: tuple[str, ...]
    fresh: bool
    taken: frozenset[int]


def procedures(found: Sequence[Passage]) -> Iterator[Procedure]:
    """Every procedure among the passages of a source."""
    at = 0
    while at < len(found):
        end = _list_end(found, at)
        if end - at > 1:
            for first, last in _groups(found, at, end):
                made = _of_list(found, first, last, at, end)
                if made is not None:
                    yield made
        elif found[at].shape in ("prose", "callout"):
            made = _of_prose(found, at)
            if made is not None:
                yield made
        at = max(end, at + 1)


def _list_end(found: Sequence[Passage], at: int) -> int:
    end = at
    while end < len(found) and found[end].shape in ("item", "step"):
        if end > at and not _goes_on(found[end - 1], found[end]):
            break
        end += 1
    return end


def _goes_on(a: Passage, b: Passage) -> bool:
    return a.headings == b.headings and b.line - a.end_line <= 2


def _groups(
    found: Sequence[Passage], at: int, end: int, level: int = 0
) -> Iterator[tuple[int, int]]:
    """Runs of one depth, shape and lead, with what is nested in them, outer ones first."""
    start = at
    for i in range(at, end + 1):
        same = i < end and (
            found[i].depth > found[start].depth
            or (found[i].depth, found[i].shape, found[i].lead)
            == (found[start].depth, found[start].shape, found[start].lead)
        )
        if not same:
            yield start, i
            inner = start + 1
            while inner < i and level < _NESTED:
                if found[inner].depth <= found[start].depth:
                    inner += 1
                    continue
                stop = inner
                while stop < i and found[stop].depth > found[start].depth:
                    stop += 1
                yield from _groups(found, inner, stop, level + 1)
                inner = stop
            start = i


def _of_list(
    found: Sequence[Passage], first: int, last: int, at: int, end: int
) -> Procedure | None:
    """The passages ``first`` to ``last`` as one procedure, if that is what they are."""
    depth = found[first].depth
    items = [p for p in found[first:last] if p.depth == depth]
    if not 2 <= len(items) <= 30 or any(p.task == "open" for p in found[first:last]):
        return None
    before = _before(found, at) if first == at else []
    leads = _leads(items[0], before)
    score = _list_score(items, leads)
    if score < ENOUGH:
        return None
    steps = [_step(found, i, last) for i in range(first, last) if found[i].depth == depth]
    if sum(weight(s.sentences[0].text) for s in steps) / len(steps) < 2:
        return None
    after = _after(found, end) if last == end else []
    topic = topic_of(leads, items[0].context)
    if not topic.text and said_to_follow(leads):
        topic = topic_of(_earlier(found, at - len(before)), ())
    mine = terms(" ".join([topic.text, *(s.text for s in steps)]))
    around = [s for p in before for s in p.sentences if _belongs(s.text, mine)]
    tail = [(p, [s for s in p.sentences if _belongs(s.text, mine)]) for p in after]
    lines = {p.line for p in found[first:last]} | {p.line for p in before}
    lines |= {p.line for p, own in tail if own}
    return Procedure(
        score + 0.5,
        topic,
        tuple(steps),
        (*around, *(s for _, own in tail for s in own)),
        items[0].context,
        items[0].line,
        found[last - 1].end_line,
        items[0].headings,
        any(p.fresh for p in items),
        frozenset(lines),
    )


def _leads(first: Passage, before: Sequence[Passage]) -> list[str]:
    """What leads to the list, nearest first: its lead line, then the sentences before it."""
    said = [first.lead] if first.lead and not before else []
    said += [s.text for p in reversed(before) for s in reversed(p.sentences)]
    return list(dict.fromkeys(said))


def _earlier(found: Sequence[Passage], at: int) -> list[str]:
    """The sentences of the section before what leads to a list, nearest first."""
    said: list[str] = []
    for passage in reversed(found[max(0, at - 2 * _AROUND) : at]):
        if passage.shape != "prose" or passage.headings != found[at].headings:
            break
        said += [sentence.text for sentence in reversed(passage.sentences)]
    return said


def _before(found: Sequence[Passage], at: int) -> list[Passage]:
    """The paragraphs right before a list that lead to it."""
    near: list[Passage] = []
    for i in range(at - 1, max(-1, at - 1 - _AROUND), -1):
        passage = found[i]
        if passage.shape != "prose" or passage.headings != found[at].headings:
            break
        said = [s.text for s in passage.sentences]
        leads_on = HOW_SAID.search(passage.text) or said[-1].endswith((":", "：", "）", ")"))
        if not (leads_on or (not near and topic_of(said[::-1], ()).text) or _quantities(passage)):
            break
        near.insert(0, passage)
    return near


def _after(found: Sequence[Passage], end: int) -> list[Passage]:
    near: list[Passage] = []
    for passage in found[end : end + _AROUND]:
        if passage.shape not in ("prose", "callout") or passage.headings != found[end - 1].headings:
            break
        near.append(passage)
    return near


def _quantities(passage: Passage) -> bool:
    """Whether a paragraph only lists what is needed: “700 g oil, 90 g lye”."""
    return all(
        len(re.findall(r"\d+|[两一二三四五六七八九十半百]+[克勺个斤片根]", s.text)) >= 2
        for s in passage.sentences
    )


def _list_score(items: Sequence[Passage], leads: Sequence[str]) -> float:
    """What speaks for the list being instructions; 0 where something forbids it."""
    place = " / ".join(items[0].context[:2])
    said = any(HOW_SAID.search(lead) for lead in leads[:3])
    how = said or cues.HOW_PLACE.search(place) is not None
    made = how or bool(topic_of(leads[:3], ()).text)
    if cues.TASK_PLACE.search(place) and not how:
        return 0.0
    ordered = items[0].shape == "step"
    count, texts = len(items), [p.text for p in items]
    heads = [p.sentences[0].text for p in items]
    verbs = sum(map(imperative, heads)) / count
    if said:
        verbs = max(verbs, 0.8 * sum(_steplike(h) for h in heads) / count)
    against = sum((objections(t) >= 1) + asks(t) for t in heads) / count
    past = sum(cues.PAST.search(h) is not None for h in heads) / count
    score = 1.0 * ordered + (1.25 if how else 1.0 * made) + 1.25 * verbs
    score += 0.25 * (count >= _AT_LEAST) - 2 * sum(map(errand, heads)) / count
    score += 0.5 * (sum(map(cue_sum, texts)) / count >= 1) - 1.5 * against - 1.5 * past
    telling = sum(bool(hits_of(t)) or weight(t) >= 6 for t in texts)
    if made and not how and not ordered and telling < 0.5 * count:
        return 0.0
    if verbs < 0.5 or (not made and (count < _AT_LEAST or not ordered)):
        return 0.0
    return score


def _steplike(text: str) -> bool:
    """Whether a line could be a step although no known verb begins it."""
    return weight(text) >= 3 and not _TELLS.search(text) and not objections(text)


def _step(found: Sequence[Passage], at: int, last: int) -> Step:
    """The item at ``at`` with what is nested in it, without asides and questions."""
    own = list(found[at].sentences)
    for passage in found[at + 1 : last]:
        if passage.depth <= found[at].depth:
            break
        own.extend(passage.sentences)
    kept = [s for i, s in enumerate(own) if i == 0 or not _aside(s.text)]
    joint = "" if is_chinese(kept[0].text) else " "
    return Step(joint.join(_ended(s.text) for s in kept), tuple(kept))


def _ended(text: str) -> str:
    if text.endswith((".", "!", "?", "。", "！", "？", "；", ";", ":", "：", "”", ")", "）")):
        return text
    return text + ("。" if is_chinese(text) else ".")


def _aside(text: str) -> bool:
    """Whether a sentence within instructions tells of people rather than of the matter."""
    if asks(text) or (objections(text) >= 1 and cue_sum(text) < 1):
        return True
    sides = {kind for kind, _ in hits_of(text)}
    person = re.match(r"(?-i:[A-Z][a-z]+) (?:has|had|is|was|says?|said|thinks?|got)\b", text)
    return bool(person) and not sides & {"reason", "rule", "condition"}


def _belongs(text: str, mine: frozenset[str]) -> bool:
    """Whether a sentence near a list says something of what the list makes."""
    if asks(text) or text.endswith((":", "：")) or _SAYS_NOTHING.match(text):
        return False
    if HOW_SAID.search(text) or objections(text) >= 1.5:
        return False
    sides = {kind for kind, _ in hits_of(text)}
    if "detail" in sides or len(re.findall(r"\d+", text)) >= 2:
        return True
    shared = len(terms(text) & mine)
    return bool(shared and (sides or _BELONGS.search(text))) or (
        _BELONGS.search(text) is not None and not _TELLS.search(text) and weight(text) <= 14
    )


def _in_one_sentence(passage: Passage, leads: Sequence[str]) -> Procedure | None:
    """“For the next one: tape the board, level it, crown with the 300 file.”"""
    for index, sentence in enumerate(passage.sentences):
        head, colon, tail = sentence.text.partition(": ")
        if not colon or not HOW_SAID.search(f"{head}:"):
            continue
        parts = [p.strip() for p in re.split(r",\s+(?:then\s+|and\s+)?|;\s+", tail.rstrip("."))]
        doing = sum(map(imperative, parts))
        if len(parts) < _AT_LEAST or doing < 0.5 * len(parts) or not imperative(parts[0]):
            continue
        own = passage.sentences
        topic = topic_of([head, *(s.text for s in reversed(own[:index])), *leads], passage.context)
        return Procedure(
            ENOUGH + 1.0,
            topic,
            tuple(Step(_ended(p[:1].upper() + p[1:]), (replace(sentence, text=p),)) for p in parts),
            tuple(s for s in own[index + 1 :] if not asks(s.text) and hits_of(s.text)),
            passage.context,
            passage.line,
            passage.end_line,
            passage.headings,
            passage.fresh,
            frozenset({passage.line}),
        )
    return None


def _of_prose(found: Sequence[Passage], at: int) -> Procedure | None:
    """A paragraph that tells instructions one after the other."""
    passage = found[at]
    sentences = list(passage.sentences)
    if len(sentences) < _AT_LEAST and passage.text.count(",") < 2:
        return None
    before = _before(found, at)
    leads = _leads(passage, before)
    place = " / ".join(passage.context[:2])
    told = _in_one_sentence(passage, leads)
    if told is not None:
        return told
    inside = len(sentences) > _AT_LEAST and bool(HOW_SAID.search(sentences[0].text))
    if inside:
        leads.insert(0, sentences.pop(0).text)
    how = inside or any(HOW_SAID.search(lead) for lead in leads[:2])
    titled = re.search(r"(?i)\bhow (?:to|i|we)\b|\bsteps\b|\brecipe\b|步骤|做法|流程|怎么", place)
    if not (how or titled) or passage.task:
        return None
    kept = [s for s in sentences if not _aside(s.text)]
    if len(kept) < _AT_LEAST:
        return None
    ordered = sum(_SEQUENCE.match(s.text) is not None for s in kept)
    verbs = sum(imperative(s.text) for s in kept if not is_chinese(s.text))
    if ordered < 2 and (verbs < 0.5 * len(kept) or verbs < 2):
        return None
    topic = topic_of(leads, passage.context)
    own = terms(" ".join([topic.text, *(s.text for s in kept)]))
    around = [s for p in before for s in p.sentences if _belongs(s.text, own)]
    return Procedure(
        ENOUGH + 1.0,
        topic,
        tuple(Step(_ended(s.text), (s,)) for s in kept),
        tuple(around),
        passage.context,
        passage.line,
        passage.end_line,
        passage.headings,
        passage.fresh,
        frozenset({passage.line, *(p.line for p in before)}),
    )
