"""Globs over vault paths: ``*`` stays inside a folder, ``**`` crosses folders, a folder covers all
that is in it. Matching ignores case and Unicode form, as Obsidian's links do."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable

from vault_dream.engine.vault.paths import key


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """A test whether a vault path matches one of ``patterns``."""
    compiled = [re.compile(_translate(key(pattern))) for pattern in patterns if pattern.strip("/")]
    if not compiled:
        return lambda path: False
    return lambda path: any(regex.match(key(path)) for regex in compiled)


def _translate(pattern: str) -> str:
    """The pattern as a regular expression for a whole path or a folder above it.

    A pattern without a slash matches a name at any depth, as in ``.gitignore``.
    """
    parts = pattern.strip("/").split("/")
    anchored = "/" in pattern.rstrip("/")
    out = "" if anchored else "(?:.*/)?"
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        if part == "**":
            out += ".*" if last else "(?:.*/)?"
            continue
        # fnmatch's translation ends in \Z and lets * cross slashes: neither holds for a segment.
        segment = fnmatch.translate(part).removeprefix("(?s:").removesuffix(r")\Z")
        out += segment.replace(".*", "[^/]*") + ("" if last else "/")
    return out + r"(?:/.*)?\Z"
