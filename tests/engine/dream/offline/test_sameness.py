"""Whether two memories are one: other words for one thing are, another thing in the same words is
not."""

from __future__ import annotations

import pytest

from vault_dream.engine.dream.denials import denies
from vault_dream.engine.dream.offline.sameness import (
    Side,
    closeness,
    is_another,
    is_same,
    may_be_same,
)
from vault_dream.engine.dream.offline.synonyms import one_word


def side(name: str, text: str, bucket: str = "procedure", *aliases: str) -> Side:
    return Side(name, text, "\n".join((name, text, *aliases)), bucket, aliases)


SAME = {
    "the same words in another order": (
        side("Rinse brushes in cold water", "Rinse brushes in cold water, or the hair falls out."),
        side(
            "Cold water for brushes", "Brushes are rinsed in cold water, otherwise hair falls out."
        ),
    ),
    "synonyms": (
        side("Ring Grandma before noon", "Ring Grandma before noon, she naps later.", "personal"),
        side("Phone Granny before noon", "Phone Granny before noon; she sleeps later.", "personal"),
    ),
    "an acronym and what it stands for": (
        side("MRSA screening", "MRSA screening is a swab of the nose on arrival."),
        side(
            "Methicillin-resistant staphylococcus aureus screening",
            "Methicillin-resistant staphylococcus aureus screening is a nose swab on arrival.",
        ),
    ),
    "an alias": (
        side("SSO", "With SSO one password opens every tool of the firm.", "wiki"),
        side("Single sign-on", "One password opens every tool of the firm.", "wiki", "SSO"),
    ),
    "a condition more": (
        side("Oil the chain after rain", "Oil the chain after rain, but never the brake disc."),
        side("Oil the chain", "Oil the chain, then wipe it dry."),
    ),
    "a denial of it": (
        side("Bus 9 skips the mill", "Bus 9 no longer stops at the mill after eight.", "wiki"),
        side("Bus 9 at the mill", "Bus 9 stops at the mill until eleven.", "wiki"),
    ),
    "another amount of one thing": (
        side("Hall closes earlier", "On Wednesdays the hall now closes at 20:00.", "wiki"),
        side("When the hall closes", "On Wednesdays the hall closes at 22:00.", "wiki"),
    ),
    "another day of the week": (
        side("Bin day moved to Thursday", "The bins go out on Thursday now.", "wiki"),
        side("Bins go out on Tuesday", "The bins go out on Tuesday before seven.", "wiki"),
    ),
    "a change of somebody": (
        side("New dentist", "Our dentist is now Dr Amsel in the Ringstrasse.", "wiki"),
        side("Dentist", "Our dentist is Dr Berger in the Ringstrasse.", "wiki"),
    ),
    "another day, in German": (
        side("Müll am Donnerstag", "Der Müll wird jetzt donnerstags geholt.", "wiki"),
        side("Wann der Müll geholt wird", "Der Müll wird dienstags geholt.", "wiki"),
    ),
    "one amount in other units": (
        side("Soak the hides", "Soak the hides for two full days before you scrape."),
        side("Soaking hides", "Soak the hides for forty-eight hours before scraping."),
    ),
    "an acronym with its small words": (
        side("DNR in front", "The original DNR belongs in front of the notes."),
        side(
            "The do-not-resuscitate form",
            "The do not resuscitate form belongs in front of the notes, as the original.",
        ),
    ),
    "something of somebody's": (
        side("Lina's feed", "Lina carries triplets and gets extra feed.", "personal"),
        side("Lina", "Lina carries triplets and needs extra feed.", "personal"),
    ),
    "Chinese in other words": (
        side("泡豆子要放冰箱", "夏天泡豆子要放进冰箱，不放冰箱会发酸。"),
        side("夏天泡豆放冰箱", "夏天泡豆子放进冰箱泡，外面泡会发酸。"),
    ),
}

ANOTHER = {
    "one value more or less": (
        side("Pressure of the front tyre", "The front tyre takes 2.4 bar when cold."),
        side("Pressure of the rear tyre", "The rear tyre takes 2.9 bar when cold."),
    ),
    "somebody with a similar name": (
        side("Maria Lund and stairs", "Maria Lund cannot climb the stairs.", "personal"),
        side("Mario Lund and stairs", "Mario Lund cannot climb the stairs.", "personal"),
    ),
    "a title that goes on": (
        side("Clean the oven door", "Clean the oven door with soda and a scraper."),
        side("Clean the oven", "Clean the oven with soda and a scraper overnight."),
    ),
    "other people on other days": (
        side("Ella's recorder lesson", "Ella's recorder lesson is on Thursday.", "wiki"),
        side("Jonas's recorder lesson", "Jonas's recorder lesson is on Tuesday.", "wiki"),
    ),
    "a number that is a name": (
        side("Lock of room 12", "Room 12 locks at nine in the evening."),
        side("Lock of room 31", "Room 31 locks at ten in the evening."),
    ),
    "an acronym for two things": (
        side("PDU in networking", "PDU stands for protocol data unit.", "wiki"),
        side("PDU", "A PDU (power distribution unit) is a socket strip.", "wiki"),
    ),
    "an ordinal": (
        side("Entry in the second movement", "In the second movement the horns enter softly."),
        side("Entry in the fourth movement", "In the fourth movement the horns enter softly."),
    ),
    "another object of the same verb": (
        side("Sharpen the chisel", "Sharpen the chisel at 25 degrees on the fine stone."),
        side("Sharpen the scissors", "Sharpen the scissors at 60 degrees on the coarse stone."),
    ),
    "one acronym for two things": (
        side("CMS (content management)", "Our CMS is a content management system.", "wiki"),
        side("CMS (the experiment)", "CMS is the compact muon solenoid at a collider.", "wiki"),
    ),
    "Chinese with another value": (
        side("二楼空调的遥控器", "二楼空调的遥控器在书柜第二格。"),
        side("三楼空调的遥控器", "三楼空调的遥控器在鞋柜第一格。"),
    ),
    "a title of one word": (
        side("Turn the compost in May", "Turn the compost in May, when the worms come up."),
        side("Compost", "The compost lies in the shade behind the shed."),
    ),
    "two definitions": (
        side("Isobar", "An isobar is a line through places of equal pressure.", "wiki"),
        side("Isotherm", "An isotherm is a line through places of equal warmth.", "wiki"),
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_one_memory(case: str) -> None:
    unit, node = SAME[case]
    assert is_same(unit, node), (closeness(unit, node), is_another(unit, node))


@pytest.mark.parametrize("case", ANOTHER)
def test_two_memories(case: str) -> None:
    one, other = ANOTHER[case]
    assert not is_same(one, other), closeness(one, other)
    assert not is_same(other, one), closeness(other, one)


def test_every_memory_is_itself_and_close_to_itself() -> None:
    for one, other in (*SAME.values(), *ANOTHER.values()):
        for each in (one, other):
            assert closeness(each, each) == 1.0
            assert is_same(each, each)


def test_a_side_that_says_next_to_nothing_is_never_wholly_had() -> None:
    unit = side(
        "Stop the pump before the filter is changed", "Stop the pump first, or it runs dry."
    )
    assert closeness(unit, side("Pump", "What it is about.")) < 0.5
    assert not is_same(unit, side("Pump", "What it is about."))


def test_nothing_is_close_to_nothing() -> None:
    empty = side("", "")
    assert closeness(empty, empty) == 0.0
    assert not is_same(empty, side("A bell", "It rings at noon."))


def test_a_synonym_stands_in_one_group() -> None:
    assert one_word("physician") == one_word("doctor")
    assert one_word("母亲") == one_word("妈妈")
    assert one_word("walrus") == "walrus"


@pytest.mark.parametrize(
    ("text", "whether"),
    [
        ("The ferry no longer runs on Sundays.", True),
        ("That bats are blind is a myth.", True),
        ("以前说要泡一夜不对。", True),
        ("Stir until it no longer sticks.", False),
        ("Something was wrong with the pump.", False),
        ("煮到不再冒泡为止。", False),
        ("Der Schlüssel hängt nicht mehr im Büro, sondern im Kasten.", True),
        ("Der alte Fahrplan gilt nicht mehr.", True),
        ("Seit dem Kurs frieren wir im Wohnwagen nicht mehr.", False),
        ("Anders als bisher kommt das Salz zuletzt.", True),
        ("Rühren, bis der Teig nicht mehr klebt.", False),
        ("Der Schlüssel hängt im Kasten.", False),
    ],
)
def test_what_denies(text: str, whether: bool) -> None:
    assert denies(text) is whether


DOUBTFUL = {
    "a name in both titles": (
        side("Egg timer for Leo", "Leo leaves happily with the egg timer.", "personal"),
        side("Leo needs notice", "Leo melts down when we go without warning.", "personal"),
    ),
    "an amount that differs": (
        side("Private car 38 a kilometre", "The office pays 38 cents a kilometre for a car."),
        side("Mileage allowance", "The office pays 42 cents a kilometre for one's own car."),
    ),
    "allowed and forbidden": (
        side("Ida may eat egg", "Ida has outgrown it and may have egg in any form.", "personal"),
        side("Ida must not eat egg", "Ida is allergic to egg, baked or not.", "personal"),
    ),
    "forbidden in German": (
        side("Chlor im Eimer", "Chlor und Senker kann man im selben Eimer anrühren."),
        side("Chlor getrennt", "Chlor und Senker nie im selben Eimer anrühren."),
    ),
}

STRANGERS = {
    "a word of anybody's days": (
        side("Slipping pegs in winter", "Pegs that slip in winter get soap."),
        side("Winterise the caravan", "Drain the tank before winter."),
    ),
    "another room": (
        side("Lock of room 12", "Room 12 locks at nine."),
        side("Lock of room 31", "Room 31 locks at ten."),
    ),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_may_be_one_memory_is_doubted(case: str) -> None:
    assert may_be_same(*DOUBTFUL[case])


@pytest.mark.parametrize("case", STRANGERS)
def test_strangers_are_not_doubted(case: str) -> None:
    assert not may_be_same(*STRANGERS[case])


def test_words_of_all_days_raise_no_doubt() -> None:
    unit, node = DOUBTFUL["a name in both titles"]
    assert not may_be_same(unit, node, [node] * 3)
