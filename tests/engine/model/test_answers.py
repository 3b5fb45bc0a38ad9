"""Structured answers: found wherever the model put them, or an error that says what was missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.model.conftest import MakeClient, run
from tests.engine.model.server import Server, Step, call, fail, say, say_json
from vault_dream.engine.errors import BudgetError
from vault_dream.engine.model.answers import Answer, Shape, ask
from vault_dream.engine.model.budget import Ceilings, Spending
from vault_dream.engine.model.capabilities import Capabilities
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.errors import AnswerError, RefusedError
from vault_dream.engine.model.schema import Flaw

UNITS = Shape(
    "units",
    {
        "type": "object",
        "properties": {
            "units": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "bucket": {"enum": ["procedure", "personal", "wiki"]},
                        "handles": {"type": "array", "items": {"type": "integer"}},
                    },
                    "required": ["name", "bucket", "handles"],
                },
            }
        },
        "required": ["units"],
    },
    items="units",
)
GOOD = {"units": [{"name": "Feed the starter", "bucket": "procedure", "handles": [1]}]}
SPELT = json.dumps(GOOD)


def asking(client: ChatClient, **options: Any) -> Answer:
    messages = ({"role": "user", "content": "What is worth keeping?"},)
    return run(ask(client, messages, UNITS, label="extract", **options))


class TestLadder:
    def test_a_schema_is_asked_for_first_and_remembered(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say_json(GOOD))
        client = make_client()
        assert asking(client).value == GOOD
        assert server.chats[0]["response_format"]["type"] == "json_schema"
        assert client.capabilities.of(client.endpoint).mode == "json_schema"

    def test_each_refused_mode_leads_to_the_next_and_none_is_tried_twice(
        self, server: Server, make_client: MakeClient, tmp_path: Path
    ) -> None:
        def picky(body: dict[str, Any]) -> Step:
            if "response_format" in body:
                return fail(400, f"response_format {body['response_format']['type']} unknown")
            if "tools" in body:
                return fail(400, "m does not support tools")
            return say(f"Here you are:\n```json\n{SPELT}\n```")

        server.otherwise = picky
        store = tmp_path / "models.json"
        answer = asking(make_client(capabilities=Capabilities(store)))
        assert (answer.value, answer.mode) == (GOOD, "text")
        assert len(server.chats) == 4
        asking(make_client(capabilities=Capabilities(store)))
        assert len(server.chats) == 5
        assert "JSON schema" in server.chats[-1]["messages"][-1]["content"]

    def test_a_forced_tool_is_the_second_way(self, server: Server, make_client: MakeClient) -> None:
        server.plays(fail(400, "json_schema is not supported"), call(("units", GOOD)))
        answer = asking(make_client())
        assert (answer.value, answer.mode) == (GOOD, "tool")
        assert server.chats[1]["tool_choice"]["function"]["name"] == "units"

    def test_what_is_remembered_may_stop_working(
        self, server: Server, make_client: MakeClient
    ) -> None:
        client = make_client()
        client.capabilities.learn(client.endpoint, mode="tool")
        server.plays(fail(400, "tools are gone"), say_json(GOOD))
        assert asking(client).mode == "json_schema"
        assert client.capabilities.of(client.endpoint).mode == "json_schema"

    def test_a_schema_that_is_ignored_is_given_up(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("I would keep the starter."), call(("units", GOOD)))
        answer = asking(make_client())
        assert answer.repaired and answer.mode == "tool"


@pytest.mark.parametrize(
    "text",
    [
        SPELT,
        f'<think>Maybe {{"units": []}}?</think>\n{SPELT}',
        f'Maybe {{"units": []}}?</think>{SPELT}',
        f"{SPELT}\n<think>That should do.</think>",
        f"[THINK]hm[/THINK]{SPELT}",
        f"<|channel|>analysis<|message|>Let me see<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{SPELT}",
        f"Sure! Here it is:\n\n```json\n{SPELT}\n```\n\nLet me know.",
        f"```\n{SPELT}\n```",
        f"```json\n{SPELT}",
        f'Draft:\n```json\n{{"units": 3}}\n```\nBetter:\n```json\n{SPELT}\n```',
        f"The answer is {SPELT} as asked.",
        json.dumps(SPELT),
        json.dumps(GOOD["units"]),
        json.dumps({"answer": GOOD}),
        json.dumps({"name": "units", "arguments": GOOD}),
        f"<tool_call>{json.dumps({'name': 'units', 'arguments': GOOD})}</tool_call>",
        SPELT.replace("]}]}", "],}],}"),
        "\ufeff" + SPELT,
        SPELT.replace("procedure", "Procedure").replace("[1]", '"1"'),
    ],
)
def test_an_answer_is_found_wherever_it_is(
    server: Server, make_client: MakeClient, text: str
) -> None:
    server.plays(say(text))
    assert asking(make_client()).value == GOOD
    assert len(server.chats) == 1


def test_an_answer_filed_under_reasoning_is_found(server: Server, make_client: MakeClient) -> None:
    server.plays(say("", reasoning_content=SPELT))
    assert asking(make_client()).value == GOOD


def test_reasoning_is_kept_apart(server: Server, make_client: MakeClient) -> None:
    server.plays(say(SPELT, reasoning="They bake."))
    assert asking(make_client()).reasoning == "They bake."


def test_think_tags_that_a_note_quotes_are_not_reasoning(
    server: Server, make_client: MakeClient
) -> None:
    value = {"units": [{"name": "Strip <think>x</think>", "bucket": "wiki", "handles": [1]}]}
    server.plays(say_json(value))
    assert asking(make_client()).value == value


class TestSecondChances:
    @pytest.mark.parametrize(
        "bad",
        [
            say(""),
            say(None),
            say("", reasoning_content="Let me think about it"),
            say("<think>and think and"),
            say('{"units": [{"na', "length"),
            say('{"units": []}', "length"),
            Step(),
        ],
        ids=["empty", "null", "only thought", "only <think>", "cut", "cut but whole", "no body"],
    )
    def test_an_empty_or_cut_answer_gets_more_room_once(
        self, server: Server, make_client: MakeClient, bad: Step
    ) -> None:
        server.plays(bad, say_json(GOOD))
        assert asking(make_client(), max_tokens=500).enlarged
        assert [body["max_tokens"] for body in server.chats] == [500, 2000]

    @pytest.mark.parametrize(
        ("bad", "words"),
        [
            (say("{}"), "units: is missing"),
            (say("[]"), "must be an object"),
            (say("null"), "there is no JSON object"),
            (say('{"units": "none"}'), "units[0]: must be an object"),
            (say('{"units": [{"name": "x", "bucket": "misc", "handles": [1]}]}'), "must be one of"),
            (say("I would keep nothing."), "no JSON object"),
            (say('{"units": [NaN]}'), "no JSON object"),
            (say("I'm sorry, but I can't help with that."), "refusal"),
            (say("[" * 60_000), "no JSON object"),
        ],
    )
    def test_any_other_fault_is_quoted_once(
        self, server: Server, make_client: MakeClient, bad: Step, words: str
    ) -> None:
        server.plays(bad, say_json(GOOD))
        answer = asking(make_client())
        assert answer.repaired and answer.calls == 2
        assert words in server.chats[1]["messages"][-1]["content"]

    @pytest.mark.parametrize("bad", [say("{}"), say("nothing"), say('{"units": [1]}')])
    def test_the_same_fault_twice_is_an_error_and_no_empty_list(
        self, server: Server, make_client: MakeClient, bad: Step
    ) -> None:
        server.plays(bad, bad)
        server.otherwise = say_json(GOOD)
        with pytest.raises(AnswerError, match="cannot be used"):
            asking(make_client())
        assert len(server.chats) == 2

    def test_an_answer_that_stays_cut_is_an_error(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.otherwise = say('{"units": []}', "length")
        with pytest.raises(AnswerError, match="cut off"):
            asking(make_client())
        assert len(server.chats) == 2

    def test_one_larger_and_one_repair_at_most(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say(""), say("{}"), say_json(GOOD))
        answer = asking(make_client())
        assert answer.enlarged and answer.repaired and answer.calls == 3
        assert answer.usage.calls == 3

    def test_a_well_formed_empty_list_is_an_answer(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say('{"units": []}'))
        assert asking(make_client()).value == {"units": []}

    def test_second_chances_respect_the_ceilings(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say(""))
        with pytest.raises(BudgetError):
            asking(make_client(spending=Spending(Ceilings(calls=1))))
        assert len(server.chats) == 1

    def test_flaws_that_only_the_caller_sees_are_quoted_too(
        self, server: Server, make_client: MakeClient
    ) -> None:
        def no_second(value: Any) -> list[Flaw]:
            wrong = 2 in value["units"][0]["handles"]
            return [Flaw(("units", 0, "handles"), "there is no handle 2")] if wrong else []

        server.plays(say(SPELT.replace("[1]", "[2]")), say_json(GOOD))
        assert asking(make_client(), check=no_second).value == GOOD
        assert "there is no handle 2" in server.chats[1]["messages"][-1]["content"]


class TestRefusals:
    @pytest.mark.parametrize(
        "bad",
        [
            say(None, refusal="I can't assist with that."),
            say("I'm sorry, but I cannot help with this request."),
            say("As an AI language model, I am unable to read diaries."),
            say("抱歉，我无法协助处理这些内容。"),
            say("", "content_filter"),
            say('I can\'t help with that request. {"units": []}'),
        ],
    )
    def test_a_refusal_is_an_error(
        self, server: Server, make_client: MakeClient, bad: Step
    ) -> None:
        server.otherwise = bad
        with pytest.raises(RefusedError):
            asking(make_client())

    def test_a_refusal_inside_an_answer_costs_that_item(
        self, server: Server, make_client: MakeClient
    ) -> None:
        refusing = {"name": "I can't help with that.", "bucket": "wiki", "handles": [1]}
        server.plays(say_json({"units": [*GOOD["units"], refusing]}))
        answer = asking(make_client())
        assert answer.value == GOOD and answer.dropped[0].value == refusing

    def test_what_a_person_cannot_do_is_no_refusal(
        self, server: Server, make_client: MakeClient
    ) -> None:
        for name in (
            "I can't drink coffee after two in the afternoon",
            "Sorry is the first word to say to Dad",
            "I cannot do Mondays before nine",
            "I can't stand the smell of the new flour",
            "I am unable to sleep after the late shift",
            "我不能吃虾",
        ):
            value = {"units": [{"name": name, "bucket": "personal", "handles": [1]}]}
            server.plays(say_json(value))
            assert asking(make_client()).value == value


def test_one_illegal_item_of_five_costs_that_item_and_no_call(
    server: Server, make_client: MakeClient
) -> None:
    items = [{"name": f"n{n}", "bucket": "wiki", "handles": [n]} for n in range(5)]
    items[2] = {"name": "", "bucket": "elsewhere", "handles": []}
    server.plays(say_json({"units": items}))
    answer = asking(make_client())
    assert [unit["name"] for unit in answer.value["units"]] == ["n0", "n1", "n3", "n4"]
    assert [(dropped.index, len(server.chats)) for dropped in answer.dropped] == [(2, 1)]
    assert "elsewhere" in str(answer.dropped[0].flaws[-1])


def test_streamed_answers_are_the_same(server: Server, make_client: MakeClient) -> None:
    told: list[str] = []
    server.plays(say(f"<think>hm</think>{SPELT}"))
    answer = asking(make_client(), on_progress=lambda event: told.append(event.state))
    assert answer.value == GOOD and "writing" in told


def test_half_a_letter_in_an_escape_is_made_whole(server: Server, make_client: MakeClient) -> None:
    server.plays(say('{"units": [{"name": "a \\ud83d b", "bucket": "wiki", "handles": [1]}]}'))
    assert asking(make_client()).value["units"][0]["name"] == "a \ufffd b"
