"""Properties: how they are read, and edits that change what they mean to and no other byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.vault.texts import KEYS, VALUES, bodies
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.properties import (
    append_to_property,
    read_properties,
    remove_property,
    same_properties,
    same_value,
    set_properties,
)
from vault_dream.engine.vault.yaml_emit import as_read


def note(text: str) -> Note:
    return parse_note("n.md", text.encode())


def values(text: str) -> dict[str, object]:
    properties = read_properties(note(text))
    assert not properties.error
    return dict(properties.values)


# -- reading -------------------------------------------------------------------------------------


def test_read_like_obsidian() -> None:  # ob-13
    text = "---\nstatus: off\nid: 0123\nat: 12:30\nn: 1_000\n---\n"
    assert values(text) == {"status": "off", "id": 123, "at": "12:30", "n": "1_000"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\na: 2\n---\nx", 3),
        ("---\ntags:\n\t- b\n---\nx", 3),
        ("---\naliases:\n  * bar\n---\n# Important\n", 3),
        ("\ufeff---\r\n\r\na: [\r\n---\r\nx", 4),
    ],
)
def test_an_error_has_its_line_and_no_values(text: str, line: int) -> None:  # ob-07, ob-08
    properties = read_properties(note(text))
    assert properties.error and properties.error_line == line and not properties.values
    with pytest.raises(EditError, match=rf"n\.md:{line}"):
        set_properties(note(text), {"k": "v"})


def test_an_unquoted_wikilink_is_malformed_but_readable() -> None:  # ob-14
    text = "---\nup: [[Home]]\nwho: [[A, B]]\nok: '[[C]]'\nmany:\n  - [[D|E]]\n---\n"
    properties = read_properties(note(text))
    assert properties.malformed_links == ("up", "who", "many")
    assert properties.texts("up") == ("[[Home]]",)
    assert properties.texts("who") == ("[[A, B]]",)
    assert properties.texts("many") == ("[[D|E]]",)
    edited = set_properties(note(text), {"k": 1})
    assert edited == text.replace("---\n", "---\n", 1)[:-4] + "k: 1\n---\n"


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: [a, '#b', a]", ("a", "b")),
        ("tags: a, b c", ("a", "b", "c")),
        ("tags:\n  - a\n  - 2024\n  -\n", ("a", "2024")),
        ("Tags: '#x/y'", ("x/y",)),
        ("tags:", ()),
        ("tags: {a: b}", ()),
        ("tag: a", ()),
        ("tags: [[a, b], {c: d}]", ()),
    ],
)
def test_tags_in_all_their_shapes(yaml: str, tags: tuple[str, ...]) -> None:
    assert read_properties(note(f"---\n{yaml}\n---\n")).tags == tags


def test_aliases_and_cssclasses() -> None:
    properties = read_properties(note("---\naliases: One, Two Words\ncssclasses: a b\n---\n"))
    assert properties.aliases == ("One", "Two Words")
    assert properties.cssclasses == ("a", "b")
    properties = read_properties(note("---\naliases: ['One, Two', 3]\ncssclasses: [a]\n---\n"))
    assert properties.aliases == ("One, Two", "3")


def test_the_same_whatever_the_quotes_and_indents() -> None:  # ob-36
    ours = values('---\nname: "A b"\ntags: [x, "y"]\nup: "[[H]]"\nn: 1\n---\n')
    theirs = values("---\nn: 1\nup: '[[H]]'\nname: A b\ntags:\n      - x\n      - y\n---\n")
    assert same_properties(ours, theirs)
    for other in ({**ours, "n": "1"}, {**ours, "n": True}, {**ours, "tags": ["y", "x"]}, {}):
        assert not same_properties(ours, other)
    broken = read_properties(note("---\na: [\n---\n"))
    assert not same_properties(broken, broken)
    assert same_value({"a": float("nan")}, {"a": float("nan")})


# -- edits, case by case -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nHello\n\n---\n\nWorld\n",  # ob-01
        "--- \na: 1\n---\nb",  # ob-04, and on
        "---\na: 1\n--- \nb",
        "---\na: 1\n...\nb",
        "---\na: 1\n----\nb",
        "\n---\na: 1\n---\n",
        "\ufeff\n---\na: 1\n---\n",
        "---\ra: 1\r---\r",
        "----\na: 1\n----\n",
        "---\na: 1",
        "---\na: 1\rb: 2\n---\n",  # a lone carriage return: readers differ
        "",  # ob-29
    ],
)
def test_refused_where_obsidian_would_read_it_otherwise(text: str) -> None:
    for edit in (
        lambda it: set_properties(it, {"k": "v"}),
        lambda it: append_to_property(it, "k", ["v"]),
        lambda it: remove_property(it, "a"),
    ):
        with pytest.raises(EditError) as caught:
            edit(note(text))
        assert caught.value.where.startswith("n.md") and caught.value.next


EDITS: list[tuple[str, Callable[[Note], str], str]] = [
    # ob-02, ob-03, ob-04, ob-05, ob-09, ob-10, ob-12
    (
        "---\r\ntags:\r\n  - a\r\n---\r\nBody\r\n",
        lambda it: set_properties(it, {"digest": "[[D]]"}),
        '---\r\ntags:\r\n  - a\r\ndigest: "[[D]]"\r\n---\r\nBody\r\n',
    ),
    (
        "\ufeff---\ntitle: T\n---\n# H\n",
        lambda it: set_properties(it, {"k": "v"}),
        "\ufeff---\ntitle: T\nk: v\n---\n# H\n",
    ),
    ("---\na: 1\n---", lambda it: set_properties(it, {"k": "v"}), "---\na: 1\nk: v\n---"),
    ("---\n---\nbody", lambda it: set_properties(it, {"k": "v"}), "---\nk: v\n---\nbody"),
    ("---\r\n---\r\n", lambda it: set_properties(it, {"k": "v"}), "---\r\nk: v\r\n---\r\n"),
    (
        "---\nabout: |\n  one\n  ---\n  two\ntags:\n  - x\n---\nBody\n",
        lambda it: set_properties(it, {"k": "v"}),
        "---\nabout: |\n  one\n  ---\n  two\ntags:\n  - x\nk: v\n---\nBody\n",
    ),
    (
        '---\n# mine\ntitle: "Q: what?"\ndate: 2026-03-16\nempty:\nzip: "01234"\n'
        "tags: [b, a]   # keep\n---\nB\n",
        lambda it: set_properties(it, {"reviewed": True}),
        '---\n# mine\ntitle: "Q: what?"\ndate: 2026-03-16\nempty:\nzip: "01234"\n'
        "tags: [b, a]   # keep\n"
        "reviewed: true\n---\nB\n",
    ),
    (
        "---\na: 1\n---\n\n\n    indented code\n\nlast line no newline",
        lambda it: set_properties(it, {"a": 2}),
        "---\na: 2\n---\n\n\n    indented code\n\nlast line no newline",
    ),
    (
        "---\ntags:\n  - 🛒買い物\n---\n",
        lambda it: append_to_property(it, "tags", ["📦箱", "🛒買い物"]),
        "---\ntags:\n  - 🛒買い物\n  - 📦箱\n---\n",
    ),
    # values in place
    ("hello\n", lambda it: set_properties(it, {"k": "v"}), "---\nk: v\n---\nhello\n"),
    ("a\r\nb\r\n", lambda it: set_properties(it, {"k": 1}), "---\r\nk: 1\r\n---\r\na\r\nb\r\n"),
    ("\ufeffhello", lambda it: set_properties(it, {"k": 1}), "\ufeff---\nk: 1\n---\nhello"),
    ("---\na: 'x' # c\n---\n", lambda it: set_properties(it, {"a": "z"}), "---\na: z # c\n---\n"),
    ("---\na: # c\n---\n", lambda it: set_properties(it, {"a": "z"}), "---\na: z # c\n---\n"),
    ("---\na:\n---\n", lambda it: set_properties(it, {"a": "z"}), "---\na: z\n---\n"),
    ("---\na: x\n---\n", lambda it: set_properties(it, {"a": None}), "---\na:\n---\n"),
    (
        "---\na: 😀 x\nb: 1\n---\n",
        lambda it: set_properties(it, {"b": 2}),
        "---\na: 😀 x\nb: 2\n---\n",
    ),
    ("---\n? a\n: 1\n---\n", lambda it: set_properties(it, {"a": 2}), "---\n? a\n: 2\n---\n"),
    (
        "---\na: |\n  x\n\n  y\n\nb: 1\n---\n",
        lambda it: set_properties(it, {"a": ["p"]}),
        "---\na: [p]\n\nb: 1\n---\n",
    ),
    (
        "---\n  a: 1\n  b: 2\n---\n",
        lambda it: set_properties(it, {"c": 3}),
        "---\n  a: 1\n  b: 2\n  c: 3\n---\n",
    ),
    # lists
    (
        "---\nt: [ a, 'b' ]\n---\n",
        lambda it: append_to_property(it, "t", ["c"]),
        "---\nt: [ a, 'b', c ]\n---\n",
    ),
    (
        "---\nt: []\n---\n",
        lambda it: append_to_property(it, "t", ["a", "b"]),
        "---\nt: [a, b]\n---\n",
    ),
    (
        "---\nt: a # c\n---\n",
        lambda it: append_to_property(it, "t", ["b"]),
        "---\nt: [a, b] # c\n---\n",
    ),
    ("---\nt:\n---\n", lambda it: append_to_property(it, "t", ["b"]), "---\nt: [b]\n---\n"),
    (
        "---\nx: 1\n---\n",
        lambda it: append_to_property(it, "t", ["[[A]]"]),
        '---\nx: 1\nt: ["[[A]]"]\n---\n',
    ),
    (
        "---\nt: # c\n  - a # x\n\n  - 'b'\n  # tail\nz: 1\n---\n",
        lambda it: append_to_property(it, "t", ["d", "a"]),
        "---\nt: # c\n  - a # x\n\n  - 'b'\n  - d\n  # tail\nz: 1\n---\n",
    ),
    (
        "---\nt:\n- a\n-   b\n---\n",
        lambda it: append_to_property(it, "t", ["c"]),
        "---\nt:\n- a\n-   b\n- c\n---\n",
    ),
    (
        "---\nt:\n  - a\n  - b # mine\n  - c\n---\n",
        lambda it: set_properties(it, {"t": ["b", "d"]}),
        "---\nt:\n  - b # mine\n  - d\n---\n",
    ),
    (
        "---\nt:\n  - a # x\n  - b\n---\n",
        lambda it: set_properties(it, {"t": ["b", "a"]}),
        "---\nt:\n  - b\n  - a # x\n---\n",
    ),
    (
        "---\nt: # c\n  - a\nz: 1\n---\n",
        lambda it: set_properties(it, {"t": "q"}),
        "---\nt: q # c\nz: 1\n---\n",
    ),
    (
        "---\nt:\n  - a\nz: 1\n---\n",
        lambda it: set_properties(it, {"t": []}),
        "---\nt: []\nz: 1\n---\n",
    ),
    ("---\nt:\n  x: 1\n---\n", lambda it: set_properties(it, {"t": "q"}), "---\nt: q\n---\n"),
    # removal
    ("---\na: 1 # c\nb: 2\n---\n", lambda it: remove_property(it, "a"), "---\nb: 2\n---\n"),
    ("---\na: 1\n---\n", lambda it: remove_property(it, "a"), "---\n---\n"),
    ("---\na: 1\n---\n", lambda it: remove_property(it, "b"), "---\na: 1\n---\n"),
    (
        "---\na: 1\nt:\n  - x\n  - y\n# c\nb:\n---\n",
        lambda it: remove_property(it, "t"),
        "---\na: 1\n# c\nb:\n---\n",
    ),
    ("---\na: >\n  x\n\n  y\nb:\n---\n", lambda it: remove_property(it, "a"), "---\nb:\n---\n"),
    # a JSON block stays JSON
    (
        '---\n{"a": 1, "b": [1]}\n---\n',
        lambda it: set_properties(it, {"a": "x", "c": [2]}),
        '---\n{"a": "x", "b": [1], "c": [2]}\n---\n',
    ),
    ('---\n{"a": 1, "b": 2}\n---\n', lambda it: remove_property(it, "a"), '---\n{"b": 2}\n---\n'),
    ('---\n{"a": 1, "b": 2}\n---\n', lambda it: remove_property(it, "b"), '---\n{"a": 1}\n---\n'),
]


@pytest.mark.parametrize(("before", "edit", "after"), EDITS)
def test_edit(before: str, edit: Callable[[Note], str], after: str) -> None:
    assert edit(note(before)) == after
    assert edit(note(after)) == after  # done twice is done once


def test_what_already_means_the_same_is_left_as_written() -> None:  # ob-36
    text = "---\nname:   'A b'\ntags:\n      - x\n      - \"y\"\nn: 0x10\n---\n"
    assert set_properties(note(text), {"name": "A b", "tags": ["x", "y"], "n": 16}) == text


@pytest.mark.parametrize(
    "text",
    [
        "---\na: &x 1\nb: *x\n---\n",  # the anchor another value needs
        "---\na: [1, # one\n  2]\n---\n",
        "---\na: 1\n...\n---\n",
        "---\n- a\n---\n",
    ],
)
def test_what_cannot_be_spliced_is_refused(text: str) -> None:
    with pytest.raises(EditError):
        set_properties(note(text), {"a": [9], "c": 1})


def test_a_mapping_takes_no_items() -> None:
    with pytest.raises(EditError, match="not a list"):
        append_to_property(note("---\na: {b: c}\n---\n"), "a", ["x"])


# -- edits, by property ----------------------------------------------------------------------------

PROPERTY_LINES = st.sampled_from(
    [
        *("# comment", "", 'title: "Q: what?"', "date: 2026-03-16", "empty:", "zip: '01234'  "),
        *("tags: [b, a]   # keep", "list:\n  - one\n  - 'two' # c\n  # in\n  - 3", "ni:\n- x\n- y"),
        *(
            "about: |\n  one\n   ---\n\n  two\n",
            "fold: >-\n  long\n  text",
            "up: [[Home]]",
            "n: 1_000",
        ),
        *(
            "🛒: 買い物 📦",
            "map:\n  x: 1\n  y: [1, 2]",
            "fl: {a: 1, b: [x]}",
            "q: 'it''s\n  on'",
            "é: e",
        ),
        *(
            "long: " + "word " * 40 + "end",
            "yes: no",
            "sp ace: x",
            "nest:\n  - - a\n    - b\n  - k: v",
        ),
        *("keep: |+\n  x\n\n", "ml:\n  next line", "fl2: [a,\n  b]", "e2: ''", "em: []", "  "),
    ]
)


@st.composite
def notes_with_properties(draw: st.DrawFn) -> str:
    lines = draw(st.lists(PROPERTY_LINES, unique=True, max_size=6))
    text = "---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + draw(bodies(("\n",)))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return ("\ufeff" if draw(st.booleans()) else "") + text


def untouched(before: Note, after: str, key: str) -> None:
    """Every line of the old block that is not the key's own, and the body, is there, in order."""
    root_lines = before.text.splitlines(keepends=True)
    new_lines = iter(after.splitlines(keepends=True))
    inside = False
    for line in root_lines:
        if line[:1].strip() and not line.startswith(("#", "-")):
            inside = line.startswith(f"{key}:")
        if line.startswith("---"):
            inside = False
        if not inside:
            assert any(line == new for new in new_lines), line


@given(notes_with_properties(), KEYS, VALUES, st.data())
def test_set_changes_one_property_and_no_other_line(
    text: str, key: str, value: object, data: st.DataObject
) -> None:
    it = note(text)
    properties = read_properties(it)
    assume(not properties.error and it.frontmatter)
    if properties.values and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(properties.values)))
    try:
        edited = set_properties(it, {key: value})
    except EditError as error:
        assert "cannot be edited safely" not in error.what or "map" in key or "nest" in key
        return
    assert values(edited) == {**properties.values, key: as_read(value)} or value != value
    untouched(it, edited, key)


@given(
    notes_with_properties(),
    st.lists(st.sampled_from(["x", "a: b", "[[N]]", "語"]), max_size=3),
    st.data(),
)
def test_append_adds_to_one_list(text: str, items: list[str], data: st.DataObject) -> None:
    it = note(text)
    properties = read_properties(it)
    assume(not properties.error and properties.values)
    key = data.draw(st.sampled_from([*sorted(properties.values), "new"]))
    old = properties.values.get(key)
    try:
        edited = append_to_property(it, key, items)
    except EditError as error:
        assert isinstance(old, dict) or "cannot be edited safely" not in error.what
        return
    before = old if isinstance(old, list) else [] if old in (None, "") else [old]
    added = [item for item in dict.fromkeys(items) if item not in before]
    if added:
        assert values(edited) == {**properties.values, key: [*before, *added]}
        untouched(it, edited, key)
    else:
        assert edited == text


@given(notes_with_properties(), st.data())
def test_remove_takes_one_property_away(text: str, data: st.DataObject) -> None:
    it = note(text)
    properties = read_properties(it)
    assume(not properties.error and properties.values)
    key = data.draw(st.sampled_from(sorted(properties.values)))
    try:
        edited = remove_property(it, key)
    except EditError:
        assert "keep: |+" in text  # its value would take up the blank lines that follow
        return
    assert values(edited) == {k: v for k, v in properties.values.items() if k != key}
    untouched(it, edited, key)
