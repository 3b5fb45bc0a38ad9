"""What code itself puts on a page: links that lead where they led, properties as were meant."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_dream.config import Settings
from vault_dream.engine.dream.compose import Spelling, canonical_links, new_note, unresolved
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.properties import read_properties
from vault_dream.engine.vault.resolve import Resolver

HERE = "digest/wiki/here.md"
PATHS = (
    HERE,
    "digest/wiki/note.md",
    "digest/procedure/note.md",
    "daily/2026-11-30.md",
    "Home.md",
    "a/b c/Ünï 笔记.md",
    "x|y.md",
    "p.png",
)
RESOLVER = Resolver(PATHS)
PIECES = [
    "[[note]]",
    "[[procedure/note|N]]",
    "[[daily/2026-11-30#Evening|e]]",
    "[x](Home.md)",
    "![[p.png|100]]",
    "[[Ünï 笔记]]",
    "[y](a/b%20c/Ünï%20笔记.md#H)",
    "[[Nowhere]]",
    "`[[note]]`",
    "%%[[note]]%%",
    "[[",
    "]]",
    "|",
    "\n",
    "\n\n",
    "- ",
    "# ",
    "text ",
    "\\",
    "[[Home|a \\| b]]",
    "[z](x|y.md)",
    "```\n",
    "[[#Own]]",
    "$",
]
SPELLINGS = [
    Spelling(style, markdown)
    for style in ("full", "shortest", "relative", "absolute")
    for markdown in (False, True)
]


def ends(text: str) -> list[tuple[Any, ...]]:
    """Where the links of ``text`` lead, in order."""
    note = parse_note(HERE, ("\n" + text).encode())
    return [
        (RESOLVER.resolve(link.target, HERE).path or link.target, link.subpath, link.embed)
        for link in links_in(note)
        if not link.external and link.target
    ]


@example(text="[[![[p.png|100]]\\[x](Home.md)", spelling=SPELLINGS[0])
@example(text="[[[[note]]\\[x](Home.md)", spelling=SPELLINGS[0])
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(SPELLINGS))
def test_a_link_spelled_anew_leads_where_it_led(text: str, spelling: Any) -> None:
    spelled = canonical_links(HERE, text, RESOLVER, spelling)
    assert ends(spelled) == ends(text)
    assert canonical_links(HERE, spelled, RESOLVER, spelling) == spelled
    assert canonical_links(HERE, text, RESOLVER, spelling, keep=text) == text


@pytest.mark.parametrize(
    ("text", "keep", "bad"),
    [
        ("[[note]] [[Nowhere]] [[Nowhere]] [x](gone.md)", "", ("Nowhere", "gone.md")),
        ("[[Nowhere]] [[Other]]", "as [[Nowhere]] says", ("Other",)),
        ("[[#Own]] https://e.org `[[Nowhere]]` [x](https://e.org)", "", ()),
        ("---\n[[Nowhere]]\n---\n", "", ("Nowhere",)),
    ],
)
def test_links_that_lead_nowhere_are_named_once(text: str, keep: str, bad: tuple[str, ...]) -> None:
    assert unresolved(HERE, text, RESOLVER, keep=keep) == bad


@given(st.text(min_size=1, max_size=40), st.text(max_size=60))
def test_a_new_notes_properties_are_read_as_they_were_meant(name: str, description: str) -> None:
    name = " ".join("".join(c for c in name if c.isprintable()).split())
    description = " ".join("".join(c for c in description if c.isprintable()).split())
    unit = Unit("n", "personal", "s", ())
    text = new_note(unit, HERE, name, description, "Body.", date(2026, 1, 2), Settings())
    note = parse_note(HERE, text.encode())
    values = read_properties(note).values
    assert read_properties(note).error == "" and note.text[note.body_start :] == "\nBody.\n"
    assert (values["name"], values["description"]) == (name, description)
    assert (values["kind"], values["created"], values["updated"]) == (
        "personal",
        "2026-01-02",
        "2026-01-02",
    )
    assert values.get("aliases", ["here"]) == [name]
