"""Real vaults that nobody here wrote: every note is read, and an edit undone leaves its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.fields import fields_in
from vault_dream.engine.vault.inline import inline_spans
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.properties import (
    read_properties,
    remove_property,
    same_value,
    set_properties,
)
from vault_dream.engine.vault.tags import tags_in
from vault_dream.engine.vault.yaml_core import compose

REPOSITORY = Path(__file__).parents[3]
VAULTS = REPOSITORY.parent / "shared" / "vaults"


def notes() -> list[Note]:
    if not VAULTS.is_dir():
        pytest.skip("shared vaults not present")
    return [
        parse_note(path.relative_to(VAULTS).as_posix(), path.read_bytes())
        for path in sorted(VAULTS.rglob("*.md"))
    ]


def test_both_ways_of_reading_agree() -> None:
    for note in notes():
        structure = note.structure
        assert note.headings == structure.headings, note.path
        spans = inline_spans(note.text, note.body_start, structure)
        assert (note.opaque(), note.hidden()) == spans, note.path
        if note.frontmatter is not None and not read_properties(note).error:
            root = compose(note.text[note.frontmatter.start : note.frontmatter.end])
            values = root.value if root is not None else {}
            assert same_value(values or {}, dict(read_properties(note).values)), note.path
        tags_in(note), fields_in(note)


def test_a_property_set_and_removed_leaves_the_bytes() -> None:
    refused = []
    for note in notes():
        had_block = note.frontmatter is not None
        try:
            text = set_properties(note, {"dreamt 🌙": ["[[a]]", "yes"]})
        except EditError as error:
            refused.append(error)
            continue
        back = remove_property(parse_note(note.path, text.encode()), "dreamt 🌙")
        if not had_block:
            fence = f"---{note.newline}"
            back = back.replace(fence + fence, "", 1)
        assert back == note.text, note.path
    assert all(error.where and error.what and error.next for error in refused)
    assert len(refused) < 10
