"""What is in a vault's folder: one walk that opens no file and follows no link to a folder.

Rules for what is odd, each with a line in the report: conflict copies, cloud placeholders, evicted
and empty notes, twins (names that differ only in case or Unicode form), links out of the vault and
things that are not files are listed and never read; a nested vault's notes count as this vault's
own, as in Obsidian; dot files and dot folders, ``.trash`` among them, are left out altogether.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, PathError, Problem
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.paths import key, normalise
from vault_dream.engine.vault.resolve import fold

CONFLICT_COPY = "sync-conflict copy"
PLACEHOLDER = "cloud placeholder: not available locally"
EVICTED = "evicted by the cloud: not available locally"
EMPTY = "empty: it may still be syncing"
TWIN = "case twin"
LINK_OUT = "link out of the vault"
LINK_BROKEN = "link to nothing"
NOT_A_FILE = "not a regular file"


class Entry:
    """One file, as it was found. Asks the disk for size and times when they are first wanted.

    ``disk_name`` is the vault-relative path exactly as on disk (perhaps NFD); ``path`` is NFC.
    Not a dataclass: a hundred thousand are made in a walk, and asking each for its status would
    double the walk's time.
    """

    __slots__ = ("_item", "_why", "disk_name", "is_symlink", "path")

    def __init__(
        self,
        path: str,
        disk_name: str,
        item: os.DirEntry[str],
        why: str = "",
        is_symlink: bool = False,
    ) -> None:
        self.path = path
        self.disk_name = disk_name
        self.is_symlink = is_symlink
        self._item = item
        self._why = why

    def __repr__(self) -> str:
        return f"Entry({self.path!r}, skip={self._why!r})"

    @property
    def status(self) -> os.stat_result:
        """The file's status (of a good link its target's), asked once.

        Raises FilesystemError if the file is gone.
        """
        try:
            return self._item.stat(follow_symlinks=self.is_symlink and not self._why)
        except OSError as error:
            raise FilesystemError(self.path, f"it cannot be looked at: {error.strerror}") from error

    @property
    def skip(self) -> str:
        """Why the file is never read; ``""`` if it may be. Of a note this asks for its size."""
        if not self._why and self.path.endswith(".md"):
            try:
                self._why = "" if self.size else EMPTY
            except FilesystemError as error:
                self._why = error.what
        return self._why

    @property
    def size(self) -> int:
        return self.status.st_size

    @property
    def mtime_ns(self) -> int:
        return self.status.st_mtime_ns

    @property
    def inode(self) -> int:
        return self.status.st_ino

    @property
    def links(self) -> int:
        """How many names the file has; more than one means that it may not be written."""
        return self.status.st_nlink

    @property
    def read_only(self) -> bool:
        return not self.status.st_mode & stat.S_IWUSR

    def as_twin_of(self, kept: str) -> Entry:
        return Entry(self.path, self.disk_name, self._item, f"{TWIN} of {kept}", self.is_symlink)


@dataclass(frozen=True)
class Listing:
    """All files and folders of a vault at one moment. ``entries`` has skipped ones too.

    ``twins`` are further files of a path that is already there in another spelling.
    """

    entries: Mapping[str, Entry]
    folders: Mapping[str, str]  # path → as on disk
    twins: tuple[Entry, ...]
    nested_vaults: tuple[str, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The paths of all files, sorted."""
        return tuple(sorted(self.entries))

    @cached_property
    def notes(self) -> tuple[Entry, ...]:
        """The Markdown files that may be read, by path."""
        return tuple(
            entry
            for path in self.paths
            if path.lower().endswith(".md") and not (entry := self.entries[path]).skip
        )

    @cached_property
    def skipped(self) -> tuple[Entry, ...]:
        """What is never read, by path."""
        entries = [entry for entry in self.entries.values() if entry.skip]
        return tuple(sorted([*entries, *self.twins], key=lambda entry: entry.path))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The comparing keys of all files and folders, twins too."""
        names = [*self.entries, *self.folders, *(twin.path for twin in self.twins)]
        return frozenset(map(key, names))


def list_vault(root: Path, *, platform: str = sys.platform) -> Listing:
    """List the vault in ``root``. Raises FilesystemError if ``root`` itself cannot be listed.

    What cannot be listed inside it becomes a problem. ``platform`` decides whether a file without
    blocks is an evicted iCloud file (``darwin``) or merely sparse.
    """
    return _Walk(os.path.realpath(root), platform).listing()


class _Walk:
    """The walk; collects as it goes."""

    def __init__(self, root: str, platform: str) -> None:
        self.root = root
        self.evicts = platform == "darwin"
        self.entries: dict[str, Entry] = {}
        self.folders: dict[str, str] = {}
        self.twins: list[Entry] = []
        self.nested: list[str] = []
        self.problems: list[Problem] = []
        self.odd_folders: list[tuple[str, str]] = []

    def listing(self) -> Listing:
        waiting: list[tuple[str, str]] = [("", "")]
        while waiting:
            path, disk = waiting.pop()
            try:
                with os.scandir(f"{self.root}/{disk}" if disk else self.root) as found:
                    waiting.extend(self._folder(list(found), path, disk))
            except OSError as error:
                if not disk:
                    raise FilesystemError(
                        self.root, f"the vault cannot be listed: {error.strerror}", "check its path"
                    ) from error
                self._report(disk, f"the folder cannot be listed: {error.strerror}", "check access")
        return Listing(
            self.entries,
            self.folders,
            tuple(self.twins),
            tuple(sorted(self.nested)),
            tuple(self.problems),
        )

    def _folder(
        self, found: list[os.DirEntry[str]], path: str, disk: str
    ) -> Iterator[tuple[str, str]]:
        """Take in one folder; yields the folders in it."""
        before = f"{path}/" if path else ""
        names = "/".join([item.name for item in found])
        count = len(found)
        if path != disk or not names.isascii() or _ODD.search(names):
            found = [item for item in found if not self._odd(item, path, disk)]
        entries = self.entries
        for item in found:
            whole = before + item.name
            if item.is_dir(follow_symlinks=False):
                self.folders[whole] = whole
                yield whole, whole
            elif item.is_file(follow_symlinks=False) and not self.evicts:
                entries[whole] = Entry(whole, whole, item)
            else:
                self._file(item, whole, whole)
        yield from self.odd_folders
        self.odd_folders.clear()
        if count and len(set(names.lower().split("/"))) != count:
            self._case_twins(before, names.split("/"))

    def _odd(self, item: os.DirEntry[str], path: str, disk: str) -> bool:
        """Take in what needs a closer look at its name; False if it needs none."""
        name = item.name
        if name[0] == ".":
            self._hidden(name, item, path)
            return True
        if path == disk and name.isascii() and not _ODD.search(name):
            return False
        disk_name = f"{disk}/{name}" if disk else name
        whole = self._whole(disk_name)
        if whole and item.is_dir(follow_symlinks=False):
            if whole in self.folders:
                self._report(disk_name, "this folder exists in two Unicode forms", "merge them")
            self.folders.setdefault(whole, disk_name)
            self.odd_folders.append((whole, disk_name))
        elif whole:
            self._file(item, whole, disk_name)
        return True

    def _file(self, item: os.DirEntry[str], whole: str, disk_name: str) -> None:
        """Take in one file that may be more, or less, than a file with a plain name."""
        if item.is_symlink():
            self._link(item, whole, disk_name)
            return
        why = ""
        if not item.is_file(follow_symlinks=False):
            why = NOT_A_FILE
        elif conflict_copy(item.name):
            why = CONFLICT_COPY
        elif self.evicts and self._evicted(item):
            why = EVICTED
        self._add(Entry(whole, disk_name, item, why))

    def _evicted(self, item: os.DirEntry[str]) -> bool:
        try:
            status = item.stat(follow_symlinks=False)
        except OSError:
            return False
        return sys.platform != "win32" and status.st_size > 0 and status.st_blocks == 0

    def _add(self, entry: Entry) -> None:
        """Add a file; of two whose names are one in NFC the one written so is the note."""
        other = self.entries.get(entry.path)
        if other is None or other.skip == PLACEHOLDER:
            self.entries[entry.path] = entry
        elif entry.skip != PLACEHOLDER:
            if entry.disk_name == entry.path:
                entry, self.entries[entry.path] = other, entry
            self._twin(entry, self.entries[entry.path].disk_name)

    def _whole(self, disk_name: str) -> str:
        """The vault path of a name on disk; empty, and reported, if it can have none."""
        try:
            return normalise(disk_name)
        except PathError as error:
            self._report(disk_name, error.what, "rename it; until then it is not read")
            return ""

    def _hidden(self, name: str, item: os.DirEntry[str], path: str) -> None:
        """Dot names are not there, but two of them tell something about what is."""
        if name == ".obsidian" and path and item.is_dir(follow_symlinks=False):
            self.nested.append(path)
            self._report(
                path, "another vault is inside this one", "its notes count as part of this one"
            )
        elif name.endswith(".icloud") and len(name) > len("..icloud"):
            before = f"{path}/" if path else ""
            whole = self._whole(before + name[1 : -len(".icloud")])
            if whole:
                self._add(Entry(whole, before + name, item, PLACEHOLDER))

    def _link(self, item: os.DirEntry[str], whole: str, disk_name: str) -> None:
        """A symbolic link: to a file of this vault it is that file, else it is not read."""
        real = os.path.realpath(f"{self.root}/{disk_name}")
        target = Path(real)  # unlike the item it answers for a link that leads in a circle
        why = ""
        if not real.startswith(self.root + os.sep) or f"{os.sep}." in real[len(self.root) :]:
            why = LINK_OUT
        elif target.is_dir():
            self._report(disk_name, "a link to a folder of this vault is not followed", "")
            return
        elif target.is_symlink() or not target.exists():
            why = LINK_BROKEN
        elif not target.is_file():
            why = NOT_A_FILE
        elif conflict_copy(item.name):
            why = CONFLICT_COPY
        self._add(Entry(whole, disk_name, item, why, is_symlink=True))

    def _case_twins(self, before: str, names: list[str]) -> None:
        first: dict[str, str] = {}
        for name in sorted(name for name in names if name[:1] != "."):
            whole = before + unicodedata.normalize("NFC", name)
            kept = first.setdefault(fold(whole), whole)
            entry = self.entries.pop(whole, None) if kept != whole else None
            if entry is not None:
                self._twin(entry, kept)
            elif kept != whole and whole in self.folders:
                self._report(whole, f"this folder and {kept} differ only in case", "rename one")

    def _twin(self, entry: Entry, kept: str) -> None:
        self.twins.append(entry.as_twin_of(kept))
        self._report(
            entry.disk_name,
            f"its name differs from {kept} only in case or Unicode form",
            "rename one of them: on other systems they are one file",
        )

    def _report(self, where: str, what: str, next: str) -> None:
        self.problems.append(Problem(_shown(where), what, next))


# What a plain name has not: a dot in front, or what normalise() or conflict_copy() wants to see.
_ODD = re.compile(r"(?:^|/)\.|[\\:\x00-\x1f\x7f]|onfli")


def _shown(name: str) -> str:
    """A name on disk as text that can be printed, whatever is in it."""
    text = name.encode("utf-8", "backslashreplace").decode()
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def daily_looking_folders(paths: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The folders with the most notes named after an ISO date, the fullest first."""
    counts: dict[str, int] = {}
    for path in paths:
        if _DATED_NAME.search(path) is not None:
            folder = path.rpartition("/")[0]
            counts[folder] = counts.get(folder, 0) + 1
    return tuple(sorted(counts, key=lambda folder: (-counts[folder], folder))[:most])


_DATED_NAME = re.compile(r"(?:^|/)\d{4}-\d{2}-\d{2}(?: [^/]*)?\.md$")
