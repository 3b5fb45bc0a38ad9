"""Inputs of the kinds of the fault cases that are in none of them."""

from __future__ import annotations

from datetime import date

import pytest

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.moment import Format
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import portable_stem
from vault_dream.engine.vault.properties import (
    append_to_property,
    read_properties,
    remove_property,
    set_properties,
)
from vault_dream.engine.vault.resolve import Resolver
from vault_dream.engine.vault.tags import tags_in


def note(text: str) -> Note:
    return parse_note("n.md", text.encode())


@pytest.mark.parametrize(
    ("yaml", "values"),
    [
        ("a: yes\nb: On\nc: y\nd: TRUE", {"a": "yes", "b": "On", "c": "y", "d": True}),
        (
            "a: 0o17\nb: 0x1F\nc: 0b11\nd: 08\ne: .5",
            {"a": 15, "b": 31, "c": "0b11", "d": 8, "e": 0.5},
        ),
        ("a: &x {b: 1}\nc:\n  <<: *x", {"a": {"b": 1}, "c": {"<<": {"b": 1}}}),
        ("a: one\n  two\nb: >-\n  x\n  y\n\n  z", {"a": "one two", "b": "x y\nz"}),
        ("a: 2026-01-02T03:04:05Z\nb: 1:2:3", {"a": "2026-01-02T03:04:05Z", "b": "1:2:3"}),
        ("a: b # c\nd: 'e' # f\ng: h#i\nj: '# k'", {"a": "b", "d": "e", "g": "h#i", "j": "# k"}),
        ("a: !foo bar\nb: !!str 12\nc: !!int '3'", {"a": "bar", "b": "12", "c": 3}),
        ("a:\n-\n- x\nb: [x, y,]\n? c\n: d", {"a": [None, "x"], "b": ["x", "y"], "c": "d"}),
        ("a: x\u2028y\nb: x\x85y", {"a": "x\u2028y", "b": "x\x85y"}),
        ("\"a b\": 'it''s'\n🛒: \"\\u263a\\/\"", {"a b": "it's", "🛒": "\u263a/"}),
    ],
)
def test_properties(yaml: str, values: dict[str, object]) -> None:
    read = read_properties(note(f"---\n{yaml}\n---\n"))
    assert (dict(read.values), read.error) == (values, "")


@pytest.mark.parametrize(
    "yaml",
    [
        *("a: b: c", "a: @b", "a: `b`", "a: %b", "a: 1\n--- \nb: 2", "a: 1\n...\nb: 2"),
        *("1: a\n0x1: b", "null: c\n~: d", "a: *x", "a: [b", "a: 'b"),
    ],
)
def test_broken_properties_are_an_error_and_are_not_edited(yaml: str) -> None:
    broken = note(f"---\n{yaml}\n---\n")
    assert read_properties(broken).error
    with pytest.raises(EditError):
        set_properties(broken, {"k": "v"})


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[[a\rb]] [[c|d\re]]", []),
        ("\\[[a]] [\\[b]] \\\\[[c]]", ["c"]),
        ("[[a]]] [[[b]]]", ["a", "b"]),
        ("[a](<b c.md> 't') [d](e\\ f.md) [g](h(i).md)", ["b c.md", "h(i).md"]),
        ("[a](b%20c.md#d%20e) [[x%23y]]", ["b c.md", "x%23y"]),
        ("$[[a]]$ $5 [[b]] and $6", ["b"]),
        ("`` [[a]] ` [[b]] `` ` [[c]]\n\n[[d]]`", ["c", "d"]),
        ("```\n[[a]]\n", []),
        ("    [[a]]\n\n- x\n\n    [[b]]", ["b"]),
        ("<pre>\n[[a]]\n\n</pre>\n[[b]]", ["b"]),
        ("| a |\n|-|\n| `[[x\\|y]]` [[z\\|w]] |", ["z"]),
        ("> ```\n> [[a]]\n[[b]]", ["b"]),
        ("<!--\n[[a]]\n\n[[b]] --> [[c]]", ["c"]),
        ("[^1]: [[a]]\n[b][c]\n\n[c]: d.md", ["a"]),
        ('---\nx: see "[[d]]"\ny: ["[[e]]", z]\nm: "[f](f.md)"\n---\n', ["e"]),
    ],
)
def test_links(text: str, targets: list[str]) -> None:
    assert [link.target for link in links_in(note(text))] == targets


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a/b #1 #1a #a/ #é #語言, (#z) \\#q ##h x#n", ("a/b", "1a", "a", "é", "語言")),
        ("#y1984 #1984-10 #１２ #Tag #tAG #_", ("y1984", "1984-10", "Tag", "_")),
        ("#ok\u200btail #a\u00a0b #x—y", ("ok", "a", "x")),
        ("`#a` [[b#c]] [x](y#z) <a href='#q'> %% #e %% #f", ("f",)),
        ("\ufeff#first\r\n>#no > #yes", ("first", "yes")),
    ],
)
def test_tags(text: str, tags: tuple[str, ...]) -> None:
    assert tags_in(note(text)) == tags


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("#b\n####### c\n#\n   # d\n    # e\n\\# f\n# g \\#", ["", "d", "g \\#"]),
        ("a\n===\n\n- b\n---\n> c\n---\n```\nd\n```\n---\ne\n---\n", ["a", "e"]),
        ("~~~\n# a\n```\n# b\n~~~\n# c", ["c"]),
        ("<details>\n# a\n\n# b\n</details>", ["b"]),
        ("%%\n```\n%%\n# a\n```\n# b", ["a"]),
        ("<!-- x\n# a\n--> y\n# b", ["b"]),
        ("#\ta\n#\u00a0b\n#\u3000c\rd\r# e", ["a", "e"]),
    ],
)
def test_headings(text: str, headings: list[str]) -> None:
    assert [heading.text for heading in note(text).headings] == headings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\ufeffbody\r\n", "\ufeff---\r\nk: v\r\n---\r\nbody\r\n"),
        ('---\n{"a": 1}\n---', '---\n{"a": 1, "k": v}\n---'),
        ("---\n  a: 1\n---\n", "---\n  a: 1\n  k: v\n---\n"),
        ("---\r\n---\r\nb", "---\r\nk: v\r\n---\r\nb"),
        ("---\na: |\n  x\n\n  y\n---\nb", "---\na: |\n  x\n\n  y\nk: v\n---\nb"),
        ("---\nk: # c\nb: 2\n---\n", "---\nk: v # c\nb: 2\n---\n"),
        ("---\nk: >\n  x\n  y\nb: 2\n---\n", "---\nk: v\nb: 2\n---\n"),
    ],
)
def test_setting_a_property(old: str, new: str) -> None:
    edited = set_properties(note(old), {"k": "v"})
    assert read_properties(note(edited)).values["k"] == "v"
    assert edited.replace('"v"', "v") == new


def test_lists_keep_their_shape() -> None:
    assert append_to_property(note("---\nt: [a,b]\n---\n"), "t", ["c"]) == "---\nt: [a,b, c]\n---\n"
    text = "---\nt:\n  - a # k\n# z\nx: 1\n---\n"
    assert append_to_property(note(text), "t", ["c"]) == text.replace("# k\n", "# k\n  - c\n")
    assert remove_property(note("---\nt:\n- x\n- y\nb: 2\n---\n"), "t") == "---\nb: 2\n---\n"


@pytest.mark.parametrize(
    ("pattern", "locale", "day", "name"),
    [
        ("gggg-[W]ww-e", "en", date(2026, 1, 1), "2026-W01-4"),
        ("GGGG-[W]WW-E", "en", date(2027, 1, 1), "2026-W53-5"),
        ("Do MMMM YYYY", "en", date(2026, 3, 11), "11th March 2026"),
        ("YYYY/[Q]Q/MM/DD", "en", date(2026, 1, 1), "2026/Q1/01/01"),
        ("DDDD YYYY", "en", date(2028, 12, 31), "366 2028"),
        ("YYYY年M月D日", "zh-cn", date(2026, 1, 1), "2026年1月1日"),
        ("D MMMM YYYY", "fr", date(2026, 8, 15), "15 août 2026"),
        ("[[]YYYY-MM-DD", "en", date(2026, 1, 1), "[2026-01-01"),
        ("LL", "en", date(2026, 1, 1), "January 1, 2026"),
    ],
)
def test_day_formats(pattern: str, locale: str, day: date, name: str) -> None:
    form = Format(pattern, locale)
    assert form.render(day) == name
    assert form.parse(name) == day


@pytest.mark.parametrize(
    "name", ["2026-13-01", "2026-1-1", "2026-02-30", "2026-01-0１", " 2026-01-01"]
)
def test_names_that_are_no_day(name: str) -> None:
    assert Format("YYYY-MM-DD").parse(name) is None


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("x (Ann's conflicted copy 2026-01-02 (1)).md", True),
        ("x (SFConflict ann@example.org 2026-01-02-10-11-12).md", True),
        ("x (# Edit conflict 2026-01-02 aBc1 #).md", True),
        ("x.sync-conflict-20260102-101112-ABCDEFG.sync-conflict-20260103-101112-ABCDEFG.md", True),
        ("x (Copie en conflit de Ann 2026-01-02).md", True),
        ("Merge conflict 2026-01-02.md", False),
        ("How to edit (conflict copy).md", False),
        ("Edit conflict.md", False),
    ],
)
def test_conflict_copies(name: str, copy: bool) -> None:
    assert conflict_copy(name) is copy


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("COM¹", "_COM¹"),
        ("CONIN$", "_CONIN$"),
        ("a. . ", "a"),
        ("\u202ea\u200bb", "ab"),
        ("[[x]] a%%b c^d", "x a b c d"),
        ("\ud800", "untitled"),
        ("...", "untitled"),
    ],
)
def test_file_names(title: str, stem: str) -> None:
    assert portable_stem(title) == stem


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("../Note", "z/deep/s.md", "z/Note.md"),
        ("./Note", "a/b/p.md", "a/b/Note.md"),
        ("../../../x", "a/b/p.md", None),
        ("Cafe\u0301", "s.md", "Café.md"),
        ("v1.2", "s.md", "v1.2.md"),
        ("Img", "s.md", None),
        ("img.png", "s.md", "Img.PNG"),
        ("in", "s.md", "dir/folder.md/in.md"),
        ("b\\Note", "s.md", None),
    ],
)
def test_resolution(target: str, source: str, path: str | None) -> None:
    files = ["z/Note.md", "a/b/Note.md", "x.md", "Café.md", "v1.2.md", "Img.PNG"]
    resolver = Resolver([*files, "dir/folder.md/in.md", "a/b/p.md", "z/deep/s.md", "s.md"])
    assert resolver.resolve(target, source).path == path
