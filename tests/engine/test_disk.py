"""The one class that changes the disk: what it refuses, keeps, explains and never overwrites."""

from __future__ import annotations

import errno
import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.vault import rename
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.statefiles import atomic_write_json, json_bytes, read_json


@pytest.fixture(params=["swap", "replace"])
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk that can swap two names, and one that cannot."""
    if request.param == "replace":
        monkeypatch.setattr(rename, "_system_rename", lambda: None)
    return Disk(tmp_path)


def test_a_placed_file_keeps_mode_and_bytes(disk: Disk, tmp_path: Path) -> None:
    note, temp = tmp_path / "note.md", tmp_path / ".temp"
    note.write_bytes(b"old")
    note.chmod(0o640)
    disk.stage(temp, b"new\r\n", like=note)
    assert disk.place(temp, note, b"old")
    assert note.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(note.stat().st_mode) == 0o640


@pytest.mark.parametrize("found", [b"", b"old ", None])
def test_a_file_that_is_not_as_expected_is_not_replaced(
    disk: Disk, tmp_path: Path, found: bytes | None
) -> None:
    note, temp = tmp_path / "note.md", tmp_path / ".temp"
    if found is not None:
        note.write_bytes(found)
    disk.stage(temp, b"new")
    assert not disk.place(temp, note, b"old")
    assert disk.read(note) == found


def test_a_file_that_must_not_exist_is_never_overwritten(disk: Disk, tmp_path: Path) -> None:
    note, temp = tmp_path / "note.md", tmp_path / ".temp"
    disk.stage(temp, b"new")
    note.write_bytes(b"the owner was quicker")
    assert not disk.place(temp, note, None)
    assert note.read_bytes() == b"the owner was quicker"


def saved_while(op: str, note: Path, *texts: bytes) -> Disk:
    """A disk on which the owner saves the note just before each of our next ``op`` calls."""
    left = list(texts)

    def before(done: str, path: Path) -> None:
        if done == op and left:
            other = note.with_name("editor")
            other.write_bytes(left.pop(0))
            other.replace(note)

    return Disk(note.parent, before=before)


def test_a_save_between_the_last_look_and_the_swap_is_put_back(tmp_path: Path) -> None:
    note, temp = tmp_path / "note.md", tmp_path / ".temp"
    note.write_bytes(b"old")
    disk = saved_while("swap", note, b"saved")
    disk.stage(temp, b"new")
    assert not disk.place(temp, note, b"old")
    assert (note.read_bytes(), temp.read_bytes()) == (b"saved", b"new")


@pytest.mark.parametrize("saves", range(2, 7))
def test_of_several_saves_during_the_swap_the_last_one_stands(saves: int, tmp_path: Path) -> None:
    note, temp = tmp_path / "note.md", tmp_path / ".temp"
    note.write_bytes(b"old")
    disk = saved_while("swap", note, *(b"save %d" % n for n in range(saves)))
    disk.stage(temp, b"new")
    assert not disk.place(temp, note, b"old")
    assert note.read_bytes() == b"save %d" % (saves - 1)


def test_a_save_while_a_note_is_taken_away_brings_it_back(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(b"old")
    disk = saved_while("take", note, b"saved")
    assert not disk.take(note, b"old", tmp_path / ".trash.md")
    assert note.read_bytes() == b"saved"


def test_a_note_is_taken_away_whole(disk: Disk, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_bytes(b"old")
    (tmp_path / "taken").write_bytes(b"")
    assert not disk.take(note, b"older", tmp_path / "free")
    assert not disk.take(note, b"old", tmp_path / "taken")
    assert disk.take(note, b"old", tmp_path / "free")
    assert not note.exists() and (tmp_path / "free").read_bytes() == b"old"


# -- refusals ------------------------------------------------------------------------------------


def test_a_link_inside_the_vault_is_fine_and_one_that_leaves_it_is_not(tmp_path: Path) -> None:
    root, outside = tmp_path / "vault", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "note.md").write_bytes(b"x")
    (root / "real.md").write_bytes(b"x")
    (root / "inner.md").symlink_to("real.md")
    (root / "outer.md").symlink_to(outside / "note.md")
    (root / "folder").symlink_to(outside)
    (root / "dangling.md").symlink_to("nothing.md")
    disk = Disk(root)
    assert disk.refusal(root / "inner.md") is None
    for path in ("outer.md", "folder/note.md", "folder/new.md", "../outside/note.md"):
        problem = disk.refusal(root / path)
        assert problem is not None and "leaves the vault" in problem.what, path
    problem = disk.refusal(root / "dangling.md")
    assert problem is not None and "link to nothing" in problem.what


def test_hard_links_read_only_files_and_folders_are_refused_by_name(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    for name in ("hard.md", "locked.md"):
        (tmp_path / name).write_bytes(b"x")
    os.link(tmp_path / "hard.md", tmp_path / "twin.md")
    (tmp_path / "locked.md").chmod(0o444)
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / ".cloud.md.icloud").write_bytes(b"")
    (tmp_path / "loop.md").symlink_to("loop.md")
    for name, word in {
        "hard.md": "hard links",
        "twin.md": "hard links",
        "locked.md": "read-only",
        "folder.md": "not a regular file",
        "pipe.md": "not a regular file",
        "cloud.md": "not available locally",
    }.items():
        problem = disk.refusal(tmp_path / name)
        assert problem is not None and word in problem.what and problem.next, name
        assert problem.where == name
    assert disk.refusal(tmp_path / "loop.md") is not None
    assert disk.refusal(tmp_path / "new.md") is None


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "permission"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "error"),
        (errno.ENOENT, "gone"),
        (errno.ENAMETOOLONG, "too long"),
        (errno.EXDEV, "ross-device"),
    ],
)
@pytest.mark.parametrize("op", ["create", "write", "sync", "replace"])
def test_a_failing_step_says_where_what_and_next_and_leaves_nothing(
    op: str, code: int, word: str, tmp_path: Path
) -> None:
    def before(done: str, path: Path) -> None:
        if done == op:
            raise OSError(code, os.strerror(code))

    with pytest.raises(FilesystemError) as caught:
        Disk(tmp_path, before=before).put(tmp_path / "note.md", b"text")
    assert word in caught.value.what and caught.value.next
    assert caught.value.where == "note.md"
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_the_system_cuts_short_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:3]))
    disk = Disk(tmp_path)
    disk.put(tmp_path / "note.md", b"ten bytes!")
    assert (tmp_path / "note.md").read_bytes() == b"ten bytes!"
    assert disk.counts["write"] == 4


def test_the_vault_itself_is_never_made(tmp_path: Path) -> None:
    with pytest.raises(FilesystemError, match="vault is gone"):
        Disk(tmp_path / "unplugged").make_folder(tmp_path / "unplugged" / "digest")
    assert list(tmp_path.iterdir()) == []


# -- state files ---------------------------------------------------------------------------------


def test_state_files_are_sorted_indented_private_and_readable_by_people(tmp_path: Path) -> None:
    path = tmp_path / "metadata" / "x.json"
    atomic_write_json(Disk(tmp_path), path, {"version": 1, "b": "买东西 🛒", "a": [1]})
    assert path.read_bytes().decode() == (
        '{\n  "a": [\n    1\n  ],\n  "b": "买东西 🛒",\n  "version": 1\n}\n'
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_half_a_surrogate_pair_survives_a_state_file(tmp_path: Path) -> None:
    value = {"version": 1, "text": "\ud83d alone"}
    assert json.loads(json_bytes(value).decode("utf-8")) == value


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1]", b'{"a": 1}', b'{"version": "1"}', b"\xff\xfe", b"[" * 100_000]
)
def test_an_unreadable_state_file_is_set_aside_and_reported(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    now = datetime(2026, 11, 30, tzinfo=UTC)
    loaded = read_json(Disk(tmp_path), path, clock=lambda: now)
    assert loaded.value is None and loaded.problem is not None
    (aside,) = tmp_path.iterdir()
    assert aside.name == "x.json.unreadable-20261130T000000000000"
    assert aside.read_bytes() == raw and aside.name in loaded.problem.what


def test_a_newer_state_file_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"version": 2}')
    with pytest.raises(FilesystemError, match="newer"):
        read_json(Disk(tmp_path), path, version=1)
    assert read_json(Disk(tmp_path), path, version=2).value == {"version": 2}
    assert read_json(Disk(tmp_path), tmp_path / "none.json").value is None


def test_a_folder_is_closed_where_nothing_can_be_made_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path)
    (tmp_path / "file").write_text("here")
    (tmp_path / "open").mkdir()
    assert disk.closed(tmp_path / "open/to/come") is None
    in_the_way = disk.closed(tmp_path / "file/within")
    assert in_the_way is not None and (in_the_way.where, in_the_way.what) == (
        "file", "is not a folder",
    )  # fmt: skip
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path / "open")
    shut = disk.closed(tmp_path / "open/to/come")
    assert shut is not None and shut.where == "open" and "no permission" in shut.what
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=1), raising=False)
    monkeypatch.setattr(os, "ST_RDONLY", 1, raising=False)
    shut = disk.closed(tmp_path / "open")
    assert shut is not None and "the disk is read-only" in shut.what
