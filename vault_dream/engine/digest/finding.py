"""``search`` over the whole vault: candidates by the index, then rank and snippets by the notes.

The terms, the mending of slips and the weights of places are those of ``node_search``; here how
often a word stands in how long a chunk counts too, as in BM25.
"""

from __future__ import annotations

from vault_dream.engine.digest.chunks import shown
from vault_dream.engine.digest.passages import Look, first_line, passages, rank_note
from vault_dream.engine.digest.query import read_query
from vault_dream.engine.digest.rank import Drafts, match
from vault_dream.engine.digest.sheet import Sheet
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import fold, words
from vault_dream.engine.digest.vaultindex import CHUNK_BITS
from vault_dream.engine.digest.vocabulary import known
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from vault_dream.engine.digest.asking import Asked
    from vault_dream.engine.digest.passages import Passage
    from vault_dream.engine.digest.query import Counts
    from vault_dream.engine.digest.rank import Forms, Slot
    from vault_dream.engine.digest.vocabulary import Vocabulary

    Wanted = Callable[[str, str, str, tuple[str, ...]], bool]
    """Whether a note (path, kind, created, folded tags) passes the filters."""

_POSTINGS = 40_000  # rows that one query may look at, rarest words first
_LATEST = 4_000  # and of a word that has more: those of the notes that changed last
_ELSEWHERE = 0.35  # of a word's vote where only another chunk of the note has it
_BODY_VOTE = 0.7  # a word in the text, against one in title, alias, heading or tag
_RANKED = 24  # notes that are read to be ranked in full, at least
_CHECKED = 400  # notes that are read at most to find those that hold a phrase


@record
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
    ids = sorted(votes, key=lambda id_: (-votes[id_], -id_))[:most]
    look = Look.for_(slots)
    ranked: list[tuple[float, Sheet, list[tuple[float, int, int]]]] = []
    for path, aliases in _paths(connection, ids, paths):
        if len(ranked) >= max(_RANKED, limit + limit // 2):
            break
        try:
            note = Sheet(path, read(path), aliases)
        except VaultDreamError:
            continue
        if all(_holds(note, phrase) for phrase in query.phrases):
            worth, chunks = rank_note(note, slots, look)
            if worth > 0:
                ranked.append((worth, note, chunks))
    ranked.sort(key=lambda one: (-one[0], one[1].path))
    first = (lambda line: _holds_any(query.phrases, line)) if query.phrases else None
    return tuple(
        Hit(note.path, note.title, round(worth, 4), passages(note, chunks, look, first))
        for worth, note, chunks in ranked[:limit]
    )


def _wanted(connection: sqlite3.Connection, wanted: Wanted) -> dict[int, str]:
    rows = connection.execute(
        "SELECT id, path, kind, created, tags FROM note WHERE digest IS NOT NULL ORDER BY path"
    )
    return {
        id_: path
        for id_, path, kind, created, tags in rows
        if wanted(path, kind, created, tuple(tags.casefold().split("\n")) if tags else ())
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
        hits.append(Hit(path, note.title, 1.0, first_line(note)))
    return tuple(hits)


def _votes(
    connection: sqlite3.Connection,
    slots: Sequence[Slot],
    counts: Counts,
    allowed: Collection[int] | None,
) -> dict[int, float]:
    """Notes by how much of the query their best chunk answers, and a little of the others."""
    total: dict[int, float] = {}
    chunk: dict[int, float] = {}
    asked = sorted(
        (counts.get(forms, (0, 0))[0], forms, slot.weight * trust)
        for slot in slots
        for forms, trust in slot.alternatives
    )
    left = _POSTINGS
    for having, forms, vote in asked:
        rows = -1 if having <= left or allowed is not None else _LATEST
        left -= min(having if rows < 0 else rows, left)
        briefly = {id_ >> CHUNK_BITS for id_ in _ids(connection, "brief", forms, rows)}
        counted = set(briefly)
        for id_ in briefly:
            total[id_] = total.get(id_, 0.0) + vote
        for id_ in _ids(connection, "body", forms, rows):
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


def _ids(connection: sqlite3.Connection, table: str, forms: Forms, rows: int) -> list[int]:
    # One string of ids is read in a third of the time of a row for each.
    latest = f"SELECT rowid AS id FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT ?"
    (ids,) = connection.execute(
        f"SELECT group_concat(id, ' ') FROM ({latest})", (match(forms), rows)
    ).fetchone()
    return [int(id_) for id_ in str(ids).split(" ")] if ids is not None else []


def _having_all(connection: sqlite3.Connection, word: str) -> set[int]:
    """Notes that have every word of ``word``, in some form, in one chunk."""
    stems = dict.fromkeys(map(stem, words(word, singles=False)))
    having = known(connection, stems)
    if not stems or len(having) < len(stems):
        return set()
    chunks: set[int] | None = None
    for forms, _, _ in having.values():
        ids = set(_ids(connection, "body", forms, -1))
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


def _holds_any(phrases: Sequence[str], line: str) -> bool:
    return any(_words_in_row(phrase, line) for phrase in phrases)
