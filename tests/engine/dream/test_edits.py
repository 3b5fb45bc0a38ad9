"""Edit operations: exactly once, in the note's line ends, the same after a trip through JSON."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.dream.edits import (
    AppendToProperty,
    CreateNote,
    FileChange,
    Op,
    ReplaceText,
    SetProperties,
    apply_ops,
    op_as_json,
    op_from_json,
    text_hash,
)
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.splice import replace_once

NODE = "---\nname: A\ndescription: B\n---\n\nOne line here.\nAnother line there.\n"


@pytest.mark.parametrize(
    ("text", "old", "words"),
    [
        ("a b c", "", "is empty"),
        ("a b c", "x", "is not in the note"),
        ("a b a", "a", "occurs 2 times"),
        ("aXaXa", "aXa", "occurs 2 times"),
        ("one\n\n\ntwo", "\n\n", "occurs 2 times"),
        ("a b c", "b", "are the same"),
    ],
)
def test_the_text_to_replace_stands_exactly_once_and_changes(
    text: str, old: str, words: str
) -> None:
    with pytest.raises(EditError, match=words):
        replace_once(text, old, "b", where="n.md")


def test_line_feeds_match_any_line_end_and_are_written_as_the_notes_own() -> None:
    text = "one\r\ntwo\r\nthree\r\n"
    changed = replace_once(text, "one\ntwo", "one\nand\ntwo", where="n.md", newline="\r\n")
    assert changed == "one\r\nand\r\ntwo\r\nthree\r\n"


@given(
    st.text("ab \n", max_size=12),
    st.text("ab \n", min_size=1, max_size=4),
    st.text("xy\n", max_size=4),
)
def test_everything_outside_the_one_place_stays(text: str, old: str, new: str) -> None:
    places = [i for i in range(len(text)) if text.startswith(old, i)]
    try:
        changed = replace_once(text, old, new, where="n.md")
    except EditError:
        assert len(places) != 1 or old == new
    else:
        (at,) = places
        assert changed == text[:at] + new + text[at + len(old) :]


@pytest.mark.parametrize(
    "op",
    [
        CreateNote("\ud800"),
        ReplaceText("One line", "\udfff line"),
        SetProperties({"name": "\ud800"}),
        AppendToProperty("aliases", ("\ud800",)),
    ],
)
def test_what_no_file_can_hold_is_refused(op: Op) -> None:
    with pytest.raises(EditError):
        apply_ops("digest/wiki/a.md", None if isinstance(op, CreateNote) else NODE, [op])


@pytest.mark.parametrize("text", ["nul \x00 byte", "bell \x07", "escape \x1b[31m"])
def test_control_characters_are_refused(text: str) -> None:
    with pytest.raises(EditError, match="control"):
        apply_ops("digest/wiki/a.md", NODE, [ReplaceText("One line here.", text)])


def test_controls_that_the_owner_has_are_no_obstacle_elsewhere() -> None:
    text = NODE.replace("Another", "\x0cAnother")
    assert "Two" in apply_ops("a.md", text, [ReplaceText("One line", "Two lines")])


def test_a_note_with_merge_markers_is_read_only() -> None:
    text = NODE + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
    with pytest.raises(EditError, match="merge"):
        apply_ops("a.md", text, [ReplaceText("One line", "Two lines")])


def test_operations_need_the_note_they_speak_of() -> None:
    with pytest.raises(EditError, match="exists already"):
        apply_ops("a.md", NODE, [CreateNote("x")])
    with pytest.raises(EditError, match="is gone"):
        apply_ops("a.md", None, [ReplaceText("a", "b")])
    with pytest.raises(EditError, match="nothing creates it"):
        apply_ops("a.md", None, [])


@pytest.mark.parametrize(
    "op",
    [
        CreateNote("text"),
        ReplaceText("a", "b"),
        SetProperties({"updated": date(2026, 1, 2), "n": 3, "ok": True, "list": ["a", "b"]}),
        AppendToProperty("aliases", ("a", "b")),
    ],
)
def test_an_operation_survives_json(op: Op) -> None:
    assert op_from_json(json.loads(json.dumps(op_as_json(op)))) == op


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"op": "delete"},
        {"op": "replace", "old": "a"},
        {"op": "properties", "values": {"x": {}}},
    ],
)
def test_what_is_no_operation_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError)):
        op_from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        {"path": "a.md", "base": 7, "ops": []},
        {"path": "a.md", "base": None, "ops": [{"op": "replace", "old": 1, "new": "b"}]},
        {"path": "../a.md", "base": None, "ops": []},
        {"path": "/etc/a.md", "base": None, "ops": []},
        {"path": None, "base": None, "ops": []},
    ],
)
def test_a_change_that_somebody_spoilt_is_not_read(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError)):
        FileChange.from_json(data)


def test_the_hash_is_that_of_the_bytes() -> None:
    import hashlib

    assert text_hash("ä\r\n") == hashlib.sha256("ä\r\n".encode()).hexdigest()
