"""The day index: the one part of a daily note that is ever written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ScriptedReader, make_vault, open_session, snapshot
from vault_dream.engine.dream.compose import Spelling
from vault_dream.engine.dream.dayindex import (
    CLOSE,
    OPEN,
    DayPage,
    index_span,
    refresh,
    without_index,
)
from vault_dream.engine.dream.edits import CreateNote, apply_ops
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.resolve import Resolver
from vault_dream.headless import dream

PAGE = "daily/2026-11-30.md"
HELD = ("daily/2026-11-30/a.md", "daily/2026-11-30/b.md")
LINES = f"- [[{HELD[0]}|a]]\n- [[{HELD[1]}|b]]\n"


def refreshed(text: str, entries: tuple[str, ...] = HELD) -> str:
    page = DayPage(PAGE, "2026-11-30", parse_note(PAGE, text.encode()), entries)
    change = refresh(page, may_create=True)
    return text if change is None else apply_ops(PAGE, text, change.ops)


@given(
    st.text("a\n#-> ", max_size=30),
    st.text("-[]a\n", max_size=20),
    st.text("a\n#-> ", max_size=30),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", " ", "\t"]),
    st.booleans(),
)
def test_every_byte_outside_the_list_stays(
    before: str, inside: str, after: str, newline: str, space: str, final: bool
) -> None:
    inside = inside + "\n" if inside and not inside.endswith("\n") else inside
    after = "\n" + after if after or final else ""
    text = f"Mine.\n{before}\n\n{OPEN}{space}\n{inside}{CLOSE}{space}{after}".replace("\n", newline)
    note = parse_note(PAGE, text.encode())
    span = index_span(note)
    if span is None:
        assert "```" in text or "~~~" in text  # nothing else may hide it
        return
    once = refreshed(text)
    assert once == text[: span.start] + LINES.replace("\n", newline) + text[span.end :]
    assert refreshed(once) == once
    assert without_index(parse_note(PAGE, once.encode())) == without_index(note)


@pytest.mark.parametrize(
    "text",
    [
        "A page without the block.\n",
        f"```\n{OPEN}\n{CLOSE}\n```\n",
        f"{OPEN}\nnever closed\n",
        f"{CLOSE}\n{OPEN}\n",
        f"{OPEN}\nmine\n{OPEN}\n- x\n{CLOSE}\n",
        f"{OPEN}\n{CLOSE}\n\n{OPEN}\n{CLOSE}\n",
        f"Inline {OPEN} and {CLOSE}\n",
    ],
)
def test_what_is_not_exactly_one_block_is_left_alone(text: str) -> None:
    assert refreshed(text) == text


def test_a_copy_of_the_block_in_a_fence_does_not_stop_the_refresh() -> None:
    text = f"~~~\n{OPEN}\n{CLOSE}\n~~~\n\n{OPEN}\n{CLOSE}\n"
    assert refreshed(text) == f"~~~\n{OPEN}\n{CLOSE}\n~~~\n\n{OPEN}\n{LINES}{CLOSE}\n"


def test_a_name_that_no_link_can_spell_stands_as_words() -> None:
    text = f"{OPEN}\n{CLOSE}\n"
    held = ("daily/2026-11-30/We!rd #1.md", "daily/2026-11-30/a.md")
    assert refreshed(text, held) == f"{OPEN}\n- We!rd 1\n- [[{held[1]}|a]]\n{CLOSE}\n"


@pytest.mark.parametrize(
    "name", ["a]]b", "x | y", "%% z %%", "[[c]]", "![[d]]", "#tag", "<% e %>", "`f`"]
)
def test_no_name_of_a_note_acts_on_the_page(name: str, tmp_path: Path) -> None:
    from vault_dream.engine.vault.links import links_in
    from vault_dream.engine.vault.tags import tags_in

    text = refreshed(f"{OPEN}\n{CLOSE}\n", (f"daily/2026-11-30/{name}.md",))
    note = parse_note(PAGE, text.encode())
    assert [link.target for link in links_in(note)] in ([], [f"daily/2026-11-30/{name}.md"])
    assert tags_in(note) == () and note.hidden() == () and index_span(note) is not None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_run_refreshes_the_list_once(tmp_path: Path, newline: str) -> None:
    text = f"# Day\n\n{OPEN}\n{CLOSE}\n\nMine.\n".replace("\n", newline)
    files = {path: f"Words of the note {path} to read.\n" for path in HELD}
    root = make_vault(tmp_path / "v", {PAGE: text, **files})
    for _ in range(2):
        with open_session(root, ScriptedReader()) as session:
            report = dream(session, policy="safe").report
        before = snapshot(root)
    assert report["status"] == "nothing"
    with open_session(root, ScriptedReader()) as session:
        dream(session, policy="safe")
    assert snapshot(root) == before
    assert (root / PAGE).read_bytes().decode() == text.replace(
        f"{OPEN}{newline}", f"{OPEN}{newline}" + LINES.replace("\n", newline)
    )


@pytest.mark.parametrize(
    ("files", "settings", "created"),
    [
        ({"daily/2026-11-30/a.md": "Words of a note.\n"}, {}, True),
        ({"Log/2026-11-30/a.md": "Words of a note.\n"}, {"daily_dir": "Log"}, True),
        ({"2026-11-30/a.md": "Words of a note.\n", "2026-11-29.md": "Day.\n"}, {}, False),
        (
            {
                "Log/2026-11-30/a.md": "Words of a note.\n",
                ".obsidian/daily-notes.json": '{"folder": "Log"}',
                ".obsidian/core-plugins.json": '["daily-notes"]',
            },
            {},
            False,
        ),
        ({"daily/2026/11/30/a.md": "Words.\n"}, {"daily_format": "YYYY/MM/DD"}, False),
        ({"daily/2026-11-30/a.md": "Words of a note.\n"}, {"day_index": "off"}, False),
    ],
)
def test_a_page_is_created_only_in_the_seeds_own_layout(
    tmp_path: Path, files: dict[str, str], settings: dict[str, object], created: bool
) -> None:
    root = make_vault(tmp_path / "v", files)
    with open_session(root, ScriptedReader(), **settings) as session:
        report = dream(session, policy="safe").report
    assert bool(report["day_pages"]) is created
    notes = {p.relative_to(root).as_posix() for p in root.rglob("*.md")}
    assert len(notes) == sum(f.endswith(".md") for f in files) + created


@pytest.mark.parametrize(
    ("spelling", "entry"),
    [
        (Spelling(), "[[daily/2026-06-20/talk.md|talk]]"),
        (Spelling("shortest"), "[[talk]]"),
        (Spelling("absolute"), "[[daily/2026-06-20/talk|talk]]"),
        (Spelling("relative", markdown=True), "[talk](2026-06-20/talk.md)"),
    ],
)
def test_links_are_spelled_as_the_vault_asks(spelling: Spelling, entry: str) -> None:
    page = DayPage("daily/2026-06-20.md", "2026-06-20", None, ("daily/2026-06-20/talk.md",))
    resolver = Resolver([page.path, *page.entries])
    change = refresh(page, may_create=True, resolver=resolver, spelling=spelling)
    assert change is not None
    (made,) = change.ops
    assert isinstance(made, CreateNote)
    assert f"\n- {entry}\n" in made.text


def test_a_short_spelling_that_would_lead_elsewhere_is_not_used() -> None:
    page = DayPage("daily/2026-06-20.md", "2026-06-20", None, ("daily/2026-06-20/talk.md",))
    resolver = Resolver([page.path, *page.entries, "talk.md"])
    change = refresh(page, may_create=True, resolver=resolver, spelling=Spelling("shortest"))
    assert change is not None
    (made,) = change.ops
    assert isinstance(made, CreateNote)
    found = links_in(parse_note(page.path, made.text.encode()))
    assert [resolver.resolve(link.target, page.path).path for link in found] == [*page.entries]
