"""Kinds of fault that owners of vaults have met, each with examples that must not show it."""

from __future__ import annotations

import pytest

from tests.engine.dream.offline.daytext import days, source
from tests.engine.dream.offline.faketools import FakeTools
from tests.engine.dream.offline.test_offline_integrate import read
from vault_dream.engine.dream.offline.extract import extract
from vault_dream.engine.dream.offline.past import base_form
from vault_dream.engine.dream.offline.words import is_chinese
from vault_dream.engine.dream.reader import ExtractRequest, UnitClaim

LIME = """\
Today we limed the goat shed walls, Piet and I, and it went better than last year. Written down so
that next year goes the same way:

1. Slake the lime the evening before. Never pour the water on the lime, or it spits.
2. Brush the walls dry. A wet wall takes no lime, it runs down. Piet has a scar.
3. Two thin coats with the long brush.
4. Keep the goats out for two days.

Twelve kilos of lime and a spoon of salt did the whole shed. Lunch at Piet's, lentils.
"""


def units(text: str, most: int = 5) -> tuple[UnitClaim, ...]:
    return extract(ExtractRequest((source(text),), most)).units


@pytest.mark.parametrize(
    ("intro", "name"),
    [
        (
            "Today we limed the goat shed walls. Written down for next year:",
            "Lime the goat shed walls",
        ),
        ("How I got the bench flat in the end, for the next one:", "Get the bench flat"),
        ("Merged 4 into 6 today, how to do it without a fight:", "Merge 4 into 6"),
        ("Finished the heel. I keep forgetting how to turn it, for the record:", "Turn the heel"),
        ("Oatmeal stout, batch 31. At last, so here is the recipe:", "Oatmeal stout"),
        ("Steps for closing the books:", "Closing the books"),
        ("To bleed the radiators:", "Bleed the radiators"),
    ],
)
def test_a_how_to_is_named_after_what_it_makes(intro: str, name: str) -> None:
    steps = (
        "1. Open the lid slowly, or the steam burns you.\n"
        "2. Pour 300 ml of water into it.\n"
        "3. Wait until it is cold before you close it.\n"
    )
    (unit,) = units(f"{intro}\n\n{steps}")
    assert (unit.name, unit.bucket) == (name, "procedure")


@pytest.mark.parametrize(
    ("intro", "name"),
    [
        ("下午一起做了桂花酱，今年总算成了。记下来明年照做：", "桂花酱的做法"),
        ("清洗洗衣机内筒，没花钱。步骤记一下：", "清洗洗衣机内筒"),
        ("番茄底料的做法：", "番茄底料的做法"),
    ],
)
def test_a_chinese_how_to_is_named_after_what_it_makes(intro: str, name: str) -> None:
    steps = (
        "1. 先用淡盐水泡半小时，不泡洗不干净。\n"
        "2. 捞出来晾干，别用太阳晒。\n"
        "3. 放一个星期再打开。\n"
    )
    (unit,) = units(f"{intro}\n\n{steps}")
    assert unit.name == name


def test_each_step_stays_whole_and_what_stands_around_belongs_to_it() -> None:
    tools = FakeTools()
    (receipt,) = read(LIME, 4, tools)
    text = tools.notes[receipt.target]
    assert (
        "1. Slake the lime the evening before. Never pour the water on the lime, or it spits.\n"
        in text
    )
    assert "2. Brush the walls dry. A wet wall takes no lime, it runs down.\n3. " in text
    assert "Twelve kilos of lime" in text
    assert "scar" not in text and "lentils" not in text


@pytest.mark.parametrize("day", days(), ids=lambda d: d.name)
def test_descriptions_are_short_and_names_stand_alone(day) -> None:  # type: ignore[no-untyped-def]
    for unit in units(day.text, 9):
        assert len(unit.summary) <= (64 if is_chinese(unit.summary) else 165)
        first = unit.name.split(" ", 1)[0].lower()
        assert first not in {"it", "they", "he", "she", "agreed", "decision", "its", "then"}
        assert not unit.name.startswith(("它", "他", "她", "果然", "今天"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Agreed, no one against: the boat stays on the west quay until the swell drops.",
            "Boat stays on the west quay until the swell drops",
        ),
        (
            "Turns out the pump fuse is 10 A, not 15 as the manual says.",
            "Pump fuse is 10 A, not 15",
        ),
        (
            "Note to self: grease the seacocks before lifting, they seize once dry.",
            "Grease the seacocks before lifting",
        ),
        (
            "The nurse went through it. She said one tablet every second day, not daily, since the "
            "gut takes up more that way.",
            "One tablet every second day, not daily",
        ),
        (
            "Decision: no more flat fees, since the last two books ran a third over.",
            "No more flat fees",
        ),
        (
            "医生说湿疹要先擦药再擦润肤霜，中间隔十五分钟，不然吸收不进去。",
            "湿疹要先擦药再擦润肤霜",
        ),
    ],
)
def test_names_lose_their_run_up(text: str, name: str) -> None:
    (unit,) = units(text)
    assert unit.name == name


def test_a_pronoun_brings_the_sentence_that_says_what_it_means() -> None:
    text = "The new kiln is slow. It needs two hours to reach heat, because the wall is thick."
    (unit,) = units(text)
    assert unit.name.startswith("New kiln needs two hours")
    assert any("new kiln" in quote for _, quote in unit.quotes)


def test_a_pronoun_that_nothing_explains_makes_no_unit() -> None:
    assert units("They should always be kept apart, because otherwise they fight.") == ()


def test_what_professionals_prescribe_is_personal() -> None:
    (unit,) = units(
        "Physio appointment. Heel raises, three sets of twelve, knee straight, because the tendon "
        "only takes load when it is long. Pain up to 4 of 10 is fine, above that skip a day."
    )
    assert unit.bucket == "personal"


def test_the_decision_its_reason_and_its_exception_are_one_unit() -> None:
    (unit,) = units(
        "Agreed that phones stay in the lockers from first bell to last.\n\n"
        "Reason: the boys filmed in the changing rooms twice.\n\n"
        "Exception: pupils whose pump must talk to the phone.\n"
    )
    assert unit.name.startswith("Phones stay in the lockers")


@pytest.mark.parametrize(
    "text",
    [
        "Ann wanted us to always answer the phone at night because her shop does.",
        "My grandfather used to say that you should never unite bees in the rain.",
        "As usual Jan came late again, because the bus was late.",
        "There it was again, the long corridor with the green lamp, and nobody home.",
        "老李提议以后都用气动夹具，算了一下没同意。",
        "果然又没赶上末班车，只好打车回来，花了六十。",
    ],
)
def test_weak_finds_are_left(text: str) -> None:
    assert units(text) == ()


def test_a_recurrence_comes_after_everything_else_that_is_good() -> None:
    text = (
        "Sure enough the lock froze again because it had been oiled.\n\n"
        "From now on the spare key hangs in the office, because two people lost it.\n\n"
        "Lesson: never lift the boat before the seacocks are greased, they seize.\n"
    )
    names = [u.name for u in units(text, 2)]
    assert len(names) == 2
    assert not any("froze" in name for name in names)


def test_the_last_of_several_places_is_a_recurrences_before_one_more_lesson() -> None:
    text = "Sure enough the lock froze because it had been oiled.\n\n" + "\n\n".join(
        f"Lesson: never lift a {thing}, because it {how} in the wind."
        for thing, how in [("boat", "swings"), ("mast", "bends"), ("roof", "tears")]
    )
    names = [u.name for u in units(text, 3)]
    assert sum("froze" in name for name in names) == 1
    assert len(names) == 3


@pytest.mark.parametrize(
    ("rule", "event"),
    [
        (
            "Lesson: aged cheese at lunch means a headache by evening.",
            "So there it is again, six hours to the minute: the cheese at lunch and the head by "
            "evening.",
        ),
        (
            "Never oil a lock in winter: oil thickens and the lock freezes. Use graphite.",
            "Same as last winter: the lock froze because it had been oiled.",
        ),
        (
            "Visitors do not read signs, so put a person at the door on busy days.",
            "Once more nobody had read the sign at the door, all the visitors asked the guards.",
        ),
        (
            "教训：下午喝咖啡会睡不着，所以咖啡只能上午喝。",
            "果然又是这样：下午喝了咖啡，夜里两点还醒着。",
        ),
        (
            "客户张总只在早上回邮件，下午发的要等第二天。",
            "跟上次一样，下午给张总发的邮件没人回，第二天早上才回。",
        ),
    ],
)
def test_an_event_that_shows_a_rule_corroborates_it(rule: str, event: str) -> None:
    tools = FakeTools()
    read(rule, 4, tools)
    assert [r.action for r in read(event, 9, tools)] == ["CORROBORATE"]


@pytest.mark.parametrize(
    ("rule", "event"),
    [
        (
            "Never oil a lock in winter: oil thickens and the lock freezes. Use graphite.",
            "Once more the pump froze because nobody had drained the hose after work.",
        ),
        (
            "Dana answers mails only in the morning, so send early.",
            "As always Piotr answered none of the mails until evening because he reads them last.",
        ),
    ],
)
def test_an_event_of_another_kind_does_not(rule: str, event: str) -> None:
    tools = FakeTools()
    read(rule, 4, tools)
    assert [r.action for r in read(event, 9, tools)] == ["CREATE"]


def test_a_correction_stands_as_its_own_quote_and_its_source_says_what_changed() -> None:
    tools = FakeTools()
    read("Lesson: the clinic only accepts referrals by fax, never by mail.", 4, tools)
    (receipt,) = read("The clinic no longer accepts referrals by fax, only the portal.", 9, tools)
    text = tools.notes[receipt.target]
    assert receipt.action == "CORRECT"
    assert "\n\n> note: contradicted by [[" in text
    assert 'That "The clinic only accepts referrals by fax, never by mail" no longer holds' in text


@pytest.mark.parametrize(
    ("told", "base"),
    [
        ("limed", "lime"),
        ("cleaned", "clean"),
        ("scraped", "scrape"),
        ("merged", "merge"),
        ("opened", "open"),
        ("stopped", "stop"),
        ("dried", "dry"),
        ("made", "make"),
        ("installed", "install"),
        ("soaked", "soak"),
        ("need", ""),
        ("shed", ""),
        ("the", ""),
    ],
)
def test_past_forms_are_brought_back(told: str, base: str) -> None:
    assert base_form(told) == base


def test_the_topic_may_stand_paragraphs_before_what_leads_to_the_list() -> None:
    text = (
        "奶奶一早就起来了，厨房里叮叮当当。今天熬梨膏。\n\n"
        "她不看秤，放多少全凭手，我在旁边一样一样记。\n\n"
        "雪梨十二个，冰糖半斤，都是集上买的。记下来，明年照这个做：\n\n"
        "1. 梨不削皮，擦成丝。皮里有胶，削了熬不稠。\n"
        "2. 小火熬两个钟头，不停地搅，粘底就苦了。\n"
        "3. 滤渣以后加冰糖，再熬到挂勺。\n"
    )
    (unit,) = units(text)
    assert (unit.name, unit.bucket) == ("梨膏的做法", "procedure")


def test_an_amount_is_no_topic() -> None:
    text = (
        "Today I made marmalade. Two kilos of Seville oranges. Written down for next year:\n\n"
        "1. Halve the fruit and soak it overnight in its own weight of water.\n"
        "2. Boil until the peel can be crushed with a thumb, about two hours.\n"
        "3. Only then add the sugar, or the peel stays hard.\n"
    )
    (unit,) = units(text)
    assert "armalade" in unit.name


@pytest.mark.parametrize(
    "text",
    [
        "So there it is, four hours to the minute: the cheese at lunch, and a rash by tea.",
        "And there we are: the lamp left on over the seedlings, and mildew on every tray.",
    ],
)
def test_there_it_is_tells_of_a_recurrence(text: str) -> None:
    from vault_dream.engine.dream.offline.recurrences import recurs

    assert recurs(text)


@pytest.mark.parametrize(
    "text",
    ["So there it is on the shelf, the book I was looking for all week.", "And there we are."],
)
def test_there_it_is_without_a_pattern_is_none(text: str) -> None:
    from vault_dream.engine.dream.offline.recurrences import recurs

    assert not recurs(text)
