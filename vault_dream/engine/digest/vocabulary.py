"""What the index's words can do for a query: how rare a word is, what a slip was meant as."""

from __future__ import annotations

from vault_dream.engine.digest.stems import is_stemmed, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from vault_dream.engine.digest.rank import Forms

    Known = dict[str, tuple[Forms, int, int]]
    """Of each known stem: its words in the index, commonest first, in how many nodes it stands at
    all, and in how many outside the body. Both are those of the commonest word, and the first of
    the place where it is commoner: nodes mostly have several of a word's forms and places."""

_MENDED = 3  # alternatives for one mistyped word
_BEGUN = 8  # and for one that is not typed to its end
_SHORTEST, _LONGEST = 4, 24  # letters of a word that a slip is looked for in
_FORMS = 24  # of one stem


class Vocabulary:
    """Stateful: the words of one index, read when the first unknown one is asked for, and then only
    the new ones (the table only ever grows); a word whose nodes are gone is known no more."""

    def __init__(self) -> None:
        self._by_size: dict[int, list[str]] = {}
        self._by_start: dict[tuple[int, str], list[str]] = {}
        self._last = 0

    def mend(self, connection: sqlite3.Connection, word: str) -> list[tuple[str, float]]:
        """Stems that ``word`` may be a slip for, with trust, best first: one or two edits away."""
        if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
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
                if _SHORTEST <= len(word) <= _LONGEST:
                    self._by_size.setdefault(len(word), []).append(word)
                    self._by_start.setdefault((len(word), word[0]), []).append(word)
            self._last = newest


def known(connection: sqlite3.Connection, stems: Iterable[str]) -> Known:
    """The words and counts of those of ``stems`` that some node has."""
    asked = list(dict.fromkeys(stems))
    found: dict[str, list[tuple[int, str, int]]] = {}
    # A stem is no word, even where there is a word that is spelled alike.
    for term, nodes, brief in connection.execute(
        f"SELECT term, max(brief, body), brief FROM term WHERE term IN ({_marks(asked)})", asked
    ):
        if stem(term) == term:
            found[term] = [(nodes, term, brief)]
    stemmed = [term for term in asked if term.isascii() and term.isalpha()]
    for one, term, nodes, brief in connection.execute(
        "SELECT stem, term, max(brief, body), brief FROM word CROSS JOIN term ON term = word"
        f" WHERE stem IN ({_marks(stemmed)})",
        stemmed,
    ):
        if term != one:
            found.setdefault(one, []).append((nodes, term, brief))
    out: Known = {}
    for one, forms in found.items():
        forms.sort(reverse=True)
        counted = forms[0][0], max(brief for _, _, brief in forms)
        out[one] = (tuple([term for _, term, _ in forms[:_FORMS]]), *counted)
    return out


def words_of(connection: sqlite3.Connection) -> None:
    """Take the new words of the table ``term`` into the table ``word``."""
    rows = connection.execute(
        "SELECT term FROM term WHERE length(term) BETWEEN 3 AND 40"
        " AND term NOT IN (SELECT word FROM word)"
    )
    add_words(connection, [term for (term,) in rows])


def add_words(connection: sqlite3.Connection, found: Iterable[str]) -> None:
    """Keep the words that have other forms, or that a slip may be mended to."""
    connection.executemany(
        "INSERT OR IGNORE INTO word (word, stem) VALUES (?, ?)",
        [(word, stem(word)) for word in found if _is_kept(word)],
    )


def _is_kept(word: str) -> bool:
    return is_stemmed(word) or (_SHORTEST <= len(word) <= _LONGEST and word.isalpha())


def _marks(some: list[str]) -> str:
    return ",".join("?" * len(some))
