"""Edit operations: what a proposal does to a note, said so that it can be done again on newer
bytes.

A proposal is kept as operations, never as the bytes they gave, so that it can be rebased when the
note has changed since (DESIGN, *Commit*).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from vault_dream.engine.dream.units import vault_path
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.conflicts import merge_marker_line
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.properties import append_to_property, set_properties
from vault_dream.engine.vault.splice import replace_once


@dataclass(frozen=True, slots=True)
class CreateNote:
    """The whole text of a note that must not exist."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """``old`` stands exactly once in the note and becomes ``new``. Line ends match in any style."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class SetProperties:
    """Property values to set; every other byte of the frontmatter stays."""

    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AppendToProperty:
    """Items to add to a list property, those that it lacks."""

    key: str
    items: tuple[str, ...]


_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

Op = CreateNote | ReplaceText | SetProperties | AppendToProperty


@dataclass(frozen=True, slots=True)
class FileChange:
    """Operations on one file; ``base`` is the SHA-256 of the bytes they were made from, ``None``
    where the file did not exist."""

    path: str
    base: str | None
    ops: tuple[Op, ...]

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, "base": self.base, "ops": [op_as_json(op) for op in self.ops]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FileChange:
        """``KeyError``, ``TypeError`` or ``ValueError`` for what :meth:`as_json` does not write."""
        base = data["base"]
        return cls(
            vault_path(data["path"]),
            None if base is None else _text(base),
            tuple(op_from_json(op) for op in data["ops"]),
        )


def text_hash(text: str) -> str:
    """SHA-256 of ``text`` as UTF-8 bytes, the identity of a version of a note."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def apply_ops(path: str, text: str | None, ops: Iterable[Op]) -> str:
    """The text of the note at ``path`` after ``ops``; ``text`` is ``None`` where there is no note.

    Raises :class:`EditError` where an operation does not fit the text.
    """
    for op in ops:
        before, text = text, _apply(path, text, op)
        _check_characters(path, before or "", text)
    if text is None:
        raise EditError(
            path, "the note does not exist, and nothing creates it", "run the dream again"
        )
    return text


def _check_characters(path: str, before: str, text: str) -> None:
    """EditError where ``text`` holds characters that no note should and ``before`` did not."""
    if _SURROGATES.search(text):
        raise EditError(
            path, "the text has characters that a file cannot contain", "leave them out"
        )
    if len(_CONTROLS.findall(text)) > len(_CONTROLS.findall(before)):
        raise EditError(path, "the text has control characters", "leave them out")


def _apply(path: str, text: str | None, op: Op) -> str:
    if isinstance(op, CreateNote):
        if text is not None:
            raise EditError(path, "a note with this name exists already", "choose another name")
        return op.text
    if text is None:
        raise EditError(path, "the note is gone", "decide whether to create it again")
    note = parse_note(path, text.encode("utf-8"))
    if not note.editable:
        raise EditError(path, note.reason, "fix the note in Obsidian, then run the dream again")
    if line := merge_marker_line(text):
        where = f"{path}:{line}"
        raise EditError(
            where, "the note contains merge conflict markers", "resolve the conflict first"
        )
    if isinstance(op, ReplaceText):
        return replace_once(text, op.old, op.new, where=path, newline=note.newline)
    try:
        if isinstance(op, SetProperties):
            return set_properties(note, op.values)
        return append_to_property(note, op.key, op.items)
    except UnicodeEncodeError:
        raise EditError(
            path, "the text has characters that a file cannot contain", "leave them out"
        ) from None


def op_as_json(op: Op) -> dict[str, Any]:
    match op:
        case CreateNote(text):
            return {"op": "create", "text": text}
        case ReplaceText(old, new):
            return {"op": "replace", "old": old, "new": new}
        case SetProperties(values):
            return {"op": "properties", "values": {k: _dated(v) for k, v in values.items()}}
        case AppendToProperty(key, items):
            return {"op": "append", "key": key, "items": list(items)}


def op_from_json(data: Mapping[str, Any]) -> Op:
    """The operation that :func:`op_as_json` wrote; ``ValueError`` for a kind it does not know."""
    kind = data["op"]
    if kind == "create":
        return CreateNote(_text(data["text"]))
    if kind == "replace":
        return ReplaceText(_text(data["old"]), _text(data["new"]))
    if kind == "properties":
        return SetProperties({key: _undated(value) for key, value in dict(data["values"]).items()})
    if kind == "append":
        return AppendToProperty(_text(data["key"]), tuple(_text(item) for item in data["items"]))
    raise ValueError(f"unknown operation {kind!r}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _dated(value: Any) -> Any:
    """JSON has no dates, and a date must not come back as text: YAML writes the two differently."""
    return {"date": value.isoformat()} if isinstance(value, date) else value


def _undated(value: Any) -> Any:
    return date.fromisoformat(value["date"]) if isinstance(value, dict) else value
