"""What is a link in a note, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.vault.links import (
    Link,
    _links,
    _property_texts,
    _scan,
    links_in,
    percent_decode,
)
from vault_dream.engine.vault.links_simple import masked_text, simple_links
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.yaml_simple import simple_property_links

steady = settings(derandomize=True, deadline=None, max_examples=300)


def links(text: str) -> tuple[Link, ...]:
    return links_in(parse_note("note.md", text.encode()))


def targets(text: str) -> list[str]:
    return [link.target + link.subpath for link in links(text)]


def test_pipes_in_table_cells() -> None:  # case ob-18
    text = "| x | see [[Notes/Foo\\|Foo]] |\n|---|---|\n| 1 | ![[p.png\\|100]] |\n\n[[a|b]]\n"
    first, second, third = links(text)
    assert (first.target, first.display, first.in_table) == ("Notes/Foo", "Foo", True)
    assert (second.target, second.display, second.embed) == ("p.png", "100", True)
    assert (third.target, third.display, third.in_table) == ("a", "b", False)


def test_what_is_not_a_link() -> None:  # case ob-19
    text = (
        '`[[a]]`\n~~~js\n[[b]]\n~~~\n```dataviewjs\ndv.page("[[c]]")\n```\n'
        '<% tp.file.include("[[d]]") %>\n%%[[e]]%%\n[[f]]\n'
    )
    assert [(link.target, link.hidden) for link in links(text)] == [("e", True), ("f", False)]


def test_odd_shapes() -> None:  # case ob-22
    text = "[[Sq]uare]] [[Nested [[Inner]] x]] [[Multi\nLine]] [[#H]] [[https://e.org]]"
    found = links(text)
    assert [link.target for link in found] == ["Sq]uare", "Inner", "", "https://e.org"]
    assert found[2].subpath == "#H"
    assert [link.external for link in found] == [False, False, False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a#b#c|d]]", [("a", "#b#c", "d")]),
        ("[[a#^id]]", [("a", "#^id", None)]),
        ("[[ a ]]", [("a", "", None)]),
        ("[[a|]]", [("a", "", "")]),
        ("[[a|b|c]]", [("a", "", "b|c")]),
        ("[[doc.pdf#page=3]]", [("doc.pdf", "#page=3", None)]),
        ("[[a]]]", [("a", "", None)]),
        ("[[[a]]", [("a", "", None)]),
        ("[[]] [[ ]]", []),
        ("[[|x]]", [("", "", "x")]),
        ("[[a] ]", []),
        (r"\[[a]]", []),
        (r"\\[[a]]", [("a", "", None)]),
        ("[[Re: plan]]", [("Re: plan", "", None)]),
        ("[[a <% x %>]]", []),
        ("[[a `b` c]]", []),
        ("[[a|`b`]]", [("a", "", "`b`")]),
        ("<!-- [[a]] --> [[b]]", [("b", "", None)]),
        ("$[[a]]$ [[b]]", [("b", "", None)]),
        ("costs $5 [[a]] and $6", [("a", "", None)]),
        ("\ufeff[[a]]", [("a", "", None)]),
        ("- [ ] [[a]]\r\n> [[b]]\r\n", [("a", "", None), ("b", "", None)]),
    ],
)
def test_wikilinks(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert [(link.target, link.subpath, link.display) for link in links(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[t](a%20b.md)", [("a b.md", "", "t")]),
        ("[t](<a b.md#H> 'title')", [("a b.md", "#H", "t")]),
        ('[t](a.md "ti(t)le")', [("a.md", "", "t")]),
        ("[t](a(1).md)", [("a(1).md", "", "t")]),
        (r"[t](a\(1.md)", [("a(1.md", "", "t")]),
        (r"[t \[x\]](a.md)", [("a.md", "", "t [x]")]),
        ("[a [b] c](d.md)", [("d.md", "", "a [b] c")]),
        ("[`c`](k.md)", [("k.md", "", "`c`")]),
        ("[t](%E4%BD%A0.md)", [("你.md", "", "t")]),
        ("[t](100%.md)", [("100%.md", "", "t")]),
        ("[t](%FF.md)", [("%FF.md", "", "t")]),
        ("[t](#H%20x)", [("", "#H x", "t")]),
        ("[t](x%20%231.md)", [("x ", "#1.md", "t")]),
        ("[t](a b.md)", []),
        ("[t]()", []),
        ("[t](a.md", []),
        ("[t] (a.md)", []),
        ("[t\n\nx](a.md)", []),
        ("[t\nx](a.md)", [("a.md", "", "t\nx")]),
        (r"\[t](a.md)", []),
        ("`[t](a.md)`", []),
        ("[^1](a.md)", []),
        ("[[a]](b.md)", [("a", "", None)]),
        ("[![i](p.png)](n.md)", [("n.md", "", "![i](p.png)"), ("p.png", "", "i")]),
    ],
)
def test_markdown_links(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert [(link.target, link.subpath, link.display) for link in links(text)] == expected


@pytest.mark.parametrize(
    "destination",
    ["https://e.org/a#b", "mailto:a@b", "obsidian://open?vault=v", "//e.org", "C:/a.md", "C:\\a"],
)
def test_external_links_keep_their_whole_target(destination: str) -> None:
    (link,) = links(f"[t]({destination})")
    assert link.external and link.target == destination and link.subpath == ""


def test_embeds() -> None:
    found = links(r"![[a.png|100x145]] ![alt](b.png) \![[c]] ![[n#^id]]")
    assert [(link.target, link.embed) for link in found] == [
        ("a.png", True), ("b.png", True), ("c", False), ("n", True),
    ]  # fmt: skip


FRONTMATTER = """---
up: [[Home]]
one: "[[A|b]]"
list:
  - "[[B#c]]"
  - see [[no]]
  - '[[C]]'
nested: {q: "[[D]]"}
flow: [ "[[E]]", "x" ]
markdown: "[a](b.md)"
block: >-
  [[F]]
# "[[comment]]"
🛒é: "[[G]]"
---
[[Body]]
"""


def test_links_in_properties() -> None:
    found = links(FRONTMATTER)
    assert [(link.property, link.target, link.line) for link in found] == [
        ("one", "A", 3), ("list", "B", 5), ("list", "C", 7), ("nested", "D", 8), ("flow", "E", 9),
        ("block", "F", 11), ("🛒é", "G", 14), (None, "Body", 16),
    ]  # fmt: skip
    assert FRONTMATTER[found[0].start : found[0].end] == '"[[A|b]]"'
    assert FRONTMATTER[found[6].start : found[6].end] == '"[[G]]"'
    assert found[0].display == "b" and found[1].subpath == "#c"


def test_broken_frontmatter_has_no_links_but_the_body_has() -> None:
    assert targets('---\na: "[[A]]"\na: "[[B]]"\n---\n[[C]]\n') == ["C"]
    assert targets('---\na: ["[[A]]"\n---\n[[C]]\n') == ["C"]


words = st.sampled_from(
    ["[[", "]]", "[", "]", "(", ")", "](", "|", "\\", "!", "`", "%%", "a", "b.md", " ", "\n", "#",
     "<", ">", "$", "\r\n", "---\n", "- ", "> ", '"', "é", "🛒", "<%", "%>", "```\n"]
)  # fmt: skip


@steady
@given(st.lists(words, max_size=40).map("".join))
def test_any_text_gives_links_in_order_that_stand_where_they_say(text: str) -> None:
    found = links(text)
    assert [link.start for link in found] == sorted(link.start for link in found)
    for link in found:
        written = text[link.start : link.end]
        if link.kind == "wiki" and link.property is None:
            assert written.lstrip("!").startswith("[[") and written.endswith("]]")
            assert "\n" not in written and "[[" not in written.lstrip("!")[2:]
            assert link.target in written
        elif link.kind == "markdown":
            assert written.lstrip("!").startswith("[") and written.endswith(")")
        assert link.line == text.count("\n", 0, link.start) + 1
        assert link.embed == written.startswith("!")


PIECES = (
    *("[[", "]]", "[", "]", "(", ")", "](", "a", "b c", "|", "#", "#^id", "!", " ", "\n", "^", ":"),
    *("[[a]]", "[[a#b|c]]", "[x](y)", "![z](u v)", "[ ] ", "[^1]", "`", "`[[k]]`", "%41", "<"),
    *("https://e.org", "\x00", "\r\n", "[l](a#b)", "[[#h]]", "[[|d]]", "mailto:x", "\\|"),
    *("`\\|`", "[[a|`\\|`]]", "[`\\[`](x)"),
)
BRACKETS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@settings(steady, max_examples=1000)
@given(BRACKETS)
def test_the_quick_way_finds_the_same_links(text: str) -> None:
    text = text.replace("\x00", "")
    for opaque in ((), parse_note("n.md", text.encode()).opaque()):
        quick = simple_links(text, 0, opaque)
        masked = masked_text(text, 0, opaque)
        assert quick is None or quick == _links(_scan(masked, text, 0), text)


PROPERTY_LINES = (
    *("up: [[a]]", 'up: "[[a]]"', "x: '[[b|c]]'  ", 'l: ["[[a]]", "[[b]]" , c]', "l:", "# [[d]]"),
    *('  - "[[e]]"', "  - '[[f]]' ", "- [[g]]", '- "[[h]]"', "z: see [[i]]", "m: {a: '[[j]]'}"),
    *('k : "[[l]]"', "l: [ '[[m]]' ]", "l: []", "", 'q: "[[n]] # o"', "n: https://e.org/#p"),
)


@settings(steady, max_examples=500)
@given(st.lists(st.sampled_from(PROPERTY_LINES), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_the_quick_way_finds_the_same_links_in_properties(lines: list[str], newline: str) -> None:
    written = "".join(line + newline for line in lines)
    quick = simple_property_links(written)
    if quick is not None:
        whole = [found for found in _property_texts(written) if found[3].startswith("[[")]
        assert quick == whole


@steady
@given(st.text(max_size=30))
def test_percent_decoding_undoes_quoting(text: str) -> None:
    from urllib.parse import quote

    encodable = text.encode("utf-8", "ignore").decode()
    assert percent_decode(quote(encodable, safe="")) == encodable


@pytest.mark.parametrize(
    "piece",
    ["[[", "[[a ", "[a](", "](", "[", "[a](<", '[a](x "', "[a](x (", "\\", "![[a]]", "[a](\\(",
     "[[a|", "[a](x '\"(", "]]", "`[["],
)  # fmt: skip
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_hostile_text_takes_linear_time(piece: str) -> None:
    note = parse_note("a.md", (piece * 100_000).encode())
    assert all(link.end <= len(note.text) for link in links_in(note))
