"""From a query to ranked nodes: its rare words vote for candidates, which are then ranked."""

from __future__ import annotations

from heapq import nlargest
from operator import itemgetter

from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.digest.query import read_query
from vault_dream.engine.digest.rank import match, score, weighing
from vault_dream.engine.digest.tokens import fold, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from vault_dream.engine.digest.nodes import NodeText
    from vault_dream.engine.digest.query import Counts
    from vault_dream.engine.digest.rank import Drafts, Forms, Slot
    from vault_dream.engine.digest.vocabulary import Vocabulary

_COMMON = 0.10  # a term that more nodes have than this does not choose candidates
_FEW = 50  # but in a small vault a term of so many nodes may
_POSTINGS = 6_000  # rows that one query may look at, rarest words first
_BODY_VOTE = 0.7  # a word in the body, against one in name, aliases, description, headings, tags
_PLAIN = 0.75  # share of the query that brief fields must answer for bodies not to be asked
_VOTERS = 12  # of a query's words, the weightiest
_RANKED = 32  # candidates that are ranked in full, at least

_MAX_KEY = 300


def label_key(text: str) -> str:
    """What two spellings of one name share: its folded words, or the folded text if it has none."""
    text = text[: 2 * _MAX_KEY]
    if not text.isascii():
        text = text.encode("utf-8", "ignore").decode("utf-8")
    return (" ".join(words(text)) or fold(text).strip())[:_MAX_KEY]


def label_keys(node: NodeText) -> frozenset[str]:
    """The keys of a node's name, aliases and file name."""
    stem = node.path.rsplit("/", 1)[-1].removesuffix(".md")
    return frozenset(key for text in (node.name, *node.aliases, stem) if (key := label_key(text)))


def find(
    connection: sqlite3.Connection,
    vocabulary: Vocabulary,
    query: str,
    limit: int,
    drafts: Drafts,
) -> tuple[NodeHit, ...]:
    """The best ``limit`` nodes, those called exactly so first; a draft hides its path's node."""
    (nodes,) = connection.execute("SELECT nodes FROM total").fetchone()
    slots, counts = read_query(connection, vocabulary, query, drafts, nodes + len(drafts.by_path))
    key = label_key(query)
    exact = (
        {id_ for (id_,) in connection.execute("SELECT id FROM label WHERE key = ?", (key,))}
        if key
        else set()
    )
    chosen = exact | set(candidates(connection, slots, counts, nodes, max(_RANKED, limit + 12)))
    asked = weighing(slots)
    hits: list[NodeHit] = []
    marks = ",".join("?" * len(chosen))
    rows = connection.execute(
        f"SELECT id, path, name, description, terms FROM node WHERE id IN ({marks})", tuple(chosen)
    )
    for id_, path, name, description, packed in rows:
        if path not in drafts.by_path:
            worth = 1.0 if id_ in exact else score(asked, packed)
            hits.append(NodeHit(path, worth, name, description))
    for path, draft in drafts.by_path.items():
        worth = 1.0 if key in draft.keys else score(asked, draft.packed)
        hits.append(NodeHit(path, worth, draft.node.name, draft.node.description))
    hits = [hit for hit in hits if hit.score > 0]
    hits.sort(key=lambda hit: (-hit.score, hit.path))
    return tuple(hits[:limit])


def candidates(
    connection: sqlite3.Connection, slots: Sequence[Slot], counts: Counts, nodes: int, most: int
) -> list[int]:
    """Ids of the nodes with the most votes; a term's vote is its slot's weight times its trust."""
    votes: dict[str, float] = {}
    common = max(_FEW, int(nodes * _COMMON))
    asked = [
        (forms, slot.weight * trust, *counts.get(forms, (0, 0)))
        for slot in slots[:_VOTERS]
        for forms, trust in slot.alternatives
    ]
    asked = [one for one in asked if one[2] <= common]
    left = max(_POSTINGS, nodes // 4)
    for forms, vote, _, brief in asked:
        if 0 < brief <= left:
            left -= brief
            _vote(votes, connection, "brief", forms, vote)
    enough = _PLAIN * sum(slot.weight for slot in slots)
    if len(votes) < most or max(votes.values()) < enough:
        for forms, vote, having, _ in asked:
            if 0 < having <= left:
                left -= having
                _vote(votes, connection, "body", forms, vote * _BODY_VOTE)
    if not votes:
        for slot in slots:
            for forms, trust in slot.alternatives:
                vote = slot.weight * trust
                _vote(votes, connection, "brief", forms, vote, rows=most)
                _vote(votes, connection, "body", forms, vote * _BODY_VOTE, rows=most)
    return [int(id_) for id_, _ in nlargest(most, votes.items(), key=itemgetter(1))]


def _vote(
    votes: dict[str, float],
    connection: sqlite3.Connection,
    table: str,
    forms: Forms,
    vote: float,
    rows: int = -1,
) -> None:
    # One string of ids is read in a third of the time of a row for each.
    having = f"SELECT rowid AS id FROM {table} WHERE {table} MATCH ? LIMIT ?"
    (ids,) = connection.execute(
        f"SELECT group_concat(id, ' ') FROM ({having})", (match(forms), rows)
    ).fetchone()
    if ids:
        get = votes.get
        for id_ in ids.split(" ") if isinstance(ids, str) else [str(ids)]:
            votes[id_] = get(id_, 0.0) + vote
