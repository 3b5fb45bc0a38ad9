"""Judging: what one sentence is worth to its owner, by its cues, its structure and its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.cues import ENOUGH, Kind
from vault_dream.engine.dream.offline.instructions import prescribed
from vault_dream.engine.dream.offline.passages import Passage
from vault_dream.engine.dream.offline.recurrences import opens_so, recurs
from vault_dream.engine.dream.offline.runups import divided
from vault_dream.engine.dream.offline.words import is_chinese, weight

_SIDES = ("reason", "detail", "condition", "modality", "contrast")
_AFTER_NOUNS = frozenset({"is", "was", "were", "are", "of", "has", "had", "went", "came", "day"})
_AFTER_PAST = frozenset({"in", "on", "awake", "there", "out", "off", "down", "up"})
"""“Rest is”, “Water was”: no imperative but a noun; “lay in the dark”, “set off”: a past."""


_TAUGHT = re.compile(r"^(?:[^，。]{1,8}，)?(?:老师|师傅|医生|护士|教练|药师|大夫|主任)")
"""Who speaks with authority; what they say is no gossip."""


@dataclass(frozen=True, slots=True)
class Judgement:
    kind: Kind | None
    score: float
    plain_cues: float  # what the cues alone gave


def judge(text: str, passage: Passage, before: str = "") -> Judgement:
    """What ``text``, a sentence of ``passage`` after ``before``, is worth, and as what."""
    label = cues.LABEL.match(text)
    words = weight(text)
    if asks(text) or text.endswith((":", "：")) or words < (3 if label else 4):
        return Judgement(None, 0.0, 0.0)
    if cues.NOT_IT.match(text):
        return Judgement(None, 0.0, 0.0)
    core = divided(text)[1]
    hits = _merged(text, core)
    argued = bool(hits.keys() & {"reason", "condition", "modality", "contrast"})
    bids = imperative(text) or imperative(core)
    told = prescribed(text, before, argued=argued or bids, bids=bids)
    led = _TAUGHT.match(text) or re.match(r"\S+ [^.]{2,50}: ", text.removesuffix(core))
    against = objections(core if led else text)
    again = recurs(text) and against < 2
    if not hits and not label and not place_worth(passage) and not again:
        return Judgement(None, 0.0, 0.0)
    head = cues.REASON_BEGINS.split(text, maxsplit=1)[0]
    grounds = hits.keys() & {"reason", "condition", "modality"}
    if re.search(r"\d\S*[^.]*, not (?:\d|more|less)", text):
        grounds |= {"contrast"}  # “35 mg, not 50”
    side = min(2.25, sum(hits.pop(k, 0.0) for k in _SIDES))
    cause = hits.pop("cause", 0.0)
    if cause:
        hits["fix"] = hits.get("fix", 0.0) + cause
    ranked = sorted(hits.items(), key=lambda kv: -kv[1])
    score = sum(w if i == 0 else 0.5 * w for i, (_, w) in enumerate(ranked[:3])) + side
    kind = _kind(ranked, label.lastgroup if label else None, passage)
    cue_score = score
    score += (1.5 if label.lastgroup == "steps" else 2.0) if label else 0.0
    general = against == 0 and generalises(text)
    score += 0.75 if general and (hits or label or side or place_worth(passage) > 1) else 0.0
    score += 0.5 if general and "reason" in grounds else 0.0
    score += place_worth(passage) + (0.75 if passage.shape == "callout" else 0.0)
    if bids and side >= 0.75 and not errand(text) and (grounds or not is_chinese(text)):
        score += 1.0
        kind = kind or "rule"
    score -= against if "change" not in hits else 0.6 * against
    score -= 1.5 if errand(text) else 0.0
    score -= (
        0.75
        if cues.PAST.search(head) and not hits.keys() & {"lesson", "decision", "change"}
        else 0.0
    )
    score -= 0.75 if passage.task else 0.0
    score -= 0.5 if words > 60 else 0.0
    score -= 0.5 if cues.PRONOUN.match(text) and not passage.context else 0.0
    if told:
        return Judgement("instruction", max(score, ENOUGH) + 0.5, cue_score + 1.0)
    if again and (score < ENOUGH or kind is None or opens_so(text)):
        return Judgement("recurrence", max(score, ENOUGH), cue_score)
    if kind is None and not (grounds or label or place_worth(passage) > 1):
        return Judgement(None, min(score, 1.5), cue_score)
    if kind is None and score >= ENOUGH:
        kind = "rule" if cues.BIDS.search(text) or imperative(text) else "lesson"
    return Judgement(kind, score, cue_score)


def _merged(text: str, core: str) -> dict[str, float]:
    """The cues of ``text``, of what remains without its run-up, and of what follows a colon."""
    hits = dict(hits_of(text))
    for part in (core, re.sub(r"^.{3,50}?[:：] ?", "", core, count=1)):
        if part != text and weight(part) >= 4:
            for kind, worth in hits_of(part):
                hits[kind] = max(worth, hits.get(kind, 0.0))
    return hits


@lru_cache(maxsize=4096)
def hits_of(text: str) -> tuple[tuple[str, float], ...]:
    """Kind → the strongest weight of its cues in ``text``."""
    best: dict[str, float] = {}
    lowered = text.lower()
    for cue in cues.applicable(text):
        if best.get(cue.kind, 0.0) < cue.weight and cue.stands_in(text, lowered):
            best[cue.kind] = cue.weight
    return tuple(best.items())


def cue_sum(text: str) -> float:
    return sum(w for kind, w in hits_of(text) if kind not in ("condition", "modality", "contrast"))


@lru_cache(maxsize=4096)
def objections(text: str) -> float:
    """What speaks against keeping ``text``; what its reason tells of counts for nothing."""
    lowered = text.lower()
    head = cues.REASON_BEGINS.split(lowered, maxsplit=1)[0]
    if weight(head) >= 4:
        lowered = head
    return sum(a.weight for a in cues.against(text) if a.stands_in(lowered))


def asks(text: str) -> bool:
    return cues.QUESTION.search(text) is not None


def imperative(text: str) -> bool:
    words = text.split(maxsplit=3)
    if not words:
        return False
    first = words[0].strip("*_`(,.:;").lower()
    if first in ("then", "next", "finally", "now", "first", "and", "carefully", "slowly", "gently"):
        first = words[1].strip("*_`(,.:;").lower() if len(words) > 1 else ""
    if len(words) > 1 and words[1].lower() in _AFTER_NOUNS:
        return False
    if first in ("lay", "set", "put") and len(words) > 1 and words[1] in _AFTER_PAST:
        return False
    if first == "read" and len(words) > 1 and words[1][:1].isupper():
        return False
    if first in cues.VERBS or first in ("do", "don't", "don’t", "never", "always"):
        return True
    return is_chinese(text) and text[0] not in "我他她你们今昨明这那"


def errand(text: str) -> bool:
    first = text.split(maxsplit=1)[0].strip("*_`(,.:;").lower() if text else ""
    return first in cues.ERRANDS and cue_sum(text) < 1.5


def generalises(text: str) -> bool:
    """Whether ``text`` speaks of how things are, not of one person's afternoon."""
    after = re.sub(r"^.{2,60}?(?::\s+|：\s*)", "", text)
    text = after if weight(after) >= 5 else text
    first = text.split("; ", 1)[0]
    text = first if weight(first) >= 6 else text
    return weight(text) >= 6 and not cues.EVENT.search(text)


def place_worth(passage: Passage) -> float:
    return max((_worth(c) for c in passage.context[:2]), default=0.0)


@lru_cache(maxsize=512)
def _worth(place: str) -> float:
    if cues.STRONG_PLACE.search(place):
        return 1.75
    return 0.75 if cues.MILD_PLACE.search(place) else 0.0


def _kind(ranked: Sequence[tuple[str, float]], label: str | None, passage: Passage) -> Kind | None:
    if label is not None:
        return label  # type: ignore[return-value]
    if ranked:
        return ranked[0][0]  # type: ignore[return-value]
    for context in passage.context[:2]:
        if cues.DECISION_PLACE.search(context):
            return "decision"
    return None


def spoken_for(passage: Passage) -> bool:
    """Whether the place says that what stands here is a task, an appointment or a mood."""
    near = passage.context[:2]
    return any(_of_tasks(c) for c in near)


@lru_cache(maxsize=512)
def _of_tasks(place: str) -> bool:
    return bool(cues.TASK_PLACE.search(place)) and not cues.STRONG_PLACE.search(place)
