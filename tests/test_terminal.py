"""Names of notes are links where the terminal shows such, and plain words everywhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.outside import DAY, Place, new_place
from vault_dream.terminal import Terminal, linked, paths_in

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return new_place(tmp_path_factory.mktemp("linking") / "place")


def on_terminal(place: Place, *arguments: str, **environ: str) -> str:
    """What the program writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_dream", *arguments],
        stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL, cwd=place.folder,
        env={**place.environ, "TERM": "xterm-256color", **environ},
    )  # fmt: skip
    os.close(slave)
    said = b""
    while True:
        try:
            piece = os.read(master, 65_536)
        except OSError:
            break
        if not piece:
            break
        said += piece
    process.wait()
    os.close(master)
    return said.decode()


def link(path: str) -> str:
    from vault_dream.engine.vault.uri import open_uri

    return f"\x1b]8;;{open_uri('vault', path)}\x1b\\{path}\x1b]8;;\x1b\\"


CALLS = (
    (("status", "vault"), DAY),
    (("run", "vault", "--date", "2026-11-30", "--dry-run"), None),
    (("links", "-V", "vault"), "daily/2026-11-01.md"),
    (("topics", "vault", "--date", "2026-11-30", "--dry-run"), DAY),
    (("doctor", "vault", "--no-model"), None),
)


@pytest.mark.parametrize(("arguments", "path"), CALLS)
def test_notes_are_links_where_the_terminal_shows_them(
    place: Place, arguments: tuple[str, ...], path: str | None
) -> None:
    said = on_terminal(place, *arguments, TERM_PROGRAM="iTerm.app")
    if path is not None:
        assert link(path) in said
    assert "\x1b]8;;" not in on_terminal(place, *arguments)
    assert "\x1b]8;;" not in place.call(*arguments, TERM_PROGRAM="iTerm.app").out


class Shows:
    links = True

    @staticmethod
    def link(text: str, uri: str) -> str:
        return f"<{text}>"


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Terminal, "of", classmethod(lambda cls, vault: Shows()))


def test_the_longest_path_is_the_link_and_what_is_not_there_is_none(
    shows: None, tmp_path: Path
) -> None:
    for name in ("a.md", "x/a.md", "x/a.md.md", "odd (1) [x].md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    paths = ["a.md", "x/a.md", "x/a.md.md", "odd (1) [x].md", "gone.md", "../a.md"]
    text = "a.md x/a.md, x/a.md.md: y/a.md odd (1) [x].md gone.md"
    assert linked(text, tmp_path, paths) == (
        "<a.md> <x/a.md>, <x/a.md.md>: y/a.md <odd (1) [x].md> gone.md"
    )


def test_paths_are_found_wherever_a_document_holds_them() -> None:
    document = {
        "a": ["x/y.md", 3, None, {"b": "z.md: a quote"}], "c": "p.md → q.md; r.base",
        "root": "/home/ada/n.md", "text": "words\nand.md",
    }  # fmt: skip
    assert paths_in(document) == {"x/y.md", "z.md", "p.md", "q.md", "r.base"}
