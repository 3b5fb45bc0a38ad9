"""Quantities are found however they are written, and names with numbers are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.dream.offline.quantities import Quantity, identifiers, quantities

ALIKE = [
    ("half an hour", "30 min", "thirty minutes", "eine halbe Stunde", "半小时", "半个钟头"),
    ("two full days", "forty-eight hours", "48 h", "zwei Tage", "两天", "48小时"),
    ("an hour and", "60 minutes", "一个钟头"),
    ("0.35 kg", "350 grams", "350 g", "350克"),
    ("2,5 Liter", "2500 ml", "2.5 l"),
    ("einundzwanzig Tage", "three weeks", "drei Wochen"),
    ("at 22:00", "um 22 Uhr"),
    ("on Thursdays", "am Donnerstag", "donnerstags", "周四", "星期四"),
    ("四百行", "400 lines", "four hundred lines"),
    ("三十公里", "30 km", "dreißig km"),
]


@pytest.mark.parametrize("texts", ALIKE, ids=lambda texts: texts[0])
def test_one_amount_is_one_quantity(texts: tuple[str, ...]) -> None:
    found = {quantities(text) for text in texts}
    assert len(found) == 1
    assert len(found.pop()) == 1


def test_two_amounts_are_two() -> None:
    assert quantities("12 and 20 minutes, 3 litres") == {
        Quantity(12.0, ""),
        Quantity(1200.0, "s"),
        Quantity(3000.0, "ml"),
    }


@pytest.mark.parametrize(
    "text", ["", "one of us", "a fox", "C7 and x86", "一起去", "半路", "1:2:3"]
)
def test_what_is_no_quantity(text: str) -> None:
    assert quantities(text) == frozenset()


@pytest.mark.parametrize(
    ("title", "marks"),
    [
        ("Route 14A", {"14a"}),
        ("The projector in room 12", {"12"}),
        ("Sample C7 turns", {"c7"}),
        ("Boiler in flat B", {"b"}),
        ("The second movement", {"second"}),
        ("三号楼的锅炉", {"三"}),
        ("Pays after 60 days", set()),
        ("Takes 18 drops", set()),
        ("Rest 30 minutes", set()),
    ],
)
def test_numbers_that_are_names(title: str, marks: set[str]) -> None:
    assert identifiers(title) == marks


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(q.size >= 0 for q in quantities(text))
    identifiers(text)
