"""Two of our processes at whole runs and sittings in one vault, and an editor at work meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.engine.journal_scenes import killed_at
from tests.engine.runs.agreement import assert_agreement
from tests.engine.runs.scenes import (
    DAY,
    INDEX,
    LOG,
    REBUILD,
    YESTERDAY,
    Place,
    reader,
    with_queue,
)
from tests.support import NOON, REPOSITORY
from vault_dream.engine.errors import BusyError
from vault_dream.engine.vault import rename
from vault_dream.engine.vault.disk import Hook
from vault_dream.engine.vault.locks import VaultLock

pytestmark = pytest.mark.usefixtures("no_syncs")

LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@needs_fork
def test_two_processes_dream_and_commit_in_one_vault(tmp_path: Path) -> None:
    """One dreams every round; the other dreams too, and approves whatever waits. Lines that the
    owner adds meanwhile each come to exactly one line of the digest."""
    rounds = 200 if LONG else 25
    place = Place(tmp_path / "vault")
    before = place.notes()
    busy = tmp_path / "busy"

    def racer(name: str, minutes: int) -> Callable[[Place, Hook, Hook], None]:
        def race(place: Place, before: Hook, after: Hook) -> None:
            for number in range(rounds):
                at = NOON + timedelta(minutes=2 * number + minutes)
                with place.session(reader(), at=at) as session:
                    try:
                        with session.dreaming(name):
                            session.recover()
                            session.scan()
                            session.extract()
                            session.integrate()
                            for proposal in session.proposals:
                                if proposal.state in ("open", "later", "stale"):
                                    state = "approved" if number % 2 else "later"
                                    session.decide(proposal.id, state)  # type: ignore[arg-type]
                            session.commit()
                    except BusyError as error:
                        assert "is dreaming" in error.what and "since" in error.what
                        busy.write_text(name)
                for proposal in (s := place.session(at=at)).proposals:
                    s.decide(proposal.id, "approved")
                s.commit()
                s.close()

        return race

    first = threading.Thread(target=killed_at, args=(-1, place, racer("a", 0)))
    first.start()
    assert killed_at(-1, place, racer("b", 1)) is None  # type: ignore[arg-type]
    first.join()
    assert place.litter() == []
    assert_agreement(place.root, before=before)
    index = (place.read(INDEX) or b"").decode()
    assert index.count("Index was read in") == index.count("Index again was read in") == 1
    assert (place.read(REBUILD) or b"").count(b"\n- It is told in") == 1


def test_the_second_dreamer_leaves_with_three_and_says_who_and_since_when(tmp_path: Path) -> None:
    place = Place(tmp_path / "vault")
    (place.root / "vault-dream.yaml").write_text("provider: offline\n")
    command = [sys.executable, "-m", "vault_dream"]
    run = [*command, "--headless", str(place.root), "--json", "--date", "2026-11-30"]
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with VaultLock(place.root, "dream").acquire("headless run"):
        done = subprocess.run(run, capture_output=True, text=True, env=env)
        said = json.loads(done.stdout)["errors"][0]
        assert done.returncode == 3
        assert f"process {os.getpid()} on " in said["what"] and "since 20" in said["what"]
        for other in (["status", str(place.root)], ["log", "-V", str(place.root)]):
            assert subprocess.run([*command, *other], capture_output=True, env=env).returncode == 0
        with place.session() as session:
            assert session.digest.search("index")
            session.commit()
    assert subprocess.run(run, capture_output=True, env=env).returncode == 0


class Editor(threading.Thread):
    """Adds a line to a note again and again, knowing nothing of us."""

    def __init__(self, note: Path, *, in_place: bool) -> None:
        super().__init__()
        self.note = note
        self.lines: list[bytes] = []
        self._in_place = in_place
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.is_set() and len(self.lines) < 400:
            line = b"\nThe owner's line %d of this note." % len(self.lines)
            try:
                text = self.note.read_bytes() + line
            except FileNotFoundError:
                continue
            if self._in_place:
                self.note.write_bytes(text)
            else:
                other = self.note.with_name(f".{self.note.name}.editor")
                other.write_bytes(text)
                other.replace(self.note)
            self.lines = [line]  # an editor that saves over our commit takes its own text with it
            self._over.wait(0.0005)

    def stop(self) -> None:
        self._over.set()
        self.join()


@pytest.mark.parametrize("in_place", [False, True], ids=["write and rename", "truncate and write"])
def test_an_editor_saves_nodes_and_days_while_runs_commit(in_place: bool, tmp_path: Path) -> None:
    if not rename.exchange(tmp_path, tmp_path):
        pytest.skip("this system cannot swap two files in one step")
    for number in range(60 if LONG else 6):
        place = Place(tmp_path / str(number))
        editors = [
            Editor(place.root / path, in_place=in_place) for path in (INDEX, DAY, YESTERDAY, LOG)
        ]
        for editor in editors:
            editor.start()
        try:
            place.dream(reader())
            place.dream(reader(), at=NOON + timedelta(hours=1))
        finally:
            for editor in editors:
                editor.stop()
        for editor in editors:
            (line,) = editor.lines or [b""]
            kept = [*place.root.rglob("*.md")]
            assert any(line in file.read_bytes() for file in kept), (editor.note, line)
            assert line in editor.note.read_bytes(), (editor.note, line)
        place.dream(reader(), at=NOON + timedelta(hours=2))
        assert place.litter() == []


@needs_fork
def test_a_killed_dreamer_leaves_no_lock(tmp_path: Path) -> None:
    place = with_queue(Place(tmp_path / "vault"))

    def hold(place: Place, before: Hook, after: Hook) -> None:
        with place.session(before=before) as session, session.dreaming("headless run"):
            session.recover()

    assert killed_at(8, place, hold) is not None  # type: ignore[arg-type]
    with place.session() as session, session.dreaming("the next run"):
        session.recover()
    assert place.litter() == []
