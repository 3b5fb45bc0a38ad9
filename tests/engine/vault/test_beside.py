"""Notes that a second process reads are the notes that this one would have read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault import beside, second
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.reading import Reading
from vault_dream.engine.vault.tags import tags_in
from vault_dream.engine.vault.vault import Vault

SAMPLE = Path(__file__).resolve().parents[3] / "sample_vault"
ODD = {
    "bad.md": b"caf\xe9 [[a]]",
    "nul.md": b"a\0b",
    "empty.md": b"",
    "broken.md": b"---\na: 1\na: 2\n---\n[[b]]",
    "nested.md": b"---\na: {b: [1, .nan, null, 12345678901234567890]}\nup: [[x]]\n---\n- x\n",
    "bom.md": (
        "\ufeff---\r\ntags: [語]\r\n---\r\n| [[a\\|b]] |\r\n|---|\r\n%%[[c]]%% #d\r\n"
    ).encode(),
    "escape.md": b'---\na: "\\ud83d"\n---\n',
    "code.md": b"- a\n\n      [[no]]\n    ```\n    [[no]]\n    ```\n",
    "returns.md": b"a\r# H\r[[b]]\r",
    "large.md": b"[[a]] #t\n" * 40_000,
}


@pytest.fixture(params=["forked", "anew"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the second process comes to be."""
    if request.param == "forked" and not hasattr(os, "fork"):
        pytest.skip("processes are forked")
    monkeypatch.setattr(second, "may_fork", lambda: request.param == "forked")
    return str(request.param)


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "may_fork", lambda: False)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setattr(beside, "HERE", 3)
    monkeypatch.setattr(beside, "THERE", 4)
    root = tmp_path / "v"
    shutil.copytree(SAMPLE, root)
    for name, raw in ODD.items():
        (root / name).write_bytes(raw)
    (tmp_path / "secret.md").write_text("secret")
    return Vault(root)


def paths_of(vault: Vault) -> list[str]:
    return [entry.path for entry in vault.listing().notes]


def seen(found: Note | VaultDreamError) -> tuple[object, ...]:
    if not isinstance(found, Note):
        return type(found), str(found)
    return (
        *(found.path, found.raw, found.text, found.reason, found.parts, found.headings),
        *(found.opaque(), found.hidden(), repr(read_properties(found)), links_in(found)),
        *(tags_in(found), found.blocks, found.newline),
    )


def both(vault: Vault, paths: list[str]) -> tuple[list[object], list[object]]:
    with vault.reading() as reading:
        two = [seen(one) for one in reading.notes(paths, processes=2)]
        return two, [seen(one) for one in reading.notes(paths, processes=1)]


@pytest.mark.usefixtures("way")
def test_the_same_notes_in_the_same_order(vault: Vault) -> None:
    paths = paths_of(vault)
    two, one = both(vault, paths)
    assert two == one
    assert len(one) == len(paths) > 30


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [0, 1, 3, 4, 7, 8, 14])
def test_any_number_of_notes(vault: Vault, count: int) -> None:
    two, one = both(vault, paths_of(vault)[:count])
    assert two == one
    assert len(one) == count


@pytest.mark.usefixtures("way")
def test_what_cannot_be_read_is_an_error_in_its_place(vault: Vault, tmp_path: Path) -> None:
    paths = paths_of(vault)
    for place in (1, 4, 5, 6):
        (vault.root / paths[place]).unlink()
    (vault.root / paths[5]).symlink_to(tmp_path / "secret.md")
    os.mkfifo(vault.root / paths[6])
    two, one = both(vault, [*paths[:9], "../secret.md", "gone/x.md"])
    assert two == one
    assert len(one) == 11
    assert sum(len(what) == 2 for what in one if isinstance(what, tuple)) == 6


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    "start", ["import sys; sys.exit(1)", "raise ImportError", "print('x' * 100)", "1/0"]
)
def test_without_the_second_process_all_is_read_here(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    monkeypatch.setattr(second, "START", start)
    two, one = both(vault, paths_of(vault))
    assert two == one


@pytest.mark.usefixtures("anew")
def test_it_may_die_on_the_way(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    dying = (
        "import sys, os; sys.path[:] = sys.argv[1:]; from vault_dream.engine.vault import beside; "
        "write, left = beside._write, [2]\n"
        "def some(pipe, what):\n"
        "    left[0] -= 1\n"
        "    write(pipe, what) if left[0] else (os.write(1, b'half of it'), os._exit(1))\n"
        "beside._write = some; beside.serve()"
    )
    monkeypatch.setattr(second, "START", dying)
    two, one = both(vault, paths_of(vault))
    assert two == one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_a_copy_may_die_on_the_way(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "may_fork", lambda: True)
    answer, here = beside._answer, os.getpid()

    def some(reading: Reading, path: str, name: str) -> object:
        if path == paths_of(vault)[10]:
            assert os.getpid() != here
            os._exit(1)
        return answer(reading, path, name)

    monkeypatch.setattr(beside, "_answer", some)
    two, one = both(vault, paths_of(vault))
    assert two == one


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("executable", ["", "/nowhere/python"])
def test_where_no_process_can_start(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(second.sys, "executable", executable)
    two, one = both(vault, paths_of(vault))
    assert two == one


def watched(monkeypatch: pytest.MonkeyPatch) -> list[second.Second]:
    """Every second process from now on."""
    started: list[second.Second] = []

    def start(module: str) -> second.Second | None:
        made = second.start(module)
        started.extend([made] if made is not None else [])
        return made

    monkeypatch.setattr(beside, "start", start)
    return started


@pytest.mark.usefixtures("way")
def test_stopping_early_stops_it(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    started = watched(monkeypatch)
    with vault.reading() as reading:
        notes = iter(reading.notes(paths_of(vault), processes=2))
        for _ in range(5):
            next(notes)
        del notes
    assert [process.returncode is not None for process in started] == [True]


def test_few_notes_are_read_by_this_process_alone(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "start", None)
    with vault.reading() as reading:
        assert len(list(reading.notes(paths_of(vault)))) == len(paths_of(vault))
