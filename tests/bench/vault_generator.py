"""A seeded vault of digest nodes in families of near siblings, and queries with one known answer each.

``generate(count, world, seed)`` gives the nodes, ``queries(vault, per_class, seed)`` the queries and
``pairs(vault, count, seed)`` labelled pairs for the duplicate sense. ``write_vault`` puts them on disk
as a vault with daily notes. Run as a program: ``vault_generator.py FOLDER --nodes 10000``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

if __package__ in (None, ""):
    sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from vocabulary import EVERYDAY, HOUSEHOLD, WORKSHOP, World

from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.tokens import prose

WORLDS = {world.name: world for world in (WORKSHOP, HOUSEHOLD)}
CLASSES = ("exact", "body", "typo", "inflected", "synonym", "unit", "cjk")
FIRST_DAY = date(2026, 1, 1)


@dataclass(frozen=True)
class Slots:
    """What a node is about. Two nodes never share all of it; siblings share all but one or two."""

    kind: str  # procedure | wiki | personal | zh
    verb: tuple[str, ...]
    noun: tuple[str, ...]
    system: str
    place: str


@dataclass(frozen=True)
class Node:
    slots: Slots
    path: str
    name: str
    description: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    headings: tuple[str, ...]
    body: str  # Markdown, with wikilinks
    details: tuple[tuple[str, ...], ...]  # the words of each sentence that only this body has

    def text(self) -> NodeText:
        return NodeText(
            self.path, self.name, self.description, self.aliases, self.headings, self.tags, prose(self.body)
        )  # fmt: skip

    def markdown(self) -> str:
        aliases = "".join(f"\n  - {alias}" for alias in self.aliases)
        return (
            f"---\nname: {self.name!r}\ndescription: {self.description!r}\n"
            + (f"aliases:{aliases}\n" if aliases else "")
            + f"memory_tags: [{', '.join(self.tags)}]\n---\n\n{self.body}"
        )


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


@dataclass(frozen=True)
class GeneratedVault:
    world: World
    nodes: tuple[Node, ...]


def generate(count: int, world: World, seed: int = 1) -> GeneratedVault:
    """``count`` nodes: about 55% procedures, 20% wiki, 10% personal, 15% Chinese, in families of 3 to 9."""
    rng = random.Random(f"{seed}/{world.name}")
    slots = _families(count, world, rng)
    codes = _codenames(max(200, count // 8), world, rng)
    nodes: list[Node] = []
    for at, one in enumerate(slots):
        neighbours = nodes[-3:]
        make = _chinese_node if one.kind == "zh" else _english_node
        nodes.append(make(at, one, neighbours, codes, world, rng))
    return GeneratedVault(world, tuple(nodes))


def _families(count: int, world: World, rng: random.Random) -> list[Slots]:
    seen: set[object] = set()
    out: list[Slots] = []
    while len(out) < count:
        kind = rng.choices(("procedure", "wiki", "personal", "zh"), (55, 20, 10, 15))[0]
        first = _draw(kind, world, rng)
        for _ in range(rng.randint(3, 9)):
            other = _draw(kind, world, rng)
            change = rng.random()
            one = Slots(
                kind,
                other.verb if change > 0.85 else first.verb,
                other.noun if 0.7 < change <= 0.85 else first.noun,
                other.system if change <= 0.5 else first.system,
                other.place if 0.35 < change <= 0.7 else first.place,
            )
            mark = (
                (one.verb, one.noun, one.system, one.place)
                if kind != "personal"
                else (one.noun, one.system)
            )
            if mark not in seen and len(out) < count:
                seen.add(mark)
                out.append(one)
    return out


def _draw(kind: str, world: World, rng: random.Random) -> Slots:
    if kind == "zh":
        verb, noun = rng.choice(world.verbs_zh), rng.choice(world.objects_zh)
        return Slots(
            kind, (verb,), (noun,), rng.choice(world.systems_zh), rng.choice(world.places_zh)
        )
    if kind == "personal":
        person = _word(world, rng, 2).capitalize() + " " + _word(world, rng, 3).capitalize()
        return Slots(
            kind,
            (rng.choice(world.values),),
            (rng.choice(world.tastes),),
            person,
            rng.choice(world.places),
        )
    verbs = world.failures if kind == "wiki" else world.verbs
    return Slots(
        kind,
        rng.choice(verbs),
        rng.choice(world.objects),
        rng.choice(world.systems),
        rng.choice(world.places),
    )


def _word(world: World, rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(world.syllables) for _ in range(syllables))


def _codenames(count: int, world: World, rng: random.Random) -> list[str]:
    return [_word(world, rng, rng.randint(2, 3)).capitalize() for _ in range(count)]


def _name(slots: Slots, rng: random.Random) -> str:
    verb, noun, system, place = slots.verb, slots.noun, slots.system, slots.place
    if slots.kind == "procedure":
        shapes = (
            f"{verb[0].capitalize()} the {noun[0]} of {system} {place}",
            f"{verb[2].capitalize()} {noun[1]} for {system} {place}",
            f"How to {verb[0]} a {noun[0]} with {system} {place}",
        )
    elif slots.kind == "wiki":
        shapes = (
            f"{system} {noun[0]} {verb[0]} {place}",
            f"Why the {noun[0]} of {system} {verb[0]} {place}",
        )
    else:
        shapes = (
            f"{system} prefers {verb[0]} as {noun[0]}",
            f"{noun[0].capitalize()} of {system} is {verb[0]}",
        )
    return rng.choice(shapes)


def _english_node(
    at: int, slots: Slots, near: list[Node], codes: list[str], world: World, rng: random.Random
) -> Node:
    name = _name(slots, rng)
    cause, thing = rng.choice(world.causes), rng.choice(world.things)
    past = slots.verb[1] if len(slots.verb) > 1 else slots.verb[0]
    description = rng.choice(
        (
            f"What to do with the {slots.noun[0]} ({slots.system}) {slots.place}, and why a {thing} comes first.",
            f"The safe order when {slots.noun[1 % len(slots.noun)]} are {past}; learned {slots.place} with {slots.system}.",
            f"Notes on {slots.system}: {slots.noun[0]}, {past}, {slots.place}; mostly because {cause}.",
        )
    )
    details = tuple(_detail(codes, world, rng) for _ in range(2))
    sentences = [f"{fill}." for fill in rng.sample(world.fillers, 4)]
    sentences += [_chatter(rng) for _ in range(rng.randint(3, 7))]
    sentences += [" ".join(words[:1] + ("had", "a") + words[1:]) + "." for words in details]
    sentences.append(
        f"We {past} it because {cause}, and the {thing} was {rng.choice(world.traits)}."
    )
    rng.shuffle(sentences)
    cut = len(sentences) // 2
    links = [
        f"It {rng.choice(('depends on', 'is like', 'comes after'))} {_wikilink(node)}."
        for node in near
    ]
    day = FIRST_DAY + timedelta(days=at % 330)
    body = (
        f"When {slots.noun[1 % len(slots.noun)]} of {slots.system} need it {slots.place}: {sentences[0]}\n\n"
        f"## {rng.choice(('Steps', 'Background', 'What happened'))}\n\n"
        + " ".join(sentences[1:cut])
        + "\n\n"
        f"## {rng.choice(('Pitfalls', 'Afterwards', 'Why'))}\n\n"
        + " ".join(sentences[cut:] + links)
        + "\n\n"
        f'## Sources\n\n- Seen in [[daily/{day.isoformat()}.md|{day:%d %b}]]: "{rng.choice(sentences)}"\n'
    )
    aliases = (f"{slots.system} {rng.choice(codes)} {slots.noun[0]}",) if rng.random() < 0.3 else ()
    folder = "wiki" if slots.kind == "wiki" else slots.kind
    return Node(
        slots, f"digest/{folder}/{_slug(name)}-{at}.md", name, description, aliases,
        (_slug(slots.system), _slug(slots.noun[0])), ("Sources",), body, details,
    )  # fmt: skip


def _detail(codes: list[str], world: World, rng: random.Random) -> tuple[str, ...]:
    return (rng.choice(codes), rng.choice(world.traits), rng.choice(world.things), "after", str(rng.randint(3, 97)), rng.choice(EVERYDAY))  # fmt: skip


def _chatter(rng: random.Random) -> str:
    return " ".join(rng.sample(EVERYDAY, rng.randint(6, 12))).capitalize() + "."


def _chinese_node(
    at: int, slots: Slots, near: list[Node], codes: list[str], world: World, rng: random.Random
) -> Node:
    verb, noun, system, place = slots.verb[0], slots.noun[0], slots.system, slots.place
    cause = rng.choice(world.causes_zh)
    name = rng.choice(
        (
            f"{place}{verb}{system}的{noun}",
            f"{system}{noun}{verb}方法（{place}）",
            f"如何在{place}{verb}{system}{noun}",
        )
    )
    description = rng.choice(
        (
            f"{place}对{system}的{noun}进行{verb}的步骤，原因是{cause}。",
            f"{system}：{noun}{verb}的注意事项，{place}适用。",
        )
    )
    details = ((rng.choice(codes), str(rng.randint(3, 97)), rng.choice(world.causes_zh)),)
    fill = rng.sample(world.fillers_zh, 4)
    body = (
        f"{fill[0]}。{fill[1]}，{details[0][0]}等了{details[0][1]}分钟，因为{details[0][2]}。\n\n## 步骤\n\n{fill[2]}。{fill[3]}。"
        + "".join(f"参见{_wikilink(node)}。" for node in near)
        + "\n"
    )
    return Node(
        slots, f"digest/procedure/{name}-{at}.md", name, description, (), (system, noun), ("步骤",), body, details
    )  # fmt: skip


def _wikilink(node: Node) -> str:
    return f"[[{node.path}|{node.name}]]"


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


# Queries


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
    name, summary, quotes = unit_of(node, vault.world, rng)
    return f"{name} {summary}"


def unit_of(
    node: Node, world: World, rng: random.Random, *, reworded: bool = False
) -> tuple[str, str, tuple[str, ...]]:
    """What an extractor would say of the node's abstraction, in other words: name, summary, quotes."""
    slots = node.slots
    cause = rng.choice(world.causes)
    if slots.kind == "zh":
        cause = rng.choice(world.causes_zh)
        return (
            f"{slots.verb[0]}{slots.system}{slots.noun[0]}", f"{slots.place}，{slots.system}的{slots.noun[0]}需要{slots.verb[0]}。{cause}。",
            (f"今天在{slots.place}又{slots.verb[0]}了一次{slots.noun[0]}",),
        )  # fmt: skip
    if slots.kind == "personal":
        return (
            f"{slots.system}: {slots.noun[0]}", f"{slots.system} said again that {slots.verb[0]} is the right {slots.noun[0]}.",
            (f"talked with {slots.system}, who wants {slots.verb[0]}",),
        )  # fmt: skip
    ing = slots.verb[2] if slots.kind == "procedure" else slots.verb[0]
    if reworded and rng.random() < 0.3:
        ing = slots.verb[-1]
    name = f"{ing.capitalize()} {slots.system} {slots.noun[1]} {slots.place}"
    summary = (
        f"A reusable lesson from this week: the {slots.noun[0]} that {slots.system} keeps was {slots.verb[1]} {slots.place}. "
        f"{rng.choice(world.fillers)}; it went wrong once because {cause}, so a {rng.choice(world.things)} belongs before it."
    )
    return name, summary, (f"the {slots.noun[0]} got {slots.verb[1]} {slots.place}, {cause}",)


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


# A vault on disk


def write_vault(root: Path, vault: GeneratedVault, days: int = 60, seed: int = 1) -> int:
    """Write the digest and ``days`` daily notes of prose under ``root``; returns the number of files."""
    rng = random.Random(f"d{seed}")
    for folder in ("digest/procedure", "digest/personal", "digest/wiki", "daily", ".obsidian"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for node in vault.nodes:
        (root / node.path).write_text(node.markdown(), encoding="utf-8")
    for offset in range(days):
        day = FIRST_DAY + timedelta(days=offset)
        lines = [f"# {day:%A}, {day.isoformat()}", ""]
        for node in rng.sample(vault.nodes, min(6, len(vault.nodes))):
            _, summary, quotes = unit_of(node, vault.world, rng)
            lines += [f"- {quotes[0]}", f"  {summary}", f"- [ ] look at {_wikilink(node)}", ""]
        (root / f"daily/{day.isoformat()}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(vault.nodes) + days


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--world", choices=sorted(WORLDS), default="household")
    args = parser.parse_args()
    vault = generate(args.nodes, WORLDS[args.world], args.seed)
    print(f"{write_vault(args.folder, vault, args.days, args.seed)} files in {args.folder}")


if __name__ == "__main__":
    main()
