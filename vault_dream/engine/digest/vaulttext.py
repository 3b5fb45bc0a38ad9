"""A note of the vault as ``search`` takes it in: its labels, its text, and where its links lead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vault_dream.engine.digest.chunks import chunk_spans
from vault_dream.engine.digest.stems import stem
from vault_dream.engine.digest.tokens import compound_terms, words
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import Properties, read_properties
from vault_dream.engine.vault.tags import body_tags, is_tag

_TARGET = re.compile(r"(?<=\[\[)[^\[\]|\n]{1,1000}\|")


@dataclass(frozen=True, slots=True)
class VaultText:
    """``aliases``, ``kind``, ``created`` and ``tags`` (folded, without ``#``) come from properties
    and body; ``links`` are the distinct targets of its links, as written, external ones left out.
    """

    path: str
    title: str
    aliases: tuple[str, ...]
    headings: tuple[str, ...]
    tags: tuple[str, ...]
    kind: str
    created: str
    text: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What the index keeps of a note: terms of its labels, of each chunk, and words not stemmed."""

    labels: str
    chunks: tuple[str, ...]
    words: set[str]


def vault_text(note: Note, tag_field: str = "tags") -> VaultText:
    """Any note is searchable, one with broken properties by its text alone."""
    properties = read_properties(note)
    return VaultText(
        path=note.path,
        title=title_of(note.path),
        aliases=(*properties.aliases, *properties.texts("name")),
        headings=tuple(heading.text for heading in note.headings),
        tags=_tags(note, properties, tag_field),
        kind=next(iter(properties.texts("kind")), "").casefold(),
        created=next(iter(properties.texts("created")), "")[:10],
        text=note.text,
        links=tuple(
            dict.fromkeys(
                link.target
                for link in links_in(note)
                if link.target and not link.external and not link.hidden
            )
        ),
    )


def title_of(path: str) -> str:
    """The name that Obsidian shows for a note."""
    name = path.rpartition("/")[2]
    return name[:-3] if name[-3:].lower() == ".md" else name


def _tags(note: Note, properties: Properties, tag_field: str) -> tuple[str, ...]:
    own = properties.texts(tag_field) if tag_field != "tags" else ()
    found = [tag for tag in (*properties.tags, *own) if is_tag(tag)]
    found += [tag for tag, _ in body_tags(note)]
    return tuple(dict.fromkeys(tag.casefold() for tag in found))


def shown(text: str) -> str:
    """``text`` as its words are searched: of a labelled wikilink only the label counts."""
    return _TARGET.sub("", text) if "[[" in text else text


def terms_of(note: VaultText) -> Terms:
    """The terms of a note by label and chunk; the first chunk has those of the labels too."""
    label = "\n".join((note.title, *note.aliases, *note.headings, *note.tags))
    spelled = set(words(label))
    labels = {*map(stem, spelled), *compound_terms(label)}
    chunks: list[str] = []
    for start, end in chunk_spans(note.text):
        distinct = set(words(shown(note.text[start:end])))
        spelled |= distinct
        stems = set(map(stem, distinct))
        chunks.append(" ".join(stems if chunks else stems | labels))
    return Terms(" ".join(labels), tuple(chunks), spelled)
