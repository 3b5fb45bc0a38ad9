"""Digest nodes: short notes with a name and a description, in three buckets."""

from __future__ import annotations

from dataclasses import dataclass

from vault_dream.engine.digest.chunks import headings_in
from vault_dream.engine.digest.nodes import NodeText
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import Properties, read_properties
from vault_dream.engine.vault.tags import tags_in
from vault_dream.engine.vault.targets import words_without_targets


@dataclass(frozen=True, slots=True)
class Node:
    """A digest note as the dream sees it. ``problem`` says why its frontmatter cannot be read."""

    path: str
    note: Note
    properties: Properties
    name: str
    description: str
    bucket: str
    tags: tuple[str, ...]

    @property
    def problem(self) -> str:
        return self.properties.error

    @property
    def body(self) -> str:
        return self.note.text[self.note.body_start :]


def parse_node(note: Note, digest_dir: str, tag_field: str = "tags") -> Node:
    """The node that ``note`` is; a missing name falls back to the file's."""
    properties = read_properties(note)
    stem = note.path.rsplit("/", 1)[-1].removesuffix(".md")
    tags = dict.fromkeys((*tags_in(note), *properties.texts(tag_field)))
    return Node(
        path=note.path,
        note=note,
        properties=properties,
        name=first_text(properties, "name") or stem,
        description=first_text(properties, "description"),
        bucket=note.path.removeprefix(digest_dir + "/").split("/", 1)[0],
        tags=tuple(tags),
    )


def first_text(properties: Properties, key: str) -> str:
    """The property as one line of text, ``""`` where it is missing or empty."""
    for text in properties.texts(key):
        if line := " ".join(text.split()):
            return line
    return ""


def index_text(node: Node) -> NodeText:
    """What ``node_search`` looks at: link targets are taken out of the body, labels stay."""
    body = node.body
    return NodeText(
        path=node.path,
        name=node.name,
        description=node.description,
        aliases=node.properties.texts("aliases"),
        headings=tuple(headings_in(body)),
        tags=node.tags,
        body=words_without_targets(node.note) if "(" in body and "](" in body else _unlinked(body),
    )


def _unlinked(body: str) -> str:
    """``body`` with every wikilink replaced by its label, or by nothing; in code too, which to
    a search makes no difference."""
    first, *others = body.split("[[")
    if not others:
        return body
    parts = [first]
    for other in others:
        link, closed, rest = other.partition("]]")
        if closed and "\n" not in link and "[" not in link:
            parts += (link.partition("|")[2], rest)
        else:
            parts += ("[[", other)
    return "".join(parts)
