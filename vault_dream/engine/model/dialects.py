"""Tool calls as models really spell them: under longer names, wrapped once more, or as text.

Servers are to turn a model's own dialect into ``tool_calls``; many know only some, and pass the
others on as they stand.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from vault_dream.engine.model.json_text import find_json, parse_json
from vault_dream.engine.model.schema import coerce, flaws

_TAGGED = re.compile(
    r"<(?:tool_calls?|function_calls?)>|<\|(?:tool_calls?|python_tag)\|>|\[TOOL_CALLS\]", re.I
)
_INNER = ("arguments", "parameters", "input", "args")
_DRESS = re.compile(r"<[^<>]*>|`+(?:json)?")


def known_name(said: str, known: Collection[str]) -> str:
    """The one of ``known`` that ``said`` means, else ``said``: models put a namespace before a name
    or brackets behind it."""
    if said in known:
        return said
    tail = re.split(r"[.:/]", said.strip().removesuffix("()"))[-1].casefold()
    return next((name for name in known if name.casefold() == tail), said)


def calls_in_text(text: str, known: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Names and arguments of the calls that a model wrote out, in their order, each once.

    Only such as are marked, or are all that it says: a note may hold one that somebody planted, and
    a model that talks about it calls nothing.
    """
    tagged = _TAGGED.search(text) is not None
    calls: dict[tuple[str, str], None] = {}
    for found in reversed(list(find_json(text))):
        if tagged or not found.prose.strip():
            for said, arguments in _calls_in(found.value):
                if (name := known_name(said, known)) in known:
                    calls[name, arguments] = None
    return tuple(calls)


def _calls_in(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _calls_in(item)
    elif isinstance(value, Mapping):
        if isinstance(listed := value.get("tool_calls"), list):
            yield from _calls_in(listed)
        elif isinstance(function := value.get("function"), Mapping):
            yield from _calls_in(function)
        elif isinstance(name := value.get("name"), str):
            arguments: Any = next((value[key] for key in _INNER if key in value), {})
            yield name, arguments if isinstance(arguments, str) else json.dumps(arguments)


def read_arguments(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The arguments of a call, and '' or what is wrong with them."""
    try:
        value = parse_json(text) if text.strip() else {}
    except ValueError as error:
        dressed = (found for found in find_json(text) if not _DRESS.sub("", found.prose).strip())
        first = next(dressed, None)
        if first is None:
            return {}, f"The arguments are not JSON ({error}). Send one JSON object."
        value = first.value
    value = coerce(_unwrapped(value, schema), schema)
    if not isinstance(value, dict):
        return {}, "The arguments must be one JSON object."
    found = flaws(value, schema)
    unknown = sorted(value.keys() - schema.get("properties", {}).keys())
    if found:
        words = "; ".join(str(flaw) for flaw in found[:8])
        extra = f" Unknown: {', '.join(unknown[:5])}." if unknown else ""
        return {}, f"The arguments do not fit: {words}.{extra}"
    return {key: part for key, part in value.items() if key not in unknown}, ""


def _unwrapped(value: Any, schema: Mapping[str, Any]) -> Any:
    """The arguments inside of one more object, ``{"arguments": {…}}``."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((name, inner),) = value.items()
    if name not in _INNER or name in schema.get("properties", {}):
        return value
    if isinstance(inner, str):
        with contextlib.suppress(ValueError):
            inner = parse_json(inner)
    return inner if isinstance(inner, dict) else value
