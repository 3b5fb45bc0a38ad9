"""More ways in which servers and models misbehave, each of a kind that somebody has met."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.engine.model.conftest import MakeClient, Slept, request, run
from tests.engine.model.server import EVENTS, Server, Step, call, fail, raw, say, say_json
from tests.engine.model.test_answers import GOOD, SPELT, UNITS, asking
from tests.engine.model.test_tools import DONE, FINISH, Shelf, conversing
from vault_dream.engine.errors import NoModelError, VaultDreamError
from vault_dream.engine.model.answers import Shape, ask
from vault_dream.engine.model.budget import Ceilings, Spending
from vault_dream.engine.model.errors import AnswerError, RefusedError
from vault_dream.engine.model.wire import Progress, StreamedReply, read_counts, read_reply

ASK = {"role": "user", "content": "What is worth keeping?"}


def completion(message: Any, **more: Any) -> bytes:
    choice = {"index": 0, "message": message, "finish_reason": "stop", **more}
    return json.dumps({"choices": [choice]}).encode()


def events(*pieces: Any) -> Step:
    lines = [p if isinstance(p, str) else f"data: {json.dumps(p)}" for p in pieces]
    return raw("".join(f"{line}\n\n" for line in lines).encode(), EVENTS)


def delta(**fields: Any) -> dict[str, Any]:
    finish = fields.pop("finish", None)
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


class TestBodies:
    """What a reply may look like, sent in one piece."""

    @pytest.mark.parametrize(
        "message",
        [
            {"content": [{"type": "text", "text": SPELT[:9]}, {"type": "text", "text": SPELT[9:]}]},
            {"content": [SPELT[:9], SPELT[9:]]},
            {"content": {"type": "text", "text": SPELT}},
            {"content": "\ufeff" + SPELT},
            {"content": SPELT.replace("]}", "],}")},
            {"content": f"<think>Let me see. {SPELT[:20]}</think>\n{SPELT}"},
            {"content": f"<analysis>hm</analysis>{SPELT}"},
            {"content": json.dumps(SPELT)},
            {"content": f"Here you are:\n\n```json\n{SPELT}\n```\n\nAnything else?"},
            {"content": f"```json\n{SPELT}"},
            {"content": "", "tool_calls": [{"name": "units", "arguments": GOOD}]},
            {"content": None, "tool_calls": {"function": {"name": "units", "arguments": SPELT}}},
            {"content": f"// what was found\n{SPELT}"},
        ],
    )
    def test_an_answer_in_odd_clothes_is_found_at_once(
        self, server: Server, make_client: MakeClient, message: Any
    ) -> None:
        server.plays(raw(completion(message)))
        assert asking(make_client()).value == GOOD
        assert len(server.chats) == 1

    def test_the_older_completion_is_read(self, server: Server, make_client: MakeClient) -> None:
        server.plays(raw(json.dumps({"choices": [{"text": SPELT}]}).encode()))
        assert asking(make_client()).value == GOOD

    @pytest.mark.parametrize(
        "body",
        [
            b'{"choices": null}',
            b'{"choices": []}',
            b'{"choices": [null]}',
            b'{"choices": [{"message": null}]}',
            b"",
            b"{}",
        ],
    )
    def test_no_choices_are_an_empty_answer_and_no_empty_list(
        self, server: Server, make_client: MakeClient, body: bytes
    ) -> None:
        server.plays(raw(body), raw(body))
        with pytest.raises(AnswerError, match="empty"):
            asking(make_client())

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"error": {"message": "overloaded, try later", "code": 503}}, 503),
            ({"error": "overloaded, try later"}, 500),
            ({"object": "error", "message": "overloaded, try later", "code": 429}, 429),
            ({"detail": "overloaded, try later"}, 500),
            ({"choices": [], "message": "overloaded, try later"}, 500),
        ],
    )
    def test_an_error_in_a_200_is_an_error_and_tried_again(
        self, server: Server, make_client: MakeClient, slept: Slept, body: Any, status: int
    ) -> None:
        server.plays(raw(json.dumps(body).encode()), say("here"))
        assert run(make_client().chat(request())).text == "here"
        assert len(slept.waits) == 1
        server.otherwise = raw(json.dumps(body).encode())
        with pytest.raises(VaultDreamError, match=f"{status}.*overloaded, try later"):
            run(make_client().chat(request()))

    def test_a_choice_that_ends_in_an_error_is_tried_again(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("half of wh", "error"), say("whole"))
        assert run(make_client().chat(request())).text == "whole"

    @pytest.mark.parametrize("finish", ["length", "LENGTH", "MAX_TOKENS", "max_output_tokens"])
    def test_a_cut_is_known_by_any_of_its_names(
        self, server: Server, make_client: MakeClient, finish: str
    ) -> None:
        server.plays(say(SPELT[:30], finish), say_json(GOOD))
        answer = asking(make_client())
        assert answer.enlarged and not answer.repaired

    @pytest.mark.parametrize("finish", ["content_filter", "SAFETY", "PROHIBITED_CONTENT"])
    def test_a_filter_is_known_by_any_of_its_names(
        self, server: Server, make_client: MakeClient, finish: str
    ) -> None:
        server.plays(say("", finish), say("", finish))
        with pytest.raises(RefusedError):
            asking(make_client())

    def test_a_page_of_html_is_no_answer(self, server: Server, make_client: MakeClient) -> None:
        server.otherwise = raw(b"<html><body>Sign in to the hotel wifi</body></html>", "text/html")
        with pytest.raises(NoModelError, match="hotel wifi"):
            run(make_client().chat(request()))
        with pytest.raises(NoModelError, match="hotel wifi"):
            run(make_client().chat(request(), lambda progress: None))

    def test_json_under_another_name_is_an_answer(
        self, server: Server, make_client: MakeClient
    ) -> None:
        body = completion({"content": "yes"})
        for kind in ("text/plain", "application/octet-stream", ""):
            server.plays(raw(body, kind), raw(body, kind), raw(body, kind))
            assert run(make_client().chat(request())).text == "yes"
            assert run(make_client().chat(request(), lambda progress: None)).text == "yes"

    @pytest.mark.parametrize("streamed", [False, True])
    def test_what_cannot_be_unpacked_costs_a_try(
        self, server: Server, make_client: MakeClient, slept: Slept, streamed: bool
    ) -> None:
        squeezed = {"Content-Encoding": "gzip"}
        server.plays(raw(b"this is no gzip", headers=squeezed), say("plain"))
        told = (lambda progress: None) if streamed else None
        assert run(make_client().chat(request(), told)).text == "plain"
        whole = gzip.compress(completion({"content": "unpacked"}))
        server.plays(raw(whole, headers=squeezed))
        assert run(make_client().chat(request())).text == "unpacked"

    def test_letters_that_are_none_cost_a_try(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(raw(b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'), say("fine"))
        assert run(make_client().chat(request())).text == "fine"

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_notes_do_not_follow_a_redirect(
        self, server: Server, make_client: MakeClient, status: int
    ) -> None:
        server.otherwise = fail(status, "", {"Location": f"{server.url}/chat/completions"})
        with pytest.raises(NoModelError, match="redirects elsewhere"):
            run(make_client().chat(request()))
        assert len(server.chats) == 1

    @pytest.mark.parametrize("usage", ["many", ["1"], {"prompt_tokens": None}, {}, 7])
    def test_usage_in_any_shape_is_no_fault(self, usage: Any) -> None:
        counts = read_counts({"usage": usage})
        assert (counts.prompt, counts.completion) == (None, None)

    def test_numbers_spelt_as_text_are_counted(self) -> None:
        counts = read_counts({"usage": {"prompt_tokens": "12", "completion_tokens": 3.0}})
        assert (counts.prompt, counts.completion) == (12, 3)


class TestStreams:
    """What a stream may look like."""

    def hear(self, server: Server, make_client: MakeClient, *steps: Step) -> str:
        server.plays(*steps)
        told: list[Progress] = []
        reply = run(make_client().chat(request(), told.append))
        return reply.text + "".join(c.arguments for c in reply.tool_calls)

    def test_keepalives_and_chunks_without_choices_are_passed_over(
        self, server: Server, make_client: MakeClient
    ) -> None:
        stream = events(
            ": ping",
            {"choices": []},
            {"object": "ping"},
            delta(role="assistant", content=None),
            "event: keepalive\ndata: {}",
            delta(content="whole "),
            {"choices": None, "usage": None},
            delta(content="word", tool_calls=None),
            delta(finish="stop"),
            {"usage": {"prompt_tokens": 5, "completion_tokens": 2}},
            "data: [DONE]",
        )
        assert self.hear(server, make_client, stream) == "whole word"
        assert len(server.chats) == 1

    def test_a_message_told_again_at_the_end_is_not_said_twice(
        self, server: Server, make_client: MakeClient
    ) -> None:
        stream = events(
            delta(content="once"),
            {"choices": [{"delta": {}, "message": {"content": "once"}, "finish_reason": "stop"}]},
            "data: [DONE]",
        )
        assert self.hear(server, make_client, stream) == "once"

    def test_a_call_told_again_at_the_end_is_not_made_of_two_halves(self) -> None:
        gathered = StreamedReply()
        function = {"name": "read", "arguments": '{"path": "a.md"}'}
        whole = [{"index": 0, "id": "1", "function": function}]
        gathered.feed(delta(tool_calls=whole))
        gathered.feed({"choices": [{"message": {"tool_calls": whole}, "finish_reason": "stop"}]})
        (made,) = gathered.reply().tool_calls
        assert json.loads(made.arguments) == {"path": "a.md"}

    def test_an_error_in_the_middle_is_tried_again(
        self, server: Server, make_client: MakeClient, slept: Slept
    ) -> None:
        error = {"error": {"message": "the GPU fell over", "code": 502}}
        assert self.hear(server, make_client, events(delta(content="ha"), error), say("yes")) == (
            "yes"
        )
        assert len(slept.waits) == 1

    def test_calls_without_ids_or_with_one_id_for_all_stay_apart(self) -> None:
        for ids in (("", ""), ("x", "x")):
            listed = [
                {"id": one, "function": {"name": "read", "arguments": json.dumps({"path": path})}}
                for one, path in zip(ids, ("a.md", "b.md"), strict=True)
            ]
            calls = read_reply({"choices": [{"message": {"tool_calls": listed}}]}).tool_calls
            assert len({made.id for made in calls}) == 2


class TestRoles:
    """Models whose template knows no system role."""

    @pytest.mark.parametrize(
        "words",
        [
            "System role not supported",
            "Conversation roles must alternate user/assistant/user/assistant/...",
            "'messages[0].role' does not support 'system' with this model.",
        ],
    )
    def test_instructions_are_given_by_the_user_from_then_on(
        self, server: Server, make_client: MakeClient, words: str
    ) -> None:
        client = make_client()
        server.plays(fail(400, words), say_json(GOOD), say_json(GOOD))
        messages = ({"role": "system", "content": "Be brief."}, ASK)
        for _ in range(2):
            assert run(ask(client, messages, UNITS)).value == GOOD
        sent = server.chats[1]["messages"]
        assert sent == server.chats[2]["messages"]
        assert [m["role"] for m in sent] == ["user"]
        assert sent[0]["content"].startswith("Be brief.\n\nWhat is worth keeping?")


class TestAnswers:
    """Answers that are nearly what was asked for."""

    @pytest.mark.parametrize(
        "spelt",
        [
            SPELT.removesuffix("}") + ', "units": []}',
            '{"units": [], "score": NaN}',
            '{"units": nothing}',
            '{"units": null}',
            '{"units": {}}',
            '{"units": ""}',
            '{"result": []}',
            "[]",
            "null",
            "There was nothing worth keeping.",
            '{"units": [{"name": "Feed',
        ],
    )
    def test_what_is_not_plainly_an_empty_list_is_asked_about_again(
        self, server: Server, make_client: MakeClient, spelt: str
    ) -> None:
        server.plays(say(spelt), say_json(GOOD))
        answer = asking(make_client())
        assert (answer.value, answer.repaired) == (GOOD, True)

    def test_a_key_told_twice_the_same_is_no_fault(
        self, server: Server, make_client: MakeClient
    ) -> None:
        units = json.dumps(GOOD["units"])
        server.plays(say(f'{{"units": {units}, "units": {units}}}'))
        assert asking(make_client()).value == GOOD

    def test_numbers_beyond_all_bounds_cost_their_item(
        self, server: Server, make_client: MakeClient
    ) -> None:
        bad = {**GOOD["units"][0], "handles": [1e308 * 10]}
        spelt = json.dumps({"units": [GOOD["units"][0], bad]}).replace("Infinity", "1e999")
        server.plays(say(spelt))
        answer = asking(make_client())
        assert (answer.value, len(answer.dropped)) == (GOOD, 1)

    def test_a_shape_may_accept_more_than_it_asks_for(
        self, server: Server, make_client: MakeClient
    ) -> None:
        asked = {"type": "object", "properties": {"kind": {"enum": ["a"]}}, "required": ["kind"]}
        taken = {**asked, "properties": {"kind": {"type": "string"}}}
        server.plays(say_json({"kind": "b"}))
        answer = run(ask(make_client(), (ASK,), Shape("kinds", asked, accepts=taken)))
        assert answer.value == {"kind": "b"}
        form = server.chats[0]["response_format"]["json_schema"]["schema"]
        assert form["properties"]["kind"] == {"enum": ["a"]}


class TestCalls:
    """Tool calls that are nearly right."""

    @pytest.mark.parametrize(
        "name", ["functions.read", "default_api:read", "tools/read", "READ", " read ", "read()"]
    )
    def test_a_tool_is_known_under_a_longer_name(
        self, server: Server, make_client: MakeClient, name: str
    ) -> None:
        server.plays(call((name, {"path": "a.md"})), call(("api.finish", DONE)))
        shelf = Shelf()
        assert conversing(make_client(), shelf).receipt == DONE
        assert shelf.reads == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            json.dumps(json.dumps({"path": "a.md"})),
            '{"path": "a.md",}',
            '{"arguments": {"path": "a.md"}}',
            '{"parameters": {"path": "a.md"}}',
            '{"input": "{\\"path\\": \\"a.md\\"}"}',
            '```json\n{"path": "a.md"}\n```',
            '{"path": "a.md", "path": "a.md"}',
            '{"path": "a.md"}</tool_call>',
        ],
    )
    def test_arguments_in_odd_clothes_are_understood(
        self, server: Server, make_client: MakeClient, arguments: str
    ) -> None:
        server.plays(call(("read", arguments)), FINISH)
        shelf = Shelf()
        done = conversing(make_client(), shelf)
        assert (done.receipt, shelf.reads, done.steps[0].ok) == (DONE, 1, True)

    @pytest.mark.parametrize(
        "arguments", ['{"path": "a.md", "path": "b.md"}', '{"path": NaN}', "[1]", "3", '"a.md"']
    )
    def test_arguments_that_could_mean_anything_are_told(
        self, server: Server, make_client: MakeClient, arguments: str
    ) -> None:
        server.plays(call(("read", arguments)), FINISH)
        shelf = Shelf()
        done = conversing(make_client(), shelf)
        assert (done.receipt, shelf.reads, done.steps[0].ok) == (DONE, 0, False)

    @pytest.mark.parametrize(
        "text",
        [
            '<tool_call>{"name": "read", "arguments": {"path": "a.md"}}</tool_call>',
            '[TOOL_CALLS] [{"name": "read", "arguments": {"path": "a.md"}}]',
            '<|python_tag|>{"name": "read", "parameters": {"path": "a.md"}}',
            '<|tool_call|>[{"name": "read", "arguments": {"path": "a.md"}}]',
            '{"name": "read", "arguments": {"path": "a.md"}}',
            '```json\n{"name": "read", "arguments": {"path": "a.md"}}\n```',
            '{"tool_calls": [{"function": {"name": "read", "arguments": {"path": "a.md"}}}]}',
        ],
    )
    def test_a_call_that_the_server_let_through_as_text_is_made(
        self, server: Server, make_client: MakeClient, text: str
    ) -> None:
        server.plays(say(text), FINISH)
        shelf = Shelf()
        assert conversing(make_client(), shelf).receipt == DONE
        assert shelf.reads == 1

    def test_a_call_that_is_only_talked_about_is_not_made(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(
            say('The note says {"name": "read", "arguments": {"path": "a.md"}}, which I leave be.'),
            FINISH,
        )
        shelf = Shelf()
        assert conversing(make_client(), shelf).receipt == DONE
        assert shelf.reads == 0

    def test_two_calls_with_one_id_are_both_answered(
        self, server: Server, make_client: MakeClient
    ) -> None:
        listed = [
            {
                "id": "same",
                "type": "function",
                "function": {"name": "read", "arguments": json.dumps({"path": path})},
            }
            for path in ("a.md", "b.md")
        ]
        server.plays(say(None, "tool_calls", tool_calls=listed), FINISH)
        shelf = Shelf()
        assert conversing(make_client(), shelf).receipt == DONE
        told = [m for m in server.chats[1]["messages"] if m["role"] == "tool"]
        assert len({m["tool_call_id"] for m in told}) == shelf.reads == 2

    def test_endless_calls_of_nothing_end_by_the_turns(
        self, server: Server, make_client: MakeClient
    ) -> None:
        numbers = iter(range(1000))
        server.otherwise = lambda body: call((f"tool_{next(numbers)}", {}))
        client = make_client(spending=Spending(Ceilings(turns=5)))
        done = conversing(client, Shelf())
        assert (done.receipt, done.ended) == (None, "turns")
        assert len(server.chats) == 5
