"""What the review promises: both faces write the same, nothing is lost, nothing is overwritten."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import contents, open_session
from tests.ui.scenes import (
    NOON,
    app_over,
    dreamt,
    press,
    reader,
    screen_text,
    settled,
    vault,
)
from vault_dream.config import load_settings
from vault_dream.engine.errors import NoModelError
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import dream
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.glyphs import ASCII
from vault_dream.ui.plainly import review_plainly

REBUILD = "digest/procedure/rebuild-the-search-index.md"


def run(
    root: Path,
    walk: Callable[[Any, VaultDreamApp], Any],
    size: tuple[int, int] = (124, 40),
    **options: Any,
) -> VaultDreamApp:
    """Walk through the app over ``root``."""
    app = app_over(root, **options)

    async def inside() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await walk(pilot, app)

    asyncio.run(asyncio.wait_for(inside(), 60))
    return app


def notes(root: Path) -> dict[str, str]:
    """What is in the vault, the account of decisions left out."""
    return {path: sha for path, sha in contents(root).items() if not path.startswith("metadata/")}


def test_the_app_the_plain_review_and_the_headless_run_write_the_same_bytes(tmp_path: Path) -> None:
    roots = [vault(tmp_path / name / "vault") for name in ("app", "plain", "headless")]
    start = notes(roots[0])

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await dreamt(pilot)
        await press(pilot, "a", "a", "a", "a", "C", "enter")

    run(roots[0], walk)

    numbers = iter(range(1, 1000))
    said = io.StringIO()
    options = {"token": lambda: f"{next(numbers):04d}"}
    script = io.StringIO("dream\napprove\na\na\na\ncommit\nquit\n")
    assert not review_plainly(
        roots[1],
        clock=lambda: NOON,
        reader=reader(),
        session_options=options,
        stdin=script,
        out=said,
    )

    with open_session(roots[2], reader(), reviewed_field="") as session, session.dreaming("test"):
        session.scan()
        session.extract()
        for proposal in session.integrate():
            session.decide(proposal.id, "approved", by="policy")
        session.commit()
        for proposal in session.auto_tag():
            session.decide(proposal.id, "approved", by="policy")
        session.commit()

    app_notes, plain_notes, headless_notes = map(notes, roots)
    assert app_notes == plain_notes == headless_notes
    assert len({path for path in app_notes if app_notes[path] != start.get(path)}) == 4


def test_the_plain_review_brings_back_what_was_put_away(tmp_path: Path) -> None:
    root, october = vault(tmp_path / "vault"), NOON.replace(month=10, day=1)
    with open_session(root, reader(), clock=lambda: october) as session:
        session.scan(NOON.date())
        session.extract()
        session.integrate()
        session.save()
    said = io.StringIO()
    script = io.StringIO("P\nP 9\nP 2\nP\nparked 1\nquit\n")
    assert not review_plainly(root, clock=lambda: NOON, stdin=script, out=said)
    first, listed, again, back, fewer, *_ = re.split(r"\[[^]]*\] ", said.getvalue())
    assert "4 proposals parked; P lists what is." in first
    assert listed == again and len(listed.splitlines()) == 5 and ", since 2026-10-01" in listed
    second = listed.splitlines()[1].split(": ")[1].partition(", since")[0]
    assert second in back and "(1/1)" in back
    assert len(fewer.splitlines()) == 4 and second not in fewer
    with open_session(root, clock=lambda: NOON) as session:
        assert (len(session.parked), len(session.proposals)) == (2, 2)


def test_a_dream_alone_changes_no_note_and_a_restart_lands_where_one_was(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    start = notes(root)

    async def first(pilot: Any, app: VaultDreamApp) -> None:
        await dreamt(pilot)
        await press(pilot, "a", "x", "enter", "j")

    run(root, first)
    assert notes(root) == start

    async def second(pilot: Any, app: VaultDreamApp) -> None:
        assert app.screen.PLACE == "review"  # type: ignore[attr-defined]
        states = [p.state for p in app.desk.proposals]
        assert states == ["approved", "open", "open"], "the rejected one is settled"
        assert app.screen.queue.cursor.endswith("/4")  # type: ignore[attr-defined]
        await press(pilot, "C", "enter")

    run(root, second)
    changed = {path for path, sha in notes(root).items() if start.get(path) != sha}
    assert changed == {REBUILD}


def test_a_note_that_changed_meanwhile_goes_stale_and_is_never_overwritten(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    theirs = "---\nname: Mine now\ndescription: All of it is new.\n---\n\nRewritten by hand.\n"

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await dreamt(pilot)
        (root / REBUILD).write_text(theirs)
        app.vault_changed()
        await settled(pilot)
        assert app.desk.proposals[0].state == "stale"
        assert "stale" in screen_text(app)

    run(root, walk)
    assert (root / REBUILD).read_text() == theirs


def test_what_another_run_proposes_while_the_app_is_open_appears(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        assert app.desk.proposals == ()
        settings = load_settings(root)
        with ReviewSession(root, settings, reader=reader(), clock=lambda: NOON) as other:
            dream(other, policy="queue")
        app.vault_changed()
        await settled(pilot)
        assert len(app.desk.proposals) == 4
        assert "for you to decide" in screen_text(app)

    run(root, walk)


def test_no_model_is_a_page_that_says_what_to_do(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        app.desk.open_session.reader = None
        await press(pilot, "R", "d")
        assert "provider: offline" in screen_text(app)
        assert "Nothing was changed" in screen_text(app)

    run(root, walk)
    assert not (root / "metadata").exists()


def test_a_vault_where_another_process_dreams_is_a_page_too(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    with open_session(root) as other, other.dreaming("nightly"):

        async def walk(pilot: Any, app: VaultDreamApp) -> None:
            await press(pilot, "d")
            assert "Another process is dreaming" in screen_text(app)

        run(root, walk)


def test_a_reader_that_cannot_be_reached_costs_nothing(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    broken = reader()
    broken.fails = NoModelError("http://localhost:11434", "nobody answers", "start it")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "d")
        assert "nobody answers" in screen_text(app)

    run(root, walk, given=broken)
    assert not (root / "metadata").exists()


def test_settings_that_cannot_be_read_are_a_page(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    (root / "vault-dream.yaml").write_text("scan_dayz: 3\n")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        assert "there is no setting 'scan_dayz'" in screen_text(app)
        await press(pilot, "enter", "d", "h", "slash", "question_mark", "escape")

    run(root, walk)


def test_a_vault_without_settings_begins_with_a_guided_choice(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")
    (root / "vault-dream.yaml").unlink()
    app = VaultDreamApp(root, clock=lambda: NOON, glyphs=ASCII, watch=False)

    async def inside() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            assert "Who should read them?" in screen_text(app)
            await press(pilot, "escape")
            assert app.screen.PLACE == "home"  # type: ignore[attr-defined]

    asyncio.run(asyncio.wait_for(inside(), 60))
    assert not (root / "vault-dream.yaml").exists()


def test_leaving_in_the_middle_of_a_dream_keeps_what_was_found(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "d")

    run(root, walk)
    with open_session(root) as session:
        assert len(session.state.failed()) == 4


@pytest.mark.parametrize("size", [(80, 24), (60, 15), (40, 10), (200, 60)])
def test_every_size_can_be_walked(size: tuple[int, int], tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await dreamt(pilot)
        for key in ("tab", "tab", "v", "plus", "p", "escape", "question_mark", "escape", "A"):
            await press(pilot, key)
        rows = screen_text(app).splitlines()
        assert len(rows) <= size[1]

    run(root, walk, size=size)


def test_a_terminal_without_unicode_gets_only_ascii_from_us(tmp_path: Path) -> None:
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        seen = [screen_text(app)]
        await dreamt(pilot)
        for key in ("tab", "v", "tab", "A", "escape", "p", "escape", "question_mark"):
            await press(pilot, key)
            seen.append(screen_text(app))
        odd = {letter for text in seen for letter in text if not letter.isascii()}
        assert odd == set(), odd

    run(root, walk, glyphs=ASCII)


def test_keys_can_be_mapped_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULT_DREAM_CONFIG_HOME", str(tmp_path))
    (tmp_path / "keys.yaml").write_text("approve: y\ncopy: w\n")
    root = vault(tmp_path / "vault")

    async def walk(pilot: Any, app: VaultDreamApp) -> None:
        await dreamt(pilot)
        assert "y approve" in screen_text(app)
        await press(pilot, "a")
        assert app.desk.proposals[0].state == "open"
        await press(pilot, "y")
        assert app.desk.proposals[0].state == "approved"

    run(root, walk)
