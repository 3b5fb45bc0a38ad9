"""A query as slots: what a person or a model typed, read with the index's own words."""

from __future__ import annotations

from vault_dream.engine.digest.rank import Drafts, Slot, rarity
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import compounds, is_unspaced, words
from vault_dream.engine.digest.vocabulary import Vocabulary, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from vault_dream.engine.digest.rank import Forms
    from vault_dream.engine.digest.vocabulary import Known

MAX_CHARACTERS = 4_000
MAX_SLOTS = 20
_MAX_WORDS = 400
_MAX_MENDED = 6
_REPEATED = 1.0  # of a word's weight for its second and third time
_COMPOUND = 0.5  # weight of another spelling of a word that is in the query anyway
_SINGLE = 0.4  # trust in one character of a pair that no node has
_HALF = 0.6  # trust in one of two words written as one
_UNKNOWN = 0.5  # weight of a word that no node has, as a share of a word that one node has


Counts = dict[tuple[str, ...], tuple[int, int]]
"""Of the forms of a word, how many nodes have one at all, and how many outside the body."""


def read_query(
    connection: sqlite3.Connection,
    vocabulary: Vocabulary,
    text: str,
    drafts: Drafts,
    nodes: int,
) -> tuple[list[Slot], Counts]:
    """The slots of a query, weightiest first, and how many indexed nodes have each of their forms.

    Any text is a query: it is cut to MAX_CHARACTERS and to its MAX_SLOTS rarest words. ``drafts``
    are nodes beside the indexed ones; ``nodes`` counts both.
    """
    text = text[:MAX_CHARACTERS]
    asked = words(text, singles=False)[:_MAX_WORDS]
    last = asked[-1] if asked and text[-1:].isalnum() else ""  # maybe not typed to its end
    stems = {word: stem(word) for word in asked}
    joined = [stem(word) for word in compounds(text)[:_MAX_WORDS]]
    index = _Index(connection, vocabulary, drafts, nodes)
    index.look_up((*stems.values(), *joined))
    slots: dict[str, Slot] = {}
    mended = 0
    for word, term in stems.items():
        if term in slots:
            continue
        if having := index.having(term):
            slots[term] = Slot(((index.forms(term), 1.0),), rarity(having, nodes))
        elif is_unspaced(word) or mended < _MAX_MENDED:
            mended += not is_unspaced(word)
            slots[term] = index.guessed(word, word == last)
        else:
            slots[term] = Slot((), _UNKNOWN * rarity(1, nodes))
    for term in joined:
        if term not in slots and (having := index.having(term)):
            slots[term] = Slot(((index.forms(term), 1.0),), _COMPOUND * rarity(having, nodes))
    said: dict[str, int] = {}
    for word in asked:
        said[stems[word]] = said.get(stems[word], 0) + 1
    for term, times in said.items():
        if times > 1:
            slot = slots[term]
            slots[term] = Slot(slot.alternatives, slot.weight * (1 + _REPEATED * min(times - 1, 2)))
    return sorted(slots.values(), key=lambda slot: -slot.weight)[:MAX_SLOTS], index.counts()


class _Index:
    """What the index and the drafts know of the words of one query. Stateful: it remembers."""

    def __init__(
        self, connection: sqlite3.Connection, vocabulary: Vocabulary, drafts: Drafts, nodes: int
    ) -> None:
        self._connection = connection
        self._vocabulary = vocabulary
        self._drafts = drafts
        self._nodes = nodes
        self._known: Known = {}

    def look_up(self, stems: Iterable[str]) -> Known:
        found = known(self._connection, stems)
        self._known.update(found)
        return found

    def counts(self) -> Counts:
        return {self.forms(term): (nodes, brief) for term, (_, nodes, brief) in self._known.items()}

    def having(self, term: str) -> int:
        drafts = self._drafts
        nodes = self._known[term][1] if term in self._known else 0
        return nodes + sum(drafts.having[form] for form in drafts.forms.get(term, ()))

    def forms(self, term: str) -> Forms:
        indexed = self._known[term][0] if term in self._known else ()
        drafted = self._drafts.forms.get(term)
        return tuple(dict.fromkeys((*indexed, *drafted))) if drafted else indexed

    def guessed(self, word: str, begun: bool) -> Slot:
        """The slot of a word that no node has: what it may have been meant as, or nothing."""
        if is_unspaced(word):
            guesses = [(one, _SINGLE) for one in dict.fromkeys(word)]
        else:
            guesses = self._vocabulary.finish(self._connection, word) if begun else []
            guesses += self._vocabulary.mend(self._connection, word)
            guesses = guesses or self._halves(word)
        found = self.look_up(guess for guess, _ in guesses)
        guesses = [(guess, trust) for guess, trust in guesses if guess in found]
        if not guesses:
            return Slot((), _UNKNOWN * rarity(1, self._nodes))
        most = max(nodes for _, nodes, _ in found.values())
        alternatives = tuple((self.forms(guess), trust) for guess, trust in guesses)
        return Slot(alternatives, rarity(most, self._nodes))

    def _halves(self, word: str) -> list[tuple[str, float]]:
        """The two known words that ``word`` is written together from, or nothing."""
        if not word.isalpha():
            return []
        cuts = [(stem(word[:at]), stem(word[at:])) for at in range(3, min(len(word), 24) - 2)]
        having = known(self._connection, (half for cut in cuts for half in cut)) if cuts else {}
        both = [cut for cut in cuts if cut[0] in having and cut[1] in having]
        if not both:
            return []
        best = min(both, key=lambda cut: having[cut[0]][1] + having[cut[1]][1])
        return [(half, _HALF) for half in best]
