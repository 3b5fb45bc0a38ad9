# ruff: noqa: E501 - sentence templates
"""Queries with one known answer each, and labelled pairs for the duplicate sense, of a generated vault."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.vault_generator import GeneratedVault, Node, Slots, unit_of
from vault_dream.engine.digest.nodes import NodeText

CLASSES = ("exact", "body", "typo", "inflected", "synonym", "unit", "cjk")


@dataclass(frozen=True)
class Query:
    kind: str
    text: str
    answer: str  # path


@dataclass(frozen=True)
class Pair:
    """A unit and a node: the node is the unit's own, a near sibling, a relative, or a stranger."""

    truth: str  # same | sibling | value | related | unrelated
    name: str
    summary: str
    quotes: tuple[str, ...]
    candidate: NodeText


def queries(vault: GeneratedVault, per_class: int = 100, seed: int = 1) -> list[Query]:
    """``per_class`` queries of every class, each answered by exactly one node's slots or details."""
    rng = random.Random(f"q{seed}/{vault.world.name}")
    makers: dict[str, Callable[[Node, GeneratedVault, random.Random], str]] = {
        "exact": lambda node, _vault, _rng: node.name, "body": _body_query, "typo": _typo_query,
        "inflected": _inflected_query, "synonym": _synonym_query, "unit": _unit_query, "cjk": _cjk_query,
    }  # fmt: skip
    known = _Known(vault)
    out: list[Query] = []
    for kind in CLASSES:
        fitting = [node for node in vault.nodes if known.fits(kind, node)]
        for node in rng.sample(fitting, min(per_class, len(fitting))):
            out.append(Query(kind, makers[kind](node, vault, rng), node.path))
    return out


class _Known:
    """Which nodes a class can ask for so that there is one right answer."""

    def __init__(self, vault: GeneratedVault) -> None:
        self.without_verb = Counter(
            (n.slots.noun, n.slots.system, n.slots.place) for n in vault.nodes
        )
        self.details = Counter((d[0], d[2], d[-2]) for n in vault.nodes for d in n.details)
        self.names = Counter(node.name for node in vault.nodes)

    def fits(self, kind: str, node: Node) -> bool:
        slots = node.slots
        if kind == "cjk":
            return slots.kind == "zh"
        if kind == "exact":
            return self.names[node.name] == 1
        if slots.kind == "zh":
            return False
        if kind == "body":
            return self.details[node.details[0][0], node.details[0][2], node.details[0][-2]] == 1
        if slots.kind == "personal":
            return kind == "typo"
        if kind == "synonym":
            return self.without_verb[slots.noun, slots.system, slots.place] == 1
        return True


def _body_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    return " ".join(word for word in node.details[0] if word != "after")


def _typo_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    words = node.name.split()
    long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    for at in rng.sample(long, min(len(long), 1 if rng.random() < 0.6 else 2)):
        words[at] = mistype(words[at], rng)
    return " ".join(words).lower()


def mistype(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return word[:at] + letter + word[at + (kind == 2) :]


def _inflected_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    slots = node.slots
    verb = rng.choice(slots.verb[1:3] if slots.kind == "procedure" else slots.verb[1:2])
    return rng.choice(
        (
            f"{slots.system} {slots.noun[1]} {verb} {slots.place}",
            f"{verb} {slots.noun[1]} {slots.place} {slots.system}",
            f"{slots.place} {slots.system}: {slots.noun[1]} being {verb}",
        )
    )


def _synonym_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    slots = node.slots
    return f"{slots.verb[-1]} {slots.noun[0]} {slots.system} {slots.place}"


def _unit_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    name, summary, _ = unit_of(node, vault.world, rng)
    return f"{name} {summary}"


def _cjk_query(node: Node, vault: GeneratedVault, rng: random.Random) -> str:
    slots = node.slots
    return rng.choice(
        (
            f"{slots.system}{slots.verb[0]}{slots.noun[0]} {slots.place}",
            f"{slots.place}怎么{slots.verb[0]}{slots.noun[0]}（{slots.system}）",
            f"{slots.noun[0]}的{slots.verb[0]} {slots.system} {slots.place}",
        )
    )


# Pairs for the duplicate sense


def pairs(vault: GeneratedVault, count: int = 200, seed: int = 1) -> list[Pair]:
    """``count`` units, each against its own node, a sibling, a same-topic relative and a stranger."""
    rng = random.Random(f"p{seed}/{vault.world.name}")
    by_topic: dict[object, list[Node]] = {}
    for node in vault.nodes:
        by_topic.setdefault((node.slots.kind, node.slots.noun, node.slots.system), []).append(node)
    out: list[Pair] = []
    for node in rng.sample(vault.nodes, min(count, len(vault.nodes))):
        unit = unit_of(node, vault.world, rng, reworded=True)
        out.append(Pair("same", *unit, node.text()))
        for truth, other in _others(node, vault, by_topic, rng):
            out.append(Pair(truth, *unit, other.text()))
    return out


def _others(
    node: Node, vault: GeneratedVault, by_topic: dict[object, list[Node]], rng: random.Random
) -> list[tuple[str, Node]]:
    slots, out = node.slots, []
    at = vault.nodes.index(node)
    shared = [(sum(map(_equal, _facets(slots), _facets(o.slots))), o) for o in vault.nodes[max(0, at - 8) : at + 9] if o is not node and o.slots.kind == slots.kind]  # fmt: skip
    if siblings := [o for same, o in shared if same == 3]:
        out.append(("value" if slots.kind == "personal" else "sibling", rng.choice(siblings)))
    topic = by_topic[slots.kind, slots.noun, slots.system]
    if kin := [
        o
        for o in topic
        if o is not node and o.slots.verb != slots.verb and o.slots.place != slots.place
    ]:
        out.append(("related", rng.choice(kin)))
    stranger = rng.choice(vault.nodes)
    if not any(map(_equal, _facets(slots), _facets(stranger.slots))):
        out.append(("unrelated", stranger))
    return out


def _facets(slots: Slots) -> tuple[object, ...]:
    return (slots.verb, slots.noun, slots.system, slots.place)


def _equal(one: object, two: object) -> bool:
    return one == two
