"""A model that names topics, over a real socket."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.engine.dream.test_model_reader import reader
from tests.engine.model.server import Server, fail, say, say_json
from tests.support import contents, make_vault, open_session
from vault_dream.engine.errors import VaultDreamError

DAY = "daily/2026-11-30.md"
QUOTE = "why does the new index lose all the accents"
TOPIC = {
    "title": "Accents in the new index",
    "reason": "It was asked and not answered.",
    "evidence": QUOTE,
    "keywords": ["index", "accents"],
    "sources": [1],
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: f"# Monday\n\nStrange: {QUOTE}?\n"})


def test_what_the_model_names_is_checked_and_written(server: Server, vault: Path) -> None:
    invented = {**TOPIC, "title": "Invented", "evidence": "nobody wrote these words on that day"}
    server.plays(say_json({"topics": [invented, {**TOPIC, "sources": ["NOTE 1", 99]}]}))
    with open_session(vault, reader(server)) as session:
        found = session.topics()
    (topic,) = yaml.safe_load((vault / found.path).read_text())["topics"]
    assert topic == {**{k: v for k, v in TOPIC.items() if k != "sources"}, "paths": [DAY]}
    assert found.by == reader(server).model
    assert [item.title for item in found.left_out] == ["Invented"]


def test_the_model_is_told_what_is_known_between_fences(server: Server, vault: Path) -> None:
    make_vault(vault, {"daily/2026-11-28/interests.yaml": "topics: [{title: Rye, reason: so}]\n"})
    server.plays(say_json({"topics": []}))
    with open_session(vault, reader(server)) as session:
        assert session.topics(hint="the garden").added == ()
    system, user = (message["content"] for message in server.chats[0]["messages"])
    assert "At most 3" in system and "{" not in system
    assert "Known topics\n- Rye\n" in user and "hint: the garden" in user and QUOTE in user


def test_chinese_notes_are_asked_about_in_chinese(server: Server, tmp_path: Path) -> None:
    root = make_vault(tmp_path / "zh", {DAY: "酱汁为什么一定要凉透了才能下肉呢？\n"})
    server.plays(say_json({"topics": []}))
    with open_session(root, reader(server)) as session:
        session.topics()
    assert server.chats[0]["messages"][0]["content"].startswith("你在读一个人最近几天的")


@pytest.mark.parametrize(
    "steps", [[say("no json")] * 4, [fail(400)] * 4, [say_json({"topics": "many"})] * 4]
)
def test_an_answer_that_cannot_be_used_is_an_error_and_writes_nothing(
    server: Server, vault: Path, steps: list[object]
) -> None:
    before = contents(vault)
    server.plays(*steps)  # type: ignore[arg-type]
    with open_session(vault, reader(server)) as session:
        with pytest.raises(VaultDreamError):
            session.topics()
        assert contents(vault) == before
