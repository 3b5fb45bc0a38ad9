"""Updating a node: what to change in its text, and where, so that nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.denials import denies
from vault_dream.engine.dream.offline import sources
from vault_dream.engine.dream.offline.compare import contradicts, core, says_more
from vault_dream.engine.dream.offline.compose import Statements
from vault_dream.engine.dream.offline.naming import shortened
from vault_dream.engine.dream.offline.quantities import (
    numerals,
    other_amount,
    quantities,
)
from vault_dream.engine.dream.offline.sameness import replaced
from vault_dream.engine.dream.offline.sources import Cited
from vault_dream.engine.dream.offline.words import MEASURES, is_chinese, overlap, sentences, terms
from vault_dream.engine.dream.reader import Action
from vault_dream.engine.vault.plain import plain

_FRONTMATTER = re.compile(r"\A\ufeff?---\r?\n.*?(?m:^---[ \t]*\r?$)\n?", re.S)
_HEADING = re.compile(r"(?m)^(#{1,6})[ \t]+(.+?)[ \t]*$")
_ITEM = re.compile(r"^([ \t]*)(?:([-*+])|(\d{1,4})([.)]))[ \t]+")
_CONDITION = re.compile(
    r"(?i)\b(?:if|when|whenever|in|during|for|at|on|unless|wenn|falls|bei|im|für)\b([^,.;]+)"
    r"|([^，。；]*?)(?:的时候|时候|时)"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|nor|no longer|instead of|rather than|nicht|statt)\b"
    r".*?(?=[,.;:]|\bbut\b|\bsondern\b|$)"
    r"|(?:不是|而不是|不再)[^，。；]*"
)
_EITHER = re.compile(r"(?i)\b(?:also|as well|either|too|auch)\b|也(?:行|可以|能|好)")
"""Both the old and the new will do."""
_SAME_SUBJECT = 0.5  # of the words of a node's sentence, what a statement on it says too
_DENIED_SHARE = 0.3  # the same, where the statement says that something does not hold
_FIELD = re.compile(r"^\w+:: ")
_LONGEST_NOTE = 120  # characters of what it is that a change adds or contradicts
_LONGEST_WHY = 300  # characters of what contradicts a sentence


@dataclass(frozen=True, slots=True)
class Insertion:
    """Text to be put at an offset of a node; nothing is ever taken away."""

    at: int
    added: str


@dataclass(frozen=True, slots=True)
class Change:
    """How a node takes a unit in; ``reason`` is what its new source line says."""

    action: Action
    insertion: Insertion | None = None
    reason: str = ""
    note: str = ""
    denied: str = ""  # the sentence of the node that no longer holds


@dataclass(frozen=True, slots=True)
class Chunk:
    """A paragraph or list item of a node, where it stands in the node's text."""

    text: str
    start: int
    end: int
    indent: str  # what a line under it needs in order to belong to it


def prose_of(text: str) -> str:
    """A node's text without frontmatter and sources."""
    where = sources.section(text) or (len(text), len(text))
    front = _FRONTMATTER.match(text)
    return text[front.end() if front else 0 : where[0]] + text[where[1] :]


def plan(
    said: Statements, text: str, known: frozenset[str], quoted: Sequence[Cited], *, chinese: bool
) -> Change:
    """How the node ``text`` takes in what is ``said``, a thing it is already about."""
    if said.kind == "recurrence":
        return Change("CORROBORATE", note="it happened again")
    denied = (
        contradicted(said, text)
        or requantified(said, text, quoted)
        or revalued(said, text)
        or denied_at_all(said, text, quoted)
    )
    if denied is not None:
        statement, chunk = denied[:2]
        link = next((q.place.link for q in quoted if q.place.link), "")
        why = plain(statement).rstrip(" .。")
        if not link or why in plain(text):
            return Change("CORROBORATE", note="the contradiction is noted there already")
        why = _with_what_holds(why, said, known)
        added = f"{newline_of(text) * 2}{chunk.indent}> note: contradicted by {link} - {why}"
        note = f"contradicts: {_in_short(denied[2])}"
        return Change("CORRECT", Insertion(chunk.end, added), "corrected", note, denied[2])
    fresh = [s for s in said.all if says_more(s, known)]
    if not fresh:
        return Change("CORROBORATE", note="says the same again")
    where = _addition(text, fresh)
    return Change("REFINE", where, "refined", f"adds: {_in_short(plain(fresh[0]))}")


def _in_short(sentence: str) -> str:
    short = shortened(sentence, _LONGEST_NOTE)
    return short if sentence.startswith(short) and len(sentence) - len(short) <= 1 else f"{short} …"


def _with_what_holds(why: str, said: Statements, known: frozenset[str]) -> str:
    """The words that deny something, and what the unit says holds instead."""
    parts = [why]
    for statement in said.all:
        words = plain(statement).rstrip(" .。")
        if words in why or not says_more(statement, known):
            continue
        if sum(map(len, parts)) + len(words) > _LONGEST_WHY:
            break
        parts.append(words)
    return ("。" if is_chinese(why) else ". ").join(parts)


def contradicted(said: Statements, text: str) -> tuple[str, Chunk, str] | None:
    """The statement that denies something in the node, and the chunk and sentence denied."""
    for statement in said.all:
        for chunk in chunks(text):
            for old in sentences(plain(chunk.text)):
                if contradicts(statement, old):
                    return statement, chunk, old
    return None


def revalued(said: Statements, text: str) -> tuple[str, Chunk, str] | None:
    """The statement that begins in one mould with a sentence of the node and has another value in
    it, and the chunk and the sentence. As the node is about the same thing, one of them is wrong.
    """
    for statement in said.all:
        for chunk in chunks(text):
            for old in sentences(plain(chunk.text)):
                if replaced(core(statement), core(old), "\n".join(said.all), plain(text)):
                    return statement, chunk, old
    return None


def requantified(
    said: Statements, text: str, quoted: Sequence[Cited] = ()
) -> tuple[str, Chunk, str] | None:
    """The statement that gives another amount of what a sentence of the node gives, with no
    condition that the node has not, and the chunk and the sentence."""
    told = _told(said, quoted)
    everything = terms(" ".join((*said.lead, *told)))
    for statement in told:
        new = quantities(_DENIED.sub(" ", statement))
        for chunk in chunks(text) if new else ():
            for old in sentences(plain(chunk.text)):
                if not other_amount(new, quantities(old)):
                    continue
                words = terms(old) - MEASURES
                words -= numerals(words)
                if overlap(words, everything) >= _SAME_SUBJECT and not _conditional(statement, old):
                    return statement, chunk, old
    return None


def _told(said: Statements, quoted: Sequence[Cited]) -> tuple[str, ...]:
    """What the unit says, and the words of its sources that were not understood as a claim."""
    quotes = (plain(quote) for cited in quoted for quote in cited.quotes if quote)
    return tuple(dict.fromkeys((*said.all, *quotes)))


def _conditional(statement: str, old: str) -> bool:
    """Whether the statement holds under a condition of which the node's sentence says nothing."""
    known = terms(old) | MEASURES
    return any(
        (words := terms(clause) - known) - numerals(words)
        for pair in _CONDITION.findall(statement)
        for clause in pair
    )


def denied_at_all(
    said: Statements, text: str, quoted: Sequence[Cited] = ()
) -> tuple[str, Chunk, str] | None:
    """The statement that denies something, and the chunk and sentence that has most in common with
    it: as the node is about the same thing, what is denied is what the node says."""
    for statement in _told(said, quoted):
        if not denies(statement) or _EITHER.search(statement):
            continue
        words = terms(statement)
        shared = [
            (overlap(terms(core(old)), words), chunk, old)
            for chunk in chunks(text)
            for old in sentences(plain(chunk.text))
        ]
        share, chunk, old = max(shared, key=lambda one: one[0], default=(0.0, None, ""))
        if chunk is not None and share >= _DENIED_SHARE and not denies(old):
            return statement, chunk, old
    return None


def nearest(statement: str, text: str) -> str | None:
    """The sentence of a node that shares most with ``statement``, if it shares half of it."""
    own = terms(statement)
    best, found = 0.0, None
    for chunk in chunks(text):
        for old in sentences(plain(chunk.text)):
            share = overlap(own, terms(old))
            if share > best:
                best, found = share, old
    return found if best >= 0.5 else None


def chunks(text: str) -> list[Chunk]:
    """The paragraphs and list items of a node: no frontmatter, sources, headings, quotes, code."""
    front = _FRONTMATTER.match(text)
    left_out = sources.section(text) or (len(text), len(text))
    found: list[Chunk] = []
    at, fenced, open_ended = front.end() if front else 0, False, False
    for line in text[at:].splitlines(keepends=True):
        start, at = at, at + len(line)
        bare = line.strip()
        fence = bare.startswith(("```", "~~~"))
        fenced = fenced != fence
        if fenced or fence or not bare or left_out[0] <= start < left_out[1]:
            open_ended = False
            continue
        if bare.startswith((">", "#", "|", "<", "%%")) or _FIELD.match(bare):
            open_ended = False
            continue
        end = start + len(line.rstrip("\r\n"))
        item = _ITEM.match(line)
        if open_ended and item is None:
            last = found.pop()
            found.append(Chunk(text[last.start : end], last.start, end, last.indent))
            continue
        indent = " " * len(item[0].expandtabs(4)) if item else ""
        found.append(Chunk(text[start:end], start, end, indent))
        open_ended = True
    return found


def newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _addition(text: str, fresh: Sequence[str]) -> Insertion:
    """Where ``fresh`` belongs: below the chunk that shares most with it, or after its list."""
    found = chunks(text)
    newline = newline_of(text)
    if not found:
        where = sources.section(text)
        added = (newline * 2).join(fresh)
        if where is not None:
            return Insertion(where[0], added + newline * 2)
        return Insertion(_end(text, len(text)), newline * 2 + added)
    words = terms(" ".join(fresh))
    best = max(range(len(found)), key=lambda i: (overlap(words, terms(plain(found[i].text))), i))
    if _ITEM.match(found[best].text) is None:
        return Insertion(found[best].end, newline * 2 + (newline * 2).join(fresh))
    while best + 1 < len(found) and _same_list(text, found[best], found[best + 1]):
        best += 1
    item = _ITEM.match(found[best].text)
    marks = _marks(item, len(fresh)) if item else ["-"] * len(fresh)
    lead = item[1] if item else ""
    lines = [f"{newline}{lead}{m} {s}" for m, s in zip(marks, fresh, strict=True)]
    return Insertion(found[best].end, "".join(lines))


def _marks(item: re.Match[str], count: int) -> list[str]:
    if item[3]:
        return [f"{int(item[3]) + n}{item[4]}" for n in range(1, count + 1)]
    return [item[2]] * count


def _same_list(text: str, a: Chunk, b: Chunk) -> bool:
    return _ITEM.match(b.text) is not None and not text[a.end : b.start].strip()


def with_sources(text: str, listed: Sequence[str]) -> Insertion:
    """The insertion that adds lines at the end of a node's Sources (made if there are none)."""
    newline = newline_of(text)
    where = sources.section(text)
    end = where[1] if where is not None else len(text)
    at = _end(text, end)
    if where is None:
        return Insertion(at, f"{newline * 2}{sources.HEADING}{newline * 2}{newline.join(listed)}")
    gap = newline if sources.standing_lines(text) else newline * 2
    return Insertion(at, gap + newline.join(listed))


def _end(text: str, before: int) -> int:
    """Where the last words before an offset end, and not within the frontmatter."""
    front = _FRONTMATTER.match(text)
    return max(len(text[:before].rstrip()), front.end() if front else 0)


def inserted(text: str, insertion: Insertion) -> str:
    return text[: insertion.at] + insertion.added + text[insertion.at :]


def as_edit(text: str, insertion: Insertion) -> tuple[str, str]:
    """An insertion as the edit tool takes it: words that stand once in ``text``, and the new."""
    start = text.rfind("\n", 0, max(0, insertion.at - 1)) + 1
    while start > 0 and text.count(text[start : insertion.at]) > 1:
        start = text.rfind("\n", 0, start - 1) + 1
    old = text[start : insertion.at]
    return old, old + insertion.added


def relation(
    link: str, path: str, words: Sequence[str], index: int, style: str, chinese: bool
) -> str:
    """The sentence that relates a new node to the node at ``path``: what the two share."""
    bucket = path.split("/")[1] if path.count("/") >= 2 else ""
    if style == "field":
        return f"relates_to:: {link}"
    if style == "inline":
        link = f"(relates_to:: {link})"
    if chinese:
        shared = "、".join(words)
        told = {"procedure": "的做法", "personal": "的个人情况"}.get(bucket, "的背景")
        lead = ("关于", "另外，关于", "还有，关于")[index % 3]
        return f"{lead}“{shared}”{told}，见 {link}。"
    shared = " and ".join(words)
    if index == 0 and bucket == "procedure":
        return f"How to go about {shared} stands in {link}."
    if index == 0 and bucket == "personal":
        return f"What somebody wants where {shared} is concerned stands in {link}."
    ways = (
        "It concerns the same {} as {}.",
        "The same {} also comes up in {}.",
        "On {}, see {} too.",
    )
    return ways[index % 3].format(shared, link)
