"""Changing properties by splicing at their nodes' marks; every other byte stays.

Comments, quotes, order, styles and line endings stay. Every edit is read back before it is
returned: unless exactly the intended keys changed, and the body did not, it is an EditError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.notes import Note, check_editable, parse_note
from vault_dream.engine.vault.properties import read_properties, same_value
from vault_dream.engine.vault.splice import Splice, apply
from vault_dream.engine.vault.yaml_core import Node, YamlError, compose
from vault_dream.engine.vault.yaml_emit import as_read, emit, emit_properties

# A first line like this was meant as a fence, by whoever wrote it or by some other program.
FENCE_ATTEMPT = re.compile(r"\s*(?:-{3,}|\u2014-?)[ \t]*(?:\r\n|\n|\r|\Z)")
LONE_CR = re.compile(r"\r(?!\n)")
COMMENT_TAIL = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")


def set_properties(note: Note, values: Mapping[str, object]) -> str:
    """Return the note's whole text with these properties set, in a new block if it has none.

    A property whose value already means the same is left as it is written. New properties go
    after the last one. Raises EditError where Obsidian would not read the block our way.
    """
    block = _Block.of(note)
    wanted = {key: as_read(value) for key, value in values.items()}
    changes = {
        key: value
        for key, value in values.items()
        if key not in block.values or not same_value(block.values[key], wanted[key])
    }
    if not changes:
        return note.text
    expected = {**block.values, **{key: wanted[key] for key in changes}}
    if note.frontmatter is None:
        lines = emit_properties(changes, note.newline)
        at = note.body_start
        fence = f"---{note.newline}"
        text = f"{note.text[:at]}{fence}{lines}{fence}{note.text[at:]}"
        return _verified(note, text, expected)
    splices = [
        splice
        for key, value in changes.items()
        if key in block.values
        for splice in block.setting(key, value)
    ]
    splices += block.adding({key: v for key, v in changes.items() if key not in block.values})
    return _verified(note, block.apply(splices), expected)


def append_to_property(note: Note, key: str, items: Sequence[str]) -> str:
    """Return the note's whole text with the items that the property lacks added to its end.

    A missing or empty property becomes a list, a single value its first item; present items
    stay untouched. Raises EditError as set_properties does, and where the value is a mapping.
    """
    present = _Block.of(note).values.get(key)
    if isinstance(present, Mapping):
        raise EditError(note.path, f"the property {key!r} is not a list")
    before = present if isinstance(present, list) else [] if present in (None, "") else [present]
    added = [item for item in dict.fromkeys(items) if item not in before]
    return set_properties(note, {key: [*before, *added]}) if added else note.text


def remove_property(note: Note, key: str) -> str:
    """Return the note's whole text without this property, its lines and the comments in them.

    The text is unchanged when there is no such property. The block stays, even when empty.
    """
    block = _Block.of(note)
    if key not in block.values:
        return note.text
    expected = {name: value for name, value in block.values.items() if name != key}
    return _verified(note, block.apply([block.removing(key)]), expected)


def _verified(note: Note, text: str, expected: Mapping[str, object]) -> str:
    """Return ``text`` if reading it gives these properties, in order, and the same body."""
    new = parse_note(note.path, text.encode("utf-8"))
    properties = read_properties(new)
    if (
        new.frontmatter is None
        or properties.error
        or list(properties.values) != list(expected)
        or not same_value(dict(properties.values), dict(expected))
        or new.text[new.body_start :] != note.text[note.body_start :]
    ):
        raise EditError(
            note.path,
            "the properties are written in a way that cannot be edited safely",
            "change this property in Obsidian",
        )
    return text


@dataclass(slots=True)
class _Block:
    """The properties block of a note that may be edited: its YAML, its root and the values."""

    note: Note
    yaml: str
    root: Node | None
    values: Mapping[str, object]

    @classmethod
    def of(cls, note: Note) -> _Block:
        """Return the block. Raises EditError for a note or a block that must not be edited."""
        check_editable(note)
        span = note.frontmatter
        if span is None:
            if FENCE_ATTEMPT.match(note.text, 1 if note.bom else 0):
                raise EditError(
                    note.path,
                    "its first line looks like the start of properties that Obsidian cannot read",
                    "fix the --- lines: nothing before the first, nothing else on either",
                )
            return cls(note, "", None, {})
        yaml = note.text[span.start : span.end]
        properties = read_properties(note)
        if properties.error:
            where = f"{note.path}:{properties.error_line}"
            raise EditError(where, properties.error, "fix the properties in Obsidian first")
        if LONE_CR.search(yaml):
            raise EditError(note.path, "its properties hold a lone carriage return", "remove it")
        try:
            root = compose(yaml)
        except YamlError as error:  # read_properties read it a moment ago
            raise EditError(note.path, error.problem) from error
        if root is not None and root.kind != "map":
            root = None
        return cls(note, yaml, root, properties.values)

    def apply(self, splices: Sequence[Splice]) -> str:
        """The whole text with splices, whose offsets are those of the YAML, done."""
        span = self.note.frontmatter
        assert span is not None
        moved = [Splice(s.start + span.start, s.end + span.start, s.text) for s in splices]
        return apply(self.note.text, moved)

    # -- one property --------------------------------------------------------------------------

    def setting(self, key: str, value: object) -> list[Splice]:
        """The splices that give an existing property a new value."""
        assert self.root is not None
        node = self._value(key)
        flow = self.root.style == "flow"
        if node.kind == "list" and isinstance(value, list | tuple) and node.style != "alias":
            items = _emitted_items(node, list(value), self.yaml, flow)
            if node.style == "flow":
                return self._flow(node, items)
            if items and node.style == "block" and node.children:
                return self._block_list(node, items)
        written = emit(value, flow=flow, json=flow)
        if node.kind != "scalar" and node.style == "block":
            return self._instead_of_block(node, written)
        return [self._instead_of_inline(node, written)]

    def _flow(self, node: Node, items: list[tuple[int, str]]) -> list[Splice]:
        """Change a flow list: add at its end if the items before stay, else write it anew."""
        kept = [place for place, _ in items if place >= 0]
        if node.children and kept == list(range(len(node.children))):
            added = [text for place, text in items if place < 0]
            tail = items[len(kept) :]
            if len(tail) == len(added):
                at = node.children[-1].end
                return [Splice(at, at, "".join(f", {text}" for text in added))]
        inside = self.yaml[node.start + 1 : node.end - 1]
        if "#" in inside and "\n" in inside:
            raise EditError(self.note.path, "the list holds comments", "change it in Obsidian")
        pad = inside[:1] if inside.strip() and inside[:1] == inside[-1:] == " " else ""
        text = f"[{pad}{', '.join(text for _, text in items)}{pad}]"
        return [Splice(node.start, node.end, text)]

    def _block_list(self, node: Node, items: list[tuple[int, str]]) -> list[Splice]:
        """Change a block list line by line: lines of items that stay are not touched."""
        places = [place for place, _ in items]
        kept = [place for place in places if place >= 0]
        lines = [self._item_lines(node, child) for child in node.children]
        first, last = lines[0][0], lines[-1][1]
        dash = self._dash(node)
        end = self._line_ending(last)
        if kept == sorted(kept) and places[: len(kept)] == kept:
            gone = set(range(len(lines))) - set(kept)
            splices = [Splice(*lines[place], "") for place in sorted(gone)]
            added = "".join(f"{dash}{text}{end}" for place, text in items if place < 0)
            return [*splices, Splice(last, last, added)] if added else splices
        body = "".join(
            self.yaml[slice(*lines[place])] if place >= 0 else f"{dash}{text}{end}"
            for place, text in items
        )
        return [Splice(first, last, body)]

    def _item_lines(self, node: Node, child: Node) -> tuple[int, int]:
        """The whole lines of an item of a block list, its trailing comment included."""
        start = self._line_start(child.start)
        if not re.fullmatch(r"[ \t]*-[ \t]*", self.yaml[start : child.start]):
            raise EditError(
                self.note.path, "an item of the list does not stand on a line", "edit in Obsidian"
            )
        return start, self._after_line(self._node_end(child))

    def _dash(self, node: Node) -> str:
        first = node.children[0]
        before = self.yaml[self._line_start(first.start) : first.start]
        return before if before.endswith(" ") else f"{before} "

    def _instead_of_inline(self, node: Node, written: str) -> Splice:
        end = self._node_end(node)
        if node.start == end:  # ``key:`` with nothing after it, or only a comment
            return Splice(node.start, node.start, f" {written}" if written else "")
        if not written:
            start = len(self.yaml[: node.start].rstrip(" "))
            return Splice(start if self.yaml[start - 1] == ":" else node.start, end, "")
        return Splice(node.start, end, written)

    def _instead_of_block(self, node: Node, written: str) -> list[Splice]:
        """Put a value on the key's line and take the block collection under it away."""
        colon = self._colon_before(node)
        start = self._line_start(node.children[0].start if node.children else node.start)
        space = f" {written}" if written else ""
        return [
            Splice(colon, colon, space),
            Splice(start, self._after_line(self._node_end(node)), ""),
        ]

    def _colon_before(self, node: Node) -> int:
        """The offset after the colon of the key whose value this is."""
        assert self.root is not None
        key = next(key for key, value in self.root.pairs() if value is node)
        found = re.compile(r"[ \t]*:").match(self.yaml, key.end)
        if found is None:
            raise EditError(self.note.path, f"the key {key.value!r} stands apart from its colon")
        return found.end()

    def removing(self, key: str) -> Splice:
        """The splice that takes a property away."""
        assert self.root is not None
        name = next(node for node, _ in self.root.pairs() if node.value == key)
        value = self._value(key)
        end = max(self._node_end(value), name.end)
        if self.root.style == "flow":
            return self._removing_in_flow(name, end)
        start = self._line_start(name.start)
        if self.yaml[start : name.start].strip(" "):
            raise EditError(self.note.path, f"the key {key!r} does not start its line")
        colon = re.compile(r"[ \t]*:").match(self.yaml, end)
        return Splice(start, self._after_line(colon.end() if colon else end), "")

    def _removing_in_flow(self, name: Node, end: int) -> Splice:
        after = re.compile(r"\s*,\s*").match(self.yaml, end)
        if after:
            return Splice(name.start, after.end(), "")
        before = re.compile(r",\s*\Z").search(self.yaml[: name.start])
        return Splice(before.start() if before else name.start, end, "")

    def adding(self, values: Mapping[str, object]) -> list[Splice]:
        """The splices that add properties after the last one."""
        if not values:
            return []
        root = self.root
        if root is not None and root.style == "flow":
            pairs = ", ".join(
                f"{emit(key, json=True)}: {emit(value, flow=True, json=True)}"
                for key, value in values.items()
            )
            at = root.children[-1].end if root.children else root.start + 1
            return [Splice(at, at, f", {pairs}" if root.children else pairs)]
        indent = ""
        if root is not None and root.children:
            first = root.children[0]
            indent = self.yaml[self._line_start(first.start) : first.start]
            if indent.strip(" "):
                raise EditError(self.note.path, "its first property does not start its line")
        at = len(self.yaml)
        end = self._line_ending(at)
        lines = "".join(
            f"{indent}{emit_properties({key: value}, end)}" for key, value in values.items()
        )
        return [Splice(at, at, lines)]

    # -- places --------------------------------------------------------------------------------

    def _value(self, key: str) -> Node:
        assert self.root is not None
        return next(value for name, value in self.root.pairs() if name.value == key)

    def _node_end(self, node: Node) -> int:
        """A node's end; of a block scalar, and of what ends with one, before its last newlines."""
        if node.kind == "scalar" and node.style not in ("|", ">"):
            return node.end
        return node.start + len(self.yaml[node.start : node.end].rstrip("\r\n"))

    def _line_start(self, offset: int) -> int:
        return self.yaml.rfind("\n", 0, offset) + 1

    def _after_line(self, offset: int) -> int:
        """The offset after the newline of this line; only a comment may still be on it."""
        tail = COMMENT_TAIL.match(self.yaml, offset)
        if tail is None:
            raise EditError(self.note.path, "a property shares its line", "edit it in Obsidian")
        newline = self.yaml.find("\n", tail.end())
        return len(self.yaml) if newline < 0 else newline + 1

    def _line_ending(self, offset: int) -> str:
        """How the line before ``offset`` ends, the opening fence for the first."""
        span = self.note.frontmatter
        assert span is not None
        before = self.note.text[: span.start + offset]
        return "\r\n" if before.endswith("\r\n") else "\n"


def _emitted_items(
    node: Node, values: list[object], yaml: str, json: bool
) -> list[tuple[int, str]]:
    """For each new item the place of the old one it is and its source, or -1 and its YAML."""
    free = dict(enumerate(node.children))
    items: list[tuple[int, str]] = []
    for value in values:
        wanted = as_read(value)
        place = next((p for p, child in free.items() if same_value(child.value, wanted)), -1)
        if place >= 0:
            child = free.pop(place)
            items.append((place, yaml[child.start : child.end]))
        else:
            items.append((-1, emit(value, flow=True, json=json)))
    return items
