"""``interests.yaml``: a day's topics, read leniently, and added to without touching the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from vault_dream.engine.dream.topics import DIVERSITY_DAYS, MOST_TOPICS, Topic
from vault_dream.engine.errors import EditError

if TYPE_CHECKING:
    from vault_dream.engine.vault.yaml_core import Node

FILE_NAME = "interests.yaml"
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Interests:
    """What a file holds: its topics, and ``problem`` where it is none of ours, '' where it is."""

    topics: tuple[Topic, ...] = ()
    problem: str = ""


def read_interests(raw: bytes) -> Interests:
    """The topics in a file. Entries that are none stay in the file and do not count."""
    if len(raw) > MOST_BYTES:
        return Interests(problem="is far too large")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Interests(problem="is not UTF-8")
    try:
        return Interests(tuple(_topics(text)))
    except ValueError as error:
        return Interests(problem=str(error))


def with_topics(raw: bytes | None, topics: Sequence[Topic], day: date) -> bytes:
    """The file with ``topics`` added to its list; every other byte of it stays.

    Raises :class:`EditError` where it is written in a way that cannot be added to safely.
    """
    if raw is None or not raw.strip():
        return _new(topics, day).encode()
    text = raw.decode("utf-8")
    newline = "\r\n" if "\r\n" in text else "\n"
    after = _added(text, [topic.as_json() for topic in topics], newline)
    try:
        right = tuple(_topics(after)) == (*_topics(text), *topics)
    except ValueError:
        right = False
    if not right:
        raise EditError(FILE_NAME, "it cannot be added to safely", "move it away, and try again")
    return after.encode()


def _topics(text: str) -> Iterator[Topic]:
    """ValueError, with words for a person, for what is no file of topics."""
    from vault_dream.engine.vault.yaml_core import YamlError

    try:
        node = _list_node(text)
    except YamlError as error:
        raise ValueError(f"is not YAML (line {error.line}: {error.problem})") from None
    listed = node.value if node is not None else None
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(item.get("title"), str) and item["title"].strip():
            yield Topic(
                item["title"],
                _text(item.get("reason")),
                _text(item.get("evidence")),
                _texts(item.get("keywords")),
                _texts(item.get("paths")),
            )


def _list_node(text: str) -> Node | None:
    """The value of ``topics``; ValueError where the file has another form."""
    from vault_dream.engine.vault.yaml_core import compose

    root = compose(text.removeprefix("\ufeff"))
    if root is None or (root.kind == "scalar" and root.value is None):
        return None
    if root.kind != "map":
        raise ValueError("is not a list of 'key: value' lines")
    for name, value in root.pairs():
        if name.value == "topics":
            if value.kind != "list" and value.value is not None:
                raise ValueError("has topics that are not a list")
            return value
    return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str) and item)


# Writing -----------------------------------------------------------------------------------------


def _new(topics: Sequence[Topic], day: date) -> str:
    head = f'date: "{day.isoformat()}"\ntopic_count: {MOST_TOPICS}\n'
    head += f"diversity_days: {DIVERSITY_DAYS}\ntopics:\n"
    return head + _items([topic.as_json() for topic in topics], "  ", "\n")


def _items(values: Sequence[dict[str, Any]], indent: str, newline: str) -> str:
    """Entries of a block list, a line for each field."""
    from vault_dream.engine.vault.yaml_emit import emit

    lines: list[str] = []
    for value in values:
        for first, (name, item) in zip((True, *(False,) * 9), value.items(), strict=False):
            lines.append(f"{indent}{'- ' if first else '  '}{name}: {emit(item)}".rstrip())
    return "".join(line + newline for line in lines)


def _added(text: str, values: Sequence[dict[str, Any]], newline: str) -> str:
    from vault_dream.engine.vault.yaml_emit import emit

    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    node = _list_node(text)
    if node is None:
        at, ended = len(text), text.endswith("\n") or not text
        made = f"{'' if ended else newline}topics:{newline}{_items(values, '  ', newline)}"
    elif node.kind == "list" and node.style == "flow" and node.children:
        at = len(text[: node.end - 1].rstrip())
        comma = " " if text[at - 1] == "," else ", "
        made = comma + ", ".join(emit(value, flow=True, json=True) for value in values)
    elif node.kind != "list" or not node.children:
        line = _line_end(text, node.end)
        made = newline + _items(values, "  ", newline)
        return f"{mark}{text[: node.start].rstrip(' ')}{text[node.end : line]}{made}{text[line:]}"
    else:
        at = _line_end(text, node.end) if text[node.end - 1 : node.end] != "\n" else node.end
        start = text.rfind("\n", 0, node.start) + 1
        indent = " " * (node.start - start)
        if text[at : at + 2] == "\r\n":
            at += 2
        elif text[at : at + 1] == "\n":
            at += 1
        ended = text[at - 1 : at] == "\n"
        made = ("" if ended else newline) + _items(values, indent, newline)
    return f"{mark}{text[:at]}{made}{text[at:]}"


def _line_end(text: str, at: int) -> int:
    """Where the line that ``at`` is in ends, before its line break."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1 : end] == "\r" else end
