"""Vault paths have one spelling, and the names we make work everywhere."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.paths import (
    key,
    linkable,
    normalise,
    portable_stem,
    slug,
    unique_path,
)

steady = settings(derandomize=True, deadline=None, max_examples=300)
titles = st.text(max_size=120) | st.text(
    alphabet=" .-#/\\|[]^:<>'\"?*$`%é́ß한\u200d🏽aNn", max_size=60
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a/b.md", "a/b.md"),
        ("./a//b/./c.md", "a/b/c.md"),
        ("a/b/", "a/b"),
        ("Cafe\u0301.md", "Café.md"),
        ("한글/日本.md", "한글/日本.md"),
        ("...md", "...md"),
        ("a b/..c", "a b/..c"),
    ],
)
def test_one_spelling(given: str, expected: str) -> None:
    assert normalise(given) == expected


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "./", "/a", "//a", "a/../b", "..", "a/..", "a\\b", "C:/a", "c:a", "./c:a",
        "a\0b", "a\nb", "a\x7fb", "a\x85b", "a\u2028b", "a\udcffb", "\\\\server\\x",
    ],
)  # fmt: skip
def test_what_is_no_vault_path(path: str) -> None:
    with pytest.raises(PathError) as caught:
        normalise(path)
    caught.value.where.encode("utf-8")  # the message can be shown


@steady
@given(st.text(max_size=40) | st.text(alphabet="./ac:\\é́", max_size=12))
def test_normalise_is_idempotent(path: str) -> None:
    try:
        once = normalise(path)
    except PathError:
        return
    assert normalise(once) == once == unicodedata.normalize("NFC", once)
    assert not once.startswith("/") and ".." not in once.split("/") and "" not in once.split("/")


@steady
@given(st.text(max_size=30))
def test_keys_ignore_case_and_form(text: str) -> None:
    assert key(key(text)) == key(text)
    assert key(unicodedata.normalize("NFD", text)) == key(unicodedata.normalize("NFC", text))
    assert key(text.swapcase().swapcase().casefold()) == key(text.swapcase().swapcase())


def test_keys_are_the_careful_ones() -> None:
    assert key("Straße.md") == key("STRASSE.md")  # one name on APFS


FORBIDDEN = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f\x7f-\x9f]')
RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\s*(?:\.|$)")


def assert_portable(stem: str, max_bytes: int) -> None:
    assert stem
    assert len(stem.encode("utf-8")) <= max_bytes
    assert stem == unicodedata.normalize("NFC", stem)
    assert not FORBIDDEN.search(stem)
    assert not RESERVED.match(stem)
    assert stem == stem.strip() and not stem.startswith(".") and not stem.endswith(".")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Q3/Q4: what's next? [draft] #1 ^x | CON. ", "Q3-Q4 what's next draft 1 x-CON"),
        ("nul", "_nul"),
        ("CON.backup", "_CON.backup"),
        ("com¹", "_com¹"),
        (".hidden", "hidden"),
        ("   ", "untitled"),
        ("...", "untitled"),
        ("100% %% done", "100% done"),
        ("a\u202eb\u200bc\x1b[0m", "abc 0m"),
        ("Cafe\u0301", "Café"),
        ("👩\u200d🌾 Garden", "👩\u200d🌾 Garden"),
        ("a\nb\tc", "a b c"),
        ("-rf", "rf"),
    ],
)
def test_readable_names(title: str, expected: str) -> None:  # case ob-23
    assert portable_stem(title) == expected


@steady
@given(titles, st.integers(1, 240), titles)
def test_names_are_always_portable(title: str, max_bytes: int, fallback: str) -> None:
    stem = portable_stem(title, max_bytes=max_bytes, fallback=fallback)
    assert_portable(stem, max_bytes)
    if max_bytes > 40:
        assert linkable(f"digest/{stem}.md")


@steady
@given(titles, st.integers(1, 240))
def test_slugs_are_always_portable(title: str, max_bytes: int) -> None:
    made = slug(title, max_bytes=max_bytes)
    assert_portable(made, max_bytes)
    assert made == made.lower() or not made.isascii()
    assert " " not in made


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("What's next, after Q3?", "whats-next-after-q3"),
        ("重建 搜索索引", "重建-搜索索引"),
        ("Überblick: Straße", "überblick-straße"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("🎉🎉", "untitled"),
        ("CON", "_con"),
        ("a__b--c", "a-b-c"),
    ],
)
def test_slugs(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_names_are_cut_at_words_and_never_inside_a_character() -> None:
    assert portable_stem("one two three four", max_bytes=15) == "one two three"
    assert portable_stem("🏽" * 3, max_bytes=9) in {"🏽🏽", "🏽", "untitled"}
    assert portable_stem("e" + "\u0323\u0302\u0309" * 9, max_bytes=7).startswith(
        ("e", "ệ", "untitled"[0])
    )


def test_unique_paths_count_up_ignoring_case() -> None:
    taken = {key("digest/Stop the Watcher.md"), key("digest/stop the watcher-2.md")}
    path = unique_path("digest/", "stop the watcher", taken.__contains__)
    assert path == "digest/stop the watcher-3.md"
    assert unique_path("", "a", set().__contains__) == "a.md"
    long = unique_path("d", "é" * 300, {key("d/" + "é" * 118 + ".md")}.__contains__)
    assert len(long.split("/")[1].encode()) <= 240 and long.endswith("-2.md")
    with pytest.raises(PathError):
        unique_path("d", "a", lambda wanted: True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.md", True), ("We!rd #1.md", False), ("a|b.md", False), ("a^b.md", False),
        ("50%%.md", False), ("a]]b.md", False), ("Sq]uare.md", True), ("[draft] x.md", False),
        ("a/[draft].md", True), ("a`b.md", False), (" a.md", False), ("Re: plan.md", True),
        ("mailto:x.md", False), ("a]", False), ("$5 and $6.md", False), ("$5.md", True),
    ],
)  # fmt: skip
def test_what_a_wikilink_can_spell(path: str, expected: bool) -> None:
    assert linkable(path) is expected


@steady
@given(st.text(alphabet="ab #|^`%[]<!-$:/é.\\", min_size=1, max_size=12))
def test_linkable_paths_read_back(path: str) -> None:
    try:
        path = normalise(path + ".md")
    except PathError:
        return
    if linkable(path):
        links = links_in(parse_note("x.md", f"see [[{path}]] and [[{path}|a b]].\n".encode()))
        assert [link.target for link in links] == [path, path]
