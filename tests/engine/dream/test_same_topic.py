"""One topic, however it is written; and what only looks like one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.dream.same_topic import alike, key, same_topic
from vault_dream.engine.dream.topics import Topic


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sourdough hydration", "sourdough HYDRATION"),
        ("Vögel im Garten", "vogel im garten"),
        ("Crème brûlée at home", "creme brulee at home"),
        ("Øl brewing basics", "ol brewing basics"),
        ("Ｆｕｌｌ width titles", "full width titles"),
        ("Fixing the oven door", "Fix the oven doors"),
        ("The index rebuild, and accents", "accents and the index rebuild"),
        ("A **bold** question", "a bold question"),
        ("Straße nach Köln", "strasse nach koln"),
        ("ΑΘΉΝΑ το φθινόπωρο", "αθηνα το φθινοπωρο"),
        ("酱肉的做法", "酱肉做法"),
        ("怎么做酱肉", "酱肉怎么做"),
        ("外婆的酱肉配方", "酱肉配方"),
        ("東京の紅葉", "東京の紅葉はいつ"),
        ("한국어 공부 방법", "한국어 공부방법"),
        ("Как печь ржаной хлеб", "КАК ПЕЧЬ РЖАНОЙ ХЛЕБ"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert alike(one, other) and alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Spanish lesson 3", "Spanish lesson 4"),
        ("Sourdough hydration", "Rye starter in winter"),
        ("The oven door", "The garden door"),
        ("Postgres backups", "Postgres indexes"),
        ("换水龙头", "换自行车胎"),
        ("酱肉的做法", "桂花酱的来历"),
        ("がくせい", "かくせい"),
        ("", "Anything"),
        ("🌱", "Anything"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not alike(one, other) and not alike(other, one)


def test_the_same_words_of_a_note_make_one_topic_in_any_language() -> None:
    quote = "why does the new index lose all the accents"
    one = Topic("Accents in the new index", "It matters.", quote)
    assert same_topic(one, Topic("新索引里的重音符号", "要紧。", quote.upper()))
    assert not same_topic(
        one, Topic("新索引里的重音符号", "要紧。", "another sentence of the same long day")
    )


def test_keywords_make_one_of_titles_that_are_near() -> None:
    words = ("rye", "starter", "winter", "flour")
    one = Topic("Keeping a rye starter alive", "…", keywords=words)
    other = Topic("Rye starter kept in the cold", "…", keywords=("Rye", "starter", "Winter"))
    assert same_topic(one, other)
    assert not same_topic(one, Topic("Quite another thing", "…", keywords=words))


@given(st.text(max_size=40))
def test_a_title_is_like_itself_in_every_form(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC"):
        assert alike(text, unicodedata.normalize(form, text)) or not key(text)
    assert alike(text, f"  {text} ")


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_goes_both_ways(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
