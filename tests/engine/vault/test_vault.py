"""Reading stays inside the vault, and opens only what may be opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vault_dream.engine.errors import FilesystemError, PathError
from vault_dream.engine.vault import reading as reading_module
from vault_dream.engine.vault.resolve import spell_link
from vault_dream.engine.vault.vault import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / "a").mkdir(parents=True)
    (folder / "a/note.md").write_bytes(b"# One\r\n[[x]]\n")
    (tmp_path / "secret.md").write_text("secret")
    return folder


@pytest.mark.parametrize("listed", [False, True])
def test_reads_the_bytes(root: Path, listed: bool) -> None:
    vault = Vault(root)
    if listed:
        vault.listing()
    note = vault.read("./a/note.md")
    assert (note.path, note.raw) == ("a/note.md", b"# One\r\n[[x]]\n")


@pytest.mark.parametrize("listed", [False, True])
def test_nfd_names_are_opened_as_they_are_on_disk(root: Path, listed: bool) -> None:  # case ob-25
    folder = root / "Re\u0301sume\u0301s"
    folder.mkdir()
    (folder / "Cafe\u0301.md").write_text("Cafe\u0301")
    vault = Vault(root)
    if listed:
        vault.listing()
    assert vault.read("Résumés/Café.md").text == "Cafe\u0301"  # the content is not normalised
    assert vault.disk_path("Résumés/Café.md").name == "Cafe\u0301.md"
    assert vault.exists("Résumés/Café.md") and vault.exists("résumés/CAFÉ.md")
    assert vault.disk_path("Résumés/new.md").parent == folder.resolve()
    assert vault.resolver().resolve("Café", "x.md").path == "Résumés/Café.md"


def test_links_inside_are_followed_and_links_out_refused(root: Path, tmp_path: Path) -> None:
    (root / "in.md").symlink_to("a/note.md")
    (root / "folder").symlink_to("a")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "up").symlink_to("..")
    (root / "loop.md").symlink_to("loop.md")
    vault = Vault(root)
    assert vault.read("in.md").raw == vault.read("folder/note.md").raw
    assert vault.disk_path("in.md") == root.resolve() / "a/note.md"
    for path in ("out.md", "up/secret.md", "up/new.md"):
        with pytest.raises(PathError):
            vault.read(path)
        with pytest.raises(PathError):
            vault.disk_path(path)
        assert vault.exists(path) or path == "up/new.md"
    with pytest.raises(FilesystemError):
        vault.read("loop.md")


def test_a_link_that_appears_after_the_listing_is_not_followed(root: Path, tmp_path: Path) -> None:
    vault = Vault(root)
    vault.listing()
    (root / "a/note.md").unlink()
    (root / "a/note.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(PathError):
        vault.read("a/note.md")
    (root / "a/note.md").unlink()
    (root / "a").rmdir()
    (root / "a").symlink_to(tmp_path)
    with pytest.raises(PathError):
        vault.read("a/secret.md")


def test_a_run_of_reads_is_as_careful(root: Path, tmp_path: Path) -> None:
    (root / "a/other.md").write_text("other")
    (root / "b").mkdir()
    (root / "b/note.md").write_text("b")
    open_before = len(os.listdir("/dev/fd")) if os.path.isdir("/dev/fd") else 0  # noqa: PTH112, PTH208
    vault = Vault(root)
    vault.listing()
    with vault.reading() as reading:
        assert reading.read("a/note.md").raw == vault.read("a/note.md").raw
        (root / "a/other.md").unlink()
        (root / "a/other.md").symlink_to(tmp_path / "secret.md")
        with pytest.raises(PathError):
            reading.read("a/other.md")
        assert reading.read("b/note.md").text == "b"
        (root / "a/note.md").unlink()
        os.mkfifo(root / "a/note.md")
        with pytest.raises(FilesystemError, match="not a regular file"):
            reading.read("a/note.md")
        with pytest.raises(FilesystemError):
            reading.read("gone/note.md")
        assert reading.read("./b//note.md").path == "b/note.md"
    if open_before:
        assert len(os.listdir("/dev/fd")) == open_before  # noqa: PTH208


def test_what_grows_while_it_is_read_is_read_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_read = os.read
    monkeypatch.setattr(os, "read", lambda file, count: real_read(file, min(count, 5)))
    assert Vault(root).read("a/note.md").raw == b"# One\r\n[[x]]\n"


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "a/../../secret.md", "", "a\\b"])
def test_paths_that_are_no_vault_paths(root: Path, path: str) -> None:
    for ask in (Vault(root).read, Vault(root).disk_path, Vault(root).exists):
        with pytest.raises(PathError):
            ask(path)


def test_only_regular_files_are_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe.md")
    vault = Vault(root)
    opened = []
    real_open = os.open

    def spy(path: object, *rest: object, **named: object) -> int:
        opened.append(path)
        return real_open(path, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", spy)
    with pytest.raises(FilesystemError, match="not a regular file"):
        vault.read("pipe.md")
    with pytest.raises(FilesystemError):
        vault.read("a")
    with pytest.raises(FilesystemError):
        vault.read("a/none.md")
    assert "pipe.md" not in opened and "a" not in opened[:1]


def test_evicted_files_are_not_opened(root: Path) -> None:  # case ob-28
    with (root / "gone.md").open("wb") as file:
        file.truncate(4096)
    (root / ".stub.md.icloud").write_text("x")
    vault = Vault(root, platform="darwin")
    with pytest.raises(FilesystemError, match="not available locally"):
        vault.read("gone.md")
    with pytest.raises(FilesystemError, match="not available locally"):
        vault.read("stub.md")
    with pytest.raises(FilesystemError, match="not available locally"):
        vault.disk_path("stub.md")  # so it cannot be created over
    assert vault.exists("stub.md")


def test_what_is_too_large_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "large.md").write_bytes(b"x" * 18_000_000)
    assert len(Vault(root).read("large.md").raw) == 18_000_000
    monkeypatch.setattr(reading_module, "MAX_NOTE_BYTES", 1000)
    with pytest.raises(FilesystemError, match="larger"):
        Vault(root).read("large.md")


def test_without_open_by_descriptor(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_module, "_BY_DESCRIPTOR", False)
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    vault = Vault(root)
    assert vault.read("a/note.md").raw.startswith(b"# One")
    with pytest.raises(PathError):
        vault.read("out.md")


def test_exists_ignores_case_and_sees_what_is_new(root: Path) -> None:
    vault = Vault(root)
    assert vault.exists("A/NOTE.md") and vault.exists("a") and not vault.exists("a/new.md")
    (root / "a/new.md").write_text("x")
    assert vault.exists("a/new.md")
    assert "a/new.md" not in vault.listing().entries
    assert "a/new.md" in vault.listing(refresh=True).entries
    assert vault.resolver().resolve("new", "x.md").path == "a/new.md"


def test_a_vault_must_be_a_folder(root: Path) -> None:
    for path in (root / "a/note.md", root / "none"):
        with pytest.raises(FilesystemError):
            Vault(path)


def test_a_vault_behind_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    vault = Vault(tmp_path / "alias")
    assert vault.root == root.resolve()
    assert vault.listing().paths == ("a/note.md",)
    assert spell_link("a/note.md", resolver=vault.resolver(), style="shortest") == "[[note]]"
