"""Watching a model at work, and stopping it at any moment."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path

import pytest

from tests.engine.dream.test_model_reader import DAY, STEPS, TEXT, UNIT, WRITE, receipt
from tests.engine.dream.test_model_reader import reader as make_reader
from tests.engine.model.server import Server, call, fail, say_json
from tests.support import contents, make_vault, open_session
from vault_dream.engine.events import Answering, Event
from vault_dream.headless import dream
from vault_dream.pipeline import Job
from vault_dream.progress import Progress, describe, is_passing


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault", {DAY: TEXT})


def test_each_answer_is_heard_while_it_grows_and_each_wait_with_its_reason(
    server: Server, vault: Path
) -> None:
    told: list[Event] = []
    long = {**UNIT, "summary": "It is so. " * 200}
    server.plays(
        fail(503, "busy", {"Retry-After": "7"}),
        say_json({"units": [long]}, reasoning_content="Let me think. " * 100),
        call(WRITE),
        call(receipt()),
        say_json({"tags": ["index"]}),
    )
    with open_session(vault, make_reader(server), on_event=told.append) as session:
        dream(session, policy="apply")
    heard = [event for event in told if isinstance(event, Answering)]
    labels = dict.fromkeys(event.label for event in heard)
    assert list(labels) == ["extract", "Rebuild the index", "tags"]
    states = dict.fromkeys(event.state for event in heard if event.label == "extract")
    assert list(states) == ["sent", "waiting", "thinking", "writing"]
    (waited,) = (event for event in heard if event.state == "waiting")
    assert waited.seconds >= 7 and "503" in describe(waited) and "again in" in describe(waited)
    grown = [e.characters for e in heard if (e.label, e.state) == ("extract", "writing")]
    assert grown == sorted(grown) and 3 <= len(grown) < 12, "it is told now and then, not each word"


def test_how_far_an_answer_has_come_is_shown_on_a_line_that_changes_and_kept_nowhere(
    tmp_path: Path,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    events = (Answering("u", "writing", 1200), Answering("u", "waiting", 0, 8.0, "asked too often"))
    assert [is_passing(event) for event in events] == [True, False]
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        with Progress(file=str(tmp_path / "log"), stream=stream) as progress:
            for event in events:
                progress.show(event)
        assert ("writing, 1,200 characters" in stream.getvalue()) == shown
        assert "asked too often" in stream.getvalue()
    assert "1,200" not in (tmp_path / "log").read_text()


def stopping(
    server: Server, vault: Path, moment: threading.Event, sleep: object = None
) -> list[str]:
    """Dream until ``moment``, cancel then, and say which units failed; nothing may be written."""
    before = contents(vault)
    model = make_reader(server)
    if sleep is not None:
        model._client._sleep = sleep  # type: ignore[assignment]
    with open_session(vault, model, auto_dream=Job.of(*STEPS)) as session:

        def cancel() -> None:
            moment.wait()
            session.cancel()

        helper = threading.Thread(target=cancel)
        helper.start()
        finished = dream(session, policy="apply")
        helper.join()
        assert session.cancelled
    after = contents(vault)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert not {path for path in changed if not path.startswith("metadata/")}
    assert finished.report["errors"][0]["what"].startswith("stopped")
    assert finished.report["checkpoint_paths"] == []
    return [failed["unit"] for failed in finished.report["failed_units"]]


def test_a_run_is_stopped_before_the_first_word(server: Server, vault: Path) -> None:
    server.plays(say_json({"units": []}, hang=True))
    assert stopping(server, vault, server.hanging) == []


def test_a_run_is_stopped_in_the_middle_of_a_word(server: Server, vault: Path) -> None:
    server.plays(say_json({"units": [UNIT]}), call(WRITE, hang_after=4))
    assert stopping(server, vault, server.hanging) == ["Rebuild the index"]


def test_a_run_is_stopped_while_it_waits_for_another_try(server: Server, vault: Path) -> None:
    waiting = threading.Event()

    async def sleep(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    server.plays(say_json({"units": [UNIT]}), fail(429, "slow down", {"Retry-After": "300"}))
    assert stopping(server, vault, waiting, sleep) == ["Rebuild the index"]
    server.plays(call(WRITE), call(receipt()))
    with open_session(vault, make_reader(server), auto_dream=Job.of(*STEPS)) as session:
        report = dream(session, policy="apply").report
    assert report["nodes_created"] and len(report["units"]) == 1, "the next run goes on from there"
