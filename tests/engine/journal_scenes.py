"""A small vault on the disk, and the commits that the journal's tests run in it."""

from __future__ import annotations

import os
import signal
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

PLAN = "digest/wiki/plan.md"
SEED = "digest/procedure/seed-garlic.md"
NEW = "digest/personal/tea.md"
DAY = "daily/2026-11-29.md"


@dataclass
class World:
    """A vault, this machine's state folder for it, and ways to look at both."""

    base: Path
    root: Path = field(init=False)
    state: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.base / "vault"
        self.state = self.base / "state"
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
    """Two proposals: one over three files, one that goes on where the first left off."""
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
        WriteSet("more", (FileWrite(PLAN, plan + b"See tea.\r\n", plan + b"See tea soon.\r\n"),)),
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


def each_point(action: Callable[[Hook, Hook], object]) -> Iterator[tuple[int, str, str]]:
    """Run ``action`` in a process of its own, again and again, each time killed (SIGKILL) one point
    later: before the first call that changes the disk, after it, before the second, …

    Yields after every kill, with the point's number, the operation and the side; the caller sets the
    world up anew before it asks for the next. Ends after the run that was not killed.
    """
    point = 0
    while True:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            _die_at(point, action, writer)
        os.close(writer)
        with os.fdopen(reader) as said:
            word = said.read()
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0, word
            return
        assert os.WTERMSIG(status) == signal.SIGKILL
        op, _, side = word.partition(" ")
        yield point, op, side
        point += 1


def _die_at(point: int, action: Callable[[Hook, Hook], object], writer: int) -> None:
    seen = 0

    def hook(side: str) -> Hook:
        def call(op: str, path: Path) -> None:
            nonlocal seen
            if seen == point:
                os.write(writer, f"{op} {side}".encode())
                os.kill(os.getpid(), signal.SIGKILL)
            seen += 1

        return call

    try:
        action(hook("before"), hook("after"))
        os._exit(0)
    except BaseException as error:
        os.write(writer, repr(error).encode())
        os._exit(1)
