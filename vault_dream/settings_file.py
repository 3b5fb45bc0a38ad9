"""A file of settings as it was written: plain values, and the line of each.

YAML by the 1.2 core schema, so that ``off`` stays a word; a key that stands twice is refused at any
depth, since one of the two would be accepted and then ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_dream.engine.errors import SettingsError

if TYPE_CHECKING:
    from yaml.nodes import Node

MOST_VALUES = 10_000
"""Values that a file of settings may hold: aliases of aliases can make it grow without end."""

DEEPEST = 20

At = tuple[str | int, ...]
"""Where in a value something stands: the keys and places in lists that lead to it."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value as somebody gave it, and where: a file and line, a variable, or a flag. ``lines`` are
    the places of what is inside it, where it stands in a file."""

    value: Any
    where: str
    lines: Mapping[At, str] = field(default_factory=dict)

    def at(self, *inside: str | int) -> str:
        """The place of what is ``inside``, or of the nearest around it that is known."""
        for length in range(len(inside), 0, -1):
            if inside[:length] in self.lines:
                return self.lines[inside[:length]]
        return self.where


def read_settings_file(file: Path) -> dict[str, Given]:
    """The settings of ``file`` by their names; none where there is no file. Raises
    :class:`SettingsError` where it is not what a file of settings is."""
    import yaml

    node = _composed(file)
    if node is None or (isinstance(node, yaml.ScalarNode) and _NULL.match(str(node.value))):
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise SettingsError(str(file), "it is not a list of 'key: value' lines", "see --help")
    given: dict[str, Given] = {}
    for key, value in node.value:
        where = f"{file}:{key.start_mark.line + 1}"
        name = str(key.value)
        if name in given:
            raise SettingsError(where, f"{name} is set twice", f"first at {given[name].where}")
        reading = _Reading()
        try:
            plain = reading.plain(value)
        except _Misplaced as error:
            at = f"{file}:{error.line}"
            raise SettingsError(at, str(error), "correct the YAML") from None
        lines = {at: f"{file}:{line}" for at, line in reading.lines.items()}
        given[name] = Given(plain, where, lines)
    return given


def parse_value(text: str) -> Any:
    """A value as it would stand in the settings file; text that is not YAML is just text."""
    import yaml

    try:
        node = yaml.compose(text, Loader=_loader())
        return None if node is None else _Reading().plain(node)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def _composed(file: Path) -> Node | None:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            str(file), f"the settings cannot be read ({_reason(error)})", "make it a UTF-8 file"
        ) from None
    import yaml

    try:
        node: Node | None = yaml.compose(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it is not YAML"
        raise SettingsError(f"{file}{line}", str(problem), "correct the YAML") from None
    except RecursionError:
        raise SettingsError(str(file), "it is nested too deeply", "correct the YAML") from None
    return node


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_NULL = re.compile(r"(?:null|Null|NULL|~|)\Z")
_BOOL = re.compile(r"(true|True|TRUE)\Z|(?:false|False|FALSE)\Z")
_INT = re.compile(r"[-+]?[0-9]{1,100}\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")


class _Misplaced(ValueError):
    def __init__(self, what: str, node: Node) -> None:
        super().__init__(what)
        self.line = node.start_mark.line + 1


class _Reading:
    """One value as it is read. Stateful: it counts what it read and keeps the line of each part."""

    def __init__(self) -> None:
        self.lines: dict[At, int] = {}
        self._left = MOST_VALUES

    def plain(self, node: Node, at: At = ()) -> Any:
        """The plain value of a YAML node, which stands at ``at``."""
        import yaml

        self._left -= 1
        if len(at) > DEEPEST or self._left < 0:
            raise _Misplaced("it is nested too deeply", node)
        if isinstance(node, yaml.SequenceNode):
            for place, item in enumerate(node.value):
                self.lines[*at, place] = item.start_mark.line + 1
            return [self.plain(item, (*at, place)) for place, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            found: dict[str, Any] = {}
            for key, value in node.value:
                name = str(key.value)
                if name in found:
                    raise _Misplaced(f"{name} is set twice", key)
                self.lines[*at, name] = key.start_mark.line + 1
                found[name] = self.plain(value, (*at, name))
            return found
        return _scalar(str(node.value), quoted=bool(getattr(node, "style", None)))


def _scalar(text: str, *, quoted: bool) -> Any:
    if quoted:
        return text
    if _NULL.match(text):
        return None
    if match := _BOOL.match(text):
        return match[1] is not None
    if _INT.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text
