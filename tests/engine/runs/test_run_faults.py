"""A full, read-only, broken or vanished disk in a whole run: exit 6, clear words, a whole vault."""

from __future__ import annotations

import errno
import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import DAY, Place, reader
from tests.support import NOON
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal import UnfinishedCommit
from vault_dream.engine.vault.disk import Disk

pytestmark = pytest.mark.usefixtures("no_syncs")

LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))
LATER = NOON + timedelta(hours=1)


class Failing:
    """A hook: the disk fails at its ``at``-th call and, if ``lasting``, ever after."""

    def __init__(self, code: int, at: int, lasting: bool) -> None:
        self.code, self.at, self.lasting, self.seen = code, at, lasting, -1

    def __call__(self, op: str, path: Path) -> None:
        self.seen += 1
        if self.seen == self.at or (self.lasting and self.seen > self.at):
            raise OSError(self.code, os.strerror(self.code), str(path))


def calls(base: Path) -> int:
    counting = Failing(0, -2, False)
    Place(base).dream(reader(), before=counting)
    return counting.seen + 1


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
def test_a_disk_that_fails_in_a_whole_run(code: int, lasting: bool, memory: Path) -> None:
    undisturbed = Place(memory / "undisturbed")
    before = undisturbed.notes()
    undisturbed.dream(reader())
    undisturbed.dream(reader(), at=LATER)
    wanted = undisturbed.digest()
    for at in range(code % 5, calls(memory / "count"), 1 if LONG else 17):
        place = Place(memory / str(at))
        where = f"{errno.errorcode[code]} at call {at}"
        try:
            place.dream(reader(), before=Failing(code, at, lasting))
        except FilesystemError as error:
            assert error.where and error.what and error.next, where
            assert "Errno" not in error.what, where
            if not lasting and not isinstance(error.__cause__, UnfinishedCommit):
                assert place.litter() == [], where
        with place.session() as session:
            session.recover()
        assert place.litter() == [], where
        assert_agreement(place.root, before=before, where=where)
        refused = any(p.state == "stale" for p in place.session().proposals)
        place.dream(reader(), at=LATER)
        assert_agreement(place.root, before=before, where=where)
        if not refused:  # what could not be written waits for a person
            assert place.digest() == wanted, where


class Disks:
    """Makes each session's disk fail, from inside the command line."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, hook: Any) -> None:
        def broken(disk: Disk, root: Path, **given: Any) -> None:
            original(disk, root, before=hook)

        original = Disk.__init__
        monkeypatch.setattr(Disk, "__init__", broken)


def headless(place: Place) -> int:
    from vault_dream.cli import main

    return main(["--headless", str(place.root), "--json", "--date", "2026-11-30"])


def offline(base: Path) -> Place:
    place = Place(base)
    (place.root / DAY).write_text(
        "# Monday\n\n- Lesson: always stop the watcher before you drop the index, because "
        "otherwise it corrupts the cache and everything has to be scanned again.\n"
    )
    (place.root / "vault-dream.yaml").write_text("provider: offline\npolicy: apply\n")
    return place


def test_a_full_disk_ends_with_six_and_a_report(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = offline(memory / "vault")
    before = place.everything()
    Disks(monkeypatch, lambda op, path: _full(op, path, "catalog"))
    assert headless(place) == 6
    report = json.loads(capsys.readouterr().out)
    assert (report["status"], report["nodes_created"]) == ("failed", [])
    assert "full" in report["errors"][-1]["what"]
    assert report["units"], "what was found is told, though nothing could be kept"
    assert place.everything() == before


def _full(op: str, path: Path, part: str) -> None:
    if op in ("write", "create") and part in str(path):
        raise OSError(errno.ENOSPC, "full", str(path))


def test_an_unfinished_commit_tells_what_has_landed(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = offline(memory / "vault")
    before = place.notes()

    def late(op: str, path: Path) -> None:
        if op in ("swap", "rename", "replace") and path.name == "dream.json":
            raise OSError(errno.EIO, "broken", str(path))

    with monkeypatch.context() as broken:
        Disks(broken, late)
        assert headless(place) == 6
    report = json.loads(capsys.readouterr().out)
    assert "finished at the next start" in report["errors"][-1]["what"]
    assert report["nodes_created"] and all(place.read(p) for p in report["nodes_created"])
    assert headless(place) == 0
    assert_agreement(place.root, before=before)


def test_a_vault_that_vanishes_during_the_run(memory: Path) -> None:
    for at in range(0, calls(memory / "count"), 3 if LONG else 13):
        place = Place(memory / str(at) / "base")
        before = place.notes()
        seen = -1

        def pull(op: str, path: Path, place: Place = place, at: int = at) -> None:
            nonlocal seen
            seen += 1
            if seen == at:
                place.root.rename(place.base / "unplugged")

        try:
            place.dream(reader(), before=pull)
        except FilesystemError as error:
            assert error.what and error.next
        if (place.base / "unplugged").exists():
            assert not place.root.exists(), "nothing is made where the vault was"
            (place.base / "unplugged").rename(place.root)
        with place.session() as session:
            session.recover()
        assert place.litter() == []
        assert_agreement(place.root, before=before, where=at)
