"""What the terminal can show: colour, and names of notes that open the note in Obsidian."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

LINKABLE = (".md", ".base", ".canvas")
"""How a path ends that is taken for a note's where a document holds it. Obsidian opens these."""


_SGR = {
    "heading": (1, 22),
    "strong": (1, 22),
    "accent": (1, 22),
    "muted": (2, 22),
    "faint": (2, 22),
    "quote": (3, 23),
    "code": (36, 39),
}
"""How a terminal begins and ends a style."""


class Terminal:
    """What standard output can show: colour and clickable links, or neither."""

    def __init__(self, vault: str, *, colour: bool, links: bool) -> None:
        self.vault = vault
        self.colour = colour
        self.links = links

    @classmethod
    def of(cls, vault: str) -> Terminal:
        environ = os.environ
        tty = sys.stdout.isatty() and environ.get("TERM") != "dumb"
        colour = tty and not environ.get("NO_COLOR")
        return cls(vault, colour=colour, links=tty and shows_links(environ))

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[22m" if self.colour and text else text

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[22m" if self.colour and text else text

    def styled(self, text: str, style: str) -> str:
        """``text`` in a style of :mod:`vault_dream.ui.lines`, as far as a terminal has it."""
        start, end = _SGR.get(style, (0, 0))
        shown = self.colour and start and text.strip()
        return f"\x1b[{start}m{text}\x1b[{end}m" if shown else text

    def link(self, text: str, uri: str) -> str:
        return f"\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\" if self.links else text


def shows_links(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to show OSC 8 links; FORCE_HYPERLINK says it outright."""
    forced = environ.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0")
    if environ.get("TERM", "").startswith(("screen", "tmux")):
        return False
    if environ.get("TERM_PROGRAM") in {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"}:
        return True
    if any(environ.get(name) for name in ("KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION")):
        return True
    vte = environ.get("VTE_VERSION", "")
    if vte.isdigit() and int(vte) >= 5000:
        return True
    return environ.get("TERM", "").startswith(
        ("xterm-kitty", "alacritty", "foot", "xterm-ghostty", "contour", "wezterm")
    )


def linked(text: str, root: Path, paths: Iterable[str]) -> str:
    """``text``, for standard output, with each of ``paths`` a link that opens it, where the
    terminal can show that and the note is there. ``text`` has nothing else in it that acts."""
    terminal = Terminal.of(root.name)
    if not terminal.links:
        return text
    import re

    from vault_dream.engine.vault.plain import visible
    from vault_dream.engine.vault.uri import open_uri

    shown = {visible(path): path for path in paths if (root / path).is_file()}
    if not shown:
        return text
    longest_first = sorted(shown, key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest_first)
    return re.sub(
        rf"(?<![\w/.-])(?:{names})(?![\w/])",
        lambda found: terminal.link(found[0], open_uri(root.name, shown[found[0]])),
        text,
    )


def paths_in(document: Any) -> frozenset[str]:
    """Every text in a JSON document that may be the path of a note in the vault."""
    return frozenset(_paths(document))


def _paths(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        for part in value.replace(" → ", "; ").replace(": ", "; ").split("; "):
            if part.endswith(LINKABLE) and "\n" not in part and not part.startswith("/"):
                yield part
    elif isinstance(value, dict):
        for item in value.values():
            yield from _paths(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _paths(item)


def json_text(document: Mapping[str, Any]) -> str:
    """The one JSON document of a command, in characters that stdout's encoding has."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # JSON has its own way to spell what an encoding lacks
        text = json.dumps(document, indent=2, sort_keys=True)
    return text
