"""Two of our own processes, and somebody else's editor, at work on one note at the same time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.journal_scenes import PLAN, World, killed_at
from vault_dream.engine.journal import FileWrite, Landing, WriteSet
from vault_dream.engine.vault import rename
from vault_dream.engine.vault.disk import Hook

LONG = bool(os.environ.get("VAULT_DREAM_LONG_TESTS"))


def add_line(world: World, run_id: str, line: bytes) -> Landing:
    """Commit one more line to the plan as it stands now."""
    found = world.read(PLAN) or b""
    wanted = WriteSet(run_id, (FileWrite(PLAN, found, found + line),))
    return world.journal().commit(run_id, [wanted], lambda landing: [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_two_processes_lose_and_double_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    rounds = 200 if LONG else 25
    stale = [0, 0]

    def racer(name: str) -> Callable[[World, Hook, Hook], None]:
        def race(world: World, before: Hook, after: Hook) -> None:
            for number in range(rounds):
                run_id = f"{name}{number}"
                while not add_line(world, run_id, f"{run_id}\n".encode()).landed:
                    stale[0] += 1

        return race

    first = threading.Thread(target=killed_at, args=(-1, world, racer("a")))
    first.start()
    assert killed_at(-1, world, racer("b")) is None
    first.join()
    lines = (world.read(PLAN) or b"").splitlines()
    for name in "ab":
        ours = [line for line in lines if line[:1] == name.encode() and line[1:].isdigit()]
        assert ours == [f"{name}{number}".encode() for number in range(rounds)]
    assert len(world.journal().runs()) == 2 * rounds and world.litter() == []


class Editor(threading.Thread):
    """Saves the plan a few times, knowing nothing of us."""

    def __init__(self, note: Path, *, saves: int, in_place: bool) -> None:
        super().__init__()
        self._note = note
        self._saves = saves
        self._in_place = in_place
        self.text = b""

    def run(self) -> None:
        for number in range(self._saves):
            self.text = b"the owner's version %d\n" % number
            if self._in_place:
                self._note.write_bytes(self.text)
            else:
                other = self._note.with_name("plan.md.editor")
                other.write_bytes(self.text)
                other.replace(self._note)


@pytest.mark.parametrize("in_place", [False, True], ids=["write and rename", "truncate and write"])
def test_what_an_editor_saves_meanwhile_is_always_on_the_disk(
    in_place: bool, tmp_path: Path
) -> None:
    world = World(tmp_path)
    if not rename.exchange(world.root / PLAN, world.root / PLAN):
        pytest.skip("this system cannot swap two files in one step")
    landed = 0
    rounds = 2000 if LONG else 60
    for number in range(rounds):
        editor = Editor(world.root / PLAN, saves=number % 4, in_place=in_place)
        editor.start()
        found = world.read(PLAN)
        if found:  # an empty note is one that is being saved: no proposal is made from it
            wanted = WriteSet("add", (FileWrite(PLAN, found, found + b"ours\n"),))
            landing = world.journal().commit(f"run{number}", [wanted], lambda landing: [])
            landed += len(landing.landed)
        editor.join()
        assert (world.read(PLAN) or b"").startswith(editor.text)
        assert world.litter() == []
    print(f"{landed} of {rounds} commits landed, the others found that the note had changed")


def is_decided(journal: Path) -> bool:
    return journal.name == "commit.journal" and journal.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize("when", ["swap", "sync"])
def test_a_save_into_the_old_file_after_the_swap_is_the_newest(when: str, tmp_path: Path) -> None:
    """An editor that had the note open all along writes into the file that was swapped out."""
    world = World(tmp_path)
    if not rename.exchange(world.root / PLAN, world.root / PLAN):
        pytest.skip("this system cannot swap two files in one step")
    with (world.root / PLAN).open("r+b") as editor:

        def save(op: str, path: Path) -> None:
            if op == when == "swap" or (op == when and is_decided(path)):
                editor.seek(0)
                editor.truncate()
                editor.write(b"the owner's version\n")
                editor.flush()

        wanted = WriteSet("add", (FileWrite(PLAN, world.read(PLAN), b"ours\n"),))
        landing = world.journal(after=save).commit("run", [wanted], world.states)
    assert world.read(PLAN) == b"the owner's version\n" and world.litter() == []
    assert bool(landing.stale) == (when == "swap")
    assert [problem.where for problem in landing.left] == ([] if landing.stale else [PLAN])


def test_the_moment_of_every_call_is_safe_from_a_save(tmp_path: Path) -> None:
    """The owner saves just before, and just after, each single call of a commit."""
    number = 0
    for number in range(200):
        world = World(tmp_path / str(number))
        seen = saved = 0

        def save(op: str, path: Path, world: World = world, at: int = number) -> None:
            nonlocal seen, saved
            seen += 1
            if seen == at + 1:
                saved += 1
                other = world.root / "editor"
                other.write_bytes(b"the owner's version\n")
                other.replace(world.root / PLAN)

        found = world.read(PLAN)
        wanted = WriteSet("add", (FileWrite(PLAN, found, b"ours\n"),))
        landing = world.journal(save, save).commit("run", [wanted], lambda landing: [])
        assert world.litter() == []
        if not saved:
            assert landing.landed == ("add",)
            break
        assert world.read(PLAN) == b"the owner's version\n", f"call {number}"
    assert number > 50
