"""``review``, as data."""

from typing import Any

from tests.commands.outside import DAY, NO_VAULT, NODE, Place, Scene, bad
from tests.support import contents


def _queue(place: Place) -> None:
    answer = place.call("run", "{vault}", "--date", "2026-11-30", "--policy", "queue", "-q")
    assert answer.code == 0


def _waits(place: Place, said: Any) -> None:
    (proposal,) = said["proposals"]
    assert proposal["state"] == "later" and "+name: " in proposal["diff"]
    assert proposal["files"] == [{"path": proposal["target_path"], "new": True}]
    before = contents(place.vault)
    assert place.call("review", "{vault}", "--json").document == said
    assert contents(place.vault) == before


def _changed(place: Place, said: Any) -> None:
    assert said["changed_paths"] == [DAY] and said["proposals"] == []
    assert (place.vault / NODE).is_file() and not (place.vault / "metadata").exists()


SCENES = (
    Scene("a queued proposal", ("{vault}",), prepare=_queue, then=_waits),
    Scene("nothing waits but a changed day", ("{vault}",), then=_changed),
    bad("what only a run takes", "{vault}", "--dry-run"),
    NO_VAULT,
)
