# ruff: noqa: E501 - sentence templates
"""A seeded vault of digest nodes in families of near siblings.

``generate(count, world, seed)`` gives the nodes, ``write_vault`` puts them on disk with daily notes. Run as a program: ``vault_generator.py FOLDER --nodes 10000``.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from tests.bench.vocabulary import EVERYDAY, HOUSEHOLD, WORKSHOP, World
from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.digest.prose import prose

WORLDS = {world.name: world for world in (WORKSHOP, HOUSEHOLD)}
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
    sentences += [" ".join((words[0], "had", "a", *words[1:])) + "." for words in details]
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
