"""``obsidian://`` addresses that open a note in the app."""

from __future__ import annotations

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def open_uri(vault: str, path: str, *, subpath: str = "") -> str:
    """The address that opens a note: ``vault`` is its name or id, ``path`` a vault path.

    ``subpath`` is ``#Heading`` or ``#^id``. Encoded Obsidian's way (OBSIDIAN "Settings and the
    app"): everything but letters, digits and ``-_.~``; a space is ``%20``, never ``+``.
    """
    return f"obsidian://open?vault={encoded(vault)}&file={encoded(path + subpath)}"


def encoded(text: str) -> str:
    """``text`` percent-encoded as one value of a query; undecodable bytes stay as they are."""
    raw = text.encode("utf-8", "surrogateescape")
    return "".join([chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw])
