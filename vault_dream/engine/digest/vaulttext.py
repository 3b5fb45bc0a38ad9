"""A note of the vault as ``search`` takes it in: its labels, its text, and where its links lead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vault_dream.engine.digest.chunks import chunk_spans, headings_in, shown
from vault_dream.engine.digest.scripts import compounds_in
from vault_dream.engine.digest.tokens import spaced
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import Properties, read_properties
from vault_dream.engine.vault.tags import body_tags, is_tag
from vault_dream.engine.vault.targets import targets_in


@dataclass(frozen=True, slots=True)
class VaultText:
    """``aliases``, ``kind``, ``created`` and ``tags`` (each once, without ``#``) come from
    properties and body; ``links`` are the distinct targets of its links, as written, external ones
    left out. ``open`` is false where the properties keep the note from readers, or cannot be read.
    """

    path: str
    title: str
    aliases: tuple[str, ...]
    headings: tuple[str, ...]
    tags: tuple[str, ...]
    kind: str
    created: str
    open: bool
    text: str
    links: tuple[str, ...]


def vault_text(note: Note, tag_field: str = "tags") -> VaultText:
    """Any note is searchable, one with broken properties by its text alone."""
    name = note.path.rpartition("/")[2]
    title = name[:-3] if name[-3:].lower() == ".md" else name
    properties = read_properties(note)
    has = {name.casefold() for name in properties.values}
    return VaultText(
        path=note.path,
        title=title,
        aliases=(
            *(properties.aliases if "aliases" in has else ()),
            *(properties.texts("name") if "name" in has else ()),
        ),
        headings=tuple(headings_in(note.text[note.body_start :])),
        tags=_tags(note, properties, tag_field, has),
        kind=next(iter(properties.texts("kind")), "").casefold() if "kind" in has else "",
        created=next(iter(properties.texts("created")), "")[:10] if "created" in has else "",
        open=not properties.error and ("dream" not in has or _is_open(properties)),
        text=note.text,
        links=targets_in(note),
    )


def _tags(note: Note, properties: Properties, tag_field: str, has: set[str]) -> tuple[str, ...]:
    found: list[str] = []
    if "tags" in has:
        found += properties.tags
    if tag_field != "tags" and tag_field.casefold() in has:
        found += properties.texts(tag_field)
    found = [tag for tag in found if is_tag(tag)]
    if _MAY_BE_TAG.search(note.text):
        found += [tag for tag, _ in body_tags(note)]
    return tuple({tag.casefold(): tag for tag in reversed(found)}.values())


def _is_open(properties: Properties) -> bool:
    """Whether the property ``dream`` says nothing, or yes."""
    said = [value for name, value in properties.values.items() if name.casefold() == "dream"]
    return all(value is True or str(value).strip().casefold() in ("true", "yes") for value in said)


_MAY_BE_TAG = re.compile(r"#[^\s#]")


def terms_of(note: VaultText) -> tuple[str, tuple[str, ...]]:
    """The words of a note's labels, and those of each chunk, parted by spaces; one may come twice.
    The first chunk has those of the labels too."""
    label = "\n".join((note.title, *note.aliases, *note.headings, *note.tags))
    labels = " ".join((spaced(label), *compounds_in(label)))
    chunks = [spaced(shown(note.text[start:end])) for start, end in chunk_spans(note.text)]
    chunks[0] = f"{chunks[0]} {labels}"
    return labels, tuple(chunks)
