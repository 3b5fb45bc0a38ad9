"""What a setting may be: one validator a kind of value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.paths import linkable, normalise

Validator = Callable[[Any], Any]
"""Given the plain value, it returns the value to keep or raises ValueError with words that complete
"<key> must be …"."""

TAKEN_PROPERTIES = frozenset({"name", "description", "aliases", "kind", "created", "updated"})
"""Properties of a node that no setting may claim."""


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def web_address(value: Any) -> str:
    """An address over http or https, or none."""
    words = "a web address, such as http://localhost:11434/v1"
    given = text(value).strip()
    if given and not re.match(r"https?://[^/?#\s]", given, re.I):
        raise ValueError(words)
    return given


def variable(value: Any) -> str:
    """The name of an environment variable, or none; a key itself is none."""
    given = text(value).strip()
    if given and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", given):
        raise ValueError("the name of an environment variable, such as OPENAI_API_KEY")
    return given


MOST = 10**9
"""The largest number that a setting may be where nothing else bounds it: clocks count so far."""


def whole(low: int, high: int = MOST) -> Validator:
    words = f"a whole number from {low} to {high}"

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(words)
        if not low <= value <= high:
            raise ValueError(words)
        return value

    return check


def one_of(*words: str) -> Validator:
    def check(value: Any) -> str:
        if value not in words:
            raise ValueError("one of " + ", ".join(words))
        return str(value)

    return check


def texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("a list of text")
    return tuple(value)


def folder(value: Any) -> str:
    """A folder inside the vault that is not the vault itself and not hidden."""
    words = "a folder inside the vault, such as 'digest'"
    if not isinstance(value, str):
        raise ValueError(words)
    try:
        path = normalise(value.rstrip("/"))
    except PathError as error:
        raise ValueError(f"{words} ({error.what})") from None
    if any(part.startswith(".") for part in path.split("/")):
        raise ValueError(f"{words}, and Obsidian does not read dot-folders")
    return path


def linkable_folder(value: Any) -> str:
    path = folder(value)
    if not linkable(f"{path}/x.md"):
        raise ValueError("a folder whose name a link can spell, without # ^ | [ ]")
    return path


def property_name(value: Any) -> str:
    """The name of a property that code may fill, so none of those that make a node."""
    if not isinstance(value, str) or not re.fullmatch(r"[^\W\d][\w -]*(?<! )", value):
        raise ValueError("the name of a property, such as 'memory_tags'")
    if value.casefold() in TAKEN_PROPERTIES:
        raise ValueError("a property of its own; a node has this one already")
    return value


def daily_folder(value: Any) -> str | None:
    if value is None or value in ("", ".", "/"):
        return "" if value is not None else None
    return folder(value)


def optional_text(value: Any) -> str | None:
    return None if value is None or value == "" else text(value)


def zone_name(value: Any) -> str:
    name = text(value)
    if name == "local":
        return name
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("an IANA time zone such as Europe/Berlin, or local") from None
    return name


def mapping(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError("a mapping")
    return value


def part(kind: type[Any], checks: Mapping[str, Validator]) -> Validator:
    """A mapping with known keys that becomes a ``kind``."""

    def check(value: Any) -> Any:
        given = mapping(value)
        kept: dict[str, Any] = {}
        for name, item in given.items():
            if name not in checks:
                raise ValueError(f"a mapping with {', '.join(checks)} (it has {name!r})")
            try:
                kept[name] = checks[name](item)
            except ValueError as error:
                raise ValueError(f"a mapping whose {name} is {error}") from None
        return kind(**kept)

    return check


def day(value: Any) -> date | None:
    """A day as ``2026-06-20``; ``""`` stands for today."""
    if value == "":
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("a day such as '2026-06-20', or '' for today")


def nearest(name: str, words: Iterable[str]) -> str:
    """What to do about a ``name`` that is none of ``words``."""
    import difflib

    listed = list(words)
    close = difflib.get_close_matches(name.lower(), listed, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]}?"
    return "there are " + ", ".join(listed) if listed else "take it out"
