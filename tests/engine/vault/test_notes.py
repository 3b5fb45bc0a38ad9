"""A note's bytes, fences, headings, blocks, opaque spans and insertions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.engine.vault.texts import bodies, notes_of_lines
from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.inline import inline_spans
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import Note, append, insert_in_section, parse_note
from vault_dream.engine.vault.scanner import scan
from vault_dream.engine.vault.sketch import sketch
from vault_dream.engine.vault.tags import tags_in

REPOSITORY = Path(__file__).resolve().parents[3]
REAL_LINES = tuple(
    sorted(
        {
            line
            for folder in (REPOSITORY / "sample_vault", REPOSITORY.parent / "shared" / "vaults")
            for path in sorted(folder.rglob("*.md"))
            for line in path.read_bytes().decode("utf-8", "replace").replace("\0", "").splitlines()
        }
    )
)


def note(text: str) -> Note:
    return parse_note("n.md", text.encode())


def opaque(text: str) -> list[str]:
    return [text[span.start : span.end] for span in note(text).opaque()]


def hidden(text: str) -> list[str]:
    return [text[span.start : span.end] for span in note(text).hidden()]


def titles(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in note(text).headings]


def kinds(text: str) -> list[tuple[str, str]]:
    it = note(text)
    return [(block.kind, it.block_text(block)) for block in it.blocks]


# -- bytes ---------------------------------------------------------------------------------------


@given(st.binary(max_size=60))
def test_text_is_the_bytes_or_is_not_editable(raw: bytes) -> None:
    it = parse_note("n.md", raw)
    assert it.raw == raw
    if it.editable:
        assert it.text.encode() == raw
        assert "\0" not in it.text
    else:
        assert it.reason


@given(bodies())
def test_spans_are_inside_the_text_in_order_and_only_blanks_are_between_blocks(text: str) -> None:
    it = note(text)
    for spans in (it.opaque(), it.hidden(), it.headings, it.blocks):
        position = it.body_start
        for span in spans:
            assert position <= span.start <= span.end <= len(text)
            position = span.end if spans is it.blocks else span.start
    position = it.body_start
    for block in it.blocks:
        assert not text[position : block.start].strip(" \t\r\n")
        assert block.line == it.line_of(block.start)
        assert block.end_line == it.line_of(block.end)
        position = block.end
    assert not text[position:].strip(" \t\r\n")


@given(st.one_of(bodies(), bodies(("\n", "\n\n")), bodies(("\r\n", "\r\n\r\n"))))
@example("$aa\n`$`")
@example("* x\n   - y\n    - z")
@example("1. \t> * x\n\t- [ ] t")
@example("%% a\nb %% c\n    d")
@example("%%<%%%\na%>\n%%b")
@example("a\n\n\t    \u2028\n\nb")
@settings(max_examples=200)
def test_the_quick_way_sees_what_the_full_way_sees(text: str) -> None:
    quick = sketch(text, 0, 1)
    if quick is not None:
        structure = scan(text, 0, 1)
        assert quick[:3] == (structure.headings, *inline_spans(text, 0, structure))
        assert quick.tables or all(row[0] != "table" for row in structure.rows)


@given(notes_of_lines(REAL_LINES))
@example("- \ttext\n    1. d")
@example("- a\n   - b\n    - c")
@example("1. a\n      - b\n       # h")
@example("- a ($)\n- b ($)\n")
@example("%% k\n```\n# H\n```\n%%\n")
@example("Word\n---\n\n> ```\n> `\n> ```\n")
@settings(max_examples=1000)
def test_the_quick_way_finds_what_the_full_way_finds(text: str) -> None:
    quick, full = note(text), note(text)
    full.__dict__["sketch"] = None
    assert quick.headings == full.headings
    assert (quick.opaque(), quick.hidden()) == (full.opaque(), full.hidden())
    assert links_in(quick) == links_in(full)
    assert tags_in(quick) == tags_in(full)
    if quick.sketch is not None and not quick.sketch.tables:
        assert all(block.kind != "table" for block in full.blocks)


@pytest.mark.parametrize("raw", [b"# hi\ncaf\xe9\n", b"a\x00b"])  # ob-32
def test_undecodable_bytes_are_read_but_never_edited(raw: bytes) -> None:
    it = parse_note("n.md", raw)
    assert not it.editable and "\ufffd" in it.text and it.sha256
    with pytest.raises(EditError, match=r"UTF-8|NUL"):
        append(it, "x")


def test_a_zero_byte_note_is_unknown_not_empty() -> None:  # ob-29
    it = note("")
    assert it.blocks == () and it.frontmatter is None
    for edit in (lambda: append(it, "x"), lambda: insert_in_section(it, "Log", "x")):
        with pytest.raises(EditError, match="syncing"):
            edit()


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a\r\nb\r\nc\n", "\r\n"),
        ("a\nb\r\n", "\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\rb", "\n"),
    ],
)
def test_the_newline_most_lines_have(text: str, newline: str) -> None:
    assert note(text).newline == newline


# -- fences of the properties block ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "yaml", "body"),
    [
        ("---\na: 1\n---", "a: 1\n", ""),  # ob-04: ended by the end of the file
        ("---\n---\nbody", "", "body"),
        ("---\r\na: 1\r\n---\r\nb", "a: 1\r\n", "b"),
        ("\ufeff---\ntitle: T\n---\n# H\n", "title: T\n", "# H\n"),  # ob-03
        (
            "---\nabout: |\n  one\n  ---\n  two\n---\nBody\n",
            "about: |\n  one\n  ---\n  two\n",
            "Body\n",
        ),
        ("---\n# only a comment\n---\nb", "# only a comment\n", "b"),
        ("---\na: [\n---\nb", "a: [\n", "b"),  # broken properties are still properties
        ('---\n{"a": 1}\n---\nb', '{"a": 1}\n', "b"),
        ("---\na: 1\n---\nb\n---\nc", "a: 1\n", "b\n---\nc"),
    ],
)
def test_a_block(text: str, yaml: str, body: str) -> None:
    it = note(text)
    assert it.frontmatter is not None
    assert text[it.frontmatter.start : it.frontmatter.end] == yaml
    assert text[it.body_start :] == body


@pytest.mark.parametrize(
    "text",
    [
        "--- \na: 1\n---\nb",
        "---\na: 1\n--- \nb",
        "---\na: 1\n...\nb",
        "---\na: 1\n----\nb",
        "\n---\na: 1\n---\n",
        "----\na: 1\n---\n",
        "---\ra: 1\r---\rb",
        "---\na: 1\n---\rb",
        " ---\na: 1\n---\n",
        "---",
        "---\n",
        "---\n\nHello\n\n---\n\nWorld\n",  # ob-01: two rules around prose
        "---\n- a\n- b\n---\n",
    ],
)
def test_no_block(text: str) -> None:
    it = note(text)
    assert it.frontmatter is None
    assert it.body_start == 0


# -- headings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B ##\n### C #\n####### no\n#tag\n", [(1, "A"), (2, "B"), (3, "C")]),
        ("#\n##  \n", [(1, ""), (2, "")]),
        ("#\ttab\n   # three\n    # four\n", [(1, "tab"), (1, "three")]),
        ("\\# no\n# C# is\n# a \\#\n", [(1, "C# is"), (1, "a \\#")]),
        ("Title\n===\nSub\n---\n", [(1, "Title"), (2, "Sub")]),
        ("two\nlines\n===\n", [(1, "two lines")]),
        ("\n---\n- a\n---\n| a | b |\n|---|---|\n---\n", []),
        ("> # in a quote\n- # in a list\n- a\n  # in an item\n", []),
        ("```\n# no\n```\n~~~\n# no\n~~~\n# yes\n", [(1, "yes")]),
        ("```\n# unclosed\n", []),
        ("````\n```\n# no\n```\n````\n# yes", [(1, "yes")]),
        ("- a\n  ```\n  # no\n  ```\n# yes\n", [(1, "yes")]),
        ("- ```\n  # no\n# ends the item and the fence\n", [(1, "ends the item and the fence")]),
        ("> ```\n> # no\n# ends the quote\n", [(1, "ends the quote")]),
        ("%%\n# no\n%%\n# yes\n", [(1, "yes")]),
        ("%%\n# never closed\n", []),
        ("<!--\n# no\n\n# no\n-->\n# yes\n", [(1, "yes")]),
        ("$$\n# no\n$$\n# yes\n$$ open\n# too\n", [(1, "yes"), (1, "too")]),
        ("<div>\n# no\n\n# yes\n", [(1, "yes")]),
        ("<style>\n# no\n\n# no\n</style>\n# yes\n", [(1, "yes")]),
        ("<%* if (x) {\n# no\n%>\n# yes\n", [(1, "yes")]),
        ("a\r# b\r\n# c\n", [(1, "b"), (1, "c")]),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    assert titles(text) == expected


def test_heading_spans_and_lines_count_the_frontmatter() -> None:
    it = note("---\na: 1\n---\n\n## B ^id\ntext\n")
    (heading,) = it.headings
    assert it.text[heading.start : heading.end] == "## B ^id"
    assert heading.line == 5
    assert [block.headings for block in it.blocks] == [(), ("B ^id",)]
    assert it.blocks[0].block_id == "id"


def test_sections_end_at_the_same_or_a_higher_level() -> None:
    it = note("# A\na\n## B\nb\n### C\nc\n## D\nd\n# b\n")
    spans = {name: it.section(name) for name in ("A", "B", "C", "b", "none", "a")}
    texts = {n: it.text[s.start : s.end] if s else None for n, s in spans.items()}
    assert texts == {
        "A": "# A\na\n## B\nb\n### C\nc\n## D\nd\n",
        "B": "## B\nb\n### C\nc\n",
        "C": "### C\nc\n",
        "b": "# b\n",
        "none": None,
        "a": "# A\na\n## B\nb\n### C\nc\n## D\nd\n",
    }


# -- blocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
        ("- a\n  more\nlazy\n- b", [("item", "- a\n  more\nlazy"), ("item", "- b")]),
        ("- a\n  - b\n    c", [("item", "- a"), ("item", "  - b\n    c")]),
        ("- a\n\n  second", [("item", "- a"), ("paragraph", "  second")]),
        (
            "a\n\n    code\n\n    more\nb",
            [("paragraph", "a"), ("code", "    code\n\n    more"), ("paragraph", "b")],
        ),
        ("a\n    no code", [("paragraph", "a\n    no code")]),
        ("> a\nlazy\n> b\n\nc", [("quote", "> a\nlazy\n> b"), ("paragraph", "c")]),
        ("> [!note] T\n> ## H\n> - x", [("callout", "> [!note] T\n> ## H\n> - x")]),
        (
            "x\n| a |\n|---|\n| 1 |\n\ny",
            [("paragraph", "x"), ("table", "| a |\n|---|\n| 1 |"), ("paragraph", "y")],
        ),
        ("a\n***\nb", [("paragraph", "a"), ("rule", "***"), ("paragraph", "b")]),
        ("a\n2. b", [("paragraph", "a\n2. b")]),
        ("1. a\n2. b", [("item", "1. a"), ("item", "2. b")]),
        ("<div>\nx\n</div>\n\ny", [("html", "<div>\nx\n</div>"), ("paragraph", "y")]),
        ("%% c %%\nx", [("comment", "%% c %%"), ("paragraph", "x")]),
        ("$$\nx\n\ny\n$$\nz", [("math", "$$\nx\n\ny\n$$"), ("paragraph", "z")]),
        ("- ```py\n  x\n  ```\n- y", [("code", "- ```py\n  x\n  ```"), ("item", "- y")]),
    ],
)
def test_blocks(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_depth_counts_list_nesting() -> None:
    it = note("p\n\n- a\n\t- b\n\t\t- c\n- d\n\n1. x\n   - y\n")
    assert [block.depth for block in it.blocks] == [0, 1, 2, 3, 1, 1, 2]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("a ^one\n\nb\n^two", ["one", "two"]),
        ("- a ^one\n- b", ["one", None]),
        ("> q\n\n^q-1\n\nx", ["q-1", None]),
        ("> q\n^q-1\n", ["q-1"]),
        ("| a |\n|---|\n\n^t", ["t"]),
        ("- a\n- b\n\n^list", [None, "list"]),
        ("a^no\n\nb ^no_t", [None, None]),
        ("```\nx ^no\n```", [None]),
    ],
)
def test_block_ids(text: str, ids: list[str | None]) -> None:
    assert [block.block_id for block in note(text).blocks] == ids


# -- opaque and hidden ---------------------------------------------------------------------------


def test_what_is_not_a_link() -> None:  # ob-19
    text = (
        '`[[a]]`\n~~~js\n[[b]]\n~~~\n```dataviewjs\ndv.page("[[c]]")\n```\n'
        '<% tp.file.include("[[d]]") %>\n%%[[e]]%%\n[[f]]\n'
    )
    assert opaque(text) == [
        "`[[a]]`",
        "~~~js\n[[b]]\n~~~",
        '```dataviewjs\ndv.page("[[c]]")\n```',
        '<% tp.file.include("[[d]]") %>',
    ]
    assert hidden(text) == ["%%[[e]]%%"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("``a ` b`` c", ["``a ` b``"]),
        ("\\`a` b`", ["` b`"]),
        ("`a\nb` c", ["`a\nb`"]),
        ("`a\n\nb` c", []),
        ("- `a\n- b`", []),
        ("| ` | ` |\n|---|---|\n| ` | x |", ["` | `"]),
        ("$a$ $5 and $6, $x$1", ["$a$"]),
        ("a $$x$$ b", ["$$x$$"]),
        ("[[a$b]] and [[c$d]]", []),
        ("a <!-- b --> c <!-- d", ["<!-- b -->"]),
        ("a <% b\n\nc %> d", ["<% b\n\nc %>"]),
        ("a\n\n    [[code]]\n", ["    [[code]]"]),
        ("- a\n\n      code\n", ["      code"]),
        ("- a\n    - b\n\n        - c\n", []),
        ("> ```\n> [[x]]\n> ```\n> [[y]]", ["```\n> [[x]]\n> ```"]),
        ("> > ```\n> > x\n> y", ["```\n> > x"]),
        ("> - ```\n>   x\n>   ```\n> y", ["```\n>   x\n>   ```"]),
        ("1. a\n\n   ```\n   x\n   ```\n", ["```\n   x\n   ```"]),
        ("```\n~~~\n```\n`x`", ["```\n~~~\n```", "`x`"]),
        ("```a`b\n[[x]]\n", []),
        ("```\n``` x\n", ["```\n``` x"]),
        ("~~~ a`b\nx\n~~~\n", ["~~~ a`b\nx\n~~~"]),
        ("```\r\nx\r\n```\r\ny", ["```\r\nx\r\n```"]),
    ],
)
def test_opaque(text: str, expected: list[str]) -> None:
    assert opaque(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a %%b%% c", ["%%b%%"]),
        ("%%\na\n\nb\n%% c", ["%%\na\n\nb\n%%"]),
        ("%% to the end\n\nb", ["%% to the end\n\nb"]),
        ("100%% sure\n\nand 50%% more", []),
        ("`%%` a `%%`", []),
        ("```\n%%\n```\na", []),
        ("%%\n```\n%%\na `x`", ["%%\n```\n%%"]),
        ("[x](https://e.org/%%20) %%y%%", ["%%y%%"]),
        ("> %%\n> a\n> %%\n> b", ["%%\n> a\n> %%"]),
    ],
)
def test_hidden(text: str, expected: list[str]) -> None:
    assert [span.rstrip("\n") for span in hidden(text)] == expected


# -- insertions ----------------------------------------------------------------------------------


def test_insert_under_the_real_heading() -> None:  # ob-33
    text = (
        "```\n## Log\n```\n> [!note]\n> ## Log\n\n## Log\n#idea tag line\nlast line without newline"
    )
    assert insert_in_section(note(text), "Log", "- x") == text + "\n- x"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## Log\n- a\n\n## Next\nb\n", "## Log\n- a\n- x\n\n## Next\nb\n"),
        ("## Log\n## Next\n", "## Log\n- x\n## Next\n"),
        ("## Log\r\na\r\n", "## Log\r\na\r\n- x\r\n"),
        ("## Log\n| a |\n|---|\n\n^id\n", "## Log\n| a |\n|---|\n\n^id\n- x\n"),
        ("## Log\n<div>\nx\n</div>\n", "## Log\n<div>\nx\n</div>\n\n- x\n"),
        ("## Log\na\nNext\n===\n", "## Log\n- x\n\na\nNext\n===\n"),
        ("## Log\na\n### Sub\nb\n", "## Log\na\n### Sub\nb\n- x\n"),
    ],
)
def test_insert_in_section(before: str, after: str) -> None:
    assert insert_in_section(note(before), "Log", "- x") == after


def test_a_paragraph_is_not_swallowed_by_the_block_above() -> None:
    assert insert_in_section(note("## Log\n> q\n"), "Log", "text") == "## Log\n> q\n\ntext\n"
    assert append(note("para\n"), "text") == "para\n\ntext\n"
    assert append(note("- item"), "text") == "- item\n\ntext"


def test_no_section_and_no_way_in() -> None:
    with pytest.raises(EditError, match="no section"):
        insert_in_section(note("## Other\n"), "Log", "- x")
    for unclosed in ("## Log\n```\ncode\n", "## Log\n%%\nhidden\n"):
        with pytest.raises(EditError, match="inside"):
            insert_in_section(note(unclosed), "Log", "- x")
        with pytest.raises(EditError, match="inside"):
            append(note(unclosed), "- x")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\n", "a\n- x\n"),
        ("a", "a\n- x"),
        ("a\r\n", "a\r\n- x\r\n"),
        ("---\na: 1\n---", "---\na: 1\n---\n- x"),
        ("\ufeff---\ntitle: T\n---\n# H\n", "\ufeff---\ntitle: T\n---\n# H\n- x\n"),
    ],
)
def test_append(before: str, after: str) -> None:
    assert append(note(before), "- x") == after


@given(bodies(), st.sampled_from(["- x", "text", "## New\n- a\n- b", "> q\n> r"]))
def test_an_insertion_takes_no_byte_away(text: str, new: str) -> None:
    it = note(text)
    if not text:
        return
    try:
        edited = append(it, new)
    except EditError:
        return
    at = edited.rindex(new.split("\n")[0])
    removed = edited[:at].rstrip("\r\n") + edited[at + len(new.replace("\n", it.newline)) :]
    assert removed.strip("\r\n") == text.strip("\r\n") or edited.startswith(text.rstrip("\r\n"))
    kept = [(b.kind, it.block_text(b)) for b in it.blocks]
    assert kinds(edited)[: len(kept)] == kept


# -- hostile sizes -------------------------------------------------------------------------------

HOSTILE = {
    "long lines": "word " * 400_000,
    "many lines": "a line of text\n" * 130_000,
    "list": "- item with `code` and $x$\n" * 60_000,
    "backticks": "`" * 1_000_000,
    "single ticks": "a ` " * 250_001,
    "growing ticks": " ".join("`" * n for n in range(1, 1400)),
    "quotes": ">" * 100_000 + " x\n" + "> " * 50_000 + "```\n" + "> x\n" * 20_000,
    "list markers": "- " * 100_000,
    "indents": "".join(" " * (2 * n) + "- x\n" for n in range(1000)),
    "dollars": "$a " * 300_000,
    "comments": "a %% b\n\n" * 60_000,
    "half comments": "<!-- " * 200_000,
    "templates": "<% " * 200_000 + "\n" + "<%\n" * 50_000,
    "fences": "```\nx\n" * 100_000,
    "brackets": "[[" * 300_000 + "]" * 10,
    "hashes": "# " * 300_000 + "\n" + "#" * 300_000 + "\n" + "# a" + " #" * 200_000 + "x",
    "pipes": "|" * 300_000 + "\n" + "|-" * 150_000 + "x\n",
    "rules": "- " * 150_000 + "x\n" + "*\t" * 150_000 + "x\n",
    "angle": "<a " * 300_000,
    "maths": "$$\n" * 100_001,
    "ids": "x\n\n^a\n\n" * 50_000,
    "setext": "a\n" * 100_000 + "===\n",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_time_grows_with_the_size_alone(name: str) -> None:
    text = HOSTILE[name]
    it = note(text)
    assert it.blocks
    it.headings, it.opaque(), it.hidden()
