"""The measure itself: what does not agree is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import INDEX, REBUILD, Place, reader, with_queue
from vault_dream.engine.vault.statefiles import json_bytes

CATALOG = "metadata/file_catalog/dream.json"


def edited(place: Place, path: str, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    value = json.loads(place.read(path) or b"")
    change(value)
    (place.root / path).write_bytes(json_bytes(value))


def all_done(value: dict) -> None:  # type: ignore[type-arg]
    for entry in value["files"].values():
        entry["state"] = "done"


SPOILS: dict[str, Callable[[Place], object]] = {
    "a node that nobody recorded": lambda p: (p.root / "digest/wiki/x.md").write_text("x"),
    "a committed node that is gone": lambda p: (p.root / REBUILD).unlink(),
    "a line that stands twice": lambda p: (p.root / INDEX).write_bytes(
        (p.read(INDEX) or b"") + b"\nKeep the index near the notes that it is made from.\n"
    ),
    "half a note": lambda p: (p.root / REBUILD).write_bytes((p.read(REBUILD) or b"")[:90]),
    "an undo record that is gone": lambda p: [
        file.unlink() for file in (p.root / "metadata/runs").glob("*.undo.json")
    ],
    "a failed source called done": lambda p: edited(p, CATALOG, all_done),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_run_that_was_spoilt(spoil: str, tmp_path: Path) -> None:
    place = Place(tmp_path / "vault")
    before = place.notes()
    place.dream(reader())
    assert_agreement(place.root, before=before)
    (place.root / "digest/wiki").mkdir(exist_ok=True)
    SPOILS[spoil](place)
    with pytest.raises(AssertionError):
        assert_agreement(place.root, before=before)


def test_a_queue_that_was_spoilt(tmp_path: Path) -> None:
    place = with_queue(Place(tmp_path / "vault"))
    before = place.notes()
    assert_agreement(place.root, before=before)
    file = next((place.root / "metadata/proposals").rglob("1.json"))
    raw = file.read_bytes()
    file.unlink()
    with pytest.raises(AssertionError):
        assert_agreement(place.root, before=before)
    file.write_bytes(raw)
    path = file.relative_to(place.root).as_posix()
    edited(place, path, lambda value: value["decision"].update(state="committed"))
    with pytest.raises(AssertionError):
        assert_agreement(place.root, before=before)
