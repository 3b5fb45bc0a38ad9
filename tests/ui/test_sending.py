"""What leaves the machine: asked before the first time, seen word for word, kept nowhere."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support import ScriptedReader, snapshot
from tests.ui.scenes import CLAIMS, NOON, PLANS, TAGS, app_over, press, screen_text, settled, vault
from vault_dream.engine.dream.reader import (
    Estimate,
    ExtractAnswer,
    ExtractRequest,
    FirstSend,
    IntegrateRequest,
    Receipt,
    Tools,
)
from vault_dream.ui.app import VaultDreamApp
from vault_dream.ui.plainly import review_plainly
from vault_dream.ui.sent import SentLog

HOST = "api.example.com"


@dataclass
class SendingReader(ScriptedReader):
    """A scripted reader behind an endpoint that was never used before."""

    known: bool = False

    def first_send(self, request: ExtractRequest) -> FirstSend | None:
        return None if self.known else FirstSend(HOST, "m", len(request.sources), 4_321)

    def estimate(self, request: ExtractRequest, waiting: int = 0) -> Estimate:
        return Estimate(len(request.sources), 56_000, 31, 0.25)

    def preview(self, request: ExtractRequest) -> Sequence[Mapping[str, Any]]:
        said = "\n".join(block.text for source in request.sources for block in source.blocks)
        return [{"model": "m", "messages": [{"role": "user", "content": said}]}]

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        self.known = True
        return await super().extract(request)

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        self.known = True
        return await super().integrate(request, tools)


def sending() -> SendingReader:
    return SendingReader(claims=CLAIMS, plans=PLANS, tags=TAGS)


def walk(
    root: Path, reader: Any, steps: Callable[[Any, VaultDreamApp], Awaitable[None]], **options: Any
) -> None:
    async def inside() -> None:
        app = app_over(root, given=reader, **options)
        async with app.run_test(size=(110, 36)) as pilot:
            await settled(pilot)
            await steps(pilot, app)

    asyncio.run(asyncio.wait_for(inside(), 60))


def test_the_app_asks_before_the_first_send(tmp_path: Path) -> None:
    reader = sending()

    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "d")
        page = screen_text(app)
        for words in (HOST, "two notes", "4,321 characters", "56,000 tokens", "31 calls", "0.25"):
            assert words in page, words
        assert "daily/2026-11-30.md" in page and "send it" in page
        assert reader.asked == []
        await press(pilot, "w")
        assert "half empty until the scan finished" in screen_text(app)
        await press(pilot, "escape", "enter")
        assert len(reader.asked) == 1 and "four things worth keeping" in screen_text(app)
        await press(pilot, "enter", "enter", "escape", "d", "enter")
        assert HOST not in screen_text(app), "it is asked once"

    walk(vault(tmp_path / "vault"), reader, steps)


def test_a_no_sends_nothing_and_nothing_counts_as_read(tmp_path: Path) -> None:
    reader = sending()
    root = vault(tmp_path / "vault")
    before = snapshot(root)

    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "d", "X")
        assert reader.asked == [] and "Nothing was sent" in screen_text(app)
        await press(pilot, "escape")
        assert "have something new" in screen_text(app)
        await press(pilot, "d", "escape", "d")
        assert HOST in screen_text(app), "it is asked again"

    walk(root, reader, steps)
    assert reader.asked == [] and snapshot(root) == before


def test_another_note_and_tags_ask_as_well(tmp_path: Path) -> None:
    reader = sending()
    root = vault(tmp_path / "vault")

    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "d", "enter", "enter", "enter")
        reader.known = False
        await press(pilot, "r", *"postgres", "enter")
        assert f"Nothing was ever sent to {HOST}" in screen_text(app)
        worked = len(reader.worked_on)
        await press(pilot, "escape")
        assert len(reader.worked_on) == worked
        await press(pilot, "a", "C", "enter")
        assert reader.tagged == [] and "no tags: nothing was ever sent" in screen_text(app)

    walk(root, reader, steps)


def test_older_days_name_the_endpoint_before_anything_is_sent(tmp_path: Path) -> None:
    reader = sending()

    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        await press(pilot, "b")
        page = screen_text(app)
        assert f"Nothing was ever sent to {HOST} (m)" in page and "56,000 tokens" in page
        assert reader.asked == []
        await press(pilot, "enter")
        assert [len(each.sources) for each in reader.asked] == [1]

    walk(vault(tmp_path / "vault"), reader, steps)


def plainly(root: Path, reader: Any, *answers: str) -> str:
    out = io.StringIO()
    review_plainly(
        root,
        clock=lambda: NOON,
        reader=reader,
        stdin=io.StringIO("".join(f"{answer}\n" for answer in answers)),
        out=out,
    )
    return out.getvalue()


def test_the_plain_review_asks_as_well(tmp_path: Path) -> None:
    reader = sending()
    root = vault(tmp_path / "vault")
    said = plainly(root, reader, "d", "w", "n", "d")
    assert (
        f"Nothing was ever sent to {HOST}" in said and "half empty until the scan finished" in said
    )
    assert reader.asked == [], "neither a no nor the end of the answers is a yes"
    assert "Done: 4 to decide" in plainly(root, reader, "d", "y", "q")


def test_requests_are_kept_by_conversation_and_bounded() -> None:
    log = SentLog(kept=1_000)
    one = [{"role": "system", "content": "x" * 400}]
    more = [*one, {"role": "assistant", "content": "y"}, {"role": "tool", "content": "z"}]
    log.add("A", "integrate", {"messages": one})
    log.add("A", "integrate", {"messages": more})
    log.add("B", "integrate", {"messages": one})
    assert [(each.about, each.calls, len(each.messages)) for each in log.all] == [
        ("A", 2, 3),
        ("B", 1, 1),
    ]
    log.add("C", "integrate", {"messages": one})
    assert [each.about for each in log.all] == ["B", "C"]


def test_hostile_text_in_a_request_is_shown_and_does_nothing(tmp_path: Path) -> None:
    hostile = "[/x] [@click=app.quit]go[/] \x1b[2J \u202egnp.exe"

    async def steps(pilot: Any, app: VaultDreamApp) -> None:
        app.desk.sent.add(hostile, hostile, {"messages": [{"role": hostile, "content": hostile}]})
        await press(pilot, "w")
        page = screen_text(app)
        assert "[@click=app.quit]go[/]" in page
        assert "\x1b" not in page and "\u202e" not in page

    walk(vault(tmp_path / "vault"), sending(), steps)
