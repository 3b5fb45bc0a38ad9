"""``obsidian://`` addresses that open a note in the app."""

from __future__ import annotations

from pathlib import PurePath


def open_uri(vault: str, path: str, *, subpath: str = "") -> str:
    """The address that opens a note: ``vault`` is its name or id, ``path`` a vault path.

    ``subpath`` is ``#Heading`` or ``#^id``. Encoded Obsidian's way (OBSIDIAN "Settings and the
    app"): everything but letters, digits and ``-_.~``; a space is ``%20``, never ``+``.
    """
    return f"obsidian://open?vault={encoded(vault)}&file={encoded(path + subpath)}"


def open_path_uri(path: PurePath) -> str:
    """The address that opens a file by its absolute path, in whichever vault holds it."""
    return f"obsidian://open?path={encoded(str(path))}"


def encoded(text: str) -> str:
    """``text`` percent-encoded as one value of a query; undecodable bytes stay as they are."""
    from urllib.parse import quote

    return quote(text.encode("utf-8", "surrogateescape"), safe="")
