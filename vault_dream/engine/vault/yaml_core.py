"""YAML 1.2 core as Obsidian's parser (``yaml`` 2.7.0) reads it, with the spans needed to splice.

PyYAML's parser (libyaml's where it is there) gives events with marks; nodes are built from them
here in one loop, because three things must hold that PyYAML's loaders do not give: only the types
of the 1.2 core schema, a duplicate key is an error, and no input can exhaust the stack or the
memory. Keys become strings as in a JavaScript object. This module is slow to import: do so late.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from vault_dream.engine.vault.yaml_scalars import key_text, scalar

MAX_DEPTH = 100
MAX_ALIASED_NODES = 10_000

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Line breaks to YAML 1.1 but not to 1.2, and what libyaml refuses and Obsidian's parser takes.
FOREIGN = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
TAB_INDENT = re.compile(r"^ *\t[ \t]*(?=[^ \t\r\n#])", re.MULTILINE)
KEY_LINE = re.compile(r"^[^\s#\-][^\n]*:(?:[ \t\r]|$)", re.MULTILINE)
CORE_TAGS = "tag:yaml.org,2002:"


class YamlError(ValueError):
    """The text is not one YAML document; ``line`` is the line of the text, from 1."""

    def __init__(self, problem: str, line: int) -> None:
        self.problem = problem
        self.line = line
        super().__init__(problem)


@dataclass(slots=True)
class Node:
    """A value with the span of its source; a block collection's span ends with its last child."""

    kind: str  # scalar | list | map
    start: int
    end: int
    value: object
    style: str = ""  # of a scalar: '' plain, ' " | >; of a collection: 'flow' or 'block'
    plain: bool = True  # no tag, no anchor, no alias
    children: list[Node] = field(default_factory=list)  # keys and values in turn for a map
    weight: int = 1  # nodes in it, aliased ones counted where they are used

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """The keys and values of a map, in order."""
        return zip(self.children[::2], self.children[1::2], strict=True)


def compose(text: str) -> Node | None:
    """Return the document in ``text`` as a node; None when there is none. Raises YamlError."""
    readable, back = _without_foreign(text)
    try:
        root = _Composer(readable, back).compose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise YamlError(error.problem or "it cannot be read as YAML", line) from error
    except yaml.YAMLError as error:
        raise YamlError("it contains characters that YAML does not allow", 1) from error
    _refuse_tab_indents(text, root)
    return root


def may_be_mapping(text: str) -> bool:
    """Whether text between two fences is properties (or none, or broken ones) and not prose."""
    try:
        root = compose(text)
    except YamlError:
        return KEY_LINE.search(text) is not None
    return root is None or root.kind == "map" or (root.value is None and root.start == root.end)


class _Composer:
    """Builds nodes from events; the open collections are a list, never the call stack.

    Events are Any: their stubs allow marks to be None, which no event from a parser has.
    """

    def __init__(self, text: str, back: dict[int, str]) -> None:
        self.text = text
        self.back = back
        self.open: list[tuple[Node, str | None]] = []
        self.anchors: dict[str, Node | None] = {}  # None: still open
        self.aliased = 0
        self.root: Node | None = None
        self.end = 0  # after the last scalar or closing bracket so far

    def compose(self) -> Node | None:
        """Return the one document's root."""
        documents = 0
        for event in yaml.parse(self.text, Loader=LOADER):
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._start(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._finish(event)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise YamlError("there is more than one document", _line(event))
        return self.root

    def _scalar(self, event: Any) -> None:
        text, style = event.value, event.style or ""
        if self.back and FOREIGN_STAND_IN.search(text):
            text = text.translate(self.back)
        tag = event.tag
        value: object = text
        if tag is None and not style:
            value = scalar(text)
        elif tag is not None and tag.startswith(CORE_TAGS):
            value = _tagged(tag[len(CORE_TAGS) :], text)
        start, end = event.start_mark.index, event.end_mark.index
        node = Node("scalar", start, end, value, style, tag is None and event.anchor is None)
        self.end = end
        self._add(node)
        if event.anchor is not None:
            self.anchors[event.anchor] = node

    def _start(self, event: Any) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise YamlError(f"values are nested more than {MAX_DEPTH} deep", _line(event))
        is_map = isinstance(event, yaml.MappingStartEvent)
        node = Node(
            "map" if is_map else "list",
            event.start_mark.index,
            event.end_mark.index,
            {} if is_map else [],
            "flow" if event.flow_style else "block",
            event.tag is None and event.anchor is None,
        )
        self.open.append((node, event.anchor))
        if event.anchor is not None:
            self.anchors[event.anchor] = None

    def _finish(self, event: Any) -> None:
        node, anchor = self.open.pop()
        if node.style == "flow":
            self.end = event.end_mark.index
        node.end = max(self.end, node.start)
        if anchor is not None:
            self.anchors[anchor] = node
        self._add(node)

    def _alias(self, event: Any) -> None:
        target = self.anchors.get(event.anchor)
        if target is None:
            raise YamlError(f"the alias *{event.anchor} points at nothing", _line(event))
        self.aliased += target.weight
        if self.aliased > MAX_ALIASED_NODES:
            raise YamlError("its aliases expand without bound", _line(event))
        self.end = event.end_mark.index
        node = Node(target.kind, event.start_mark.index, self.end, target.value, "alias", False)
        node.weight = target.weight
        self._add(node)

    def _add(self, node: Node) -> None:
        """Put a finished node into the collection that is open."""
        if not self.open:
            self.root = node
            return
        parent = self.open[-1][0]
        children = parent.children
        children.append(node)
        parent.weight += node.weight
        if parent.kind == "list":
            parent.value.append(node.value)  # type: ignore[attr-defined]
            return
        mapping = parent.value
        assert isinstance(mapping, dict)
        if len(children) % 2:
            node.value = key_text(node.value, self._source(node))
            if node.value in mapping:
                raise YamlError(f"the key {node.value!r} appears twice", _line_at(self.text, node))
            mapping[node.value] = None
        else:
            mapping[children[-2].value] = node.value

    def _source(self, node: Node) -> str:
        if node.kind == "scalar":
            return ""
        return " ".join(self.text[node.start : node.end].translate(self.back).split())


def _tagged(tag: str, text: str) -> object:
    """A scalar with an explicit core tag; where it does not fit, and for other tags, it is text."""
    value = scalar(text)
    if tag == "null" and value is None:
        return None
    if tag == "bool" and isinstance(value, bool):
        return value
    if tag == "int" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if tag == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return text


def _line(event: Any) -> int:
    line: int = event.start_mark.line
    return line + 1


def _line_at(text: str, node: Node) -> int:
    return text.count("\n", 0, node.start) + 1


# Characters of a private plane stand in for foreign ones: one for one, so that marks still fit.
STAND_IN = 0xF0000
FOREIGN_STAND_IN = re.compile("[\U000f0000-\U000fffff]")


def _without_foreign(text: str) -> tuple[str, dict[int, str]]:
    """Return the text with foreign characters replaced, and the table that puts them back."""
    found = set(FOREIGN.findall(text))
    if not found:
        return text, {}
    taken = set(FOREIGN_STAND_IN.findall(text))
    free = (chr(code) for code in range(STAND_IN, 0xFFFFE) if chr(code) not in taken)
    there = dict(zip(sorted(found), free, strict=False))
    back = {ord(stand_in): character for character, stand_in in there.items()}
    return text.translate({ord(old): new for old, new in there.items()}), back


def _refuse_tab_indents(text: str, root: Node | None) -> None:
    """A tab that indents is an error, save inside a quoted or block scalar."""
    if "\t" not in text:
        return
    scalars: list[tuple[int, int]] | None = None
    place = 0
    for found in TAB_INDENT.finditer(text):
        if scalars is None:
            scalars = sorted(_long_scalars(root))
        while place < len(scalars) and scalars[place][1] <= found.start():
            place += 1
        if place == len(scalars) or scalars[place][0] >= found.end():
            raise YamlError("a tab is used to indent", text.count("\n", 0, found.start()) + 1)


def _long_scalars(root: Node | None) -> Iterator[tuple[int, int]]:
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if node.kind == "scalar" and node.style:
            yield node.start, node.end
