"""Search terms: what two spellings of one thing have in common, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.digest import scripts
from vault_dream.engine.digest.prose import prose
from vault_dream.engine.digest.scripts import compounds_in, script_tokens
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import ascii_spaced, compounds, fold, in_place, spaced, terms

FORMS = """
rotate rotated rotating rotates rotation
dry dries dried drying
glue glued gluing
run ran running
write wrote written writing
index indices indexes indexing
colour colours coloured color
organise organised organization
cancel cancelled canceled
centre centers
knife knives
shelf shelves
city cities
study studied studying
analyse analysed analyzing
"""


@pytest.mark.parametrize("forms", FORMS.strip().splitlines())
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["police policy", "importance porter", "sand sandal", "new news2"])
def test_other_words_have_other_stems(pair: str) -> None:
    one, two = pair.split()
    assert stem(one) != stem(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Crème brûlée", "creme brulee"),
        ("cafe\u0301", "café"),
        ("ＡＢＣ１", "abc1"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("ﬁnal", "final"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("ёлка", "елка"),
        ("i\u0307stanbul", "İstanbul"),
        ("soft\u00adhyphen", "softhyphen"),
    ],
)
def test_spellings_that_fold_together(one: str, two: str) -> None:
    assert fold(one) == fold(two)


def test_marks_that_make_another_letter_stay() -> None:
    assert fold("がか") == "がか"
    assert terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("重建索引", ["重", "建", "索", "引", "重建", "建索", "索引"]),
        ("サーバー", ["サー", "ーバ", "バー"]),
        ("서버를", ["서버", "버를"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("snake_case", ["snake", "case"]),
        ("Postgres 15", ["postgr", "15"]),
        ("🌱👨‍👩‍👧", ["🌱", "👨", "👩", "👧"]),
        ("\0'\"*^()", []),
        ("\ud800 x", ["x"]),
    ],
)
def test_terms_of_scripts_and_symbols(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_compounds_are_found_by_their_parts_and_whole() -> None:
    assert {"searchindex", "search", "index"} <= set(terms("SearchIndex"))
    assert {"time", "out", "timeout"} <= set(terms("time-out"))


@pytest.mark.parametrize(
    "text", ["how-to-bake-bread", "2026-11-29", "-", "a--b", "x-", "snake_c-d"]
)
def test_a_file_name_or_a_date_is_no_compound(text: str) -> None:
    assert compounds(text) == []


def test_thai_is_cut_into_overlapping_pairs() -> None:
    assert set(terms("ข้อมูล")) <= set(terms("สำรองข้อมูลทุกวัน"))


PIECES = st.sampled_from(
    [
        "Hello",
        "c++",
        "C#",
        "#tag",
        "a_b",
        "c#_x",
        "Crème",
        "straße",
        "索引",
        "重建x索引",
        "サーバー",
        "が",
        "ゞ",
        "・",
        "ｱ",
        "が",
        "서버를",
        "ข้อมูล",
        "हिन्दी",
        "🌱",
        "café",
        "’s",
        "don’t",
        "—",
        "…",
        "Привет",
        "time-out",
        "SearchIndex",
        "İ",
        "¨",
        "ﬁ",
        "Ａ",
        "１２",
        "x̸",
        "≠",
        "_",
        "+",
        "++",
        "##",
        "naïve",
        "ł",
        "\u200b",
        "א",
        "בּ",
        "\x1c",
        "\x00",
        "\xa0",
    ]
)
PARTS = st.lists(
    st.tuples(PIECES | st.text(max_size=4), st.sampled_from(["", " ", "\n", "-", "."]))
)
TEXTS = PARTS.map(lambda parts: "".join(a + b for a, b in parts))


@settings(derandomize=True, max_examples=400, deadline=None)
@given(TEXTS)
def test_the_quick_ways_give_the_words_of_the_long_way(text: str) -> None:
    assert set(spaced(text).split()) == set(script_tokens(text))
    pieces = text.encode("utf-8", "replace").translate(scripts._AS_IS).split()
    assert {word for piece in pieces for word in scripts._spaced[piece].split()} == set(
        spaced(text).split()
    )


@settings(derandomize=True, max_examples=300, deadline=None)
@given(TEXTS)
def test_ascii_words_are_found_without_a_look_at_other_scripts(text: str) -> None:
    every = set(spaced(text).split())
    assert {word for word in every if word.isascii()} <= set(ascii_spaced(text).split()) <= every
    quick = in_place(text)
    if quick is not None:
        assert len(quick) == len(text)
        for word in quick.split():
            assert fold(text[quick.index(word) :][: len(word)]) == word


@settings(derandomize=True, max_examples=200, deadline=None)
@given(TEXTS)
def test_compounds_are_the_same_with_patterns_and_without(text: str) -> None:
    assert sorted(compounds(text)) == sorted(compounds_in(text))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text())
def test_terms_are_safe_to_quote(text: str) -> None:
    for term in terms(text):
        assert term
        assert not set(term) & set(" \t\r\n\0\"'")


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_folding_twice_changes_no_term(text: str) -> None:
    assert terms(fold(text).replace("-", " ")) == terms(fold(fold(text)).replace("-", " "))


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("see [[digest/wiki/b.md|the other]] now", "see the other now"),
        ("see [[Bread]] now", "see Bread now"),
        ("see [[digest/wiki/b.md]] now", "see   now"),
        ("see [[Bread#Crust]] now", "see Bread now"),
        ("a ![[photo.png|100]] b", "a   b"),
        ("a [text](https://example.org/x) ![alt](y.png)", "a text  "),
        ("derived_from:: [[Bread]]", " Bread"),
        ("in (depends_on:: [[digest/a.md|A]])", "in ( A)"),
        ("said so ^a1-b2", "said so "),
        ("a <!-- b --> c %% d %%", "a   b   c   d  "),
        ("[[not closed", "[[not closed"),
    ],
)
def test_prose_is_what_a_reader_sees(markdown: str, seen: str) -> None:
    assert prose(markdown) == seen
