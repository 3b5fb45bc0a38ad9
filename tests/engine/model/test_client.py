"""One chat call: counted, retried, bounded, cancelled, and never telling the key."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.model.conftest import KEY, MakeClient, Slept, request, run
from tests.engine.model.server import EVENTS, Server, Step, call, fail, raw, say
from vault_dream.engine.errors import BudgetError, FilesystemError, NoModelError, VaultDreamError
from vault_dream.engine.model.budget import Ceilings, Spending
from vault_dream.engine.model.capabilities import Capabilities
from vault_dream.engine.model.endpoint import Timeouts
from vault_dream.engine.model.errors import (
    AnswerError,
    ContextError,
    RefusedError,
    UnsupportedError,
)
from vault_dream.engine.model.ledger import Ledger
from vault_dream.engine.model.wire import Progress


def test_importing_the_client_loads_neither_openai_nor_what_it_brings() -> None:
    code = (
        "import sys\n"
        "import vault_dream.engine.model.client, vault_dream.engine.model.answers\n"
        "import vault_dream.engine.model.tools, vault_dream.engine.model.probe\n"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('openai', 'httpx', 'httpx2', 'pydantic', 'anyio')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("streamed", [False, True])
def test_a_reply_is_read_and_its_usage_counted(
    server: Server, make_client: MakeClient, streamed: bool
) -> None:
    server.plays(say("Hello there", usage=(120, 7), reasoning_content="They greet."))
    client = make_client()
    told: list[Progress] = []
    reply = run(client.chat(request(label="unit 1"), told.append if streamed else None))
    assert (reply.text, reply.reasoning, reply.finish) == ("Hello there", "They greet.", "stop")
    assert reply.usage.prompt_tokens == 120 and reply.usage.completion_tokens == 7
    assert client.spending.by_label["unit 1"].tokens == client.spending.total.tokens == 127
    assert client.spending.total.calls == 1
    if streamed:
        assert {"sent", "thinking", "writing"} == {event.state for event in told}
        assert told[-1].characters == len("Hello there") + len("They greet.")


@pytest.mark.parametrize("streamed", [False, True])
def test_parallel_tool_calls_are_put_together(
    server: Server, make_client: MakeClient, streamed: bool
) -> None:
    server.plays(call(("read", {"path": "a.md"}), ("read", {"path": "b.md"})))
    reply = run(make_client().chat(request(), (lambda _: None) if streamed else None))
    assert [json.loads(c.arguments)["path"] for c in reply.tool_calls] == ["a.md", "b.md"]
    assert len({c.id for c in reply.tool_calls}) == 2


def test_a_server_that_counts_nothing_is_estimated(server: Server, make_client: MakeClient) -> None:
    server.plays(say("x" * 400, usage=None))
    reply = run(make_client().chat(request("word " * 100)))
    assert reply.usage.estimated
    assert 100 <= reply.usage.prompt_tokens <= 250
    assert 80 <= reply.usage.completion_tokens <= 200


class TestTryingAgain:
    def test_too_many_requests_wait_as_long_as_the_server_says(
        self, server: Server, make_client: MakeClient, slept: Slept
    ) -> None:
        server.plays(fail(429, "slow down", {"Retry-After": "7"}), say("ok"))
        assert run(make_client().chat(request())).text == "ok"
        assert len(slept.waits) == 1 and 7 <= slept.waits[0] <= 8

    def test_a_date_in_retry_after_is_honoured(
        self, server: Server, make_client: MakeClient, slept: Slept
    ) -> None:
        server.plays(fail(503, "", {"Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"}), say("ok"))
        run(make_client(now=lambda: 18.0).chat(request()))
        assert 42 <= slept.waits[0] <= 43

    def test_a_server_that_wants_an_hour_is_not_waited_for(
        self, server: Server, make_client: MakeClient, slept: Slept
    ) -> None:
        server.plays(fail(429, "", {"Retry-After": "3600"}))
        with pytest.raises(NoModelError, match="60 minutes"):
            run(make_client().chat(request()))
        assert not slept.waits

    @pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
    def test_passing_faults_cost_growing_waits(
        self, server: Server, make_client: MakeClient, slept: Slept, status: int
    ) -> None:
        server.plays(fail(status), fail(status), say("ok"))
        assert run(make_client().chat(request())).text == "ok"
        assert slept.waits == [1.0, 2.0]

    @pytest.mark.parametrize(
        "step",
        [
            Step(hang_up=True),
            raw(b'{"choices": [{"mess', claim=500),
            raw(b'{"choices": [{"mess'),
            raw(json.dumps({"error": {"code": 502, "message": "upstream"}}).encode()),
        ],
        ids=["hung up", "body cut", "half a body", "an error inside a 200"],
    )
    def test_broken_connections_cost_a_try(
        self, server: Server, make_client: MakeClient, step: Step
    ) -> None:
        server.plays(step, say("ok"))
        assert run(make_client().chat(request())).text == "ok"

    def test_a_time_out_costs_one_try(self, server: Server, make_client: MakeClient) -> None:
        server.plays(Step(hang=True), say("ok"))
        client = make_client(timeouts=Timeouts(connect=2, read=0.2, call=5))
        assert run(client.chat(request())).text == "ok"

    def test_a_server_that_drips_for_ever_is_stopped(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("never ending", hang_after=2), say("ok"))
        client = make_client(timeouts=Timeouts(connect=2, read=60, call=0.3))
        assert run(client.chat(request(), lambda _: None)).text == "ok"

    def test_tries_are_bounded(self, server: Server, make_client: MakeClient, slept: Slept) -> None:
        server.otherwise = fail(500, "boom")
        with pytest.raises(NoModelError, match="500"):
            run(make_client().chat(request()))
        assert len(server.chats) == 5 and len(slept.waits) == 4

    def test_an_endpoint_that_answered_before_costs_the_unit_and_not_the_run(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("ok"))
        server.otherwise = fail(500, "boom")
        client = make_client()
        run(client.chat(request()))
        with pytest.raises(AnswerError, match="boom"):
            run(client.chat(request()))

    def test_a_broken_stream_is_asked_for_in_one_piece(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("some longer text", break_after=2), say("some longer text"))
        assert run(make_client().chat(request(), lambda _: None)).text == "some longer text"
        assert [body.get("stream", False) for body in server.chats] == [True, False]

    @pytest.mark.parametrize(
        "events", [b"data: {oops\n\n", b"data: [1, 2]\n\n", b"\n\n", b"data: \xff\xfe\n\n"]
    )
    def test_a_stream_of_rubbish_is_asked_for_in_one_piece(
        self, server: Server, make_client: MakeClient, events: bytes
    ) -> None:
        server.plays(raw(events, EVENTS), say("ok"))
        assert run(make_client().chat(request(), lambda _: None)).text == "ok"

    def test_a_stream_that_ends_without_saying_why_is_no_answer(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say('{"units": []}', finish=None), say('{"units": [1]}'))
        assert run(make_client().chat(request(), lambda _: None)).text == '{"units": [1]}'

    def test_streams_that_break_twice_are_asked_for_no_more(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(*[say("abc", finish=None), say("abc")] * 2, say("abc"))
        client = make_client()
        for _ in range(3):
            assert run(client.chat(request(), lambda _: None)).text == "abc"
        assert "stream" not in server.chats[-1] and len(server.chats) == 5

    def test_a_server_that_ignores_stream_is_read_all_the_same(
        self, server: Server, make_client: MakeClient
    ) -> None:
        body = {"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}
        server.plays(raw(json.dumps(body).encode()))
        assert run(make_client().chat(request(), lambda _: None)).text == "whole"


class TestWhatIsLearnt:
    @pytest.mark.parametrize(
        ("message", "missing", "present"),
        [
            ("Use 'max_completion_tokens' instead", "max_tokens", "max_completion_tokens"),
            ("'temperature' does not support 0.2", "temperature", "max_tokens"),
        ],
    )
    def test_a_parameter_that_is_refused_is_left_out_from_then_on(
        self,
        server: Server,
        make_client: MakeClient,
        tmp_path: Path,
        message: str,
        missing: str,
        present: str,
    ) -> None:
        server.plays(fail(400, message), say("ok"), say("ok"))
        store = tmp_path / "models.json"
        run(make_client(capabilities=Capabilities(store)).chat(request()))
        run(make_client(capabilities=Capabilities(store)).chat(request()))
        assert len(server.chats) == 3
        assert missing not in server.chats[2] and present in server.chats[2]

    def test_usage_in_streams_is_given_up_where_it_is_refused(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(fail(400, "unknown field stream_options"), say("ok"))
        assert run(make_client().chat(request(), lambda _: None)).usage.estimated
        assert "stream_options" not in server.chats[1] and server.chats[1]["stream"]

    def test_a_spoilt_memory_is_no_fault(self, tmp_path: Path, make_client: MakeClient) -> None:
        for text in ("", "{", '{"models": 3}', '{"models": {"a": 1}}', "[" * 100_000):
            store = tmp_path / "models.json"
            store.write_text(text)
            assert Capabilities(store).of(make_client().endpoint).mode == ""


class TestWhatAPersonIsTold:
    @pytest.mark.parametrize(
        ("step", "kind", "words"),
        [
            (fail(401, "bad key"), NoModelError, "OPENAI_API_KEY"),
            (fail(403, "not for you"), NoModelError, "OPENAI_API_KEY"),
            (fail(404, "model 'm' not found"), NoModelError, "does not know the model"),
            (fail(400, "m is not a valid model ID"), NoModelError, "does not know the model"),
            (fail(404, "404 page not found"), NoModelError, "ends in /v1"),
            (fail(402, "pay"), NoModelError, "credit"),
            (fail(429, "insufficient_quota"), NoModelError, "credit"),
            (fail(500, "model requires more system memory"), NoModelError, "smaller model"),
            (raw(b"<html>Log in</html>", "text/html"), NoModelError, "not JSON"),
            (fail(302, "", {"Location": "http://example.invalid/"}), NoModelError, "redirects"),
            (fail(400, "maximum context length is 4096 tokens"), ContextError, "context_tokens"),
            (fail(413, "too large"), ContextError, "context_tokens"),
            (fail(400, "blocked by content_filter"), RefusedError, "filter"),
            (fail(400, "what is this"), AnswerError, "what is this"),
        ],
    )
    def test_lasting_faults_are_told_at_once(
        self,
        server: Server,
        make_client: MakeClient,
        slept: Slept,
        step: Step,
        kind: type[VaultDreamError],
        words: str,
    ) -> None:
        server.plays(step)
        with pytest.raises(kind) as caught:
            run(make_client().chat(request()))
        assert words in str(caught.value) and caught.value.next
        assert len(server.chats) == 1 and not slept.waits

    def test_a_server_that_is_off_is_named(self, make_client: MakeClient) -> None:
        client = make_client(base_url="http://127.0.0.1:9/v1")
        with pytest.raises(NoModelError, match=r"127\.0\.0\.1:9.*cannot be reached"):
            run(client.chat(request()))

    def test_a_connection_that_is_not_secure_is_refused(
        self, server: Server, make_client: MakeClient
    ) -> None:
        client = make_client(base_url=server.url.replace("http:", "https:"))
        with pytest.raises(NoModelError, match="not secure"):
            run(client.chat(request()))

    def test_the_key_is_hidden_though_the_server_echoes_it(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(fail(401, f"Incorrect API key provided: {KEY}"))
        client = make_client()
        with pytest.raises(NoModelError) as caught:
            run(client.chat(request()))
        assert KEY not in str(caught.value) and "[key]" in str(caught.value)
        assert KEY not in repr(client.endpoint) + repr(client) + repr(vars(client.spending))
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"

    def test_refused_tools_are_told_apart_from_refused_text(
        self, server: Server, make_client: MakeClient
    ) -> None:
        tool = {"type": "function", "function": {"name": "x", "parameters": {"type": "object"}}}
        for step in (
            fail(400, "gemma does not support tools"),
            fail(500, "Unsupported param: tools"),
            fail(404, "No endpoints found that support tool use"),
        ):
            server.plays(step)
            with pytest.raises(UnsupportedError):
                run(make_client().chat(request(tools=(tool,))))


class TestCeilings:
    def test_calls(self, server: Server, make_client: MakeClient) -> None:
        server.otherwise = say("ok")
        client = make_client(spending=Spending(Ceilings(calls=2)))
        run(client.chat(request()))
        run(client.chat(request()))
        with pytest.raises(BudgetError, match="2 calls") as caught:
            run(client.chat(request()))
        assert len(server.chats) == 2 and "budget.calls" in caught.value.next

    def test_calls_that_are_tried_again_count(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.otherwise = fail(500)
        with pytest.raises(BudgetError):
            run(make_client(spending=Spending(Ceilings(calls=3))).chat(request()))
        assert len(server.chats) == 3

    def test_tokens_are_checked_before_the_call_and_bound_its_answer(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.otherwise = say("ok", usage=(300, 500))
        client = make_client(spending=Spending(Ceilings(tokens=1000)))
        run(client.chat(request(max_tokens=4096)))
        assert server.chats[0]["max_tokens"] < 1000
        run(client.chat(request()))
        with pytest.raises(BudgetError, match="tokens"):
            run(client.chat(request()))
        assert len(server.chats) == 2

    def test_a_prompt_that_would_pass_the_ceiling_is_never_sent(
        self, server: Server, make_client: MakeClient
    ) -> None:
        with pytest.raises(BudgetError):
            client = make_client(spending=Spending(Ceilings(tokens=1000)))
            run(client.chat(request("word " * 2000)))
        assert not server.chats

    def test_seconds(self, server: Server, make_client: MakeClient) -> None:
        server.otherwise = say("ok")
        clock = iter([0.0, *[50.0] * 6, *[101.0] * 9]).__next__
        client = make_client(spending=Spending(Ceilings(seconds=100), clock=clock))
        run(client.chat(request()))
        with pytest.raises(BudgetError, match="seconds"):
            run(client.chat(request()))

    def test_a_call_ends_with_the_last_second(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(Step(hang=True))
        clock = iter([0.0, *[99.8] * 99]).__next__
        client = make_client(spending=Spending(Ceilings(seconds=100), clock=clock))
        with pytest.raises(BudgetError, match="100 seconds"):
            run(client.chat(request()))

    def test_nobody_waits_past_the_last_second(
        self, server: Server, make_client: MakeClient, slept: Slept
    ) -> None:
        server.plays(fail(429, "", {"Retry-After": "300"}))
        with pytest.raises(BudgetError):
            run(make_client(spending=Spending(Ceilings(seconds=100))).chat(request()))
        assert not slept.waits


class TestContext:
    def test_a_prompt_that_was_cut_without_a_word_is_named_with_the_remedy(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.context = 2050
        server.plays(say("I see half of something."))
        with pytest.raises(ContextError) as caught:
            run(make_client().chat(request("ordinary words of a day " * 1500)))
        assert "OLLAMA_CONTEXT_LENGTH=16384" in caught.value.next
        assert "context_tokens: 2050" in caught.value.next

    def test_a_cut_chinese_prompt_is_named_too(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.context = 2050
        server.plays(say("好"))
        with pytest.raises(ContextError):
            run(make_client().chat(request("今天在面包房学到了新的做法" * 1000)))

    @pytest.mark.parametrize("text", ["words of a day " * 900, "新的做法" * 3000, "=" * 9000])
    def test_a_whole_prompt_is_not(
        self, server: Server, make_client: MakeClient, text: str
    ) -> None:
        server.plays(say("ok"))
        assert run(make_client().chat(request(text))).text == "ok"

    def test_a_prompt_counted_without_its_cached_part_is_not(
        self, server: Server, make_client: MakeClient
    ) -> None:
        usage = {"prompt_tokens": 20, "prompt_tokens_details": {"cached_tokens": 9000}}
        body = {"choices": [{"message": {"content": "ok"}}], "usage": usage}
        server.plays(raw(json.dumps(body).encode()))
        assert run(make_client().chat(request("word " * 3000))).text == "ok"

    def test_a_prompt_that_does_not_fit_is_not_sent(
        self, server: Server, make_client: MakeClient
    ) -> None:
        with pytest.raises(ContextError, match="4096"):
            run(make_client(context_tokens=4096).chat(request("word " * 5000)))
        assert not server.chats

    def test_the_answer_gets_what_the_context_leaves(
        self, server: Server, make_client: MakeClient
    ) -> None:
        server.plays(say("ok"))
        run(make_client(context_tokens=4096).chat(request("word " * 1000, max_tokens=8000)))
        assert server.chats[0]["max_tokens"] < 3000


class TestCancelling:
    @pytest.mark.parametrize("step", [Step(hang=True), say("a long answer", hang_after=2)])
    def test_a_call_ends_at_once_and_the_client_lives_on(
        self, server: Server, make_client: MakeClient, step: Step
    ) -> None:
        server.plays(step, say("ok"))
        client = make_client(timeouts=Timeouts(60, 60, 60))

        async def scene() -> str:
            task = asyncio.create_task(client.chat(request(), lambda _: None))
            await asyncio.to_thread(server.hanging.wait)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return (await client.chat(request())).text

        assert run(scene()) == "ok"

    def test_a_wait_ends_at_once(self, server: Server, make_client: MakeClient) -> None:
        server.plays(fail(500))
        waiting = asyncio.Event()

        async def wait_for_ever(_: float) -> None:
            waiting.set()
            await asyncio.Event().wait()

        async def scene() -> None:
            task = asyncio.create_task(make_client(sleep=wait_for_ever).chat(request()))
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        run(scene())


class TestLedger:
    def test_what_left_is_counted_and_not_kept(
        self, server: Server, make_client: MakeClient, tmp_path: Path
    ) -> None:
        server.plays(fail(500), say("ok"))
        ledger = Ledger(tmp_path / "state" / "ledger.jsonl")
        assert not ledger.known("127.0.0.1")
        run(make_client(ledger=ledger).chat(request("my secret diary", purpose="extract")))
        first, second = ledger.entries()
        assert (first.purpose, first.model, first.characters) == ("extract", "m", 15)
        assert second.characters == 15 and ledger.known(first.host)
        assert "secret" not in ledger.path.read_text()
        if sys.platform != "win32":
            assert ledger.path.stat().st_mode & 0o077 == 0

    def test_nothing_leaves_that_cannot_be_counted(
        self, server: Server, make_client: MakeClient, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(FilesystemError, match="ledger"):
            run(make_client(ledger=Ledger(tmp_path / "file" / "ledger.jsonl")).chat(request()))
        assert not server.chats

    def test_a_torn_line_spoils_no_other(self, tmp_path: Path) -> None:
        ledger = Ledger(tmp_path / "ledger.jsonl")
        ledger.record(host="a", model="m", purpose="p", characters=1, tokens=1)
        with ledger.path.open("a") as file:
            file.write('{"time": "20')
        ledger.record(host="b", model="m", purpose="p", characters=1, tokens=1)
        assert [entry.host for entry in ledger.entries()] == ["a", "b"]


def test_the_exact_request_can_be_shown(server: Server, make_client: MakeClient) -> None:
    server.plays(say("ok"))
    client = make_client()
    shown = client.body(request("a \ud800 b"))
    run(client.chat(request("a \ud800 b")))
    assert server.chats[0] == shown
    assert KEY not in json.dumps(shown)
