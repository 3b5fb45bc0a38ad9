"""A small vault on the disk, and the commits that the journal's tests run in it."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from vault_dream.engine.journal import FileWrite, Journal, Landing, WriteSet
from vault_dream.engine.vault.disk import TEMP_PREFIX, Disk, Hook
from vault_dream.engine.vault.statefiles import json_bytes

NOW = datetime(2026, 11, 30, 3, 30, tzinfo=UTC)
RUN = "20261130T033000-7f3a"
CATALOG = "metadata/file_catalog/dream.json"
PROPOSAL = f"metadata/proposals/{RUN}/1.json"
UNDO = f"metadata/runs/{RUN}.undo.json"

# Thousands of small vaults are made and thrown away: in memory, where the system has such a folder.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

FORKING = threading.Lock()
"""Held while a process is made: what watches forks takes two at once for an error."""

PLAN = "digest/wiki/plan.md"
SEED = "digest/procedure/seed-garlic.md"
NEW = "digest/personal/tea.md"
DAY = "daily/2026-11-29.md"


@dataclass
class World:
    """A vault, this machine's state folder for it, and ways to look at both."""

    base: Path
    fill: bool = True
    root: Path = field(init=False)
    state: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.base / "vault"
        self.state = self.base / "state"
        if self.fill:
            self._fill()

    def _fill(self) -> None:
        for path, text in {
            PLAN: b"---\r\nname: Plan\r\n---\r\n\r\nOne bed.\r\n",
            SEED: "﻿Knoblauch im Herbst stecken.".encode(),
            DAY: b"# Sunday\n\nGarlic is in.\n",
            CATALOG: json_bytes({"version": 1, "landed": []}),
            PROPOSAL: json_bytes({"version": 1, "decision": "approved"}),
            ".obsidian/app.json": b"{}",
        }.items():
            self.put(path, text)

    def put(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def read(self, path: str) -> bytes | None:
        found = self.root / path
        return found.read_bytes() if found.exists() else None

    def journal(self, before: Hook | None = None, after: Hook | None = None) -> Journal:
        return Journal(
            self.root,
            locate=lambda path: self.root / path,
            disk=Disk(self.root, before=before, after=after),
            state_folder=self.state,
            clock=lambda: NOW,
            patience=5,
        )

    def snapshot(self) -> dict[str, bytes | None]:
        """Every file's bytes, and every folder (None), of the vault."""
        return {
            path.relative_to(self.root).as_posix(): None if path.is_dir() else path.read_bytes()
            for path in sorted(self.root.rglob("*"))
        }

    def litter(self) -> list[str]:
        """What a commit must not leave behind once it is over or recovered."""
        found = [*self.root.rglob(f"{TEMP_PREFIX}*"), *self.state.rglob(f"{TEMP_PREFIX}*")]
        return [path.name for path in (*found, *self.state.glob("commit.journal*"))]

    def write(self, path: str, after: bytes | None) -> FileWrite:
        return FileWrite(path, self.read(path), after)

    def states(self, landing: Landing) -> Sequence[FileWrite]:
        """The catalog and the proposal as a session would write them for what landed."""
        decided = json_bytes({"version": 1, "decision": sorted(landing.landed)})
        catalog = json_bytes({"version": 1, "landed": sorted(landing.landed)})
        return [self.write(CATALOG, catalog), self.write(PROPOSAL, decided)]


Scene = Callable[[World], list[WriteSet]]


def create(world: World) -> list[WriteSet]:
    return [WriteSet("create", (world.write(NEW, b"Tea at four.\n"),))]


def update(world: World) -> list[WriteSet]:
    return [WriteSet("update", (world.write(PLAN, (world.read(PLAN) or b"") + b"Two beds.\r\n"),))]


def several(world: World) -> list[WriteSet]:
    """Two proposals: one over three files, one that goes on where the first left off, also in the
    note that the first created."""
    plan = world.read(PLAN) or b""
    return [
        WriteSet(
            "split",
            (
                FileWrite(PLAN, plan, plan + b"See tea.\r\n"),
                world.write(NEW, b"Tea, split off the plan.\n"),
                world.write(SEED, b"Garlic, rewritten shorter"),
            ),
        ),
        WriteSet(
            "more",
            (
                FileWrite(PLAN, plan + b"See tea.\r\n", plan + b"See tea soon.\r\n"),
                FileWrite(NEW, b"Tea, split off the plan.\n", b"Tea, split off.\n"),
            ),
        ),
    ]


def moved(world: World) -> list[WriteSet]:
    """A rename: one note goes to the trash, another appears, a third follows."""
    return [
        WriteSet(
            "move",
            (
                world.write("digest/wiki/garlic/seed.md", world.read(SEED)),
                world.write(SEED, None),
                world.write(PLAN, b"One bed, moved."),
            ),
        )
    ]


def nothing(world: World) -> list[WriteSet]:
    return []


SCENES: dict[str, Scene] = {
    "create": create,
    "update": update,
    "several files": several,
    "move": moved,
    "state only": nothing,
}


class Fresh:
    """Worlds under one folder, one after another; the one before is removed."""

    def __init__(self, base: Path, prepare: Callable[[World], object] = lambda world: None) -> None:
        self._base = base
        self._prepare = prepare
        self._number = 0

    def __call__(self) -> World:
        shutil.rmtree(self._base / str(self._number), ignore_errors=True)
        self._number += 1
        world = World(self._base / str(self._number))
        self._prepare(world)
        return world


@dataclass(frozen=True)
class Point:
    """Where a process was killed: on which side of which call that changes the disk."""

    number: int
    side: str
    op: str

    def __str__(self) -> str:
        return f"point {self.number}, {self.side} {self.op}"


Action = Callable[[World, Hook, Hook], object]


def each_point(fresh: Callable[[], World], action: Action) -> Iterator[tuple[World, Point]]:
    """Run ``action`` on a fresh world in a process of its own, again and again, each time killed
    (SIGKILL) one point later: before the first call that changes the disk, after it, before the
    second, … Yields the wreck each time; ends after the run that was not killed."""
    number = 0
    while True:
        world = fresh()
        word = killed_at(number, world, action)
        if word is None:
            return
        side, _, op = word.partition(" ")
        yield world, Point(number, side, op)
        number += 1


def killed_at(number: int, world: World, action: Action) -> str | None:
    """Where the process was killed; None when it came to its end first."""
    reader, writer = os.pipe()
    with FORKING:
        child = os.fork()
    if not child:
        _die_at(number, world, action, writer)
    os.close(writer)
    with os.fdopen(reader) as said:
        word = said.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, word
        return None
    assert os.WTERMSIG(status) == signal.SIGKILL
    return word


def _die_at(number: int, world: World, action: Action, writer: int) -> None:
    seen = 0

    def hook(side: str) -> Hook:
        def call(op: str, path: Path) -> None:
            nonlocal seen
            if seen == number:
                os.write(writer, f"{side} {op}".encode())
                os.kill(os.getpid(), signal.SIGKILL)
            seen += 1

        return call

    try:
        action(world, hook("before"), hook("after"))
        os._exit(0)
    except BaseException as error:  # noqa: BLE001 - the parent reports it
        os.write(writer, repr(error).encode())
        os._exit(1)


def commit_of(scene: str) -> Action:
    return lambda world, before, after: world.journal(before, after).commit(
        RUN, SCENES[scene](world), world.states
    )
