"""What worked with an endpoint and a model, remembered so that it need not be found out again."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from vault_dream.engine.model.endpoint import Endpoint

Mode = Literal["json_schema", "tool", "json", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "tool", "json", "text")
"""Ways to ask for a structured answer, the surest first."""

Quirk = Literal[
    "max_completion_tokens", "no_temperature", "no_stream", "no_stream_options", "no_system"
]
QUIRKS: tuple[Quirk, ...] = (
    "max_completion_tokens",
    "no_temperature",
    "no_stream",
    "no_stream_options",
    "no_system",
)


@dataclass(frozen=True, slots=True)
class Known:
    """``mode``: the structured mode that worked, '' while unknown. ``tools``: whether the model
    was seen to call tools (None: not tried). ``quirks``: what its requests must do differently."""

    mode: Mode | Literal[""] = ""
    tools: bool | None = None
    quirks: frozenset[Quirk] = frozenset()


class Capabilities:
    """Stateful: a small JSON file, or memory alone where ``path`` is None.

    It is a cache: a file that cannot be read or written costs a few calls and no run.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Known] = _load(path)

    def of(self, endpoint: Endpoint) -> Known:
        return self._known.get(_name(endpoint), Known())

    def learn(self, endpoint: Endpoint, **changes: Any) -> None:
        """Remember ``mode`` or ``tools``; a ``quirk`` is added to those known."""
        before = self.of(endpoint)
        quirk = changes.pop("quirk", None)
        after = replace(before, **changes)
        if quirk is not None:
            after = replace(after, quirks=after.quirks | {quirk})
        if after == before:
            return
        name = _name(endpoint)
        self._known = {**_load(self._path), **self._known, name: after}
        self._save()

    def _save(self) -> None:
        if self._path is None:
            return
        value = {name: _as_json(known) for name, known in self._known.items()}
        text = json.dumps({"version": 1, "models": value}, indent=2, sort_keys=True) + "\n"
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
            beside.replace(self._path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()


def _name(endpoint: Endpoint) -> str:
    return f"{endpoint.base_url} {endpoint.model}"


def _as_json(known: Known) -> dict[str, object]:
    return {"mode": known.mode, "tools": known.tools, "quirks": sorted(known.quirks)}


def _load(path: Path | None) -> dict[str, Known]:
    if path is None:
        return {}
    try:
        models = json.loads(path.read_text(encoding="utf-8"))["models"]
        return {str(name): _known(value) for name, value in models.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _known(value: Mapping[str, Any]) -> Known:
    mode = value.get("mode", "")
    tools = value.get("tools")
    return Known(
        mode if mode in MODES else "",
        tools if isinstance(tools, bool) else None,
        frozenset(quirk for quirk in QUIRKS if quirk in value.get("quirks", ())),
    )
