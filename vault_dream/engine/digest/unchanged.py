"""Knowing at a glance that a listing is the one the index was last brought up to."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

Entry = tuple[str, int, int]
"""A vault path, its size in bytes and its mtime in nanoseconds."""


def fingerprint(entries: Sequence[Entry]) -> bytes:
    """A digest of a whole listing, so that an unchanged one is known without comparing rows."""
    from hashlib import blake2b
    from marshal import dumps

    return blake2b(
        dumps(tuple(entries), 2), digest_size=16
    ).digest()  # version 2 has no memory addresses


def is_known(connection: sqlite3.Connection, listing: bytes) -> bool:
    """Whether the index was last brought up to exactly this listing."""
    return bool(connection.execute("SELECT listing FROM total").fetchone() == (listing,))


def remember(connection: sqlite3.Connection, listing: bytes) -> None:
    connection.execute("UPDATE total SET listing = ?", (listing,))
