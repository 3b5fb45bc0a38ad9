"""A backfill on a terminal: it asks, it pauses at Ctrl-C, and it goes on where it stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.outside import Place, new_place

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of this kind need POSIX")
RANGE = ("--from", "2026-11-01", "--to", "2026-11-30")


def at_terminal(place: Place, *words: str, answer: bytes = b"") -> tuple[int, str]:
    """The program with a terminal for all three streams."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_dream", *words],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=place.folder, env=place.environ,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while b"[y/N]" not in said or answer == b"":
        piece = read(ours)
        if not piece:
            break
        said += piece
    if answer:
        os.write(ours, answer)
        while piece := read(ours):
            said += piece
    os.close(ours)
    return process.wait(timeout=60), said.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # what Linux says when the other side is closed
        return b""


@pytest.mark.parametrize(("answer", "read_days"), [(b"n\n", 0), (b"y\n", 2)])
def test_a_person_is_asked_after_the_estimate(
    tmp_path: Path, answer: bytes, read_days: int
) -> None:
    place = new_place(tmp_path / "place")
    code, said = at_terminal(place, "backfill", str(place.vault), *RANGE, answer=answer)
    assert code == 0 and said.index("2 days with something to read") < said.index("Begin?")
    assert len(list((place.vault / "metadata").glob("runs/*.json"))) >= read_days
    assert (place.vault / "metadata").exists() is bool(read_days)


def interrupt_at(place: Place, word: str, send: Callable[[subprocess.Popen[str]], None]) -> int:
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_dream", "backfill", str(place.vault), *RANGE, "--yes"],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        cwd=place.folder, env=place.environ,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            send(process)
            break
    process.stderr.read()
    return process.wait(timeout=60)


def test_ctrl_c_pauses_and_the_next_call_goes_on(tmp_path: Path) -> None:
    place = new_place(tmp_path / "place")
    for day in range(2, 28):
        text = f"We decided on day {day} to keep pot number {day} because it does not leak.\n"
        (place.vault / f"daily/2026-11-{day:02}.md").write_text(text)
    code = interrupt_at(place, "day 3 of", lambda process: process.send_signal(signal.SIGINT))
    assert code == 130
    kept = json.loads((place.vault / "metadata/backfill.json").read_text())
    assert kept["reached"] >= "2026-11-01"
    assert not list(place.vault.rglob(".vault-dream*"))
    done = place.call("backfill", "{vault}", "--json", "--yes").document
    assert done["status"] == "done" and done["days"][0]["date"] > kept["reached"]
    catalog = json.loads((place.vault / "metadata/file_catalog/dream.json").read_text())
    assert len(catalog["files"]) == 28
    assert {entry["state"] for entry in catalog["files"].values()} <= {"done", "queued"}
