"""What the offline reader does with a unit, driven through the six tools."""

from __future__ import annotations

import asyncio
import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.dream.offline.daytext import DAYS, day, source
from tests.engine.dream.offline.faketools import FakeTools
from tests.engine.dream.offline.locating import located
from vault_dream.engine.dream.offline.places import cited, unlinked
from vault_dream.engine.dream.offline.reader import OfflineReader
from vault_dream.engine.dream.offline.sources import standing_lines
from vault_dream.engine.dream.reader import (
    ExtractRequest,
    IntegrateRequest,
    Receipt,
    SourceText,
    TagRequest,
    UnitClaim,
)
from vault_dream.engine.dream.units import Evidence, Unit

READER = OfflineReader()


def read(text: str, day: int, tools: FakeTools, **more: str) -> list[Receipt]:
    """A daily note of March 2025, extracted and integrated."""
    path = more.pop("path", f"daily/2025-03-{day:02}.md")
    note = source(text, path=path, day=date(2025, 3, day))
    return keep(note, tools, **more)


def keep(note: SourceText, tools: FakeTools, **more: str) -> list[Receipt]:
    answer = asyncio.run(READER.extract(ExtractRequest((note,), 5)))
    receipts = []
    for claim in answer.units:
        request = IntegrateRequest(
            located(claim, (note,)), (note,), date(2025, 4, 1), "digest", **more
        )
        receipts.append(asyncio.run(READER.integrate(request, tools)))
    return receipts


RICE = "## Kitchen\n\nAlways rinse the rice twice, otherwise it gets sticky.\n"


def test_a_new_thing_becomes_a_node_with_its_evidence() -> None:
    tools = FakeTools()
    (receipt,) = read(RICE, 4, tools)
    assert receipt.action == "CREATE"
    assert receipt.target == "digest/procedure/always-rinse-the-rice-twice.md"
    text = tools.notes[receipt.target]
    assert "reader: offline" in text
    assert "\nAlways rinse the rice twice, otherwise it gets sticky.\n" in text
    assert (
        '- The rule was written down in [[daily/2025-03-04.md#Kitchen|4 Mar, Kitchen]]: "Always '
        'rinse the rice twice, otherwise it gets sticky".'
    ) in text


def test_only_the_six_tools_are_used_and_search_comes_first() -> None:
    tools = FakeTools()
    read(RICE, 4, tools)
    assert tools.calls.count("node_search") >= 3
    assert tools.calls.index("node_search") < tools.calls.index("write")


def test_the_same_again_from_another_day_is_one_more_line_of_sources() -> None:
    tools = FakeTools()
    read(RICE, 4, tools)
    before = tools.notes["digest/procedure/always-rinse-the-rice-twice.md"]
    (receipt,) = read(RICE, 9, tools)
    after = tools.notes[receipt.target]
    assert receipt.action == "CORROBORATE"
    assert after.startswith(before.rstrip("\n"))
    lines = [unlinked(line) for line in standing_lines(after)]
    assert len(lines) == len(set(lines)) == 2


def test_many_times_the_same_never_makes_two_equal_lines() -> None:
    tools = FakeTools()
    for number in range(4, 10):
        read(RICE, number, tools)
    (text,) = tools.notes.values()
    lines = [unlinked(line) for line in standing_lines(text)]
    assert len(lines) == len(set(lines)) == 6


def test_the_same_again_from_the_same_day_settles_without_an_edit() -> None:
    tools = FakeTools()
    read(RICE, 4, tools)
    before = dict(tools.notes)
    (receipt,) = read(RICE, 4, tools)
    assert receipt.action == "CORROBORATE"
    assert tools.notes == before
    assert "edit" not in tools.calls


def test_more_about_the_same_is_put_where_it_belongs() -> None:
    tools = FakeTools()
    read(RICE, 4, tools)
    more = (
        "Always rinse the rice twice in cold water. It needs no rinsing if it is for pudding, "
        "because there the starch thickens the milk."
    )
    (receipt,) = read(more, 9, tools)
    text = tools.notes[receipt.target]
    assert receipt.action == "REFINE"
    assert "Always rinse the rice twice, otherwise it gets sticky." in text
    assert text.index("pudding") < text.index("## Sources")
    assert len(cited(text)) == 2


def test_a_change_annotates_what_it_contradicts_and_removes_nothing() -> None:
    tools = FakeTools()
    read("Lesson: the clinic only accepts referrals by fax, never by mail.", 4, tools)
    (old,) = tools.notes.values()
    receipts = read(
        "The clinic no longer accepts referrals by fax, only the portal counts.", 9, tools
    )
    (text,) = tools.notes.values()
    assert [r.action for r in receipts] == ["CORRECT"]
    assert "> note: contradicted by [[daily/2025-03-09.md|9 Mar]] - " in text
    assert [line for line in old.splitlines() if line not in text.splitlines()] == []


def test_a_correction_says_what_holds_instead() -> None:
    tools = FakeTools()
    read("Lesson: the clinic only accepts referrals by fax, never by mail.", 4, tools)
    (receipt,) = read(
        "Turns out the clinic no longer accepts referrals by fax. Since the new reception opened, "
        "it takes them through the portal only.",
        9,
        tools,
    )
    assert receipt.action == "CORRECT"
    (note,) = [line for line in tools.notes[receipt.target].splitlines() if line[:1] == ">"]
    assert "no longer accepts referrals by fax" in note
    assert note.endswith("it takes them through the portal only")
    assert (
        '"Since the new reception opened, it takes them through the portal only"'
        in (tools.notes[receipt.target])
    ), "and the day's words for it are among the sources"


def test_a_changed_value_of_the_same_thing_is_a_correction() -> None:
    tools = FakeTools()
    read("Lesson: use 80 g of starter for the rye loaf, then it rises well.", 4, tools)
    receipts = read(
        "Use 65 g of starter for the rye loaf instead of 80 g, it is less sour.", 9, tools
    )
    assert [r.action for r in receipts] == ["CORRECT"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Never run pump A above 40 bar, because its seal is worn.",
            "Never run pump B above 60 bar, because its seal is worn.",
        ),
        (
            "Mara's favourite colour for walls is purple.",
            "Mara's favourite colour for walls is cyan.",
        ),
        (
            "Dana prefers written feedback a day before we talk.",
            "Piotr prefers written feedback a day before we talk.",
        ),
        ("小宝对芒果过敏，吃了两口嘴边就起红疹。", "小雨对芒果过敏，吃了两口嘴边就起红疹。"),
    ],
)
def test_one_mould_with_another_value_is_never_the_same_memory(one: str, other: str) -> None:
    tools = FakeTools()
    read(one, 4, tools)
    receipts = read(other, 9, tools)
    assert [r.action for r in receipts] == ["CREATE"]
    assert len(tools.notes) == 2


def test_near_nodes_are_linked_in_a_sentence_each() -> None:
    tools = FakeTools()
    read("Feed the rye starter every twelve hours, otherwise it turns sour.", 4, tools)
    (receipt,) = read(
        "The rye starter only rises in a warm place, because the yeast sleeps below 20 degrees.",
        9,
        tools,
    )
    text = tools.notes[receipt.target]
    assert receipt.action == "CREATE"
    assert len(receipt.related) == 1
    assert f"[[{receipt.related[0]}|" in text


def test_unrelated_nodes_are_not_linked() -> None:
    tools = FakeTools()
    read(RICE, 4, tools)
    (receipt,) = read(
        "Always stop the watcher before the index is rebuilt, or it corrupts.", 9, tools
    )
    assert receipt.related == ()


@pytest.mark.parametrize(
    ("style", "wanted"),
    [
        (
            "inline",
            "written down in (derived_from:: [[daily/2025-03-04.md#Kitchen|4 Mar, Kitchen]])",
        ),
        ("field", "\nderived_from:: [[daily/2025-03-04.md#Kitchen|4 Mar, Kitchen]]\n"),
    ],
)
def test_edge_styles_are_honoured(style: str, wanted: str) -> None:
    tools = FakeTools()
    (receipt,) = read(RICE, 4, tools, edge_style=style)
    assert wanted in tools.notes[receipt.target]


def test_a_chinese_note_makes_a_chinese_node() -> None:
    tools = FakeTools()
    (receipt,) = read("# 晚上\n\n教训：酱油要在收汁之前才放，早放的话水一干就咸。\n", 4, tools)
    text = tools.notes[receipt.target]
    assert "name: 酱油要在收汁之前才放" in text
    assert "[[daily/2025-03-04.md#晚上|3月4日 晚上]]：“" in text
    words = set(re.findall(r"[A-Za-z]{3,}", text.split("---\n", 2)[2]))
    assert words == {"daily", "Sources"}


def test_another_year_and_a_note_of_a_day_are_named_in_the_label() -> None:
    tools = FakeTools()
    note = source(RICE, path="daily/2024-03-04/session.md", day=date(2024, 3, 4))
    (receipt,) = keep(note, tools)
    assert "|4 Mar 2024, session]]" in tools.notes[receipt.target]


def test_steps_become_a_list_with_its_limits() -> None:
    tools = FakeTools()
    (receipt,) = keep(source(day(DAYS / "cook-procedure.txt").text), tools)
    text = tools.notes[receipt.target]
    assert "\n1. Pour off the water and discard all but a spoonful.\n2. " in text
    assert "## Limits\n\n- Do not bake with it before that, or the loaf stays flat.\n" in text


def test_nothing_active_comes_along_with_a_quote() -> None:
    tools = FakeTools()
    text = (
        "Lesson: always rinse [[Rice|the rice]] twice #kitchen, because <b>starch</b> "
        "(why:: it sticks) clouds it %%secret%% `= dv.x` \u202eabc\u202c. ^block"
    )
    (receipt,) = read(text, 4, tools)
    node = tools.notes[receipt.target]
    assert cited(node) == {"daily/2025-03-04.md"}
    for active in ("#kitchen", "<b>", "why::", "%%", "\u202e", "^block"):
        assert active not in node


def test_a_node_in_the_hand_of_its_owner_is_only_added_to() -> None:
    path = "digest/procedure/rice.md"
    tools = FakeTools(
        {
            path: "---\nname: Rinse the rice\ndescription: Rinse the rice, always twice.\n---\n\n"
            "My own words on it.\r\n- one\r\n- one\r\n\r\n## Sources\r\n\r\n"
            "- An old [[daily/2025-01-01.md|1 Jan]] day.\r\n\r\n## After\r\n\r\nend\r\n"
        }
    )
    before = tools.notes[path]
    (receipt,) = read(RICE, 4, tools)
    after = tools.notes[path]
    assert receipt.target == path
    kept = [line for line in before.split("\r\n") if line not in after.split("\r\n")]
    assert kept == []
    assert after.index("4 Mar, Kitchen") < after.index("## After")
    assert "\n" not in after.split("\n---\n\n", 1)[1].replace("\r\n", "")


def test_a_unit_whose_source_is_gone_still_makes_a_node() -> None:
    tools = FakeTools()
    proof = Evidence("daily/2025-03-04.md", 3, "rinse the rice twice or it gets sticky")
    unit = Unit("Rinse rice", "procedure", "Rinse rice twice.", (proof.path,), (proof,))
    request = IntegrateRequest(unit, (), date(2025, 4, 1), "digest")
    receipt = asyncio.run(READER.integrate(request, tools))
    assert "Rinse rice twice.\n\n## Sources" in tools.notes[receipt.target]


def test_tags_are_the_vaults_own_first_and_none_rather_than_silly_ones() -> None:
    def tag(name: str, body: str, *known: str) -> tuple[str, ...]:
        return tuple(asyncio.run(READER.tag(TagRequest("digest/wiki/x.md", name, "", body, known))))

    body = "The sourdough starter sleeps in the fridge. Feed the sourdough on Fridays."
    assert tag("Feed the sourdough", body, "sourdough", "bees", "2025") == ("sourdough",)
    assert tag("Close the door", "Close the door because it is cold.") == ()
    assert tag("喂酵头", "酵头放冰箱。酵头每周喂一次。", "酵头", "养蜂") == ("酵头",)


_LINES = st.sampled_from(
    [
        "Always rinse the rice twice.",
        "- one",
        "- one",
        "1. Rinse the rice.",
        "  - under it",
        "## Sources",
        "- An old [[daily/2025-01-01.md|1 Jan]] day.",
        "## After",
        "> quoted",
        "```",
        "rice:: sticky",
        "",
        "",
        "The rice no longer gets sticky.",
    ]
)


@settings(max_examples=80, derandomize=True, deadline=None)
@given(st.lists(_LINES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_no_line_of_a_node_is_ever_lost(lines: list[str], newline: str, ended: bool) -> None:
    path = "digest/procedure/rice.md"
    front = "---\nname: Always rinse the rice twice\ndescription: d\n---\n\n"
    text = front + newline.join(lines) + (newline if ended else "")
    tools = FakeTools({path: text})
    receipts = read(
        RICE + "\nThe rice no longer needs salt, because the pan is salted.\n", 4, tools
    )
    assert receipts[0].target == path
    left = iter(tools.notes[path].splitlines())
    assert all(any(line == have for have in left) for line in text.splitlines())


def test_words_of_the_title_alone_make_no_tags() -> None:
    tools = FakeTools()
    for number, each in enumerate(sorted(DAYS.glob("*.txt")), 1):
        keep(source(day(each).text, path=f"daily/2025-03-04/{number}.md"), tools)
    for path, text in tools.notes.items():
        name = text.split("name: ", 1)[1].split("\n", 1)[0]
        got = asyncio.run(READER.tag(TagRequest(path, name, "", text, ())))
        assert len(got) <= 2
        assert not set(got) & {"the", "to", "use", "when", "start", "five", "i"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (
            "Feed the rye starter every twelve hours, otherwise it turns sour.",
            "The rye starter turns sour unless it is fed every twelve hours.",
        ),
        (
            "We keep ids as strings in the API because JavaScript rounds large numbers.",
            "JavaScript rounds large numbers, so ids must stay strings in the API.",
        ),
        (
            "以后备份前先停同步，不然数据库会被锁住。",
            "教训：备份之前一定要先停同步，否则数据库会被锁住。",
        ),
    ],
)
def test_the_same_in_other_words_corroborates(first: str, again: str) -> None:
    tools = FakeTools()
    read(first, 4, tools)
    assert [r.action for r in read(again, 9, tools)] == ["CORROBORATE"]
    assert len(tools.notes) == 1


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (
            "Always roast the chestnuts at 200 degrees, otherwise they burst.",
            "Always roast the chestnuts at 170 degrees, otherwise they burst.",
        ),
        (
            "Lesson: the chapel key hangs behind the organ because the vestry is damp.",
            "That the chapel key hangs behind the organ is wrong, because it moved to the rectory.",
        ),
    ],
)
def test_what_a_node_says_no_more_is_noted_there(first: str, later: str) -> None:
    tools = FakeTools()
    read(first, 4, tools)
    (unit,) = tools.notes
    evidence = Evidence("daily/2025-03-09.md", 1, later)
    again = Unit(
        "Roast the chestnuts" if "chestnuts" in later else "The chapel key",
        "procedure" if "chestnuts" in later else "wiki",
        later,
        (evidence.path,),
        (evidence,),
    )
    request = IntegrateRequest(
        again, (source(later, path=evidence.path),), date(2025, 4, 1), "digest"
    )
    receipt = asyncio.run(READER.integrate(request, tools))
    assert (receipt.action, receipt.target) == ("CORRECT", unit)
    assert "> note: contradicted by" in tools.notes[unit]


def test_what_is_to_be_avoided_is_no_denial() -> None:
    tools = FakeTools()
    read("Keep the violin in its case overnight, or the heating cracks it.", 4, tools)
    receipts = read(
        "Always keep the violin in its case overnight, so that the heating does not crack it.",
        9,
        tools,
    )
    assert [r.action for r in receipts] == ["CORROBORATE"]


def test_first_is_not_third() -> None:
    tools = FakeTools()
    read("Lesson: always open the first gate of the lock slowly, or the boat swings.", 4, tools)
    receipts = read(
        "Lesson: always open the third gate of the lock slowly, or the boat swings.", 9, tools
    )
    assert [r.action for r in receipts] == ["CREATE"]


def test_a_day_that_proves_with_a_secret_is_named_without_its_words() -> None:
    note = source("The router takes admin and the password hunter2x9k for the night.\n", handle=1)
    quote = "The router takes admin and the password hunter2x9k for the night"
    claim = UnitClaim("Log in to the router", "wiki", "How to log in.", (1,), ((1, quote),))
    tools = FakeTools()
    unit = located(claim, (note,))
    request = IntegrateRequest(unit, (note,), date(2025, 4, 1), "digest")
    receipt = asyncio.run(READER.integrate(request, tools))
    (line,) = standing_lines(tools.notes[receipt.target])
    assert "[[daily/2025-03-04.md" in line
    assert "hunter2x9k" not in line
