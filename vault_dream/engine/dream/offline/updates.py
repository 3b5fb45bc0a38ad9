"""Updating a node: what to change in its text, and where, so that nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.offline import sources
from vault_dream.engine.dream.offline.compare import contradicts, says_more
from vault_dream.engine.dream.offline.compose import Statements
from vault_dream.engine.dream.offline.sources import Cited
from vault_dream.engine.dream.offline.words import overlap, sentences, terms
from vault_dream.engine.dream.reader import Action, ToolError
from vault_dream.engine.vault.plain import plain

_FRONTMATTER = re.compile(r"\A\ufeff?---\r?\n.*?(?m:^---[ \t]*\r?$)\n?", re.S)
_HEADING = re.compile(r"(?m)^(#{1,6})[ \t]+(.+?)[ \t]*$")
_ITEM = re.compile(r"^([ \t]*)(?:([-*+])|(\d{1,4})([.)]))[ \t]+")
_FIELD = re.compile(r"^\w+:: ")


@dataclass(frozen=True, slots=True)
class Change:
    """An edit of a node: ``old`` (found once in it) becomes ``new``; both ``""`` for none."""

    action: Action
    old: str = ""
    new: str = ""
    reason: str = ""
    note: str = ""


def prose_of(text: str) -> str:
    """A node's text without frontmatter and sources."""
    body = _FRONTMATTER.sub("", text, count=1)
    where = sources.section(body)
    return body if where is None else body[: where[0]] + body[where[1] :]


def plan(
    said: Statements,
    prose: str,
    known: frozenset[str],
    quoted: Sequence[Cited],
    *,
    chinese: bool,
) -> Change:
    """How a node with this prose takes in what is ``said``, a thing it is already about."""
    denied = contradicted(said, prose)
    if denied is not None:
        statement, chunk = denied
        link = next((q.place.link for q in quoted if q.place.link), "")
        why = _one_line(statement)
        if link and "contradicted by" not in chunk.text_after and why not in plain(prose):
            old = chunk.text
            new = f"{old}{chunk.newline}{chunk.indent}> note: contradicted by {link} - {why}"
            return Change("CORRECT", old, new, "corrected", f"contradicts: {plain(old)[:120]}")
        return Change("CORROBORATE", note="the contradiction is noted there already")
    fresh = [s for s in said.all if says_more(s, known)]
    if not fresh:
        return Change("CORROBORATE", note="says the same again")
    old, new = _inserted(prose, fresh)
    return Change("REFINE", old, new, "refined", f"adds: {plain(fresh[0])[:120]}")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A paragraph or list item of a node, as it stands there; ``text_after`` is the line below."""

    text: str
    indent: str
    text_after: str
    newline: str


def contradicted(said: Statements, prose: str) -> tuple[str, Chunk] | None:
    """The statement that denies something in the node, and the chunk that is denied."""
    for statement in said.all:
        for chunk in chunks(prose):
            if any(contradicts(statement, old) for old in sentences(plain(chunk.text))):
                return statement, chunk
    return None


def nearest(statement: str, prose: str) -> str | None:
    """The sentence of a node that shares most with ``statement``, if it shares half of it."""
    own = terms(statement)
    best, found = 0.0, None
    for chunk in chunks(prose):
        for old in sentences(plain(chunk.text)):
            share = overlap(own, terms(old))
            if share > best:
                best, found = share, old
    return found if best >= 0.5 else None


def chunks(prose: str) -> list[Chunk]:
    """The paragraphs and list items of ``prose`` that occur once; headings, quotes and code not."""
    newline = "\r\n" if "\r\n" in prose else "\n"
    lines = prose.split(newline)
    groups: list[tuple[list[str], int]] = []
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        bare = line.strip()
        if fenced or not bare or bare.startswith((">", "#", "|", "<", "%%")) or _FIELD.match(bare):
            continue
        previous = groups[-1] if groups else None
        follows = previous is not None and previous[1] == number - 1
        if follows and previous is not None and not _ITEM.match(line):
            previous[0].append(line)
            groups[-1] = (previous[0], number)
        else:
            groups.append(([line], number))
    found: list[Chunk] = []
    for group, last in groups:
        text = newline.join(group)
        item = _ITEM.match(group[0])
        indent = " " * len(item[0].expandtabs(4)) if item else ""
        after = lines[last + 1] if last + 1 < len(lines) else ""
        if prose.count(text) == 1:
            found.append(Chunk(text, indent, after, newline))
    return found


def _inserted(prose: str, fresh: Sequence[str]) -> tuple[str, str]:
    """Where ``fresh`` belongs: after the chunk that shares most with it, in its section."""
    found = chunks(prose)
    if not found:
        raise ToolError("the node has no text of its own to add to")
    words = terms(" ".join(fresh))
    best = max(range(len(found)), key=lambda i: (overlap(words, terms(plain(found[i].text))), i))
    chunk = found[best]
    item = _ITEM.match(chunk.text)
    newline = chunk.newline
    if item is None:
        added = (newline * 2).join(fresh)
        return chunk.text, f"{chunk.text}{newline}{newline}{added}"
    last = best
    while last + 1 < len(found) and _same_list(prose, found[last], found[last + 1]):
        last += 1
    chunk = found[last]
    item = _ITEM.match(chunk.text) or item
    marks = _marks(item, len(fresh))
    added = newline.join(f"{item[1]}{m} {s}" for m, s in zip(marks, fresh, strict=True))
    return chunk.text, f"{chunk.text}{newline}{added}"


def _marks(item: re.Match[str], count: int) -> list[str]:
    if item[3]:
        return [f"{int(item[3]) + n}{item[4]}" for n in range(1, count + 1)]
    return [item[2]] * count


def _same_list(prose: str, a: Chunk, b: Chunk) -> bool:
    end = prose.index(a.text) + len(a.text)
    return _ITEM.match(b.text) is not None and not prose[end : prose.index(b.text)].strip()


def with_sources(text: str, listed: Sequence[str]) -> tuple[str, str]:
    """The edit that adds lines to a node's Sources: its last line, and that line with the new."""
    newline = "\r\n" if "\r\n" in text else "\n"
    added = newline.join(listed)
    standing = sources.standing_lines(text)
    where = sources.section(text)
    if where is not None and standing:
        return _once(text, standing[-1], where[1], newline + added)
    last = next((x for x in reversed(text.splitlines()) if x.strip()), "")
    gap = newline * 2
    head = "" if where is not None else f"{gap}{sources.HEADING}"
    return _once(text, last, len(text), f"{head}{gap}{added}")


def _once(text: str, line: str, before: int, added: str) -> tuple[str, str]:
    """An edit that puts ``added`` after the last ``line``, widened upwards until it is unique."""
    start = text.rindex(line, 0, before)
    end = start + len(line)
    while text.count(text[start:end]) > 1 and start > 0:
        start = text.rfind("\n", 0, start - 1) + 1
    return text[start:end], text[start:end] + added


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


def _one_line(text: str) -> str:
    return plain(text).rstrip(" .。")
