"""Whole runs killed (SIGKILL) before and after every call that changes the disk.

After the next start all that the run wrote agrees (see agreement.py), and dreaming again comes to
the same digest as a run that nobody disturbed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.journal_scenes import killed_at
from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import DAY, STOP, Place, next_reader, reader, review, with_queue
from tests.support import NOON, ScriptedReader, claim, node_text
from vault_dream.engine.vault.disk import Hook

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork"),
    pytest.mark.usefixtures("no_syncs"),
]
LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))
LATER = NOON + timedelta(hours=1)


def small() -> ScriptedReader:
    return ScriptedReader(
        [claim("Rebuild the index", (1, STOP), summary="Stop the watcher first.")],
        tags={"digest/procedure/rebuild-the-index.md": ["watcher"]},
    )


SMALL: dict[str, str | bytes] = {
    DAY: f"# Monday\n\n- After a schema change {STOP}.\n",
    "daily/2026-11-01.md": "words that were said on that day\n",
    "digest/procedure/index.md": node_text("Index", "Keep the index near."),
}


def small_run(place: Place, before: Hook, after: Hook) -> None:
    place.dream(small(), before=before, after=after)


def whole_run(place: Place, before: Hook, after: Hook) -> None:
    place.dream(reader(), before=before, after=after)


def sitting(place: Place, before: Hook, after: Hook) -> None:
    with place.session(next_reader(), before=before, after=after) as session:
        review(session)


def scene(name: str, base: Path) -> tuple[Place, Callable[[Place, Hook, Hook], None]]:
    if name == "one unit":
        return Place(base, dict(SMALL)), small_run
    if name == "whole run":
        return Place(base), whole_run
    return with_queue(Place(base)), sitting


def again(name: str, place: Place) -> None:
    """What happens next: the run, or the person, goes on after the crash."""
    if name == "a sitting":
        with place.session(next_reader(), at=LATER) as session:
            review(session)
    else:
        place.dream(small() if name == "one unit" else reader(), at=LATER)


@pytest.mark.parametrize(
    ("name", "every"), [("one unit", 1), ("whole run", 5), ("a sitting", 5)], ids=str
)
def test_a_run_killed_at_any_point(name: str, every: int, memory: Path) -> None:
    origin, action = scene(name, memory / "origin")
    before = origin.notes()
    undisturbed = origin.copy_to(memory / "undisturbed")
    action(undisturbed, lambda op, path: None, lambda op, path: None)
    assert_agreement(undisturbed.root, before=before, where="undisturbed")
    again(name, undisturbed)
    wanted = undisturbed.digest()
    step = 1 if LONG else every
    tried = number = 0
    while True:
        place = origin.copy_to(memory / "killed")
        point = killed_at(number, place, action)  # type: ignore[arg-type]
        if point is None:
            break
        where = f"{name}, point {number}, {point}"
        with place.session() as session:
            session.recover()
        assert place.litter() == [], where
        assert_agreement(place.root, before=before, where=where)
        again(name, place)
        assert place.litter() == [], where
        assert_agreement(place.root, before=before, where=where)
        assert place.digest() == wanted, where
        tried += 1
        number += step
    assert tried > 20
    print(f"{name}: killed at {tried} points of about {number}")
