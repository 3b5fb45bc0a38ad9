"""Links respelled: the target changes, and not a byte besides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.errors import EditError
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.resolve import Resolver
from vault_dream.engine.vault.respell import respelled, spelled_like

OLD = "digest/wiki/tea pot.md"
NEW = "digest/wiki/Ada's kettle.md"


def moved(text: str, old: str = OLD, new: str = NEW) -> str:
    note = parse_note("digest/wiki/x.md", text.encode())
    resolver, after = Resolver([OLD]), Resolver([NEW])

    def target(link: object) -> str | None:
        if resolver.resolve(link.target, note.path).path != OLD:  # type: ignore[attr-defined]
            return None
        return spelled_like(link.target, NEW, note.path, after)  # type: ignore[attr-defined]

    return respelled(note, target)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("[[digest/wiki/tea pot.md]]", "[[digest/wiki/Ada's kettle.md]]"),
        ("[[digest/wiki/tea pot]]", "[[digest/wiki/Ada's kettle]]"),
        ("[[tea pot]]", "[[Ada's kettle]]"),
        ("[[Tea Pot.MD]]", "[[Ada's kettle.md]]"),
        ("[[wiki/tea pot|the pot]]", "[[digest/wiki/Ada's kettle|the pot]]"),
        ("[[tea pot#Care#Daily|how]]", "[[Ada's kettle#Care#Daily|how]]"),
        ("[[tea pot#^a1]]", "[[Ada's kettle#^a1]]"),
        ("![[tea pot|100]]", "![[Ada's kettle|100]]"),
        ("[[./tea pot]]", "[[./Ada's kettle]]"),
        ("[[../wiki/tea pot]]", "[[./Ada's kettle]]"),
        ("[[/digest/wiki/tea pot]]", "[[/digest/wiki/Ada's kettle]]"),
        ("[[ tea pot ]]", "[[ Ada's kettle ]]"),
        ("[the pot](tea%20pot.md)", "[the pot](Ada's%20kettle.md)"),
        ("[p](<tea pot.md>)", "[p](<Ada's%20kettle.md>)"),
        ('[p](tea%20pot.md#Care "why")', '[p](Ada\'s%20kettle.md#Care "why")'),
        ("![p](../wiki/tea%20pot.md)", "![p](./Ada's%20kettle.md)"),
        ("%% [[tea pot]] %%", "%% [[Ada's kettle]] %%"),
        ("(derived_from:: [[tea pot]])", "(derived_from:: [[Ada's kettle]])"),
        ("| a |\n|---|\n| [[tea pot\\|p]] |", "| a |\n|---|\n| [[Ada's kettle\\|p]] |"),
        ('---\nup: "[[tea pot|p]]"\n---\n', '---\nup: "[[Ada\'s kettle|p]]"\n---\n'),
        ("---\nup: ['[[tea pot]]']\n---\n", "---\nup: ['[[Ada''s kettle]]']\n---\n"),
        (
            '---\nup: "[[tea\\x20pot#A]]" # b\n---\n',
            '---\nup: "[[Ada\'s kettle#A]]" # b\n---\n',
        ),
        ("`[[tea pot]]` and [[tea pot]]", "`[[tea pot]]` and [[Ada's kettle]]"),
        ("[[other]] [web](https://a.b/tea%20pot.md)", "[[other]] [web](https://a.b/tea%20pot.md)"),
    ],
)
def test_each_spelling_keeps_its_manner(written: str, wanted: str) -> None:
    assert moved(written) == wanted


def test_a_short_spelling_that_would_lead_elsewhere_becomes_the_full_path() -> None:
    resolver = Resolver([NEW, "Ada's kettle.md"])
    assert spelled_like("tea pot", NEW, "daily/a.md", resolver) == "digest/wiki/Ada's kettle"


def test_a_note_that_nobody_can_edit_is_refused() -> None:
    note = parse_note("x.md", b"[[tea pot]] \xff")
    with pytest.raises(EditError):
        respelled(note, lambda link: "kettle")


PIECES = st.lists(
    st.sampled_from(
        ["[[tea pot]]", "[[a|b]]", "![[tea pot#x|y]]", "[c](tea%20pot.md)", "`", "%%", "\n", "é ",
         "- ", "| ", "\\", "](", "[[", "]]", "$", "\n\n", "<!--", "-->", "x"]
    ),
    max_size=12,
)  # fmt: skip


@given(PIECES)
def test_whatever_the_text_only_targets_change(pieces: list[str]) -> None:
    text = "".join(pieces)
    note = parse_note("digest/wiki/x.md", text.encode())
    try:
        after = moved(text)
    except EditError:
        return
    before, now = links_in(note), links_in(parse_note("digest/wiki/x.md", after.encode()))
    assert [(link.subpath, link.display, link.kind) for link in before] == [
        (link.subpath, link.display, link.kind) for link in now
    ]
    assert all("tea" not in link.target for link in now)
    assert moved(after) == after
