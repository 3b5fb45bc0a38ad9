"""Descriptions: one sentence that says what a note is for and when it matters."""

from __future__ import annotations

import re

from vault_dream.engine.dream.offline.claims import Claim
from vault_dream.engine.dream.offline.naming import (
    capital,
    name_of,
    shortened,
    stated,
)
from vault_dream.engine.dream.offline.words import is_chinese, terms, weight

LENGTH = 160
LENGTH_ZH = 60
_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_NUMBERS_ZH = "两三四五六七八九十"
_WHEN = re.compile(
    r"(?i)^(?:only |best |do (?:it|this) |needs? |it needs |for |before |when |if |works )"
    r"|\bneeds? (?:an?|the|about|\d|some)\b|^(?:需要|要|最好|适合|只)|(?:之前|的时候|时)(?:，|$)"
)
_MIND = re.compile(
    r"(?i)\b(?:never|always|otherwise|or else|careful|do not|don['’]t|not before|or (?:it|the|they|"
    r"you))\b|千万|别|不要|不能|否则|不然|一定"
)
_WHY = re.compile(
    r"(?i)[,;，；]? ?(?P<why>(?:because|since|otherwise|so that|or else|unless)\b.*|"
    r"(?:因为|由于|不然|否则|以免|免得|除非).*)"
)
_END = " \t.,;:!?。，；：！？、"


def summary_of(claim: Claim) -> str:
    """The description of the note that ``claim`` becomes."""
    if claim.steps:
        return _of_steps(claim)
    text = stated(claim)
    if goes_on(claim):
        joint = "" if is_chinese(text) else " "
        text = _ended(text) + joint + claim.more[0].text
    chinese = is_chinese(text)
    text = shortened(_why_or_all(name_of(claim), text), LENGTH_ZH if chinese else LENGTH)
    return capital(text.rstrip(_END)) + ("。" if chinese else ".")


def goes_on(claim: Claim) -> bool:
    """Whether the description needs the next sentence, as its own says no more than the name."""
    return bool(claim.more) and not claim.steps and terms(stated(claim)) <= terms(name_of(claim))


def _why_or_all(name: str, text: str) -> str:
    """What ``text`` says beyond ``name``, if that is why, or when it matters."""
    core = re.sub(r"^[^:：]{2,40}[:：] ?", "", name)
    at = text.lower().find(core.lower())
    if at < 0 or not core:
        return text
    found = _WHY.fullmatch(text[at + len(core) :])
    why = found["why"] if found else ""
    return why if weight(why) >= 5 else text


def _ended(text: str) -> str:
    return text.rstrip(_END) + ("。" if is_chinese(text) else ".")


def _of_steps(claim: Claim) -> str:
    name = name_of(claim)
    chinese = is_chinese(name) or is_chinese(claim.steps[0].text)
    limit = LENGTH_ZH if chinese else LENGTH
    said = [s.text for s in claim.more if _WHEN.search(s.text)]
    said += [s.text for step in claim.steps for s in step.sentences if _MIND.search(s.text)]
    said += [s.text for s in claim.more if _MIND.search(s.text)]
    lead = _lead(name, claim, chinese=chinese)
    for text in said:
        short = shortened(text.rstrip(_END), limit - len(lead) - 2)
        if weight(short) >= 3:
            first = short.split(" ", 1)[0]
            if first[1:].islower():
                short = short[:1].lower() + short[1:]
            return f"{lead}；{short}。" if chinese else f"{lead}; {short}."
    return lead + ("。" if chinese else ".")


def _lead(name: str, claim: Claim, *, chinese: bool) -> str:
    count = len(claim.steps)
    if chinese:
        number = _NUMBERS_ZH[count - 2] if 2 <= count <= 10 else str(count)
        what = name if re.search(r"(?:做法|步骤|流程|方法)$", name) else f"{name}的步骤"
        return f"{what}，共{number}步"
    number = _NUMBERS[count - 2] if 2 <= count <= 12 else str(count)
    if not claim.topic.doing:
        return f"{name}, in {number} steps"
    first = name.split(" ", 1)[0]
    lowered = name[:1].lower() + name[1:] if first[1:].islower() else name
    return f"How to {lowered}, in {number} steps"
