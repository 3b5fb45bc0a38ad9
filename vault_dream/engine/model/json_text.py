"""Finding the JSON in what a model wrote: bare, in a fence, in a tool-call tag, or in prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[ \t]*[\w+-]*[ \t]*\n(.*?)^[ \t]*\1[ \t]*$", re.M | re.S)
_OPEN_FENCE = re.compile(r"^\s*(?:```+|~~~+)[ \t]*(?:json[5c]?)?[ \t]*\n?", re.I)
_TOOL_TAG = re.compile(r"<(tool_call|function_call)>\s*(.*?)\s*(?:</\1>|\Z)", re.S)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BROKEN = re.compile(r"\{\s*\"")
_SURROGATE = re.compile("[\ud800-\udfff]")
MOST_STARTS = 200
"""Places in prose where a JSON value is tried."""


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON object or list, and the prose that stood around it."""

    value: Any
    prose: str


def parse_json(text: str) -> Any:
    """The value that ``text`` spells as a whole. ValueError where it spells none.

    Forgives newlines inside strings, a comma before a closing bracket, a BOM, and a value that was
    encoded twice. ``NaN`` and its like are refused, and a key that stands twice with two values:
    nobody can tell which is meant.
    """
    text = text.strip().removeprefix("\ufeff")
    try:
        value = _loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        repaired = _drop_trailing_commas(text)
        if repaired == text:
            raise
        value = _loads(repaired)
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        try:
            value = _loads(value)
        except (ValueError, RecursionError):
            pass
    return _whole_text(value)


def find_json(text: str) -> Iterator[Found]:
    """JSON objects and lists in ``text``, the likeliest answer first.

    The text as a whole; then fenced blocks and tool-call tags, the last first (models draft before
    they answer); then values that stand in prose, the last and outermost first.
    """
    whole = _OPEN_FENCE.sub("", text, count=1).strip().removesuffix("```").strip()
    for candidate in (text.strip(), whole):
        value = _try(candidate)
        if value is not None:
            yield Found(value, "")
            return
    for pattern in (_TOOL_TAG, _FENCE):
        for match in reversed(list(pattern.finditer(text))):
            value = _try(match.group(2))
            if value is not None:
                yield Found(value, text[: match.start()] + text[match.end() :])
    yield from reversed(list(_in_prose(text)))


def _in_prose(text: str) -> Iterator[Found]:
    decoder = json.JSONDecoder(
        strict=False, parse_constant=_no_constant, object_pairs_hook=_no_twins
    )
    at = tried = 0
    broken = False  # an object that cannot be read came before: a list may be a piece of it
    while tried < MOST_STARTS:
        starts = [place for mark in "{[" if (place := text.find(mark, at)) >= 0]
        if not starts:
            return
        start = min(starts)
        tried += 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            broken = broken or _BROKEN.match(text, start) is not None
            at = start + 1
            continue
        if isinstance(value, dict) or (not broken and _holds_objects(value)):
            yield Found(_whole_text(value), text[:start] + text[end:])
        at = end


def _holds_objects(value: list[Any]) -> bool:
    """In prose ``[1]`` is a footnote and ``[[x]]`` a link; a list of objects is an answer."""
    return bool(value) and all(isinstance(item, dict) for item in value)


def _try(text: str) -> Any:
    try:
        value = parse_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _loads(text: str) -> Any:
    return json.loads(text, strict=False, parse_constant=_no_constant, object_pairs_hook=_no_twins)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and made[key] != value:
            raise ValueError(f"the key {key!r} stands twice")
        made[key] = value
    return made


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _drop_trailing_commas(text: str) -> str:
    """Commas before a closing bracket removed, outside strings."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text, flags=re.S)
    parts[::2] = [_TRAILING_COMMA.sub(r"\1", part) for part in parts[::2]]
    return "".join(parts)


def _whole_text(value: Any) -> Any:
    """``value`` without lone surrogates, which JSON escapes can spell and no file can hold."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole_text(item) for item in value]
    if isinstance(value, dict):
        return {_whole_text(key): _whole_text(item) for key, item in value.items()}
    return value
