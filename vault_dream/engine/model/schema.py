"""A small part of JSON Schema: enough to check what a model answers and to say what is wrong.

Known keywords: ``type`` (also a list), ``enum``, ``const``, ``properties``, ``required``,
``items``, ``minItems``, ``maxItems``, ``minLength``, ``maxLength``, ``minimum``, ``maximum``,
``anyOf``. Keys that a schema does not name are ignored, because models love to add some.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong with an answer. ``path`` leads to it: ``("units", 2, "name")``."""

    path: tuple[str | int, ...]
    message: str

    def __str__(self) -> str:
        return f"{spell_path(self.path)}: {self.message}"


def spell_path(path: Sequence[str | int]) -> str:
    """``units[2].name``, or ``the answer`` for the whole."""
    spelt = ""
    for part in path:
        spelt += f"[{part}]" if isinstance(part, int) else ("." if spelt else "") + part
    return spelt or "the answer"


def flaws(value: Any, schema: Schema, path: tuple[str | int, ...] = ()) -> tuple[Flaw, ...]:
    """Everything in ``value`` that ``schema`` does not allow."""
    if "anyOf" in schema:
        found = [flaws(value, option, path) for option in schema["anyOf"]]
        return min(found, key=len) if all(found) else ()
    types = _types(schema)
    if types and not any(_is(value, kind) for kind in types):
        wanted = " or ".join(_WORDS[kind] for kind in types)
        return (Flaw(path, f"must be {wanted}, not {_show(value)}"),)
    if "const" in schema and value != schema["const"]:
        return (Flaw(path, f"must be {schema['const']!r}, not {_show(value)}"),)
    if "enum" in schema and value not in schema["enum"]:
        choices = ", ".join(str(choice) for choice in schema["enum"])
        return (Flaw(path, f"must be one of {choices}, not {_show(value)}"),)
    if isinstance(value, Mapping):
        return _object_flaws(value, schema, path)
    if isinstance(value, list):
        return _list_flaws(value, schema, path)
    return _size_flaws(value, schema, path)


def _object_flaws(
    value: Mapping[str, Any], schema: Schema, path: tuple[str | int, ...]
) -> tuple[Flaw, ...]:
    found = [
        Flaw((*path, key), "is missing") for key in schema.get("required", ()) if key not in value
    ]
    for key, part in schema.get("properties", {}).items():
        if key in value:
            found.extend(flaws(value[key], part, (*path, key)))
    return tuple(found)


def _list_flaws(
    value: Sequence[Any], schema: Schema, path: tuple[str | int, ...]
) -> tuple[Flaw, ...]:
    found = list(_bounds(len(value), schema.get("minItems"), schema.get("maxItems"), "items", path))
    items = schema.get("items")
    if items is not None:
        for number, item in enumerate(value):
            found.extend(flaws(item, items, (*path, number)))
    return tuple(found)


def _size_flaws(value: Any, schema: Schema, path: tuple[str | int, ...]) -> tuple[Flaw, ...]:
    if isinstance(value, str):
        low, high = schema.get("minLength"), schema.get("maxLength")
        return _bounds(len(value.strip()), low, high, "characters", path)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _bounds(value, schema.get("minimum"), schema.get("maximum"), "", path)
    return ()


def _bounds(
    size: float, low: float | None, high: float | None, unit: str, path: tuple[str | int, ...]
) -> tuple[Flaw, ...]:
    unit = f" {unit}" if unit else ""
    if low is not None and size < low:
        return (Flaw(path, f"must be at least {low}{unit}" if size else "must not be empty"),)
    if high is not None and size > high:
        return (Flaw(path, f"must be at most {high}{unit}, not {size}"),)
    return ()


def coerce(value: Any, schema: Schema) -> Any:
    """``value`` with harmless slips of models put right, where there is one way to do it.

    ``"3"`` and ``3.0`` for a whole number, a number for text, one item for a list, ``null`` for an
    optional key, an ``enum`` word in other letters. What is left wrong, :func:`flaws` names.
    """
    if "anyOf" in schema:
        for option in schema["anyOf"]:
            tried = coerce(value, option)
            if not flaws(tried, option):
                return tried
        return value
    types = _types(schema)
    if isinstance(value, Mapping) and "object" in types:
        return _coerce_object(value, schema)
    if "array" in types:
        items = schema.get("items", {})
        if isinstance(value, list):
            return [coerce(item, items) for item in value]
        single = value not in (None, "") and "null" not in types and not isinstance(value, Mapping)
        return [coerce(value, items)] if single else value
    if isinstance(value, str) and "enum" in schema and value not in schema["enum"]:
        same = [c for c in schema["enum"] if str(c).casefold() == value.strip().casefold()]
        return same[0] if len(same) == 1 else value
    return _coerce_scalar(value, types)


def _coerce_object(value: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    made: dict[str, Any] = {}
    for key, part in value.items():
        known = properties.get(key)
        if known is None:
            made[key] = part
        elif part is None and key not in required and "null" not in _types(known):
            continue
        else:
            made[key] = coerce(part, known)
    return made


def _coerce_scalar(value: Any, types: tuple[str, ...]) -> Any:
    if any(_is(value, kind) for kind in types):
        return int(value) if "integer" in types and isinstance(value, float) else value
    if "string" in types and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        word = value.strip()
        if ("integer" in types or "number" in types) and _is_whole(word):
            return int(word)
        if "boolean" in types and word.lower() in ("true", "false"):
            return word.lower() == "true"
    return value


def _is_whole(word: str) -> bool:
    return word.removeprefix("-").isdecimal() and len(word) < 16


def _types(schema: Schema) -> tuple[str, ...]:
    kinds = schema.get("type", ())
    return (kinds,) if isinstance(kinds, str) else tuple(kinds)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer":
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return whole and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    classes: dict[str, type | tuple[type, ...]] = {
        "object": Mapping,
        "array": list,
        "string": str,
        "boolean": bool,
        "null": type(None),
    }
    return isinstance(value, classes[kind])


def _show(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        text = repr(type(value))
    return text if len(text) <= 60 else text[:57] + "..."


def is_strict(schema: Schema) -> bool:
    """Whether an endpoint may be asked for ``strict``: every object closed, every key required."""
    if "object" in _types(schema):
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            return False
        if set(schema.get("required", ())) != set(properties):
            return False
        return all(is_strict(part) for part in properties.values())
    if "items" in schema:
        return is_strict(schema["items"])
    return all(is_strict(option) for option in schema.get("anyOf", ()))
