"""``serve`` as a process: it starts, does what is due, and ends when it is asked to."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.commands.outside import Place, new_place
from tests.commands.scenes.serve import overdue
from tests.commands.schemas import faults, schemas
from tests.engine.model.server import Step, serving
from tests.support import contents

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX has them"),
]


@contextmanager
def started(place: Place, *arguments: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_dream", "serve", str(place.vault), "--json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=place.folder,
        env={**place.environ, **environ},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(process: subprocess.Popen[str], event: str) -> list[dict[str, Any]]:
    """What was said up to and with ``event``."""
    assert process.stderr is not None
    said: list[dict[str, Any]] = []
    for line in process.stderr:
        said.append(json.loads(line))
        if said[-1]["event"] == event:
            return said
    raise AssertionError(f"it ended before {event}: {said}")


def ended(process: subprocess.Popen[str], number: int) -> tuple[dict[str, Any], list[Any]]:
    """The document and the rest of what was said, after a signal that is heeded."""
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return json.loads(out), [json.loads(line) for line in err.splitlines()]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_it_does_what_is_due_and_stops_when_asked(tmp_path: Path, name: str) -> None:
    place = new_place(tmp_path / "place")
    overdue(place)
    with started(place, "-v") as process:
        said = until(process, "job done")
        second = place.call("serve", "{vault}", "--json")
        document, rest = ended(process, getattr(signal, name))
    assert second.code == 3 and faults("error", second.document) == []
    assert f"process {process.pid}" in second.document["errors"][0]["what"]
    assert faults("serve", document) == []
    assert document["stopped_by"] == name
    assert [ran["outcome"] for ran in document["last_runs"]] == ["ok"]
    assert rest[-1]["event"] == "stopped"
    event = Draft202012Validator(
        {**schemas()["serve"]["$defs"]["event"], "additionalProperties": False}
    )
    assert [list(event.iter_errors(line)) for line in (*said, *rest)] == [[]] * len((*said, *rest))
    assert list((place.vault / "digest").rglob("*old-index*.md"))


def test_a_call_to_a_model_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with serving([Step(hang=True)]) as server:
        server.otherwise = Step(hang=True)
        settings = f"timezone: UTC\nmodel: m\nbase_url: {server.url}\ncontext_tokens: 32768\n"
        place = new_place(tmp_path / "place", settings=settings)
        overdue(place)
        before = contents(place.vault)
        with started(place, OPENAI_API_KEY="sk-test") as process:
            until(process, "job begins")
            assert server.hanging.wait(60)
            document, _ = ended(process, signal.SIGTERM)
    assert [ran["outcome"] for ran in document["last_runs"]] == ["stopped"]
    after = contents(place.vault)
    assert {path: after[path] for path in before} == before
    assert all(
        path.startswith("metadata/") for path in after.keys() - before.keys() - {"vault-dream.yaml"}
    )


def test_the_log_is_lines_for_a_person_and_goes_to_a_file_too(tmp_path: Path) -> None:
    place = new_place(tmp_path / "place")
    overdue(place)
    answer = place.call("serve", "{vault}", "--once", "--log-file", "serve.log")
    assert (answer.code, answer.out) == (0, "")
    assert (place.folder / "serve.log").read_text() == answer.err
    words = [line.split(maxsplit=2) for line in answer.err.splitlines()]
    assert [level for _, level, _ in words] == ["info"] * 4
    assert [text.split(":")[0] for *_, text in words] == [
        "started",
        "job begins",
        "job done",
        "stopped",
    ]
    assert place.call("serve", "{vault}", "--once", "-q").err == ""
