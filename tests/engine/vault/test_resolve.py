"""Links lead where Obsidian leads them, and what we spell leads back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.paths import linkable
from vault_dream.engine.vault.resolve import Resolution, Resolver, heading_subpath, spell_link

steady = settings(derandomize=True, deadline=None, max_examples=400)

OB_20 = ["zzzz/Note.md", "a/b/Note.md", "b/Note.md", "zzzz/deep/src.md", "zzzz/src.md", "src.md",
         "a/b/p.md"]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("Note", "src.md", "b/Note.md"),
        ("Note", "zzzz/src.md", "zzzz/Note.md"),
        ("Note", "zzzz/deep/src.md", "b/Note.md"),
        ("b/Note", "a/b/p.md", "b/Note.md"),
    ],
)
def test_ambiguous_basenames(target: str, source: str, expected: str) -> None:  # case ob-20
    assert Resolver(OB_20).resolve(target, source) == Resolution(expected)


def test_what_is_written_for_an_ambiguous_name() -> None:  # case ob-20
    resolver = Resolver(OB_20)
    assert spell_link("zzzz/Note.md") == "[[zzzz/Note.md|Note]]"
    short = spell_link("zzzz/Note.md", source="src.md", resolver=resolver, style="shortest")
    assert short == "[[zzzz/Note|Note]]"


def test_aliases_never_resolve() -> None:  # case ob-21
    resolver = Resolver(["Artificial Intelligence.md"])
    assert resolver.resolve("AI", "x.md").path is None
    assert resolver.resolve("Artificial Intelligence", "x.md").path == "Artificial Intelligence.md"
    link = spell_link("Artificial Intelligence.md", label="AI", resolver=resolver, style="shortest")
    assert link == "[[Artificial Intelligence|AI]]"


def test_a_name_that_no_link_can_spell() -> None:  # case ob-22
    with pytest.raises(PathError, match="no link can be written"):
        spell_link("We!rd #1.md")


def test_unicode_forms_are_one_note() -> None:  # case ob-25
    resolver = Resolver(["Café.md"])
    for written in ("Café", "Cafe\u0301", "CAFÉ"):
        assert resolver.resolve(written, "x.md").path == "Café.md"


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("", "a/src.md", "a/src.md"),
        ("pic.png", "x.md", "img/pic.png"),
        ("pic", "x.md", None),
        ("v1.2", "x.md", "v1.2.md"),
        ("v1.2.md", "x.md", "v1.2.md"),
        ("./near", "a/src.md", "a/near.md"),
        ("../root", "a/src.md", "root.md"),
        ("../../root", "a/src.md", None),
        ("../near", "a/src.md", None),
        ("/root", "a/src.md", "root.md"),
        ("/near", "a/src.md", None),
        ("a/../root", "a/src.md", "root.md"),
        ("folder/", "x.md", None),
        ("ear", "x.md", None),
        ("near.md.md", "x.md", None),
        ("A\u00a0b", "x.md", "deep/a b.md"),
        ("Masse", "x.md", "Masse.md"),
        ("Maße", "x.md", "Maße.md"),
    ],
)
def test_resolution(target: str, source: str, expected: str | None) -> None:
    paths = ["img/pic.png", "v1.2.md", "a/near.md", "root.md", "a/src.md", "deep/a b.md",
             "Masse.md", "Maße.md"]  # fmt: skip
    assert Resolver(paths).resolve(target, source) == Resolution(expected)


def test_ties_are_reported() -> None:
    found = Resolver(["x/Note.md", "y/Note.md", "long/Note.md"]).resolve("note", "src.md")
    assert found == Resolution("x/Note.md", ("y/Note.md",))


def test_of_case_twins_the_one_that_was_written() -> None:
    resolver = Resolver(["a/Note.md", "a/note.md"])
    assert resolver.resolve("note", "src.md") == Resolution("a/note.md")
    assert resolver.resolve("a/Note", "src.md") == Resolution("a/Note.md")
    assert resolver.resolve("NOTE", "src.md") == Resolution("a/Note.md", ("a/note.md",))


def test_notes_about_to_exist() -> None:
    base = Resolver(["a/Note.md"])
    grown = base.with_paths(["Note.md", "a/Note.md", "new.md"])
    assert grown.resolve("Note", "x.md") == Resolution("Note.md")
    assert grown.resolve("new", "x.md") == Resolution("new.md")
    assert base.resolve("new", "x.md").path is None
    assert grown.with_paths(["z.md"]).resolve("z", "").path == "z.md"
    assert "a/Note.md" in grown and "a/note.md" not in grown


# A slow reference: the rules one after the other, over every path.


def plainly(paths: list[str], target: str, source: str) -> set[str]:
    """All paths that may answer, by the words of the rules."""

    def same(text: str) -> str:
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())

    if not target:
        return {source}
    here = source.rpartition("/")[0]
    only_exact = target.startswith(("/", "./", "../"))
    if target.startswith(("./", "../")):
        target = f"{here}/{target}"
    walked: list[str] = []
    for part in target.lstrip("/").split("/"):
        if part == ".." and not walked:
            return set()
        if part == "..":
            walked.pop()
        elif part != ".":
            walked.append(part)
    if not walked or "" in walked:
        return set()
    written = "/".join(walked)
    endings = ["", ".md"] if "." in walked[-1].strip(".") else [".md"]
    for ending in endings:
        wanted = same(written + ending)
        exact = {path for path in paths if same(path) == wanted}
        if exact:
            return exact
        if only_exact:
            continue
        suffix = {path for path in paths if ("/" + same(path)).endswith("/" + wanted)}
        own = {path for path in suffix if same(path.rpartition("/")[0]) == same(here)}
        if own:
            return own
        if suffix:
            least = min(len(path) for path in suffix)
            return {path for path in suffix if len(path) == least}
    return set()


part = st.sampled_from(["a", "b", "Note", "note", "é", "e\u0301", "x.png", "v1.2", "B"])
vault_path = st.lists(part, min_size=1, max_size=3).map(
    lambda parts: unicodedata.normalize("NFC", "/".join(parts) + ".md").replace(".png.md", ".png")
)
wanted = st.one_of(
    vault_path,
    st.lists(part | st.sampled_from(["..", ".", ""]), max_size=3).map("/".join),
    st.lists(part, min_size=1, max_size=2).map("/".join),
    st.lists(part, min_size=1, max_size=2).map(lambda parts: "/" + "/".join(parts)),
)


@steady
@given(st.lists(vault_path, unique=True, max_size=8), wanted, vault_path, st.integers(0, 8))
def test_agrees_with_the_plain_reading(
    paths: list[str], target: str, source: str, split: int
) -> None:
    expected = plainly(paths, target, source)
    for resolver in (Resolver(paths), Resolver(paths[:split]).with_paths(paths[split:])):
        found = resolver.resolve(target, source)
        if not expected:
            assert found.path is None
        else:
            assert found.path in expected
            assert set(found.ambiguous) <= expected - {found.path}
            if len({path.lower() for path in expected}) == len(expected):  # no case twins
                assert {found.path, *found.ambiguous} == expected


styles = st.sampled_from(["full", "shortest", "relative", "absolute"])


@steady
@given(
    st.lists(vault_path, unique_by=str.lower, min_size=1, max_size=8),
    vault_path,
    styles,
    st.booleans(),
    st.booleans(),
    st.none() | st.text(max_size=20) | st.text(alphabet="[]|\\`$%<!-#ab (", max_size=12),
)
def test_spelled_links_lead_back(
    paths: list[str],
    source: str,
    style: str,
    markdown: bool,
    in_table: bool,
    label: str | None,
) -> None:
    resolver = Resolver(paths)
    for path in paths:
        written = spell_link(
            path, label=label, source=source, resolver=resolver,
            style=style, markdown=markdown, in_table=in_table,
        )  # type: ignore[arg-type]  # fmt: skip
        text = f"| x {written} |\n|---|\n" if in_table else f"See {written} here.\n"
        (link,) = links_in(parse_note(source, text.encode()))
        assert text[link.start : link.end] == written
        assert resolver.resolve(link.target, source) == Resolution(path)
        if style == "full":
            assert link.target == path


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ({}, "[[a/b c.md|b c]]"),
        ({"label": ""}, "[[a/b c.md]]"),
        ({"label": "x|y"}, "[[a/b c.md|x-y]]"),
        ({"label": "see [[z]]"}, "[[a/b c.md|see ((z))]]"),
        ({"label": "two\nlines"}, "[[a/b c.md|two lines]]"),
        ({"label": "end\\"}, "[[a/b c.md|end]]"),
        ({"label": "x", "in_table": True}, "[[a/b c.md\\|x]]"),
        ({"subpath": "#Evening", "label": "x"}, "[[a/b c.md#Evening|x]]"),
        ({"subpath": "#^id-1", "label": "x"}, "[[a/b c.md#^id-1|x]]"),
        ({"subpath": "#A ]] | b", "label": "x"}, "[[a/b c.md#A b|x]]"),
        ({"style": "relative", "source": "a/x.md"}, "[[b c]]"),
        ({"style": "relative", "source": "z/x.md"}, "[[../a/b c|b c]]"),
        ({"style": "absolute"}, "[[a/b c|b c]]"),
        ({"markdown": True}, "[b c](a/b%20c.md)"),
        ({"markdown": True, "subpath": "#A b"}, "[b c](a/b%20c.md#A%20b)"),
        ({"markdown": True, "label": "[x]"}, r"[\[x\]](a/b%20c.md)"),
    ],
)
def test_spellings(keywords: dict[str, object], expected: str) -> None:
    assert spell_link("a/b c.md", **keywords) == expected  # type: ignore[arg-type]


def test_markdown_links_encode_only_what_must_be() -> None:
    assert spell_link("你 (1)_x.md", markdown=True) == "[你 (1)_x](你%20(1)_x.md)"
    assert spell_link("a(1.md", markdown=True) == "[a(1](a%281.md)"
    assert spell_link("100%25.md", markdown=True) == "[100%25](100%2525.md)"


def test_shortest_falls_back_to_what_leads_there() -> None:
    resolver = Resolver(["v1.md", "x/v1.md.md", "x/only.png"])
    spelled = spell_link("x/v1.md.md", resolver=resolver, style="absolute")
    assert resolver.resolve(spelled[2:].split("|")[0].rstrip("]"), "").path == "x/v1.md.md"
    assert spell_link("x/only.png", resolver=resolver, style="shortest") == "[[only.png]]"


def test_heading_subpaths_are_cleaned_as_obsidian_does() -> None:
    assert heading_subpath("What: a #tag [[x]]", "Sub") == "#What a tag x#Sub"
    assert heading_subpath("##") == ""


@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_large_vaults_are_looked_up_quickly() -> None:

    paths = [f"folder {i % 500}/note {i}.md" for i in range(100_000)]
    resolver = Resolver(paths)
    for i in range(0, 100_000, 10):
        assert resolver.resolve(f"note {i}", "src.md").path is not None
    assert all(linkable(path) for path in paths[:10])
