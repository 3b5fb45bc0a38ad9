"""What doctor says of an endpoint: three structured calls and a long prompt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.model.conftest import MakeClient, run
from tests.engine.model.server import Server, Step, fail, say, say_json
from vault_dream.engine.errors import NoModelError
from vault_dream.engine.model.probe import FIRST, LAST, probe

COLOURS = {"colours": ["green", "red", "blue"]}


def knowing(body: dict[str, Any]) -> Step:
    """A model that answers both kinds of question well."""
    if LAST in str(body["messages"]):
        return say_json({"first": FIRST.title(), "last": LAST})
    return say_json(COLOURS)


def test_a_good_endpoint(server: Server, make_client: MakeClient) -> None:
    server.otherwise = knowing
    found = run(probe(make_client()))
    assert found.ok and len(found.latencies) == found.calls == 3
    assert (found.mode, found.empties, found.repairs, found.cut) == ("json_schema", 0, 0, False)
    assert found.read_whole > 8000 and found.context.tokens == 32768
    assert len(server.chats) == 4


def test_a_server_that_cuts_is_named(server: Server, make_client: MakeClient) -> None:
    server.context = 4096
    server.otherwise = knowing
    found = run(probe(make_client()))
    assert found.cut and not found.ok and found.read_whole == 0
    assert "OLLAMA_CONTEXT_LENGTH" in found.problems[0].next


def test_a_model_that_forgets_the_beginning_is_named(
    server: Server, make_client: MakeClient
) -> None:
    server.plays(*[say_json(COLOURS)] * 3, say_json({"first": "day", "last": LAST}))
    found = run(probe(make_client()))
    assert found.cut and "the beginning" in found.problems[0].what


def test_empties_and_repairs_are_counted(server: Server, make_client: MakeClient) -> None:
    server.plays(say(""), say_json(COLOURS), say("{}"), say_json(COLOURS))
    server.otherwise = knowing
    found = run(probe(make_client()))
    assert (found.empties, found.repairs, found.ok) == (1, 1, True)


def test_a_hopeless_model_is_a_problem_and_no_crash(
    server: Server, make_client: MakeClient
) -> None:
    server.otherwise = say("la la la")
    found = run(probe(make_client()))
    assert not found.latencies and found.mode == "" and len(found.problems) == 4


def test_an_endpoint_that_cannot_be_used_says_so(server: Server, make_client: MakeClient) -> None:
    server.otherwise = fail(401)
    with pytest.raises(NoModelError):
        run(probe(make_client()))
