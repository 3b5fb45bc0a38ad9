"""What the digest says already: a unit whose very words a node cites is settled without asking.

A catalog may know less than the digest does: it came out of a backup, or a sync program delivered
an old one. The same lines are then read again, and must not make a second node.
"""

from __future__ import annotations

from collections.abc import Iterable

from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import edges_of
from vault_dream.engine.dream.kept import evidence_key
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.quotes import fold
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import VaultDreamError


def standing_node(unit: Unit, digest: Digest) -> str:
    """The node on disk that links to every source of ``unit`` with all its quotes; ``""`` where
    there is none."""
    quotes = [(item.path, fold(item.quote)) for item in unit.evidence if item.found]
    if not quotes or len(quotes) < len(unit.evidence):
        return ""
    staged = digest.staged()
    names = [path.rsplit("/", 1)[-1].removesuffix(".md") for path in unit.paths]
    for path in sorted(digest.paths()):
        if path in staged:
            continue
        try:
            note = digest.note(path)
        except VaultDreamError:
            continue
        if not all(name in note.text for name in names):
            continue
        said = [(edge.target, fold(edge.sentence)) for edge in edges_of(note, digest.resolver())]
        linked = {target for target, _ in said}
        if linked.issuperset(unit.paths) and all(
            any(target == source and words in sentence for target, sentence in said)
            for source, words in quotes
        ):
            return path
    return ""


def waiting_node(unit: Unit, proposals: Iterable[Proposal]) -> str:
    """The target of an undecided proposal that rests on all the words of ``unit``; ``""`` where
    there is none. Its source is read again where another unit of it failed."""
    words = {evidence_key(item) for item in unit.evidence if item.found}
    for proposal in proposals if words else ():
        waits = proposal.state in UNDECIDED and proposal.kind == "unit"
        if waits and words <= {evidence_key(item) for item in proposal.unit.evidence}:
            return proposal.target
    return ""
