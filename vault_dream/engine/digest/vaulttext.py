"""A note of the vault as ``search`` takes it in: its labels, its text, and where its links lead."""

from __future__ import annotations

import re

from vault_dream.engine.digest.chunks import chunk_spans, headings_in, shown
from vault_dream.engine.digest.scripts import compounds_in
from vault_dream.engine.digest.tokens import spaced
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.properties import Properties, read_properties
from vault_dream.engine.vault.tags import body_tags, is_tag
from vault_dream.engine.vault.targets import targets_in

Columns = tuple[str, str, str, str, bool, str]
"""A note's aliases (its ``name`` among them), kind (folded), day of creation, tags without ``#``,
a line each; whether its properties keep nothing from readers; and the distinct targets of its links
as written, a line each, external ones left out."""

_MAY_BE_TAG = re.compile(r"#[^\s#]")


def taken_in(note: Note, tag_field: str = "tags") -> tuple[Columns, str, tuple[str, ...]]:
    """``(columns, labels, chunks)``: labels and chunks are words parted by spaces, perhaps a word
    twice; the first chunk has those of the labels too.

    Any note is searchable, one with broken properties by its text alone.
    """
    properties = read_properties(note)
    has = {name.casefold() for name in properties.values} if properties.values else set()
    aliases: list[str] = []
    if "aliases" in has:
        aliases += properties.aliases
    if "name" in has:
        aliases += properties.texts("name")
    tags = _tags(note, properties, tag_field, has)
    columns = (
        _storable(" ".join(aliases)),
        _storable(_first(properties, "kind").casefold()) if "kind" in has else "",
        _storable(_first(properties, "created")[:10]) if "created" in has else "",
        _storable("\n".join(tags)),
        not properties.error and ("dream" not in has or _is_open(properties)),
        _storable("\n".join(targets_in(note))),
    )
    return columns, *_words(note, (*aliases, *tags))


def _words(note: Note, named: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    text = note.text
    name = note.path.rpartition("/")[2]
    title = name[:-3] if name[-3:].lower() == ".md" else name
    label = "\n".join((title, *named, *headings_in(text[note.body_start :])))
    labels = " ".join((spaced(label), *compounds_in(label)))
    chunks = [spaced(shown(text[start:end])) for start, end in chunk_spans(text)]
    chunks[0] = f"{chunks[0]} {labels}"
    return labels, tuple(chunks)


def _tags(note: Note, properties: Properties, tag_field: str, has: set[str]) -> tuple[str, ...]:
    """The tags of body and properties, each in its first spelling."""
    found: list[str] = []
    if "tags" in has:
        found += properties.tags
    if tag_field != "tags" and tag_field.casefold() in has:
        found += properties.texts(tag_field)
    if found:
        found = [tag for tag in found if is_tag(tag)]
    if _MAY_BE_TAG.search(note.text):
        found += [tag for tag, _ in body_tags(note)]
    return tuple({tag.casefold(): tag for tag in reversed(found)}.values()) if found else ()


def _first(properties: Properties, key: str) -> str:
    return next(iter(properties.texts(key)), "")


def _is_open(properties: Properties) -> bool:
    """Whether the property ``dream`` says nothing, or yes."""
    said = [value for name, value in properties.values.items() if name.casefold() == "dream"]
    return all(value is True or str(value).strip().casefold() in ("true", "yes") for value in said)


def _storable(text: str) -> str:
    """``text`` without what SQLite cannot hold: lone surrogates and NULs."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
