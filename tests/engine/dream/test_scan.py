"""The scan: what a reader gets to see of the days, and what the owner keeps from it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import NOON, ScriptedReader, claim, make_vault, open_session, snapshot
from vault_dream.engine.dream.scan import window
from vault_dream.engine.dream.state import State
from vault_dream.headless import dream

DAY = "daily/2026-11-30.md"
SECRET = "the private words that nobody may read"


def shown(root: Path, **settings: Any) -> str:
    """Everything that a reader is shown of the vault, in one text."""
    reader = ScriptedReader()
    with open_session(root, reader, **settings) as session:
        dream(session, policy="safe")
    blocks = [b for request in reader.asked for source in request.sources for b in source.blocks]
    return "\n".join(line for block in blocks for line in (block.text, *block.headings))


KEPT_BACK: dict[str, tuple[str, dict[str, Any]]] = {
    "dream: false": (f"---\ndream: false\n---\n{SECRET}\n", {}),
    "Dream: False": (f"---\nDream: False\n---\n{SECRET}\n", {}),
    "dream: no": (f"---\ndream: no\n---\n{SECRET}\n", {}),
    "dream: 'false'": (f"---\ndream: 'false'\n---\n{SECRET}\n", {}),
    "dream: false in properties that cannot be read": (
        f"---\nup: [[Home]]: x\ndream: false\n---\n{SECRET}\n",
        {},
    ),
    "dream: false in a block that is set twice": (
        f"---\na: 1\na: 2\ndream: false\n---\n{SECRET}\n",
        {},
    ),
    "a tagged note": (f"---\ntags: [private]\n---\n{SECRET}\n", {"exclude_tags": ("private",)}),
    "a tagged note, other case": (
        f"---\ntags: [Private]\n---\n{SECRET}\n",
        {"exclude_tags": ("#private",)},
    ),
    "a note with several tags in one text": (
        f"---\ntags: home, private\n---\n{SECRET}\n",
        {"exclude_tags": ("private",)},
    ),
    "a note with a nested tag": (
        f"---\ntags: [private/health]\n---\n{SECRET}\n",
        {"exclude_tags": ("private",)},
    ),
    "a note with a deeper tag": (
        f"---\ntags: [a/b/c]\n---\n{SECRET}\n",
        {"exclude_tags": ("a/b",)},
    ),
    "tags in properties that cannot be read": (
        f"---\nup: [[Home]]: x\ntags: [private]\n---\n{SECRET}\n",
        {"exclude_tags": ("private",)},
    ),
    "a tagged block": (f"{SECRET} #private\n", {"exclude_tags": ("private",)}),
    "a tag before a full stop": (f"{SECRET}, see #private.\n", {"exclude_tags": ("private",)}),
    "a tag before a comma": (f"#private, {SECRET}\n", {"exclude_tags": ("private",)}),
    "a nested tag in a block": (f"{SECRET} #a/b/c\n", {"exclude_tags": ("a/b",)}),
    "what stands under a tagged item": (
        f"- plans #private\n  - {SECRET}\n    - {SECRET}\n",
        {"exclude_tags": ("private",)},
    ),
    "what stands under a tagged heading": (
        f"## Therapy #private\n\n{SECRET}\n",
        {"exclude_tags": ("private",)},
    ),
    "a section": (f"## Private\n\n{SECRET}\n", {"exclude_headings": ("Private",)}),
    "a section within": (
        f"## Private\n\n### More\n\n{SECRET}\n",
        {"exclude_headings": ("private",)},
    ),
    "a section in bold": (f"## **Private**\n\n{SECRET}\n", {"exclude_headings": ("Private",)}),
    "a section with a colon": (f"## Private:\n\n{SECRET}\n", {"exclude_headings": ("Private",)}),
    "a section with a tag": (f"## Private #x\n\n{SECRET}\n", {"exclude_headings": ("Private",)}),
    "a section that is a link": (
        f"## [[Private]]\n\n{SECRET}\n",
        {"exclude_headings": ("Private",)},
    ),
    "a section under two lines": (
        f"Private\n-------\n\n{SECRET}\n",
        {"exclude_headings": ("Private",)},
    ),
    "a section with marks": (f"## Prive\u0301\n\n{SECRET}\n", {"exclude_headings": ("Privé",)}),
    "a comment": (f"Before %%{SECRET}%% after.\n", {}),
    "a comment over lines": (f"%%\n{SECRET}\n%%\n", {}),
    "an HTML comment": (f"Before <!-- {SECRET} --> after.\n", {}),
    "an unclosed HTML comment": (f"Before\n\n<!-- {SECRET}\n", {}),
    "an HTML comment over blocks": (f"Before\n\n<!--\n\n{SECRET}\n\n-->\n", {}),
    "a comment in a heading": (f"## Plans %%{SECRET}%%\n\nWords below it.\n", {}),
    "a glob": (f"{SECRET}\n", {"exclude": ("daily/2026-11-30/*",)}),
    "a drawing": (f"---\nexcalidraw-plugin: parsed\n---\n{SECRET}\n", {}),
    "a board": (f"---\nkanban-plugin: board\n---\n{SECRET}\n", {}),
    "a conflict": (f"<<<<<<< HEAD\n{SECRET}\n=======\nb\n>>>>>>> other\n", {}),
}


@pytest.mark.parametrize("case", KEPT_BACK)
def test_what_the_owner_keeps_back_is_shown_to_no_reader(tmp_path: Path, case: str) -> None:
    text, settings = KEPT_BACK[case]
    root = make_vault(
        tmp_path / "v", {DAY: "Open words of this day.\n", "daily/2026-11-30/a.md": text}
    )
    seen = shown(root, **settings)
    assert SECRET not in seen
    assert "Open words" in seen


NOT_KEPT_BACK: dict[str, tuple[str, dict[str, Any]]] = {
    "dream: true": (f"---\ndream: true\n---\n{SECRET}\n", {}),
    "dream: false said in the text": (f"dream: false\n\n{SECRET}\n", {}),
    "another tag": (f"{SECRET} #privately\n", {"exclude_tags": ("private",)}),
    "no tag": (f"{SECRET} a#private\n", {"exclude_tags": ("private",)}),
    "an item beside": (f"- plans #private\n- {SECRET}\n", {"exclude_tags": ("private",)}),
    "a section after": (
        f"## Private\n\nx\n\n## Open\n\n{SECRET}\n",
        {"exclude_headings": ("Private",)},
    ),
    "another section": (f"## Privately\n\n{SECRET}\n", {"exclude_headings": ("Private",)}),
    "after a comment": (f"%% x %% {SECRET}\n", {}),
    "seven signs in a quote": (f"He typed <<<<<<< and stopped.\n\n{SECRET}\n", {}),
}


@pytest.mark.parametrize("case", NOT_KEPT_BACK)
def test_the_near_miss_is_shown(tmp_path: Path, case: str) -> None:
    text, settings = NOT_KEPT_BACK[case]
    root = make_vault(
        tmp_path / "v", {DAY: "Open words of this day.\n", "daily/2026-11-30/a.md": text}
    )
    assert SECRET in shown(root, **settings)


@pytest.mark.parametrize(
    ("path", "readable"),
    [
        ("Notes/open.md", True),
        ("Notes/closed.md", False),
        ("metadata/notes.md", False),
        ("Templates/t.md", False),
        ("Notes/data.json", False),
        ("Notes/unlinked.md", False),
        (".obsidian/app.json", False),
    ],
)
def test_a_reader_reads_what_its_sources_link_to_and_nothing_excluded(
    tmp_path: Path, path: str, readable: bool
) -> None:
    from vault_dream.engine.dream.reader import ToolError

    links = "[[Notes/open]] [[Notes/closed]] [[metadata/notes]] [[Templates/t]] [[Notes/data.json]]"
    root = make_vault(
        tmp_path / "v",
        {
            DAY: f"Some words of this very day to read {links}\n",
            "Notes/open.md": "Linked words.\n",
            "Notes/closed.md": f"---\ndream: false\n---\n{SECRET}\n",
            "Notes/unlinked.md": SECRET,
            "metadata/notes.md": SECRET,
            "Templates/t.md": SECRET,
            "Notes/data.json": '{"a": "' + SECRET + '"}',
            ".obsidian/templates.json": '{"folder": "Templates"}',
            ".obsidian/app.json": "{}",
        },
    )
    told: list[str] = []

    def look(request: Any, tools: Any) -> Any:
        try:
            told.append(tools.read(path))
        except ToolError:
            told.append("")
        raise ToolError("enough")

    reader = ScriptedReader([claim("A", (1, "Some words of this very day"))], {"A": look})
    with open_session(root, reader) as session:
        dream(session, policy="safe")
    assert told == (["Linked words."] if readable else [""])


def test_a_quote_is_found_on_its_line_behind_a_comment_of_several_lines(tmp_path: Path) -> None:
    text = "First %% hidden\nstill hidden %% words.\nthe seven words that prove it all today\n"
    root = make_vault(tmp_path / "v", {DAY: text})
    reader = ScriptedReader([claim("A", (1, "seven words that prove it all today"))])
    with open_session(root, reader) as session:
        session.scan()
        (unit,) = session.extract()
    assert unit.evidence[0].line == 3


def test_the_conflict_copy_of_a_daily_note_is_listed(tmp_path: Path) -> None:
    copies = [
        "daily/2026-11-30.sync-conflict-20261130-101112-ABCDEFG.md",
        "daily/2026-11-30 (Conflicted copy Laptop 202611301011).md",
    ]
    old = "daily/2026-01-01.sync-conflict-20260101-101112-ABCDEFG.md"
    root = make_vault(
        tmp_path / "v", {DAY: "Words of the day.\n", old: "x", **dict.fromkeys(copies, "y")}
    )
    with open_session(root, ScriptedReader()) as session:
        report = dream(session, policy="safe").report
    excluded = {item["path"]: item["reason"] for item in report["files"]["excluded"]}
    assert excluded == dict.fromkeys(copies, "sync-conflict copy")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("Meetings/YYYY-MM-DD*.md", "Meetings/2026-11-30 Standup.md", True),
        ("SUMMARY/YYYY-MM-DD.md", "SUMMARY/2026-11-30.md", True),
        ("COMMON/YYYYMMDD.md", "COMMON/20261130.md", True),
        ("Log/YYYY/MM/DD.md", "Log/2026/11/30.md", True),
        ("Log/YY-MM.md", "Log/26-11.md", True),
        ("Meetings/YYYY-MM-DD*.md", "Meetings/2026-10-30 Standup.md", False),
        ("digest/wiki/*.md", "digest/wiki/x.md", False),
        ("**/*.md", "metadata/x.md", False),
    ],
)
def test_extra_inputs_are_notes_of_their_day(
    tmp_path: Path, pattern: str, path: str, matches: bool
) -> None:
    root = make_vault(tmp_path / "v", {DAY: "Open words of this day.\n", path: f"{SECRET}\n"})
    assert (SECRET in shown(root, extra_inputs=(pattern,))) is matches


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< x\n" * 3_000 + "=======\n" * 3_000,
        "%% a %% b\n\n" * 6_000,
        "<!-- a --> b\n\n" * 6_000,
        "- [ ] " * 2_000 + "\n",
        "#private " * 20_000 + "\n",
    ],
)
@pytest.mark.timeout(90)  # what is quadratic takes far longer
def test_no_text_makes_the_scan_slow(tmp_path: Path, text: str) -> None:
    root = make_vault(tmp_path / "v", {DAY: text})
    with open_session(root, exclude_tags=("secret",)) as session:
        session.scan()


# Days --------------------------------------------------------------------------------------------


@given(st.dates(), st.integers(1, 3660), st.one_of(st.none(), st.dates()))
def test_a_window_ends_at_its_day_and_has_no_gap(day: date, days: int, last: date | None) -> None:
    found = window(day, days, last)
    assert found[-1] == day
    assert all(b - a == timedelta(days=1) for a, b in pairwise(found))
    assert len(found) <= max(days, 30)
    assert len(found) >= min(days, (day - date.min).days + 1)
    if last is not None and last <= day and (day - last).days < 30:
        assert last in found


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("Europe/Berlin", datetime(2026, 11, 29, 22, 59, tzinfo=UTC), "2026-11-29"),
        ("Europe/Berlin", datetime(2026, 11, 29, 23, 1, tzinfo=UTC), "2026-11-30"),
        ("America/Los_Angeles", datetime(2026, 11, 30, 7, 59, tzinfo=UTC), "2026-11-29"),
        ("Pacific/Kiritimati", datetime(2026, 11, 29, 10, 0, tzinfo=UTC), "2026-11-30"),
        ("Europe/Berlin", datetime(2026, 3, 28, 22, 59, tzinfo=UTC), "2026-03-28"),
        ("Europe/Berlin", datetime(2026, 3, 28, 23, 1, tzinfo=UTC), "2026-03-29"),
        ("Europe/Berlin", datetime(2026, 3, 29, 21, 59, tzinfo=UTC), "2026-03-29"),
        ("Europe/Berlin", datetime(2026, 10, 25, 22, 59, tzinfo=UTC), "2026-10-25"),
        ("Europe/Berlin", datetime(2026, 10, 25, 23, 1, tzinfo=UTC), "2026-10-26"),
    ],
)
def test_the_day_is_the_owners(tmp_path: Path, zone: str, at: datetime, day: str) -> None:
    from vault_dream.config import Settings
    from vault_dream.engine.session import ReviewSession

    root = make_vault(tmp_path / "v", {f"daily/{day}.md": "Words of the day.\n"})
    with ReviewSession(root, Settings(timezone=zone), clock=lambda: at) as session:
        assert session.today.isoformat() == day
        assert [s.path for s in session.scan().changed] == [f"daily/{day}.md"]


def run_at(root: Path, at: datetime, reader: ScriptedReader | None = None, **more: Any) -> Any:
    with open_session(root, reader or ScriptedReader(), clock=lambda: at) as session:
        return dream(session, policy="safe", **more).report


@pytest.mark.parametrize("wrong", [timedelta(days=900), timedelta(days=3)])
def test_a_clock_that_was_ahead_does_not_keep_later_days_from_being_read(
    tmp_path: Path, wrong: timedelta
) -> None:
    files = {f"daily/2026-11-{d}.md": f"Words of day {d} here.\n" for d in range(10, 31)}
    root = make_vault(tmp_path / "v", {**files, "daily/2029-04-28.md": "x y z\n"})
    run_at(root, NOON - timedelta(days=20) + wrong)
    run_at(root, NOON - timedelta(days=20))
    report = run_at(root, NOON)
    assert report["dates"][0] <= "2026-11-20"


def test_a_day_given_ahead_is_not_the_last_day_that_was_completed(tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "v", {DAY: "Words of the day.\n", "daily/2027-06-01.md": "More words.\n"}
    )
    run_at(root, NOON, day=date(2027, 6, 1))
    assert run_at(root, NOON + timedelta(days=9))["dates"][0] == "2026-11-30"


def test_a_touched_note_is_not_counted_as_unread_when_it_is_old(tmp_path: Path) -> None:
    import os

    root = make_vault(
        tmp_path / "v", {DAY: "Words of the day.\n", "daily/2026-11-29/a.md": "More words.\n"}
    )
    run_at(root, NOON)
    os.utime(root / DAY)
    before = snapshot(root)
    report = run_at(root, NOON + timedelta(days=5))
    assert report["files"]["older_unread"] == 0
    report = run_at(root, NOON + timedelta(days=12))
    assert (report["files"]["older_unread"], report["status"]) == (0, "nothing")
    assert snapshot(root) == before


def test_what_came_back_is_known_and_missed_when_it_goes_again(tmp_path: Path) -> None:
    root = make_vault(
        tmp_path / "v", {DAY: "Words of the day.\n", "daily/2026-11-29.md": "More words.\n"}
    )
    run_at(root, NOON)
    for _ in range(2):
        (root / DAY).unlink()
        assert run_at(root, NOON)["files"]["deleted"] == 1
        (root / DAY).write_text("Words of the day.\n")
        assert run_at(root, NOON)["files"]["changed"] == 0
    (root / DAY).unlink()
    run_at(root, NOON)
    (root / "daily/2026-11-30").mkdir()
    (root / "daily/2026-11-30/moved.md").write_text("Words of the day.\n")
    assert run_at(root, NOON)["files"]["changed"] == 0
    (root / "daily/2026-11-30/moved.md").unlink()
    assert run_at(root, NOON)["files"]["deleted"] == 1


def test_state_files_hold_what_they_are_asked_for(tmp_path: Path) -> None:
    from vault_dream.engine.vault.disk import Disk

    root = make_vault(tmp_path / "v", {DAY: "Words of the day.\n"})
    run_at(root, NOON)
    assert State(root, "metadata", Disk(root)).catalog().files[DAY].state == "done"
