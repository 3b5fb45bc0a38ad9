"""Notes as rows of the index of the vault: read, taken apart, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from time import time_ns
from typing import NamedTuple

from vault_dream.engine.digest.unchanged import Entry
from vault_dream.engine.digest.vaulttext import Columns, taken_in
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.reading import Reading

_RACY_NS = 2_000_000_000  # a file this young may change again without its mtime showing it

Wanted = tuple[str, int, int, bytes | None]
"""An entry, and the digest of the text that the index has at its path."""


class Row(NamedTuple):
    """One note ready to be written. Without ``digest`` it is only remembered as looked at; with
    it and no ``columns`` the index has this very text, and is told its new size and mtime.

    ``columns``, ``labels`` and ``chunks`` are as ``taken_in`` gives them.
    """

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    columns: Columns | None = None
    labels: str = ""
    chunks: tuple[str, ...] = ()

    @property
    def settled(self) -> bool:
        return self.mtime_ns >= 0


def read_rows(
    wanted: Iterable[Wanted],
    run: Reading,
    tag_field: str,
    now_ns: Callable[[], int] = time_ns,
) -> list[Row]:
    """The rows of notes; one that cannot be read is tried again whenever the index is refreshed."""
    rows: list[Row] = []
    for one in wanted:
        path, size, _, known = one
        begun = now_ns()
        try:
            path.encode()
            note = parse_note(path, run.read_bytes(path))
        except (OSError, ValueError, VaultDreamError):
            rows.append(Row(path, size, -1, None))
            continue
        rows.append(row_of(unsettled(one, begun), note, known, tag_field))
    return rows


def unsettled(one: Wanted, begun: int) -> Entry:
    """The entry that is read from ``begun`` on, with an mtime that never matches if the note may
    change again."""
    path, size, mtime_ns, _ = one
    return path, size, mtime_ns if mtime_ns < begun - _RACY_NS else -1


def row_of(entry: Entry, note: Note, known: bytes | None, tag_field: str) -> Row:
    """The row of a note as read."""
    digest = blake2b(note.raw, digest_size=16).digest()
    if digest == known:
        return Row(*entry, digest)
    return Row(*entry, digest, *taken_in(note, tag_field))
