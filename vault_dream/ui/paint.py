"""Style names of lines as colours of the theme.

Not Textual component classes: those are worked out anew for each widget at each change of focus,
and these few are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color

# name: (colour variable, background variable, attributes, attributes where there is no colour)
_LOOKS: Mapping[str, tuple[str, str, str, str]] = {
    "text": ("", "", "", ""),
    "strong": ("foreground", "", "bold", "bold"),
    "muted": ("vd-muted", "", "", "dim"),
    "faint": ("vd-faint", "", "", "dim"),
    "accent": ("accent", "", "", ""),
    "key": ("accent", "", "bold", "bold"),
    "good": ("success", "", "", ""),
    "warn": ("warning", "", "", ""),
    "bad": ("error", "", "bold", "bold"),
    "add": ("vd-add", "vd-add-bg", "", ""),
    "add-word": ("vd-add", "vd-add-word", "bold", "bold underline"),
    "del": ("vd-del", "vd-del-bg", "", ""),
    "del-word": ("vd-del", "vd-del-word", "strike", "strike"),
    "off": ("vd-faint", "", "strike", "dim strike"),
    "link": ("primary", "", "underline", "underline"),
    "heading": ("foreground", "", "bold", "bold"),
    "quote": ("foreground", "", "italic", "italic"),
    "code": ("primary", "", "", ""),
    "bar": ("vd-muted", "", "", ""),
    "bar-focus": ("accent", "", "bold", "bold"),
    "cursor": ("", "vd-cursor-blurred", "", ""),
    "cursor-focus": ("", "vd-cursor", "", "reverse"),
}


def styles_of(variables: Mapping[str, str], plain: bool) -> dict[str, Style]:
    """The style of each name; ``plain`` where colours tell nothing."""
    found = {}
    for name, (ink, ground, attributes, plainly) in _LOOKS.items():
        style = Style.parse(plainly if plain else attributes) if (attributes or plainly) else None
        colours = Style(color=_colour(variables, ink), bgcolor=_colour(variables, ground))
        found[name] = colours + style if style is not None else colours
    return found


def _colour(variables: Mapping[str, str], name: str) -> RichColor | None:
    if not name:
        return None
    return Color.parse(variables[name]).rich_color
