"""The body of a new node: what was quoted, in the order a reader needs it, nothing invented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.offline import cues
from vault_dream.engine.dream.offline.claims import Claim
from vault_dream.engine.dream.offline.naming import specific_place, stated
from vault_dream.engine.dream.offline.recurrences import recurs
from vault_dream.engine.dream.offline.runups import bare
from vault_dream.engine.dream.offline.sources import HEADING
from vault_dream.engine.dream.offline.words import is_chinese, overlap, terms
from vault_dream.engine.vault.plain import plain

_LIMIT = re.compile(
    r"(?i)\b(?:unless|except|only|do not|don['’]t|never|"
    r"careful|watch out|otherwise|or else|not before|too \w+|"
    r"at most|at least)\b|除非|除了|只有|不要|不能|别|小心|注意|否则|不然|至少|最多"
)
_WHY = re.compile(
    r"(?i)\b(?:because|since|so that|the reason|otherwise|or else)\b|因为|由于|原因|否则|不然|所以"
)


@dataclass(frozen=True, slots=True)
class Statements:
    """What a unit says, as plain sentences: ``main`` first, ``steps`` in order, ``more`` after."""

    kind: str
    main: str
    steps: tuple[str, ...]
    more: tuple[str, ...]
    place: str
    chinese: bool
    again: bool = False  # tells as an event that something known happened once more
    lead: tuple[str, ...] = ()  # what names the subject, where the statement itself does not

    @property
    def all(self) -> tuple[str, ...]:
        return self.steps + self.more if self.steps else (self.main, *self.more)


def statements(claims: Sequence[Claim], summary: str, name: str = "") -> Statements:
    """What the claims behind a unit say; name and summary if there is none."""
    if not claims:
        text = sentence(plain(summary))
        if not overlap(terms(name), terms(summary)):
            text = f"{sentence(plain(name))} {text}".strip()
        return Statements("", text, (), (), "", is_chinese(text))
    first = claims[0]
    steps = tuple(sentence(plain(s.text)) for s in first.steps)
    lead = tuple(sentence(bare(plain(s.text))) for s in first.before)
    main = sentence(plain(stated(first)))
    rest = [s for claim in claims for s in claim.more]
    rest += [s for c in claims[1:] for s in (c.main, *(s for t in c.steps for s in t.sentences))]
    more: list[str] = []
    known = [terms(x) for x in (*(steps or (main,)), *lead)]
    for one in rest:
        text = sentence(bare(plain(one.text)))
        words = terms(text)
        if not any(overlap(words, k) >= 0.7 for k in known):
            known.append(words)
            more.append(text)
    return Statements(
        first.kind,
        main,
        steps,
        tuple(more),
        specific_place(first),
        is_chinese(first.text),
        again=recurs(plain(first.main.text)),
        lead=lead,
    )


def body(said: Statements, relations: Sequence[str], sources: Sequence[str]) -> str:
    """The content of a new node, from its statement to its sources."""
    parts = _procedure(said) if said.steps else _statement(said)
    parts.extend(relations)
    joint = "\n"
    parts.append(f"{HEADING}\n\n{joint.join(sources)}")
    return "\n\n".join(parts) + "\n"


def _statement(said: Statements) -> list[str]:
    why = [m for m in said.more if _WHY.search(m)]
    rest = [m for m in said.more if m not in why]
    joint = "" if said.chinese else " "
    parts = [joint.join([*said.lead, said.main, *why])]
    if len(rest) <= 2:
        parts.extend([joint.join(rest)] if rest else [])
    else:
        parts.append("\n".join(f"- {m}" for m in rest))
    return parts


def _procedure(said: Statements) -> list[str]:
    limits = [m for m in said.more if _LIMIT.search(m)]
    rest = [m for m in said.more if m not in limits]
    parts: list[str] = []
    if rest:
        parts.append(("" if said.chinese else " ").join(rest))
    parts.append("\n".join(f"{n}. {step}" for n, step in enumerate(said.steps, 1)))
    if limits:
        heading = "## 注意" if said.chinese else "## Limits"
        parts.append(heading + "\n\n" + "\n".join(f"- {m}" for m in limits))
    return parts


def sentence(text: str) -> str:
    """``text`` with a capital and a full stop, safe at the start of a line."""
    text = cues.LABEL.sub("", text, count=1).strip()
    text = re.sub(r"^(?:[-*+>#|]+|\d+[.)])\s+", "", text)
    if not text:
        return text
    if not text.endswith((".", "!", "?", "。", "！", "？", "…", "”", ")", "）")):
        text = text.rstrip(" ,;:，；：") + ("。" if is_chinese(text) else ".")
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.islower() and first.isascii() else text
