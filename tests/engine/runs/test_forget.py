"""Forgetting takes a note's words out of every file of ours, those that others quote too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.runs.scenes import DAY, INDEX, LOG, REBUILD, SCAN, STOP, Place, reader
from tests.support import NOON, open_session
from vault_dream.engine.dream.quotes import fold
from vault_dream.headless import dream

LATER = NOON + timedelta(hours=1)


def ours(place: Place, cache: Path) -> Iterator[Path]:
    for folder in (place.root / "metadata", place.state, cache):
        yield from (file for file in folder.rglob("*") if file.is_file())


def holders(place: Place, cache: Path, words: str) -> list[str]:
    found = []
    for file in ours(place, cache):
        raw = file.read_bytes().decode("utf-8", "replace")
        if words in raw or fold(words) in fold(raw):
            found.append(str(file))
    return found


@pytest.mark.parametrize("policy", ["apply", "queue"])
@pytest.mark.parametrize(
    ("path", "words"),
    [
        (DAY, [STOP, "Stop the watcher first", "Rebuild the index"]),
        (LOG, [SCAN, "It takes minutes", "It comes to an end"]),
        (INDEX, ["Keep the index near the notes", "as near as can be"]),
    ],
    ids=["a day", "a note of a day", "a node"],
)
def test_no_word_is_left(path: str, words: list[str], policy: str, tmp_path: Path) -> None:
    place, cache = Place(tmp_path / "vault"), tmp_path / "cache"
    index = cache / "nodes.sqlite"
    with open_session(place.root, reader(), index_file=index) as session:
        dream(session, policy=policy)  # type: ignore[arg-type]
        session.digest.search("index")
        if policy == "queue":
            session.decide(session.proposals[0].id, "rejected")
            session.commit()
    copy = place.root / "metadata/decisions.sync-conflict-20261130-130000-ABCDEFG.json"
    aside = place.root / "metadata/file_catalog/dream.json.unreadable-20261130T120000000000"
    for file in (copy, aside):
        file.write_text(f'{{"version": 1, "rejected": [["{path}", "{fold(words[0])}"]]}}')
    if policy == "apply":
        assert holders(place, cache, words[0])
    notes = place.notes()
    with open_session(place.root, index_file=index, clock=lambda: LATER) as session:
        held = session.forget(path)
    assert held
    for each in words:
        assert holders(place, cache, each) == [], each
    assert place.notes() == notes, "the notes are their owner's"
    with place.session(at=LATER) as session:
        assert session.forget(path) == () or path == INDEX


def test_a_forgotten_refusal_still_refuses(tmp_path: Path) -> None:
    place = Place(tmp_path / "vault")
    place.dream(reader(), "queue")
    with place.session(at=LATER) as session:
        for proposal in session.proposals:
            session.decide(proposal.id, "rejected")
        session.commit()
        session.forget(DAY)
    (place.root / DAY).write_bytes((place.read(DAY) or b"").replace(b"After", b"Note: after"))
    report = place.dream(reader(), at=LATER + timedelta(hours=1)).report
    assert "Rebuild the index" in {d["name"] for d in report["dropped_units"]}
    assert place.read(REBUILD) is None


def test_what_was_not_forgotten_can_still_be_undone(tmp_path: Path) -> None:
    place = Place(tmp_path / "vault")
    before = place.read(INDEX)
    place.dream(reader())
    with place.session(at=LATER) as session:
        session.forget(DAY)
        outcomes = {file.path: file.outcome for file in session.undo().files}
    assert outcomes[REBUILD] == "forgotten" and outcomes[INDEX] == "restored"
    assert place.read(INDEX) == before
