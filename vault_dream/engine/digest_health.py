"""What ails a digest: links that lead nowhere or to one of several, nodes that are not found, not
proved, too long or there twice, and quotes that no longer stand in their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial

from vault_dream.engine.digest.classify import classify
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import DERIVED_FROM, Edge, edges_of
from vault_dream.engine.digest.page import Node, index_text
from vault_dream.engine.dream.checks import LONGEST_NODE
from vault_dream.engine.dream.quotes import fold, length_in_words, quotes_beside
from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.errors import Problem, VaultDreamError
from vault_dream.engine.vault.links import links_in

MOST_NAMED = 5
"""Notes that one problem names; the counts are whole."""
MOST_COMPARED = 2_000
"""Nodes up to which each is compared with those that a search for it finds; beyond, names are."""
KEPT = 500
"""Sources whose words are kept while nodes are looked at: many nodes cite the same days."""
NEAREST = 4
ALIKE = 50
"""How alike names have to be, of 100, for two nodes to be compared by all their words."""

FIX = "vault-dream doctor --fix shows what it would change"

_MARKS = dict.fromkeys(map(ord, "\"'「」『』«»‹›"))

FAULTS: Mapping[str, tuple[str, str]] = {
    "unreadable": ("nodes cannot be read", "fix their properties in Obsidian"),
    "without_description": ("nodes have no description", "add one: node search relies on it"),
    "without_sources": ("nodes cite no source", "link the note that proves each, under ## Sources"),
    "unresolved_links": ("links in nodes lead nowhere", "restore the notes, or fix the links"),
    "ambiguous_links": ("links in nodes match several notes", FIX),
    "near_duplicates": ("pairs of nodes seem to say the same", "merge one into the other by hand"),
    "too_long": (f"nodes have more than {LONGEST_NODE} words", "consider splitting them"),
    "quotes_gone": (
        "quotes are no longer in their source",
        "check whether the node still holds, and correct it",
    ),
}


@dataclass(frozen=True)
class Health:
    """``nodes`` in all, and what was found by the names of :data:`FAULTS`, an item each."""

    nodes: int
    faults: Mapping[str, list[str]] = field(default_factory=dict)

    def problems(self) -> Iterator[Problem]:
        """A problem for each kind of fault, with the first few named."""
        for name, (what, next_step) in FAULTS.items():
            if items := self.faults.get(name):
                listed = "; ".join(items[:MOST_NAMED])
                if len(items) > MOST_NAMED:
                    listed += f"; and {len(items) - MOST_NAMED} more"
                yield Problem(listed, f"{len(items)} {what}", next_step)


def examine(digest: Digest) -> Health:
    """Look at every node of ``digest`` and at what it cites."""
    nodes = list(digest.nodes())
    faults: dict[str, list[str]] = {name: [] for name in FAULTS}
    faults["unreadable"] = sorted(set(digest.paths()) - {node.path for node in nodes})
    faults["unreadable"] += [node.path for node in nodes if node.problem]
    said = lru_cache(maxsize=KEPT)(partial(_said_in, digest))
    for node in nodes:
        _look_at(node, digest, faults, said)
    faults["near_duplicates"] = sorted(set(_twins(nodes, digest)))
    return Health(len(digest.paths()), faults)


def _look_at(
    node: Node, digest: Digest, faults: dict[str, list[str]], said: Callable[[str], str | None]
) -> None:
    resolver = digest.resolver()
    edges = edges_of(node.note, resolver)
    if not node.problem and not node.description:
        faults["without_description"].append(node.path)
    lost = dict.fromkeys(edge.target for edge in edges if not edge.resolved)
    faults["unresolved_links"] += [f"{node.path} → {target}" for target in lost]
    for target in dict.fromkeys(link.target for link in links_in(node.note) if not link.external):
        found = resolver.resolve(target, node.path)
        if found.ambiguous:
            all_ = ", ".join(map(str, (found.path, *found.ambiguous)))
            faults["ambiguous_links"].append(f"{node.path} → {target} ({all_})")
    if not any(edge.predicate == DERIVED_FROM for edge in edges):
        faults["without_sources"].append(node.path)
    words = length_in_words(node.body)
    if words > LONGEST_NODE:
        faults["too_long"].append(f"{node.path} ({words} words)")
    faults["quotes_gone"] += [f"{node.path}: {quote}" for quote in _quotes_gone(edges, said)]


def _quotes_gone(edges: Iterable[Edge], said: Callable[[str], str | None]) -> Iterator[str]:
    """Quotes beside a source's link whose words the source has no longer."""
    for edge in edges:
        if edge.predicate != DERIVED_FROM or not edge.resolved or not edge.sentence:
            continue
        quotes = quotes_beside(edge.sentence)
        if not quotes or not edge.target.endswith(".md"):
            continue
        text = said(edge.target)
        if text is not None:
            yield from (quote for quote in quotes if _spoken(quote) not in text)


def _said_in(digest: Digest, path: str) -> str | None:
    """What the source at ``path`` says, ``None`` where it cannot be read."""
    try:
        return _spoken(redact(digest.vault.read(path).text))
    except VaultDreamError:
        return None


def _spoken(text: str) -> str:
    """``text`` folded, without quotation marks: those inside a quote have to be others."""
    return fold(text).translate(_MARKS)


def _twins(nodes: list[Node], digest: Digest) -> Iterator[str]:
    """Pairs of nodes of one name, or that say the same by their words, as ``a and b``."""
    named: dict[str, str] = {}
    for node in sorted(nodes, key=lambda node: node.path):
        first = named.setdefault(fold(node.name), node.path)
        if first != node.path:
            yield f"{first} and {node.path}"
    if len(nodes) > MOST_COMPARED:
        return
    known = {node.path: node for node in nodes}
    compared: set[str] = set()
    for node in nodes:
        for hit in digest.search(f"{node.name} {node.description}", NEAREST):
            other = known.get(hit.path)
            if other is None or other.path == node.path:
                continue
            pair = " and ".join(sorted((node.path, other.path)))
            if pair not in compared and _alike(node, other, digest):
                yield pair
            compared.add(pair)


def _alike(one: Node, other: Node, digest: Digest) -> bool:
    """Whether each, by its words, says what the other says. Names that have little in common are
    not looked at closely."""
    from rapidfuzz.fuzz import token_set_ratio

    return token_set_ratio(fold(one.name), fold(other.name)) >= ALIKE and all(
        classify(a.name, a.description, (), index_text(b), digest.rarity).kind == "same_abstraction"
        for a, b in ((one, other), (other, one))
    )
