"""What the index's words can do for a query: how rare a term is, what a slip was meant as."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from vault_dream.engine.digest.stems import stem

Counts = dict[str, tuple[int, int]]
"""Of each term, how many indexed nodes have it at all, and how many have it outside the body."""

_MENDED = 3  # alternatives for one mistyped word
_BEGUN = 8  # and for one that is not typed to its end
_LONGEST = 24  # letters; the table has no longer words


class Vocabulary:
    """Stateful: the words of one index, read when the first unknown one is asked for, and then only
    the new ones (the table only ever grows); a word whose nodes are gone has no known term."""

    def __init__(self) -> None:
        self._by_size: dict[int, list[str]] = {}
        self._by_start: dict[tuple[int, str], list[str]] = {}
        self._last = 0

    def mend(self, connection: sqlite3.Connection, word: str) -> list[tuple[str, float]]:
        """Stems that ``word`` may be a slip for, with trust, best first: one or two edits away."""
        if not 4 <= len(word) <= _LONGEST or not word.isalpha():
            return []
        self._read_new(connection)
        near = self._near(word)
        out: dict[str, float] = {}
        for found, distance in near:
            trust = (0.0, 0.9, 0.7)[distance] - (0.1 if found[0] != word[0] else 0.0)
            out.setdefault(stem(found), trust)
        return sorted(out.items(), key=lambda item: -item[1])[:_MENDED]

    def finish(self, connection: sqlite3.Connection, begun: str) -> list[tuple[str, float]]:
        """Stems of the words that start with ``begun``, with trust, shortest words first."""
        if not 2 <= len(begun) <= _LONGEST or not begun.isalpha():
            return []
        rows = connection.execute(
            "SELECT word FROM word WHERE word > ? AND word < ? ORDER BY length(word), word LIMIT ?",
            (begun, begun + "\U0010ffff", 4 * _BEGUN),
        )
        stems = dict.fromkeys(stem(word) for (word,) in rows)
        return [(one, 0.8) for one in stems][:_BEGUN]

    def _near(self, word: str) -> list[tuple[str, int]]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        size = len(word)
        alike = [w for n in range(size - 1, size + 2) for w in self._by_start.get((n, word[0]), ())]
        found = process.extract(word, alike, scorer=OSA.distance, score_cutoff=1, limit=8)
        if not found:
            reach = 1 if size < 6 else 2
            alike = [
                w for n in range(size - reach, size + reach + 1) for w in self._by_size.get(n, ())
            ]
            found = process.extract(word, alike, scorer=OSA.distance, score_cutoff=reach, limit=8)
        least = min((distance for _, distance, _ in found), default=0)
        return [(str(w), int(distance)) for w, distance, _ in found if distance == least]

    def _read_new(self, connection: sqlite3.Connection) -> None:
        (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM word").fetchone()
        if newest < self._last:  # another process began the index anew
            self._by_size.clear()
            self._by_start.clear()
            self._last = 0
        if newest > self._last:
            for (word,) in connection.execute("SELECT word FROM word WHERE id > ?", (self._last,)):
                self._by_size.setdefault(len(word), []).append(word)
                self._by_start.setdefault((len(word), word[0]), []).append(word)
            self._last = newest


def known(connection: sqlite3.Connection, terms: Iterable[str]) -> Counts:
    """Of each known term, how many nodes have it at all, and how many have it outside the body."""
    asked = list(dict.fromkeys(terms))
    marks = ",".join("?" * len(asked))
    rows = connection.execute(f"SELECT term, nodes, brief FROM term WHERE term IN ({marks})", asked)
    return {term: (nodes, brief) for term, nodes, brief in rows}
