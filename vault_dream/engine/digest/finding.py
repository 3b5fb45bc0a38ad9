"""``search`` over the whole vault: candidates by the index, then rank and snippets by the notes.

The terms, the mending of slips and the weights of places are those of ``node_search``; here how
often a word stands in how long a chunk counts too, as in BM25.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from vault_dream.engine.digest.asking import Asked
from vault_dream.engine.digest.chunks import SIZE, chunk_spans, shown
from vault_dream.engine.digest.query import read_query
from vault_dream.engine.digest.rank import (
    ALIAS,
    BODY,
    HEADING,
    NAME,
    PRECISION,
    PRESENCE,
    SATURATION,
    Drafts,
    Slot,
)
from vault_dream.engine.digest.sheet import Sheet
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import compound_terms, fold, words
from vault_dream.engine.digest.vaultindex import CHUNK_BITS
from vault_dream.engine.digest.vocabulary import Vocabulary, known
from vault_dream.engine.errors import VaultDreamError

_POSTINGS = 40_000  # rows that one query may look at, rarest words first
_LATEST = 4_000  # and of a word that has more: those of the notes that changed last
_ELSEWHERE = 0.35  # of a word's vote where only another chunk of the note has it
_BODY_VOTE = 0.7  # a word in the text, against one in title, alias, heading or tag
_RANKED = 24  # notes that are read to be ranked in full, at least
_CHECKED = 400  # notes that are read at most to find those that hold a phrase
_LENGTH = 0.5  # of BM25's b: how much a long chunk is worth less
_PASSAGES = 2
_SNIPPET = 180  # characters

Wanted = Callable[[str, str, str, tuple[str, ...]], bool]
"""Whether a note (path, kind, created, tags) passes the filters."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a note, from 1: ``text`` are its words, ``marks`` the places of the found ones."""

    line: int
    heading: str
    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A found note; ``score`` is in (0, 1], ``passages`` are its best lines, the best first."""

    path: str
    title: str
    score: float
    passages: tuple[Passage, ...]


def find(
    connection: sqlite3.Connection,
    vocabulary: Vocabulary,
    query: Asked,
    read: Callable[[str], bytes],
    wanted: Wanted | None,
    limit: int,
) -> tuple[Hit, ...]:
    """The best ``limit`` notes, best first; those that cannot be read are left out."""
    (notes,) = connection.execute("SELECT notes FROM total").fetchone()
    paths = _wanted(connection, wanted) if wanted is not None else None
    if not query.words.strip():
        return _listed(read, paths or {}, limit) if paths is not None else ()
    slots, counts = read_query(connection, vocabulary, query.words, Drafts(), notes)
    votes = _votes(connection, slots, counts, paths)
    for word in query.without:
        for id_ in _having_all(connection, word):
            votes.pop(id_, None)
    most = _CHECKED if query.phrases else max(_RANKED, limit + limit // 2)
    ids = nlargest(most, votes, key=lambda id_: (votes[id_], id_))
    ranked: list[tuple[float, Sheet, list[tuple[float, int, int]]]] = []
    for path, aliases in _paths(connection, ids, paths):
        if len(ranked) >= max(_RANKED, limit + limit // 2):
            break
        try:
            note = Sheet(path, read(path), aliases)
        except VaultDreamError:
            continue
        if all(_holds(note, phrase) for phrase in query.phrases):
            worth, chunks = _rank(note, slots)
            if worth > 0:
                ranked.append((worth, note, chunks))
    ranked.sort(key=lambda one: (-one[0], one[1].path))
    asked = _weights(slots)
    return tuple(
        Hit(note.path, note.title, round(worth, 4), _passages(note, chunks, asked, query))
        for worth, note, chunks in ranked[:limit]
    )


def _wanted(connection: sqlite3.Connection, wanted: Wanted) -> dict[int, str]:
    rows = connection.execute(
        "SELECT id, path, kind, created, tags FROM note WHERE digest IS NOT NULL ORDER BY path"
    )
    return {
        id_: path
        for id_, path, kind, created, tags in rows
        if wanted(path, kind, created, tuple(tags.split("\n")[1:-1]))
    }


def _listed(read: Callable[[str], bytes], paths: Mapping[int, str], limit: int) -> tuple[Hit, ...]:
    """What the filters alone leave, the last path first, as dates are wanted."""
    hits: list[Hit] = []
    for path in sorted(paths.values(), reverse=True):
        if len(hits) == limit:
            break
        try:
            note = Sheet(path, read(path), "")
        except VaultDreamError:
            continue
        hits.append(Hit(path, note.title, 1.0, _first_line(note)))
    return tuple(hits)


def _votes(
    connection: sqlite3.Connection,
    slots: Sequence[Slot],
    counts: Mapping[str, tuple[int, int]],
    allowed: Collection[int] | None,
) -> dict[int, float]:
    """Notes by how much of the query their best chunk answers, and a little of the others."""
    total: dict[int, float] = {}
    chunk: dict[int, float] = {}
    asked = sorted(
        (counts.get(term, (0, 0))[0], term, slot.weight * trust)
        for slot in slots
        for term, trust in slot.alternatives
    )
    left = _POSTINGS
    for having, term, vote in asked:
        rows = having if having <= left or allowed is not None else min(_LATEST, having)
        left -= min(rows, left)
        briefly = {id_ >> CHUNK_BITS for id_ in _ids(connection, "brief", term, rows)}
        counted = set(briefly)
        for id_ in briefly:
            total[id_] = total.get(id_, 0.0) + vote
        for id_ in _ids(connection, "body", term, rows):
            note = id_ >> CHUNK_BITS
            if note not in counted:
                counted.add(note)
                total[note] = total.get(note, 0.0) + vote * _BODY_VOTE * _ELSEWHERE
            if note not in briefly:
                chunk[id_] = chunk.get(id_, 0.0) + vote * _BODY_VOTE * (1 - _ELSEWHERE)
    best: dict[int, float] = {}
    for id_, votes in chunk.items():
        note = id_ >> CHUNK_BITS
        if votes > best.get(note, 0.0):
            best[note] = votes
    return {
        id_: votes + best.get(id_, 0.0)
        for id_, votes in total.items()
        if allowed is None or id_ in allowed
    }


def _ids(connection: sqlite3.Connection, table: str, term: str, rows: int) -> list[int]:
    # One string of ids is read in a third of the time of a row for each.
    latest = f"SELECT rowid AS id FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT ?"
    (ids,) = connection.execute(
        f"SELECT group_concat(id, ' ') FROM ({latest})", (f'"{term}"', rows)
    ).fetchone()
    return [int(id_) for id_ in str(ids).split(" ")] if ids is not None else []


def _having_all(connection: sqlite3.Connection, word: str) -> set[int]:
    """Notes that have every term of ``word`` in one chunk."""
    terms = dict.fromkeys(map(stem, words(word, singles=False)))
    if not terms or len(known(connection, terms)) < len(terms):
        return set()
    chunks: set[int] | None = None
    for term in terms:
        ids = set(_ids(connection, "body", term, -1))
        chunks = ids if chunks is None else chunks & ids
    return {id_ >> CHUNK_BITS for id_ in chunks or ()}


def _paths(
    connection: sqlite3.Connection, ids: Sequence[int], paths: Mapping[int, str] | None
) -> Iterator[tuple[str, str]]:
    """Path and aliases of ``ids``, in their order; ids that count no more are left out."""
    marks = ",".join("?" * len(ids))
    found = {
        id_: (path, aliases)
        for id_, path, aliases in connection.execute(
            f"SELECT id, path, aliases FROM note WHERE id IN ({marks})", tuple(ids)
        )
        if paths is None or id_ in paths
    }
    for id_ in ids:
        if id_ in found:
            yield found[id_]


def _holds(note: Sheet, phrase: str) -> bool:
    """Whether the words of ``phrase`` stand in the note, or in its title, in a row."""
    for text in (note.text, shown(note.text), note.title):
        if phrase.isascii():
            if _words_in_row(phrase, text):
                return True
        elif " ".join(fold(phrase).split()) in " ".join(fold(text).split()):
            return True
    return False


def _words_in_row(phrase: str, text: str) -> bool:
    wanted = words(phrase)
    if not wanted:
        return " ".join(phrase.split()) in " ".join(text.split())
    return f" {' '.join(wanted)} " in f" {' '.join(words(text, singles=False))} "


Weights = dict[str, float]
"""Of each term that was asked for, what it is worth."""


def _weights(slots: Sequence[Slot]) -> Weights:
    weights: Weights = {}
    for slot in slots:
        for term, trust in slot.alternatives:
            weights[term] = max(weights.get(term, 0.0), slot.weight * trust)
    return weights


def _rank(note: Sheet, slots: Sequence[Slot]) -> tuple[float, list[tuple[float, int, int]]]:
    """How well the note answers, in [0, 1], and its best chunks: worth, start, end."""
    title, aliases = _stems(note.title), _stems(note.aliases)
    total = sum(slot.weight for slot in slots)
    chunks: list[tuple[float, int, int]] = []
    for start, end in chunk_spans(note.text):
        text = note.text[start:end]
        counts: dict[str, int] = {}
        for word in words(shown(text)):
            counts[word] = counts.get(word, 0) + 1
        body: dict[str, int] = {}
        for word, times in counts.items():
            term = stem(word)
            body[term] = body.get(term, 0) + times
        headings = _stems(note.headings(start, end))
        length = (1 - _LENGTH) + _LENGTH * (end - start) / SIZE
        got = 0.0
        for slot in slots:
            best = 0.0
            for term, trust in slot.alternatives:
                times = body.get(term, 0)
                evidence = BODY * times * (SATURATION + 1) / (times + SATURATION * length)
                evidence += NAME * (term in title) + ALIAS * (term in aliases)
                evidence += HEADING * (term in headings)
                if evidence:
                    best = max(
                        best,
                        trust * (PRESENCE + (1 - PRESENCE) * evidence / (evidence + SATURATION)),
                    )
            got += slot.weight * best
        chunks.append((got / total if total else 0.0, start, end))
    chunks.sort(key=lambda chunk: (-chunk[0], chunk[1]))
    terms = {term for slot in slots for term, _ in slot.alternatives}
    named = min(1.0, len(terms & title) / len(title)) if title else 0.0
    worth = (1 - PRECISION) * chunks[0][0] + PRECISION * named
    return (worth if chunks[0][0] > 0 else 0.0), chunks


def _stems(text: str) -> set[str]:
    return {*map(stem, words(text)), *compound_terms(text)}


# What is shown of a note ------------------------------------------------------------------------


def _passages(
    note: Sheet, chunks: Sequence[tuple[float, int, int]], asked: Weights, query: Asked
) -> tuple[Passage, ...]:
    """The lines with most of what was asked, from the note's best chunks."""
    found: list[tuple[float, int]] = []
    for worth, start, end in chunks[:_PASSAGES]:
        if worth <= 0:
            break
        offset = start
        for line in note.text[start:end].split("\n"):
            if line.strip() and offset >= note.body_start:
                terms = set(map(stem, words(shown(line))))
                weight = sum(asked[term] for term in terms if term in asked)
                if any(_words_in_row(phrase, line) for phrase in query.phrases):
                    weight += 1_000.0
                if weight > 0:
                    found.append((weight, offset))
            offset += len(line) + 1
    if not found:
        return _first_line(note)
    best = sorted(found, key=lambda one: (-one[0], one[1]))[:_PASSAGES]
    enough = best[0][0] / 2
    return tuple(_passage(note, offset, asked) for weight, offset in best if weight >= enough)


def _first_line(note: Sheet) -> tuple[Passage, ...]:
    text = note.text[note.body_start :]
    blank = len(text) - len(text.lstrip())
    return (_passage(note, note.body_start + blank, {}),) if text.strip() else ()


def _passage(note: Sheet, offset: int, asked: Weights) -> Passage:
    written = note.line_at(offset)
    text = _plain(written) or " ".join(written.split())
    if len(text) > _SNIPPET:
        text = _cut(text, next(_places(text, asked), (0, 0))[0])
    places = tuple(_places(text, asked))
    return Passage(note.line_of(offset), note.heading_over(offset), text, places)


def _plain(line: str) -> str:
    """A line as its words; most lines are nothing else, and need no patterns to find out."""
    text = line.strip()
    if text.startswith(("- ", "* ", "> ")):
        text = text[2:]
    if text.isprintable() and not any(mark in text for mark in "[]<>%*_=~#^`:$|\\"):
        return text
    from vault_dream.engine.vault.plain import plain

    return plain(line)


def _places(text: str, asked: Weights) -> Iterator[tuple[int, int]]:
    """Where in ``text`` the asked words stand, overlapping ones as one."""
    begin = end = -1
    for start, stop, piece in _pieces(text):
        if stem(piece.lower()) not in asked and not any(
            stem(word) in asked for word in (() if piece.isascii() else words(piece))
        ):
            continue
        if start <= end:
            end = stop
            continue
        if begin >= 0:
            yield begin, end
        begin, end = start, stop
    if begin >= 0:
        yield begin, end


_PIECE = re.compile(r"[^\W_]+")


def _pieces(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of ``text``, of text without spaces every pair of characters."""
    for match in _PIECE.finditer(text):
        start, piece = match.start(), match[0]
        if piece.isascii() or len(words(piece)) < 2:
            yield start, match.end(), piece
        else:
            for at in range(max(1, len(piece) - 1)):
                yield start + at, min(start + at + 2, match.end()), piece[at : at + 2]


def _cut(text: str, first: int) -> str:
    """The part of a long line around its first found word, dots where something is left out."""
    start = max(0, min(first - _SNIPPET // 3, len(text) - _SNIPPET))
    if start:
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + _SNIPPET)
    if end < len(text):
        space = text.rfind(" ", start + _SNIPPET // 2, end)
        end = space if space >= 0 else end
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
