"""The app's themes: dark, light, the terminal's own colours, high contrast, colour-blind safe.

Each gives the same few names; nothing is told by colour alone, so any of them may be monochrome.
"""

from __future__ import annotations

from typing import Any

from textual.theme import Theme

VARIABLES = (
    "vd-muted",
    "vd-faint",
    "vd-add",
    "vd-add-bg",
    "vd-add-word",
    "vd-del",
    "vd-del-bg",
    "vd-del-word",
    "vd-cursor",
    "vd-cursor-blurred",
    "vd-rule",
)


def _theme(name: str, colours: dict[str, str], *, dark: bool, ansi: bool = False) -> Theme:
    base: dict[str, Any] = {
        key: colours[key] for key in ("primary", "accent", "warning", "error", "success")
    }
    ground = colours["background"]
    variables = {f"vd-{key}": value for key, value in colours.items() if f"vd-{key}" in VARIABLES}
    variables.update(
        {
            "ansi-background": "ansi_black",
            "ansi-foreground": "ansi_white",
            "block-cursor-background": colours["cursor"],
            "block-cursor-foreground": colours["foreground"],
            "block-cursor-blurred-background": colours["cursor-blurred"],
            "block-cursor-blurred-foreground": colours["foreground"],
            "input-selection-background": colours["cursor"],
            "scrollbar": colours["rule"],
            "scrollbar-hover": colours["muted"],
            "scrollbar-active": colours["accent"],
            "scrollbar-background": ground,
            "scrollbar-background-hover": ground,
            "scrollbar-background-active": ground,
            "scrollbar-corner-color": ground,
            "border": colours["accent"],
            "border-blurred": colours["rule"],
        }
    )
    return Theme(
        name=name,
        secondary=colours["primary"],
        foreground=colours["foreground"],
        background=ground,
        surface=colours.get("surface", ground),
        panel=colours.get("panel", ground),
        dark=dark,
        ansi=ansi,
        variables=variables,
        **base,
    )


DARK = _theme(
    "dark",
    {
        "primary": "#8fb4c9",
        "accent": "#e0a458",
        "warning": "#e6b455",
        "error": "#e5786d",
        "success": "#8fbf7f",
        "foreground": "#d9d6cf",
        "background": "#1b1d21",
        "surface": "#212429",
        "panel": "#26292f",
        "muted": "#8f9299",
        "faint": "#62666e",
        "add": "#a6d194",
        "add-bg": "#20301f",
        "add-word": "#38572f",
        "del": "#e3958c",
        "del-bg": "#36211f",
        "del-word": "#663530",
        "cursor": "#343a44",
        "cursor-blurred": "#282c33",
        "rule": "#3a3e46",
    },
    dark=True,
)

LIGHT = _theme(
    "light",
    {
        "primary": "#1f5f87",
        "accent": "#a2560a",
        "warning": "#8a5a00",
        "error": "#b3261e",
        "success": "#2f6b28",
        "foreground": "#23252a",
        "background": "#faf8f4",
        "surface": "#f3f0ea",
        "panel": "#ece8e0",
        "muted": "#5f636b",
        "faint": "#85888f",
        "add": "#22591c",
        "add-bg": "#e2f0dc",
        "add-word": "#b9dfab",
        "del": "#96231b",
        "del-bg": "#fae3df",
        "del-word": "#f0b8b0",
        "cursor": "#dfe6ee",
        "cursor-blurred": "#ebe9e4",
        "rule": "#c9c5bc",
    },
    dark=False,
)

HIGH_CONTRAST = _theme(
    "high-contrast",
    {
        "primary": "#7fd4ff",
        "accent": "#ffd400",
        "warning": "#ffd400",
        "error": "#ff9d94",
        "success": "#8dff8d",
        "foreground": "#ffffff",
        "background": "#000000",
        "muted": "#d6d6d6",
        "faint": "#b4b4b4",
        "add": "#8dff8d",
        "add-bg": "#002b00",
        "add-word": "#006400",
        "del": "#ffb3ac",
        "del-bg": "#3d0000",
        "del-word": "#8f0f0f",
        "cursor": "#00408a",
        "cursor-blurred": "#2b2b2b",
        "rule": "#ffffff",
    },
    dark=True,
)

COLOUR_BLIND = _theme(
    "colour-blind",
    {
        "primary": "#9cc3e6",
        "accent": "#e69f00",
        "warning": "#f0e442",
        "error": "#e69f00",
        "success": "#56b4e9",
        "foreground": "#e2e2e2",
        "background": "#191b20",
        "surface": "#20232a",
        "panel": "#262a32",
        "muted": "#989ca5",
        "faint": "#6b7079",
        "add": "#7cc4f0",
        "add-bg": "#16293a",
        "add-word": "#1f4f77",
        "del": "#eeb13f",
        "del-bg": "#352812",
        "del-word": "#6b4d0e",
        "cursor": "#353b47",
        "cursor-blurred": "#2a2e36",
        "rule": "#3c414b",
    },
    dark=True,
)

ANSI = _theme(
    "ansi",
    {
        "primary": "ansi_blue",
        "accent": "ansi_cyan",
        "warning": "ansi_yellow",
        "error": "ansi_red",
        "success": "ansi_green",
        "foreground": "ansi_default",
        "background": "ansi_default",
        "muted": "ansi_default",
        "faint": "ansi_default",
        "add": "ansi_green",
        "add-bg": "ansi_default",
        "add-word": "ansi_default",
        "del": "ansi_red",
        "del-bg": "ansi_default",
        "del-word": "ansi_default",
        "cursor": "ansi_default",
        "cursor-blurred": "ansi_default",
        "rule": "ansi_bright_black",
    },
    dark=True,
    ansi=True,
)

THEMES = (DARK, LIGHT, ANSI, HIGH_CONTRAST, COLOUR_BLIND)
DEFAULT = DARK.name
