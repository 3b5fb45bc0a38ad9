"""Search over the whole vault: what is found, in which order, with which lines."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import make_vault
from vault_dream.config import Settings
from vault_dream.engine.digest.asking import Asked, Filter, asked
from vault_dream.engine.digest.chunks import MOST, SIZE, chunk_spans
from vault_dream.engine.digest.tagcounts import TagCount
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.lookup import Lookup

OLD = 1_700_000_000

NOTES = {
    "daily/2026-11-28.md": "# Saturday\n\n- The café was half empty until the scan finished.\n",
    "daily/2026-11-29.md": (
        "# Sunday\n\n## Evening\n\n- Rebuilt the index; forgot the watcher. #work/ops\n"
    ),
    "digest/procedure/stop-the-watcher.md": (
        "---\nname: Stop the watcher\ndescription: How.\nkind: procedure\ncreated: 2026-06-20\n"
        "aliases: [halt file events]\n---\n\n"
        "Stop it before [[daily/2026-11-29.md|Sunday's]] rebuild.\n"
    ),
    "notes/tea.md": "Oolong tea is brewed at ninety degrees.\n\nScans of receipts are in a box.\n",
    "notes/中文.md": "# 搜索\n\n重建索引之前先停止监视器。\n",
    "notes/private.md": "---\ndream: false\n---\n\nThe safe code is under the fern.\n",
    "attachments/plan.pdf": b"%PDF fern",
    ".trash/gone.md": "oolong in the trash\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return age(make_vault(tmp_path / "vault", NOTES))


def age(root: Path) -> Path:
    """Make every file old enough for its time to be trusted."""
    for file in root.rglob("*"):
        os.utime(file, (OLD, OLD))
    return root


@pytest.fixture
def lookup(vault: Path, tmp_path: Path) -> Iterator[Lookup]:
    with Lookup(vault, Settings, folder=tmp_path / "cache") as one:
        yield one


def paths(lookup: Lookup, query: str) -> list[str]:
    return [hit.path for hit in lookup.search(query)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("oolong", "notes/tea.md"),
        ("brewing", "notes/tea.md"),
        ("cafe", "daily/2026-11-28.md"),
        ("ooolong", "notes/tea.md"),
        ("stop watcher", "digest/procedure/stop-the-watcher.md"),
        ("halt file events", "digest/procedure/stop-the-watcher.md"),
        ("停止监视器", "notes/中文.md"),
        ('"half empty"', "daily/2026-11-28.md"),
        ('"停止监视"', "notes/中文.md"),
        ("fern", "notes/private.md"),
        ("2026-11-29", "daily/2026-11-29.md"),
    ],
)
def test_what_is_found_first(lookup: Lookup, query: str, first: str) -> None:
    assert paths(lookup, query)[:1] == [first]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("scan", {"daily/2026-11-28.md", "notes/tea.md"}),
        ("scan -tea", {"daily/2026-11-28.md"}),
        ("scan in:notes", {"notes/tea.md"}),
        ("scan in:daily/", {"daily/2026-11-28.md"}),
        ("scan -in:daily", {"notes/tea.md"}),
        ("tag:work", {"daily/2026-11-29.md"}),
        ("tag:#work/ops", {"daily/2026-11-29.md"}),
        ("tag:wor", set()),
        ("kind:procedure", {"digest/procedure/stop-the-watcher.md"}),
        ("kind:node", {"digest/procedure/stop-the-watcher.md"}),
        ("kind:daily", {"daily/2026-11-28.md", "daily/2026-11-29.md"}),
        ("kind:note", {"notes/tea.md", "notes/中文.md", "notes/private.md"}),
        ("before:2026-11-29", {"daily/2026-11-28.md", "digest/procedure/stop-the-watcher.md"}),
        ("after:2026-11-28", {"daily/2026-11-29.md"}),
        ("after:2026-06 before:2026-11-29", {"daily/2026-11-28.md"}),
        ("after:2026", set()),
        ('"empty half"', set()),
        ('"until the scan" in:notes', set()),
        ("", set()),
        ("-", set()),
        ("-oolong", set()),
        ("zzzzqqqq", set()),
    ],
)
def test_what_is_found_at_all(lookup: Lookup, query: str, found: set[str]) -> None:
    assert set(paths(lookup, query)) == found


def test_a_hit_says_where_it_stands_and_what_was_found(lookup: Lookup) -> None:
    (hit,) = lookup.search("forgot")
    (passage,) = hit.passages
    assert (hit.title, passage.line, passage.heading) == ("2026-11-29", 5, "Evening")
    assert passage.text.startswith("Rebuilt the index; forgot the watcher.")
    assert [passage.text[a:b] for a, b in passage.marks] == ["forgot"]


def test_a_long_line_is_cut_around_what_was_found(lookup: Lookup, vault: Path) -> None:
    (vault / "long.md").write_text("word " * 500 + "needle " + "word " * 500)
    (hit,) = lookup.search("needle")
    text, (mark,) = hit.passages[0].text, hit.passages[0].marks
    assert len(text) < 200 and text[slice(*mark)] == "needle"
    assert text.startswith("…") and text.endswith("…")


def test_a_wrong_day_says_how_days_are_written(lookup: Lookup) -> None:
    with pytest.raises(SettingsError, match="not a date"):
        lookup.search("before:yesterday")


def test_what_is_never_read_is_not_found(vault: Path, tmp_path: Path) -> None:
    (vault / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["daily/"]}')
    settings = Settings(exclude=("notes/t*",))
    with Lookup(vault, lambda: settings, folder=tmp_path / "cache") as lookup:
        assert paths(lookup, "scan") == []
        (vault / ".obsidian/app.json").write_text("{}")
        assert paths(lookup, "scan") == ["daily/2026-11-28.md"]


# Freshness --------------------------------------------------------------------------------------


def test_an_unchanged_vault_is_not_read_again(
    vault: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    with Lookup(vault, Settings, folder=tmp_path / "cache") as first:
        first.search("oolong")
    with Lookup(vault, Settings, folder=tmp_path / "cache") as second:
        monkeypatch.setattr(
            "vault_dream.engine.vault.listing.list_vault", lambda *_, **__: pytest.fail("listed")
        )
        assert paths(second, "oolong") == ["notes/tea.md"]


def test_changes_additions_and_deletions_are_seen(lookup: Lookup, vault: Path) -> None:
    assert paths(lookup, "oolong") == ["notes/tea.md"]
    (vault / "notes/tea.md").write_text("Sencha is better.\n")
    (vault / "notes/new.md").write_text("Oolong again.\n")
    assert paths(lookup, "oolong") == ["notes/new.md"]
    assert paths(lookup, "sencha") == ["notes/tea.md"]
    (vault / "notes/new.md").rename(vault / "notes/renamed.md")
    assert paths(lookup, "oolong") == ["notes/renamed.md"]
    (vault / "notes/renamed.md").unlink()
    assert paths(lookup, "oolong") == []


def test_a_file_changed_within_the_same_tick_is_seen(lookup: Lookup, vault: Path) -> None:
    file = vault / "notes/tea.md"
    file.write_text("alpha")
    status = file.stat()
    assert paths(lookup, "alpha") == ["notes/tea.md"]
    file.write_text("gamma")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert paths(lookup, "gamma") == ["notes/tea.md"]


def test_a_touched_note_is_not_written_again(lookup: Lookup, vault: Path) -> None:
    lookup.search("oolong")
    os.utime(vault / "notes/tea.md", (OLD + 5, OLD + 5))
    assert paths(lookup, "oolong") == ["notes/tea.md"]
    stale = lookup.index.ask(lambda c: c.execute("SELECT stale FROM total").fetchone(), None)
    assert stale == (0,)


def test_an_index_full_of_old_rows_begins_anew(
    lookup: Lookup, vault: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("vault_dream.engine.digest.vaultindex._STALE", 3)
    for number in range(12):
        (vault / "notes/tea.md").write_text(f"version{number}")
        assert paths(lookup, f"version{number}") == ["notes/tea.md"]
    assert paths(lookup, "version3") == []
    stale = lookup.index.ask(lambda c: c.execute("SELECT stale FROM total").fetchone(), None)
    assert stale is not None and stale[0] <= 8
    assert "daily/2026-11-28.md" in paths(lookup, "scan")


def test_only_the_paths_of_an_update_are_read(lookup: Lookup, vault: Path) -> None:
    lookup.search("oolong")
    (vault / "notes/tea.md").write_text("Sencha.")
    (vault / "notes/new.md").write_text("Matcha.")
    (vault / "daily/2026-11-28.md").unlink()
    changed = ["notes/tea.md", "notes/new.md", "daily/2026-11-28.md", "attachments/plan.pdf"]
    assert lookup.update(changed) == 2
    rows = lookup.index.ask(lambda c: c.execute("SELECT path FROM note").fetchall(), [])
    assert ("notes/new.md",) in rows and ("daily/2026-11-28.md",) not in rows


def test_a_watched_note_is_found_after_its_event(vault: Path, tmp_path: Path) -> None:
    from threading import Event

    seen = Event()
    with Lookup(vault, Settings, folder=tmp_path / "cache", quick=True) as lookup:
        assert paths(lookup, "oolong") == ["notes/tea.md"]
        watcher = lookup.watch()
        watcher._changed = lambda paths: (lookup.update(paths), seen.set())
        with watcher:
            (vault / "notes/tea.md").write_text("Rooibos.")
            assert seen.wait(timeout=20)
        assert paths(lookup, "rooibos") == ["notes/tea.md"]


@pytest.mark.parametrize("damage", ["garbage", "foreign", "empty", "cut"])
def test_a_damaged_index_is_made_anew(vault: Path, tmp_path: Path, damage: str) -> None:
    with Lookup(vault, Settings, folder=tmp_path / "cache") as lookup:
        lookup.search("oolong")
    file = tmp_path / "cache/vault.sqlite"
    if damage == "garbage":
        file.write_bytes(b"no database at all" * 100)
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:5000])
    else:
        file.unlink()
        with sqlite3.connect(file) as other:
            other.execute("CREATE TABLE bookmarks (url TEXT)")
    with Lookup(vault, Settings, folder=tmp_path / "cache") as lookup:
        assert paths(lookup, "oolong") == ["notes/tea.md"]


@pytest.mark.parametrize("lost", ["word", "body", "note", "version"])
@pytest.mark.parametrize("question", ["search", "links", "tags"])
def test_an_index_that_breaks_when_asked_is_filled_before_it_answers(
    vault: Path, tmp_path: Path, lost: str, question: str
) -> None:
    def answers() -> object:
        with Lookup(vault, Settings, folder=tmp_path / "cache") as lookup:
            if question == "links":
                return lookup.graph().out
            return lookup.tags() if question == "tags" else paths(lookup, "oolong")

    whole = answers()
    with sqlite3.connect(tmp_path / "cache/vault.sqlite") as connection:
        connection.execute("PRAGMA user_version = 1" if lost == "version" else f"DROP TABLE {lost}")
    assert whole and answers() == whole
    assert answers() == whole


def test_a_cache_that_cannot_be_written_is_done_without(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    with Lookup(vault, Settings, folder=tmp_path / "cache") as lookup:
        assert paths(lookup, "oolong") == ["notes/tea.md"]


def test_two_processes_may_index_one_vault_at_once(vault: Path, tmp_path: Path) -> None:
    for number in range(300):
        (vault / f"notes/note {number}.md").write_text(f"Leaf{number} of the tree.\n")
    age(vault)
    code = (
        "import sys; from vault_dream.config import Settings;"
        "from vault_dream.engine.lookup import Lookup;"
        "one = Lookup(sys.argv[1], Settings, folder=sys.argv[2]);"
        "print(*[hit.path for hit in one.search('leaf299', 1)])"
    )
    command = [sys.executable, "-c", code, str(vault), str(tmp_path / "cache")]
    racing = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [one.communicate()[0].strip() for one in racing] == ["notes/note 299.md"] * 3
    with Lookup(vault, Settings, folder=tmp_path / "cache") as lookup:
        assert len(lookup.search("tree", 1_000)) == 300
        connection = lookup.index._store.connection
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*), count(DISTINCT path) FROM note").fetchone() == (
            (306, 306)
        )


# Tags -------------------------------------------------------------------------------------------


def test_tags_are_counted_with_those_above_them_and_stay_fresh(lookup: Lookup, vault: Path) -> None:
    assert lookup.tags() == (TagCount("work", 1, 0), TagCount("work/ops", 1, 1))
    (vault / "notes/tea.md").write_text("---\nmemory_tags: [Work, tea]\n---\nOolong #tea.\n")
    assert lookup.tags() == (
        TagCount("Work", 2, 1), TagCount("tea", 1, 1), TagCount("work/ops", 1, 1)
    )  # fmt: skip
    assert set(paths(lookup, "tag:work")) == {"daily/2026-11-29.md", "notes/tea.md"}
    assert paths(lookup, "tag:WORK -tag:work/ops") == ["notes/tea.md"]
    (vault / "daily/2026-11-29.md").unlink()
    assert lookup.tags() == (TagCount("tea", 1, 1), TagCount("Work", 1, 1))


def test_another_tag_field_is_read_anew(vault: Path, tmp_path: Path) -> None:
    (vault / "notes/tea.md").write_text("---\ntopics: [tea]\n---\nOolong.\n")
    age(vault)
    for field, found in (("memory_tags", []), ("topics", ["notes/tea.md"]), ("memory_tags", [])):
        settings = Settings(tag_field=field)
        with Lookup(
            vault, lambda one=settings: one, folder=tmp_path / "cache", origin=field
        ) as lookup:
            assert paths(lookup, "tag:tea") == found


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(), ("work/ops",)),
        (Settings(exclude_tags=("work",)), ()),
        (Settings(exclude_headings=("Private",)), ()),
        (Settings(exclude=("daily",)), ()),
    ],
)
def test_a_reader_is_told_no_tag_that_its_owner_keeps(
    vault: Path, settings: Settings, told: tuple[str, ...]
) -> None:
    (vault / "notes/private.md").write_text("---\ndream: false\ntags: [safe]\n---\nFern.\n")
    (vault / "notes/odd.md").write_text("---\ntags: [odd\n---\nFern #odd.\n")
    with Lookup(vault, lambda: settings, folder=None) as lookup:
        assert lookup.told_tags() == told
        assert "safe" in [one.tag for one in lookup.tags()]


def test_an_unreadable_note_costs_only_itself(lookup: Lookup, vault: Path) -> None:
    (vault / "notes/broken.md").write_bytes(b"---\na: [\n---\nOolong \xff\xfe here\0.\n")
    (vault / "notes/locked.md").write_text("oolong")
    (vault / "notes/locked.md").chmod(0)
    assert {"notes/tea.md", "notes/broken.md"} <= set(paths(lookup, "oolong"))


# Queries and chunks -----------------------------------------------------------------------------


def test_a_query_is_taken_apart() -> None:
    assert asked(
        'half "empty until" -draft -"two words" in:"My Notes/" tag:#A -kind:node'
    ) == Asked(
        "half empty until",
        ("empty until",),
        ("draft", "two words"),
        (Filter("in", "my notes"), Filter("tag", "a"), Filter("kind", "node", without=True)),
    )


@given(st.text(alphabet='ab -":#/é中\n\0\ud800intagbefore', max_size=60))
def test_any_text_is_a_query(query: str) -> None:
    try:
        parts = asked(query)
    except SettingsError:
        return
    assert all(phrase.strip() for phrase in parts.phrases)


@pytest.mark.parametrize(
    "query", ['"', '""', "-", '-"', "tag:", "in: x", "\0", "\ud800", "a" * 9000]
)
def test_odd_queries_are_no_error(lookup: Lookup, query: str) -> None:
    lookup.search(query)


@given(st.text(alphabet="ab #-\n", max_size=6000) | st.integers(0, 60_000).map(lambda n: "x" * n))
def test_chunks_cover_a_text_without_gaps(text: str) -> None:
    spans = chunk_spans(text)
    assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == len(text)
    assert all(end - start <= 2 * SIZE for start, end in spans)


def test_a_huge_note_has_no_more_chunks_than_ids() -> None:
    assert len(chunk_spans("word " * 4_000_000)) <= MOST
