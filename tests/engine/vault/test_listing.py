"""What is on disk, and what of it is never read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.vault.listing import (
    CONFLICT_COPY,
    EMPTY,
    EVICTED,
    LINK_BROKEN,
    LINK_OUT,
    NOT_A_FILE,
    PLACEHOLDER,
    Listing,
    daily_looking_folders,
    list_vault,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def put(root: Path, name: str, text: str = "text\n") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def skips(listing: Listing) -> dict[str, str]:
    return {entry.path: entry.skip for entry in listing.skipped}


def test_plain_files_and_folders(root: Path) -> None:
    put(root, "a.md", "12345")
    put(root, "b/c d/é.md")
    put(root, "b/pic.png")
    (root / "empty").mkdir()
    listing = list_vault(root)
    assert listing.paths == ("a.md", "b/c d/é.md", "b/pic.png")
    assert sorted(listing.folders) == ["b", "b/c d", "empty"]
    assert [entry.path for entry in listing.notes] == ["a.md", "b/c d/é.md"]
    assert listing.skipped == () and listing.problems == ()
    entry = listing.entries["a.md"]
    status = (root / "a.md").stat()
    assert (entry.size, entry.mtime_ns, entry.inode, entry.links, entry.read_only) == (
        5, status.st_mtime_ns, status.st_ino, 1, False,
    )  # fmt: skip


def test_dot_names_are_not_there(root: Path) -> None:
    for name in (".obsidian/app.json", ".trash/old.md", ".git/x.md", "a/.hidden.md", ".x.md"):
        put(root, name)
    listing = list_vault(root)
    assert listing.paths == () and list(listing.folders) == ["a"]


def test_conflict_copies_are_listed_and_not_read(root: Path) -> None:  # case ob-27
    names = [
        "2026-01-02.sync-conflict-20260102-101112-ABCDEFG.md",
        "2026-01-02 (Conflicted copy Laptop 202601021011).md",
        "2026-01-02 (Ann's conflicted copy 2026-01-02).md",
        "2026-01-02 (Ann の競合コピー 2026-01-02).md",
    ]
    for name in ("2026-01-02.md", *names):
        put(root, name)
    listing = list_vault(root)
    assert skips(listing) == dict.fromkeys(names, CONFLICT_COPY)
    assert [entry.path for entry in listing.notes] == ["2026-01-02.md"]


def test_files_that_the_cloud_holds(root: Path) -> None:  # case ob-28
    put(root, ".2026-01-02.md.icloud")
    put(root, ".2026-01-03.md.icloud")
    put(root, "2026-01-03.md")
    with (root / "evicted.md").open("wb") as file:
        file.truncate(4096)  # size without blocks
    mac = list_vault(root, platform="darwin")
    assert skips(mac) == {"2026-01-02.md": PLACEHOLDER, "evicted.md": EVICTED}
    assert "2026-01-02.md" in mac.keys
    linux = list_vault(root, platform="linux")
    assert skips(linux) == {"2026-01-02.md": PLACEHOLDER}  # there it is merely sparse


def test_empty_notes_may_be_in_the_middle_of_a_sync(root: Path) -> None:
    put(root, "empty.md", "")
    put(root, "empty.png", "")
    assert skips(list_vault(root)) == {"empty.md": EMPTY}


def test_names_that_differ_in_case_only(root: Path) -> None:
    put(root, "Note.md")
    put(root, "sub/x.md")
    put(root, "note.md")
    if len(list(root.glob("*.md"))) == 1:
        pytest.skip("this file system ignores case")
    put(root, "Sub/y.md")
    put(root, "Maße.md")
    put(root, "Masse.md")
    listing = list_vault(root)
    assert skips(listing) == {"note.md": "case twin of Note.md"}
    assert {"Note.md", "sub/x.md", "Sub/y.md", "Maße.md", "Masse.md"} == set(listing.paths)
    assert len(listing.problems) == 2


def test_names_that_differ_in_form_only(root: Path) -> None:
    put(root, "Cafe\u0301.md", "nfd")
    put(root, "Café.md", "nfc!")
    if len(list(root.iterdir())) == 1:
        pytest.skip("this file system ignores Unicode forms")
    listing = list_vault(root)
    assert listing.paths == ("Café.md",)
    assert listing.entries["Café.md"].disk_name == "Café.md"
    assert skips(listing) == {"Café.md": "case twin of Café.md"}


def test_nfd_names_keep_their_bytes(root: Path) -> None:  # case ob-25
    put(root, "Re\u0301sume\u0301s/Cafe\u0301.md")
    listing = list_vault(root)
    assert listing.paths == ("Résumés/Café.md",)
    disk_name = listing.entries["Résumés/Café.md"].disk_name
    assert (root / disk_name).read_text() == "text\n"
    assert listing.folders["Résumés"] in {item.name for item in root.iterdir()}


def test_symbolic_links(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside.md")
    put(root, "real.md")
    put(root, "folder/in.md")
    put(root, ".obsidian/secret.md")
    links = {
        "in.md": "real.md",
        "out.md": "../outside.md",
        "absolute.md": str(tmp_path / "outside.md"),
        "hidden.md": ".obsidian/secret.md",
        "broken.md": "nowhere.md",
        "loop.md": "loop.md",
        "up": "..",
        "self": ".",
        "twice": "folder",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    listing = list_vault(root)
    assert skips(listing) == {
        "out.md": LINK_OUT, "absolute.md": LINK_OUT, "hidden.md": LINK_OUT, "up": LINK_OUT,
        "self": LINK_OUT, "broken.md": LINK_BROKEN, "loop.md": LINK_BROKEN,
    }  # fmt: skip
    entry = listing.entries["in.md"]
    assert entry.is_symlink and entry.size == 5 and not entry.skip
    assert "twice" not in listing.folders
    assert [problem.where for problem in listing.problems] == ["twice"]


def test_hard_links_and_read_only_files_say_so(root: Path) -> None:
    put(root, "one.md").chmod(0o444)
    os.link(root / "one.md", root / "two.md")
    entries = list_vault(root).entries
    assert entries["one.md"].links == entries["two.md"].links == 2
    assert entries["one.md"].inode == entries["two.md"].inode
    assert entries["one.md"].read_only


def test_what_is_no_file_is_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe.md")
    server = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(root)
    server.bind("socket.md")
    try:
        assert skips(list_vault(root)) == {"pipe.md": NOT_A_FILE, "socket.md": NOT_A_FILE}
    finally:
        server.close()


def test_names_that_no_path_can_have(root: Path) -> None:
    put(root, "good.md")
    for raw in (b"caf\xe9.md", b"a\\b.md", b"a\nb.md", b"esc\x1b[31m.md", b"C:x.md", b"x\x7f.md"):
        (Path(os.fsdecode(os.fsencode(root) + b"/" + raw))).write_bytes(b"x")
    listing = list_vault(root)
    assert listing.paths == ("good.md",)
    assert len(listing.problems) == 6
    for problem in listing.problems:
        assert problem.where.isprintable()
        problem.where.encode("utf-8")


def test_very_long_names(root: Path) -> None:
    put(root, "é" * 126 + ".md")
    put(root, "/".join(["d" * 200] * 8) + "/x.md")
    assert len(list_vault(root).paths) == 2


def test_nested_vaults_count_and_are_told(root: Path) -> None:
    put(root, "inner/.obsidian/app.json", "{}")
    put(root, "inner/note.md")
    put(root, ".obsidian/app.json", "{}")
    listing = list_vault(root)
    assert listing.nested_vaults == ("inner",)
    assert listing.paths == ("inner/note.md",)
    assert [problem.where for problem in listing.problems] == ["inner"]


def test_a_folder_that_cannot_be_listed_is_a_problem(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a.md")
    put(root, "locked/b.md")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = list_vault(root)
    assert listing.paths == ("a.md",)
    assert listing.problems[0].where == "locked" and "Permission denied" in listing.problems[0].what


def test_a_vault_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FilesystemError):
        list_vault(tmp_path / "nowhere")


def test_a_file_that_goes_away_is_skipped_when_it_is_asked_for(root: Path) -> None:
    put(root, "a.md")
    listing = list_vault(root)
    (root / "a.md").unlink()
    assert "cannot be looked at" in listing.entries["a.md"].skip
    assert listing.notes == ()


def test_daily_looking_folders_are_counted() -> None:
    paths = ["a/2026-01-01.md", "a/2026-01-02.md", "2026-01-01 Thu.md", "b/x2026-01-01.md",
             "c/2026-01-01.png"]  # fmt: skip
    assert daily_looking_folders(paths) == ("a", "")
