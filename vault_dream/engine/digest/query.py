"""A query as slots: what a person or a model typed, read with the index's own words."""

from __future__ import annotations

import sqlite3
from collections import Counter

from vault_dream.engine.digest.rank import Drafts, Slot, rarity
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import compound_terms, is_unspaced, words
from vault_dream.engine.digest.vocabulary import Counts, Vocabulary, known

MAX_CHARACTERS = 4_000
MAX_SLOTS = 20
_MAX_WORDS = 400
_MAX_MENDED = 6
_REPEATED = 1.0  # of a word's weight for its second and third time
_COMPOUND = 0.5  # weight of another spelling of a word that is in the query anyway
_SINGLE = 0.4  # trust in one character of a pair that no node has
_HALF = 0.6  # trust in one of two words written as one
_UNKNOWN = 0.5  # weight of a word that no node has, as a share of a word that one node has


def read_query(
    connection: sqlite3.Connection,
    vocabulary: Vocabulary,
    text: str,
    drafts: Drafts,
    nodes: int,
) -> tuple[list[Slot], Counts]:
    """The slots of a query, weightiest first, and how many indexed nodes have each of their terms.

    Any text is a query: it is cut to MAX_CHARACTERS and to its MAX_SLOTS rarest words. ``drafts``
    are nodes beside the indexed ones; ``nodes`` counts both.
    """
    text = text[:MAX_CHARACTERS]
    asked = Counter(words(text, singles=False)[:_MAX_WORDS])
    stems = {word: stem(word) for word in asked}
    last = next(reversed(asked), "") if text[-1:].isalnum() else ""  # maybe not typed to its end
    compounds = compound_terms(text)[:_MAX_WORDS]
    counts = known(connection, (*stems.values(), *compounds))
    slots: dict[str, Slot] = {}
    mended = 0
    for word, term in stems.items():
        if term in slots:
            continue
        if having := _having(term, counts, drafts):
            slots[term] = Slot(((term, 1.0),), rarity(having, nodes))
        elif is_unspaced(word) or mended < _MAX_MENDED:
            mended += not is_unspaced(word)
            slots[term] = _guessed(connection, vocabulary, word, word == last, counts, nodes)
        else:
            slots[term] = Slot((), _UNKNOWN * rarity(1, nodes))
    for term in compounds:
        if term not in slots and (having := _having(term, counts, drafts)):
            slots[term] = Slot(((term, 1.0),), _COMPOUND * rarity(having, nodes))
    said: Counter[str] = Counter()
    for word, times in asked.items():
        said[stems[word]] += times
    for term, times in said.items():
        if times > 1:
            slot = slots[term]
            slots[term] = Slot(slot.alternatives, slot.weight * (1 + _REPEATED * min(times - 1, 2)))
    return sorted(slots.values(), key=lambda slot: -slot.weight)[:MAX_SLOTS], counts


def _having(term: str, counts: Counts, drafts: Drafts) -> int:
    return counts.get(term, (0, 0))[0] + drafts.having.get(term, 0)


def _guessed(
    connection: sqlite3.Connection,
    vocabulary: Vocabulary,
    word: str,
    begun: bool,
    counts: Counts,
    nodes: int,
) -> Slot:
    """The slot of a word that no node has: what it may have been meant as, or nothing."""
    if is_unspaced(word):
        guesses = [(one, _SINGLE) for one in dict.fromkeys(word)]
    else:
        guesses = vocabulary.finish(connection, word) if begun else []
        guesses += vocabulary.mend(connection, word)
        guesses = guesses or _halves(connection, word)
    found = known(connection, (guess for guess, _ in guesses))
    counts.update(found)
    guesses = [(guess, trust) for guess, trust in guesses if guess in found]
    if not guesses:
        return Slot((), _UNKNOWN * rarity(1, nodes))
    return Slot(tuple(guesses), rarity(max(found[guess][0] for guess, _ in guesses), nodes))


def _halves(connection: sqlite3.Connection, word: str) -> list[tuple[str, float]]:
    """The two known words that ``word`` is written together from, or nothing."""
    cuts = [(stem(word[:at]), stem(word[at:])) for at in range(3, min(len(word), 24) - 2)]
    having = known(connection, (half for cut in cuts for half in cut)) if cuts else {}
    both = [cut for cut in cuts if cut[0] in having and cut[1] in having]
    if not both or not word.isalpha():
        return []
    best = min(both, key=lambda cut: having[cut[0]][0] + having[cut[1]][0])
    return [(half, _HALF) for half in best]
