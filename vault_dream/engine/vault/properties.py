"""A note's properties: read as Obsidian reads them (YAML 1.2 core), never rewritten whole.

Reading goes through python-frontmatter with our own handler; editing is in ``property_edits.py``
and re-exported here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.yaml_scalars import as_text
from vault_dream.engine.vault.yaml_simple import read_simple

if TYPE_CHECKING:
    from vault_dream.engine.vault.yaml_core import Node

__all__ = [
    "Properties",
    "append_to_property",
    "emit_properties",
    "read_properties",
    "remove_property",
    "same_properties",
    "set_properties",
]

SEPARATORS = re.compile(r"[,\s]+")


class Properties(NamedTuple):
    """The values by key, in the note's order; empty if ``error`` says why they are unreadable.

    ``error_line`` is the line of the note, 0 when there is no error. ``malformed_links`` are keys
    with an unquoted wikilink in their value (``up: [[Home]]``), which is a list in a list to YAML
    and no link to Obsidian; ``texts`` still gives it as ``[[Home]]``.
    """

    values: Mapping[str, object]
    error: str = ""
    error_line: int = 0
    malformed_links: tuple[str, ...] = ()

    def texts(self, key: str) -> tuple[str, ...]:
        """A property's value, scalar or list, as texts; empty ones are left out.

        Without that exact key, one that differs in case only is taken.
        """
        values = self.values
        value = values.get(key)
        if type(value) is str:  # most are
            return (value,) if value else ()
        if key not in values:
            folded = key.casefold()
            for name in values:
                if name.casefold() == folded:
                    key = name
                    break
            else:
                return ()
            value = values[key]
        if type(value) is list and set(map(type, value)) == {str}:
            return tuple(filter(None, value))
        return tuple([text for text in _texts(value) if text])

    @property
    def tags(self) -> tuple[str, ...]:
        """``tags`` without ``#``: a list, or one text split at commas or white space."""
        texts = self.texts("tags")
        if not texts:
            return ()
        return _distinct(tag.lstrip("#") for text in texts for tag in SEPARATORS.split(text))

    @property
    def aliases(self) -> tuple[str, ...]:
        """``aliases``: a list, or one text split at commas."""
        return self._listed("aliases", re.compile(r"\s*,\s*"))

    @property
    def cssclasses(self) -> tuple[str, ...]:
        """``cssclasses``: a list, or one text split at commas or white space."""
        return self._listed("cssclasses", SEPARATORS)

    def _listed(self, key: str, separator: re.Pattern[str]) -> tuple[str, ...]:
        texts = self.texts(key)
        value = self.values.get(key)
        if isinstance(value, list) or len(texts) != 1:
            return _distinct(text.strip() for text in texts)
        return _distinct(text.strip() for text in separator.split(texts[0]))


EMPTY = Properties(MappingProxyType({}))


def read_properties(note: Note) -> Properties:
    """Return the note's properties; an unreadable block is an ``error``, never an exception.

    A note is read once: the values are shared and must not be changed.
    """
    return note.properties


def parse_properties(note: Note) -> Properties:
    """Read the note's properties anew: the quick way, or by python-frontmatter and our handler."""
    span = note.frontmatter
    if span is None or note.fences is None:
        return EMPTY
    simple = read_simple(note.text[span.start : span.end])
    if simple is not None:
        return Properties(MappingProxyType(simple))
    import frontmatter

    from vault_dream.engine.vault.frontmatter_handler import CoreHandler
    from vault_dream.engine.vault.yaml_core import YamlError

    handler = CoreHandler()
    block = note.text[note.fences.start : note.fences.end]
    try:
        values, _ = frontmatter.parse(block, handler=handler)
    except YamlError as error:
        first = note.line_of(span.start)
        return Properties(MappingProxyType({}), error.problem, first + error.line - 1)
    malformed = _malformed(handler.root) if "[[" in block else ()
    return Properties(MappingProxyType(values), malformed_links=malformed)


def _malformed(root: Node | None) -> tuple[str, ...]:
    """The top-level keys under which an unquoted wikilink stands."""
    if root is None:
        return ()
    return tuple(str(key.value) for key, value in root.pairs() if _has_bare_link(value))


def _has_bare_link(value: Node) -> bool:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if node.kind == "list" and node.style == "flow" and node.children:
            first = node.children[0]
            if first.kind == "list" and first.style == "flow" and first.start == node.start + 1:
                return True
        waiting.extend(node.children)
    return False


def same_properties(
    a: Properties | Mapping[str, object], b: Properties | Mapping[str, object]
) -> bool:
    """Whether two readings mean the same, whatever their quotes, indents and order of keys.

    Obsidian's own editor rewrites those (OBSIDIAN.md, Properties). Types count: ``1`` is not
    ``"1"`` and not ``true``. Two unreadable blocks are never the same.
    """
    for each in (a, b):
        if isinstance(each, Properties) and each.error:
            return False
    return same_value(
        a.values if isinstance(a, Properties) else a, b.values if isinstance(b, Properties) else b
    )


def same_value(a: object, b: object) -> bool:
    """Whether two values are of the same type and equal; NaN is NaN, and ``1`` is ``1.0``."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same_value(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b or (math.isnan(a) and math.isnan(b))
    return type(a) is type(b) and a == b


def _texts(value: object) -> Iterator[str]:
    """A value's scalars as texts, an unquoted wikilink as it was written, no other nested value."""
    link = _bare_link(value)
    if link:
        yield link
    elif isinstance(value, list):
        for item in value:
            link = _bare_link(item)
            if link:
                yield link
            elif not isinstance(item, list | Mapping):
                yield as_text(item)
    elif not isinstance(value, Mapping):
        yield as_text(value)


def _bare_link(value: object) -> str:
    """``[[A, B]]`` from the list in a list that YAML makes of it; '' for any other value."""
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], list):
        return ""
    parts = value[0]
    if not parts or any(isinstance(part, list | Mapping) for part in parts):
        return ""
    return f"[[{', '.join(as_text(part) for part in parts)}]]"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))


def emit_properties(values: Mapping[str, object], newline: str = "\n") -> str:
    """Return YAML lines (no fences) for a new note; see ``yaml_emit.emit_properties``."""
    from vault_dream.engine.vault.yaml_emit import emit_properties as emit

    return emit(values, newline)


def set_properties(note: Note, values: Mapping[str, object]) -> str:
    """Return the note's whole text with these properties set; see ``property_edits``."""
    from vault_dream.engine.vault import property_edits

    return property_edits.set_properties(note, values)


def append_to_property(note: Note, key: str, items: Sequence[str]) -> str:
    """Return the note's whole text with the items it lacks added to a list property."""
    from vault_dream.engine.vault import property_edits

    return property_edits.append_to_property(note, key, items)


def remove_property(note: Note, key: str) -> str:
    """Return the note's whole text without this property."""
    from vault_dream.engine.vault import property_edits

    return property_edits.remove_property(note, key)
