"""Notes as rows of the index of the vault: read, taken apart, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from time import time_ns
from typing import NamedTuple

from vault_dream.engine.digest.unchanged import Entry
from vault_dream.engine.digest.vaulttext import VaultText, terms_of, vault_text
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.reading import Reading

_RACY_NS = 2_000_000_000  # a file this young may change again without its mtime showing it

Wanted = tuple[str, int, int, bytes | None]
"""An entry, and the digest of the text that the index has at its path."""


class Row(NamedTuple):
    """One note ready to be written. Without ``digest`` it is only remembered as looked at; with
    it and no ``columns`` the index has this very text, and is told its new size and mtime.

    ``columns`` are aliases, kind, created, tags, open and links; ``labels`` and ``chunks`` are
    words parted by spaces.
    """

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    columns: tuple[str, str, str, str, bool, str] | None = None
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
    for path, size, mtime_ns, known in wanted:
        begun = now_ns()
        try:
            path.encode()
            note = run.read(path)
        except (OSError, ValueError, VaultDreamError):
            rows.append(Row(path, size, -1, None))
            continue
        entry = path, size, mtime_ns if mtime_ns < begun - _RACY_NS else -1
        rows.append(row_of(entry, note, known, tag_field))
    return rows


def row_of(entry: Entry, note: Note, known: bytes | None, tag_field: str) -> Row:
    """The row of a note as read; one that may change again has an mtime that never matches."""
    digest = blake2b(note.raw, digest_size=16).digest()
    if digest == known:
        return Row(*entry, digest)
    text = vault_text(note, tag_field)
    labels, chunks = terms_of(text)
    return Row(*entry, digest, _columns(text), labels, chunks)


def _columns(note: VaultText) -> tuple[str, str, str, str, bool, str]:
    return (
        _storable(" ".join(note.aliases)),
        _storable(note.kind),
        _storable(note.created),
        _storable("\n".join(note.tags)),
        note.open,
        _storable("\n".join(note.links)),
    )


def _storable(text: str) -> str:
    """``text`` without what SQLite cannot hold: lone surrogates and NULs."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
