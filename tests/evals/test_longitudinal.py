"""A short run of the nights: the truth about the digest that the long one draws."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.evals.longitudinal.__main__ import scripted
from tests.evals.longitudinal.diary import make_diary
from tests.evals.longitudinal.nights import play
from tests.evals.longitudinal.plot import draw
from vault_dream.engine.dream.offline.reader import OfflineReader

NIGHTS = 8


def test_a_diary_is_the_same_every_time_and_tells_each_fact() -> None:
    diary = make_diary(60)
    assert diary == make_diary(60)
    said = list(diary.mentions(60))
    assert {mention.fact for mention in said} == set(diary.facts)
    assert len({mention.text for mention in said}) == len(said)
    assert any(mention.changed for mention in said)


def test_offline_nights_lose_no_link_and_double_nothing(tmp_path: Path) -> None:
    nights = list(
        play(
            tmp_path / "vault",
            make_diary(NIGHTS),
            OfflineReader,
            grow_to=40,
            index_file=tmp_path / "index.db",
        )
    )
    assert sum(night.lost_links for night in nights) == 0
    assert nights[-1].doubled == 0
    assert nights[-1].covered >= nights[-1].told // 2
    assert nights[-1].tokens == 0
    ElementTree.fromstring(draw({"offline": nights}))


def test_scripted_nights_keep_every_fact_in_one_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    nights = list(scripted(tmp_path, make_diary(NIGHTS), 40))
    last = nights[-1]
    assert sum(night.lost_links for night in nights) == 0
    assert (last.doubled, last.mixed, last.failed) == (0, 0, 0)
    assert last.nodes == last.covered
    assert all(night.tokens > 0 for night in nights if night.calls)
