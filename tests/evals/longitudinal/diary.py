"""The diary: seeded days of chatter in which known facts are told, told again and changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

FIRST_NIGHT = date(2028, 3, 1)

CHATTER = (
    "Slept badly, the neighbours had visitors until two.",
    "The bus was late again and I walked the last bit in the rain.",
    "Lunch with Ada at the market, the dumplings were all right.",
    "Called the dentist, nobody picked up.",
    "Grey all day, then ten minutes of very good light around five.",
    "Cleared half of the shelf and lost interest.",
    "Paid the gas bill.",
    "Watched two episodes with the kids, bed at ten.",
    "Rode out to the lake and back, legs like lead.",
    "The meeting ran over and nothing came of it.",
    "Bought stamps and forgot the bread.",
    "Rained through the afternoon; the gutter drips again.",
    "Answered mail for an hour, mostly other people's problems.",
    "A letter from the tax office, put on the pile.",
    "Long talk with Onno about his move, he is torn.",
    "Cooked soup, too much of it.",
    "The cat was sick on the stairs.",
    "Found the glasses that I had been missing for a week.",
    "Walked home through the park with the radio on.",
    "Wrote four pages and threw three of them away.",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that holds. ``tellings`` are ways to say it with ``{value}`` in its place."""

    id: str
    bucket: str
    names: tuple[str, ...]
    tellings: tuple[str, ...]
    changes: tuple[str, ...]
    values: tuple[str, ...]
    """What holds first, and what holds after the change."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact as one day tells it. ``changed``: its second value, said to replace the first."""

    fact: Fact
    night: int
    text: str
    value: str
    variant: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Day:
    """One daily note with the mentions that it holds."""

    date: date
    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Diary:
    """All days, oldest first, and all facts."""

    days: tuple[Day, ...]
    facts: tuple[Fact, ...]

    def mentions(self, until: int) -> Iterator[Mention]:
        """The mentions of the first ``until`` nights, in their order."""
        for day in self.days[:until]:
            yield from day.mentions


WAITS = (
    ("the bread oven", "oven", "forty minutes", "an hour", "before the stone is hot through"),
    ("the kiln", "kiln", "six hours", "nine hours", "to cool before the door may be opened"),
    ("the ferry machine", "ferry", "two minutes", "five minutes", "before it takes a second card"),
    ("the greenhouse heater", "heater", "a quarter of an hour", "half an hour", "to settle"),
    ("the label printer", "printer", "ten seconds", "thirty seconds", "between two rolls"),
    ("the pool pump", "pump", "three days", "five days", "to clear the water after a storm"),
    ("the sourdough", "dough", "four hours", "seven hours", "to rise when the kitchen is cold"),
    ("the projector", "projector", "a minute", "three minutes", "to cool before it is unplugged"),
)
LIKES = (
    ("Mara", "invoices", "by post", "as one mail a month"),
    ("Jonas", "meetings", "before ten", "after four"),
    ("Priya", "feedback", "in writing", "on the phone"),
    ("Wen", "tea", "without sugar", "with ginger"),
    ("Aino", "presents", "that can be eaten", "that are books"),
    ("Tomas", "rehearsals", "on Tuesdays", "on Sundays"),
    ("Grandmother", "visits", "announced a day before", "in the morning only"),
    ("Bela", "reports", "with one page of numbers", "as a table"),
)
RULES = (
    ("water the seedlings", "the evening", "the morning", "the leaves burn otherwise"),
    ("back up the photos", "the laptop", "the old disk", "the card alone is not safe"),
    ("order the flour", "Wednesday", "Monday", "the mill closes early"),
    ("tune the cello", "the A string", "the D string", "the bridge moves otherwise"),
    ("salt the beans", "the last minutes", "the soaking", "the skins stay tough otherwise"),
    ("book the hall", "the parish office", "the town website", "the caretaker forgets"),
    ("ship the parcels", "the corner shop", "the depot", "the counter downtown loses them"),
    ("service the bicycle", "October", "February", "the workshop is empty then"),
)
WHYS = (
    ("the cellar light flickers", "a loose neutral", "a worn switch"),
    ("the radio hums at night", "the charger beside it", "the neighbour's solar inverter"),
    ("the jam did not set", "too little acid", "fruit that was too ripe"),
    ("the hall clock runs slow", "dry oil in the movement", "a draught at the pendulum"),
    ("the export drops rows", "an empty date column", "a time zone left out"),
    ("the hens stopped laying", "the short days", "mites in the coop"),
    ("the door sticks in spring", "swollen wood at the top", "a hinge that sagged"),
    ("the choir goes flat", "the cold church", "sitting through the second half"),
)


def all_facts() -> tuple[Fact, ...]:
    """Four kinds of facts in families of near namesakes."""
    waits = (
        Fact(
            f"wait-{short}",
            "wiki",
            (
                f"How long {what} takes",
                f"{what.capitalize()} takes its time",
                f"Waiting for {what}",
            ),
            (
                f"Learned today: {what} needs {{value}} {till}, every time.",
                f"Again the same lesson: {what} needs {{value}} {till}.",
                f"Turns out that {what} always needs {{value}} {till}.",
            ),
            (f"Correction: {what} needs {{value}} {till}, not what I used to think.",),
            (first, second),
        )
        for what, short, first, second, till in WAITS
    )
    likes = (
        Fact(
            f"like-{who.lower()}-{thing}",
            "personal",
            (f"How {who} likes {thing}", f"{who} and {thing}", f"{thing.capitalize()} for {who}"),
            (
                f"{who} prefers {thing} {{value}}, she said so plainly.",
                f"Once more: {who} prefers {thing} {{value}}.",
                f"Note to self, {who} always wants {thing} {{value}}.",
            ),
            (f"{who} no longer wants {thing} so: from now on she prefers them {{value}}.",),
            (first, second),
        )
        for who, thing, first, second in LIKES
    )
    rules = (
        Fact(
            f"rule-{do.split()[-1]}",
            "procedure",
            (f"How to {do}", f"When we {do}", f"{do.capitalize()} rightly"),
            (
                f"To {do}, always go by {{value}} first, because {why}.",
                f"Same as last time: to {do}, always start with {{value}}, because {why}.",
                f"Lesson learned: whenever we {do}, {{value}} comes first, because {why}.",
            ),
            (f"We decided to {do} by {{value}} instead from now on, because it works better.",),
            (first, second),
        )
        for do, first, second, why in RULES
    )
    whys = (
        Fact(
            f"why-{what.split()[1]}",
            "wiki",
            (f"Why {what}", f"The cause when {what}", f"When {what}"),
            (
                f"Found out why {what}: the reason is {{value}}.",
                f"It happened again that {what}, and again the cause was {{value}}.",
                f"The root cause when {what} is {{value}}, no doubt any more.",
            ),
            (f"I was wrong about why {what}: the real cause is {{value}}.",),
            (first, second),
        )
        for what, first, second in WHYS
    )
    return (*waits, *likes, *rules, *whys)


def make_diary(nights: int, seed: int = 1) -> Diary:
    """``nights`` days. Every fact is told once, two in three again, one in three changes."""
    rng = random.Random(f"{seed}/{nights}")
    facts = all_facts()
    told: dict[int, list[tuple[Fact, int, bool]]] = {night: [] for night in range(nights)}
    for fact in facts:
        night = rng.randrange(max(1, nights * 3 // 4))
        told[night].append((fact, 0, False))
        for variant in range(1, rng.choice((1, 2, 3))):
            night = min(nights - 1, night + rng.randint(3, max(3, nights // 4)))
            told[night].append((fact, variant, False))
        if rng.random() < 1 / 3:
            night = min(nights - 1, night + rng.randint(3, max(3, nights // 4)))
            told[night].append((fact, 0, True))
    days = tuple(_day(night, told[night], rng) for night in range(nights))
    return Diary(days, facts)


def _day(night: int, told: Sequence[tuple[Fact, int, bool]], rng: random.Random) -> Day:
    when = FIRST_NIGHT + timedelta(days=night)
    lines = rng.sample(CHATTER, rng.randint(2, 5))
    mentions = []
    for fact, variant, changed in told:
        value = fact.values[changed]
        text = (fact.changes if changed else fact.tellings)[variant].format(value=value)
        mentions.append(Mention(fact, night, text, value, variant, changed))
        lines.insert(rng.randint(0, len(lines)), text)
    return Day(when, f"# {when:%A}\n\n" + "\n\n".join(lines) + "\n", tuple(mentions))
