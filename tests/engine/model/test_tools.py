"""The tool loop: bounded, told everything, and silent about what was really done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engine.model.conftest import MakeClient, run
from tests.engine.model.server import Server, Step, call, fail, say
from vault_dream.engine.errors import BudgetError, EditError
from vault_dream.engine.model.answers import Shape
from vault_dream.engine.model.budget import Ceilings, Spending
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.errors import AnswerError, UnsupportedError
from vault_dream.engine.model.tools import Conversed, Tool, ToolRefusal, converse

RECEIPT = Shape(
    "finish",
    {
        "type": "object",
        "properties": {"action": {"enum": ["CREATE", "REFINE"]}, "target": {"type": "string"}},
        "required": ["action", "target"],
    },
)
DONE = {"action": "REFINE", "target": "a.md"}
FINISH = call(("finish", DONE))


class Shelf:
    """Two tools over one text. Stateful; counts what was really done."""

    def __init__(self) -> None:
        self.text = "one two three"
        self.reads = self.edits = 0

    def read(self, arguments: Mapping[str, Any]) -> str:
        self.reads += 1
        if arguments["path"] != "a.md":
            raise ToolRefusal(f"there is no {arguments['path']}; read a.md")
        return self.text

    def edit(self, arguments: Mapping[str, Any]) -> None:
        self.edits += 1
        old, new = arguments["old"], arguments["new"]
        if old == new:
            raise EditError("a.md", "old and new are the same", "change something")
        if self.text.count(old) != 1:
            raise EditError("a.md", f"{old!r} is there {self.text.count(old)} times", "quote more")
        self.text = self.text.replace(old, new)

    def tools(self) -> tuple[Tool, Tool]:
        text = {"type": "string"}
        both = {"old": text, "new": text}
        return (
            Tool("read", "Read.", _object({"path": text}), self.read),
            Tool("edit", "Edit.", _object(both), self.edit, changes=True),
        )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def conversing(client: ChatClient, shelf: Shelf, **options: Any) -> Conversed:
    messages = ({"role": "system", "content": "Work."}, {"role": "user", "content": "Go."})
    return run(converse(client, messages, shelf.tools(), RECEIPT, label="u", **options))


def told(server: Server, number: int = -1) -> str:
    """What the tools said last in a request."""
    messages = server.chats[number]["messages"]
    return "\n".join(message["content"] for message in messages if message["role"] == "tool")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.mark.parametrize("streamed", [False, True])
def test_reads_edits_and_finishes(
    server: Server, make_client: MakeClient, shelf: Shelf, streamed: bool
) -> None:
    server.plays(
        call(("read", {"path": "a.md"})), call(("edit", {"old": "two", "new": "2"})), FINISH
    )
    client = make_client()
    done = conversing(client, shelf, on_progress=(lambda _: None) if streamed else None)
    assert (done.receipt, done.ended, done.turns, shelf.text) == (DONE, "receipt", 3, "one 2 three")
    assert client.capabilities.of(client.endpoint).tools is True
    assert client.spending.by_label["u"].calls == 3


def test_parallel_calls_are_answered_in_order(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(
        call(("read", {"path": "a.md"}), ("read", {"path": "b.md"}), ("nothing", {})), FINISH
    )
    done = conversing(make_client(), shelf)
    assert [step.ok for step in done.steps] == [True, False, False]
    messages = server.chats[1]["messages"]
    ids = [made["id"] for made in messages[2]["tool_calls"]]
    assert [m["tool_call_id"] for m in messages if m["role"] == "tool"] == ids
    assert "read a.md" in told(server) and "Use one of: read, edit, finish" in told(server)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"path": ', "not JSON"),
        ('["a.md"]', "one JSON object"),
        ("{}", "path: is missing"),
        ('{"path": {"x": 1}}', "path: must be text"),
        ('{"file": "a.md"}', "Unknown: file"),
        ("[" * 50_000, "not JSON"),
    ],
)
def test_unreadable_arguments_are_told(
    server: Server, make_client: MakeClient, shelf: Shelf, arguments: str, words: str
) -> None:
    server.plays(call(("read", arguments)), FINISH)
    done = conversing(make_client(), shelf)
    assert done.ended == "receipt" and not done.steps[0].ok and shelf.reads == 0
    assert words in told(server)
    json.loads(server.chats[1]["messages"][2]["tool_calls"][0]["function"]["arguments"])


def test_an_error_that_is_recovered_from_is_no_failure(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(
        call(("edit", {"old": "zwei", "new": "2"})),
        call(("edit", {"old": "two", "new": "2"})),
        FINISH,
    )
    done = conversing(make_client(), shelf)
    assert done.ended == "receipt" and shelf.text == "one 2 three"
    assert "quote more" in told(server)


def test_the_same_failing_call_is_told_and_then_ended(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.otherwise = call(("edit", {"old": "two", "new": "two"}))
    done = conversing(make_client(), shelf)
    assert (done.ended, done.turns, done.receipt) == ("repeats", 3, None)
    assert "same call 2 times" in told(server)
    with pytest.raises(AnswerError, match="again and again"):
        done.require("unit u")


def test_two_calls_in_turn_are_ended_as_well(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    turns = [call(("read", {"path": path})) for path in ("a.md", "b.md")] * 9
    server.plays(*turns)
    assert conversing(make_client(), shelf, max_turns=18).turns <= 6


def test_a_write_that_was_staged_is_never_repeated(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(
        call(("edit", {"old": "two", "new": "two two"})),
        say(""),
        call(("edit", '{ "new": "two two", "old": "two" }')),
        FINISH,
    )
    done = conversing(make_client(), shelf)
    assert done.ended == "receipt" and shelf.edits == 1 and "Done already" in told(server)


def test_reading_again_after_a_change_is_no_repeat(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    reading = call(("read", {"path": "a.md"}))
    server.plays(reading, call(("edit", {"old": "two", "new": "2"})), reading, FINISH)
    assert conversing(make_client(), shelf).ended == "receipt"
    assert "same call" not in told(server)


def test_turns_are_bounded_and_counted_down(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    paths = iter(range(99))
    server.otherwise = lambda _: call(("read", {"path": f"{next(paths)}.md"}))
    client = make_client(spending=Spending(Ceilings(turns=5)))
    done = conversing(client, shelf)
    assert (done.ended, done.turns, len(server.chats)) == ("turns", 5, 5)
    assert "1 more turn; then call finish" in told(server)


def test_a_ceiling_ends_the_run(server: Server, make_client: MakeClient, shelf: Shelf) -> None:
    server.otherwise = call(("read", {"path": "a.md"}))
    with pytest.raises(BudgetError):
        conversing(make_client(spending=Spending(Ceilings(calls=1))), shelf)


def test_a_budget_error_of_a_tool_is_not_told_to_the_model(
    server: Server, make_client: MakeClient
) -> None:
    def spent(_: Mapping[str, Any]) -> None:
        raise BudgetError("budget", "spent")

    server.plays(call(("read", {})))
    tool = Tool("read", "", {"type": "object"}, spent)
    with pytest.raises(BudgetError):
        run(converse(make_client(), ({"role": "user", "content": "x"},), (tool,), RECEIPT))


@pytest.mark.parametrize(
    "end",
    [
        say(json.dumps(DONE)),
        say(f"I am done.\n```json\n{json.dumps(DONE)}\n```"),
        say(f'<tool_call>{{"name": "finish", "arguments": {json.dumps(DONE)}}}</tool_call>'),
        call(("finish", json.dumps(json.dumps(DONE)))),
        call(("finish", {"action": "refine", "target": "a.md"})),
    ],
)
def test_a_receipt_is_found_however_it_is_handed_in(
    server: Server, make_client: MakeClient, shelf: Shelf, end: Step
) -> None:
    server.plays(end)
    assert conversing(make_client(), shelf).receipt == DONE


def test_a_receipt_beside_a_failed_call_is_not_taken(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(call(("edit", {"old": "zwei", "new": "2"}), ("finish", DONE)), FINISH)
    assert conversing(make_client(), shelf).turns == 2
    assert "Not finished" in told(server)


def test_a_bad_receipt_is_told(server: Server, make_client: MakeClient, shelf: Shelf) -> None:
    server.plays(call(("finish", {"action": "SKIP"})), FINISH)
    assert conversing(make_client(), shelf).receipt == DONE
    assert "must be one of CREATE, REFINE" in told(server) or "target: is missing" in told(server)


@pytest.mark.parametrize(
    ("reply", "ended", "calls"),
    [
        (say("I think the note is fine."), "silent", 3),
        (say(""), "empty", 3),
        (say("I'm sorry, but I can't help with that."), "refused", 1),
        (say(None, refusal="No."), "refused", 1),
        (say("{}"), "silent", 3),
    ],
)
def test_words_without_calls_end_it_without_a_receipt(
    server: Server, make_client: MakeClient, shelf: Shelf, reply: Step, ended: str, calls: int
) -> None:
    server.otherwise = reply
    done = conversing(make_client(), shelf)
    assert (done.ended, done.receipt, len(server.chats)) == (ended, None, calls)


def test_work_before_an_empty_end_is_left_to_the_caller(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(call(("edit", {"old": "two", "new": "2"})))
    server.otherwise = say("")
    done = conversing(make_client(), shelf)
    assert done.receipt is None and [step.ok for step in done.steps] == [True]


def test_a_cut_call_gets_more_room(server: Server, make_client: MakeClient, shelf: Shelf) -> None:
    server.plays(call(("edit", '{"old": "tw'), finish="length"), FINISH)
    assert conversing(make_client(), shelf, max_tokens=400).ended == "receipt"
    assert server.chats[1]["max_tokens"] == 1600 and "cut off" in told(server)


def test_an_endpoint_without_tools_says_so_and_is_remembered(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    server.plays(fail(400, "m does not support tools"))
    client = make_client()
    with pytest.raises(UnsupportedError):
        conversing(client, shelf)
    assert client.capabilities.of(client.endpoint).tools is False


def test_old_results_make_room_and_may_be_asked_for_again(
    server: Server, make_client: MakeClient, shelf: Shelf
) -> None:
    shelf.text = "word " * 900
    pages = {"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"]}
    tool = Tool("read", "", pages, lambda a: f"page {a['page']} " + "word " * 900)
    reads = [call(("read", {"page": page})) for page in (1, 2, 3, 4, 1)]
    server.plays(*reads, FINISH)
    client = make_client(context_tokens=6000)
    done = run(converse(client, ({"role": "user", "content": "x"},), (tool,), RECEIPT))
    assert done.ended == "receipt"
    assert "left out to save room" in told(server) and "same call" not in told(server)
    assert all(step.told.startswith("page") for step in done.steps)
