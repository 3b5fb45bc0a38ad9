"""One chat call over the wire: checked against the ceilings, counted, tried again, cancellable.

Importing this module loads neither ``openai`` nor anything it brings; the first call does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from vault_dream.engine.model.budget import LEAST_ANSWER, Spending
from vault_dream.engine.model.capabilities import Capabilities
from vault_dream.engine.model.endpoint import Endpoint
from vault_dream.engine.model.errors import ContextError
from vault_dream.engine.model.ledger import Ledger
from vault_dream.engine.model.tokens import (
    estimate_prompt,
    estimate_tokens,
    fewest_prompt,
    message_texts,
)
from vault_dream.engine.model.transport import Failed, send
from vault_dream.engine.model.trouble import Verdict, judge
from vault_dream.engine.model.usage import Usage
from vault_dream.engine.model.wire import Counted, OnProgress, OnSend, Progress, Reply, Request

if TYPE_CHECKING:
    from openai import AsyncOpenAI

TEMPERATURE = 0.2
CUT_BELOW = 0.95
"""A prompt counted as less than this part of its fewest possible tokens was cut."""
STREAMS_BROKEN = 2
CUT_FROM = 200
"""Prompts of fewer tokens than this are not looked at: servers count their templates oddly."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how long. Seconds double from ``first`` to ``most``, between half and all of
    them at random; what the server asks for comes first, up to ``longest``."""

    tries: int = 5
    connect_tries: int = 3
    timeout_tries: int = 2
    first: float = 1.0
    most: float = 60.0
    longest: float = 600.0

    def allows(self, tried: int, cause: str) -> bool:
        limits = {"connect": self.connect_tries, "timeout": self.timeout_tries}
        return tried < limits.get(cause, self.tries)

    def wait(self, tried: int, asked: float, chance: float) -> float:
        """Seconds before try number ``tried + 1``; ``chance`` is between 0 and 1."""
        if asked:
            return asked + min(1.0, asked / 10) * chance  # never earlier than asked
        return min(self.most, self.first * 2.0 ** (tried - 1)) * (0.5 + chance / 2)


class ChatClient:
    """Talks to one model. Stateful: a connection pool, what was spent, what was learnt.

    Everything that could make a test slow or a run unlike another is injected. Cancelling the task
    that awaits :meth:`chat` ends it at once, in a wait, a connect or the middle of a stream.
    ``conceal`` is the last look at every text before it leaves.
    ``on_send`` is given the body of every request, right before it leaves.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        spending: Spending | None = None,
        capabilities: Capabilities | None = None,
        ledger: Ledger | None = None,
        on_send: OnSend | None = None,
        backoff: Backoff | None = None,
        context_tokens: int = 0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
        environ: Mapping[str, str] = os.environ,
        conceal: Callable[[str], str] = str,
    ) -> None:
        self.endpoint = endpoint
        self.spending = spending or Spending()
        self.capabilities = capabilities or Capabilities()
        self.backoff = backoff or Backoff()
        self.context_tokens = context_tokens  # 0: not known yet
        self._ledger = ledger
        self._on_send = on_send
        self._sleep = sleep
        self._chance = chance
        self._now = now
        self._environ = environ
        self._conceal = conceal
        self._answered = False
        self._broken_streams = 0
        self._pool: tuple[asyncio.AbstractEventLoop, AsyncOpenAI] | None = None

    async def chat(self, request: Request, on_progress: OnProgress | None = None) -> Reply:
        """The model's reply, whatever it says; a cut, empty or refusing one is a reply too.

        Raises BudgetError before a ceiling is passed, ContextError for a prompt that does not fit
        or was cut, UnsupportedError where tools or a response format were refused, NoModelError
        where the endpoint cannot be used, AnswerError where it can but this call got no answer.
        """
        request = self.concealed(request)
        tell = on_progress or _nobody
        streamed = on_progress is not None
        tried = 0
        while True:
            tried += 1
            body, sent = self._prepare(request, streamed=streamed)
            tell(Progress(request.label, request.purpose, "sent", self._characters(request)))
            started = self.spending.now()
            try:
                reply, counted = await self._within_time(body, request, tell)
            except Failed as failed:
                self._count(request, Usage(calls=1, seconds=self.spending.now() - started))
                streamed = streamed and not failed.no_stream
                if await self._after(failed, tried, request, tell):
                    tried -= 1  # what was learnt costs no try
                continue
            reply = self._counted(request, self._without_key(reply), counted, sent, started)
            self._answered = True
            self._watch_streams(wanted=on_progress is not None, streamed=streamed)
            self._check_whole(request, counted)
            return reply

    def body(self, request: Request, *, streamed: bool = False) -> dict[str, Any]:
        """The exact JSON that :meth:`chat` sends, for a person who wants to see it."""
        quirks = self.capabilities.of(self.endpoint).quirks
        limit = "max_completion_tokens" if "max_completion_tokens" in quirks else "max_tokens"
        messages = [_speakable(message) for message in request.messages]
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": _without_system(messages) if "no_system" in quirks else messages,
            limit: request.max_tokens,
        }
        if "no_temperature" not in quirks:
            body["temperature"] = TEMPERATURE
        if request.tools:
            body["tools"] = list(request.tools)
        if request.tool_choice is not None:
            body["tool_choice"] = request.tool_choice
        if request.response_format is not None:
            body["response_format"] = request.response_format
        if streamed and "no_stream" not in quirks:
            body["stream"] = True
            if "no_stream_options" not in quirks:
                body["stream_options"] = {"include_usage": True}
        return body

    def concealed(self, request: Request) -> Request:
        """``request`` with nothing in its texts that is not to leave. What the model said itself
        in a tool call is let be: it is JSON, and came from there."""
        messages = tuple(
            {**message, "content": self._conceal(content)}
            if isinstance(content := message.get("content"), str)
            else message
            for message in request.messages
        )
        return replace(request, messages=messages)

    def estimate(self, request: Request) -> int:
        """About how many prompt tokens ``request`` is."""
        extras = (*request.tools, request.response_format or {})
        return estimate_prompt(request.messages, extras)

    def sent_before(self) -> bool:
        """Whether anything went to this endpoint's host before; True where no ledger is kept."""
        return self._ledger is None or self._ledger.known(self.endpoint.host)

    def check_key(self) -> None:
        """Raise :class:`NoModelError` where the endpoint needs a key and none can be used."""
        self.endpoint.key(self._environ)

    async def close(self) -> None:
        """Let go of the connections; the next call opens new ones."""
        if self._pool is not None:
            loop, pool = self._pool
            self._pool = None
            if loop is asyncio.get_running_loop():
                await pool.close()

    async def ask_server(self, method: str, url: str, body: object = None) -> Any:
        """The JSON that the endpoint's server answers at ``url``; None for anything but that.

        For what a server says about itself: carries no notes, is not counted, and never retried.
        """
        import openai

        options: Any = {"max_retries": 0, "timeout": min(20.0, self.endpoint.timeouts.read)}
        try:
            pool = self.pool()
            if method == "GET":
                return await pool.get(url, cast_to=object, options=options)
            return await pool.post(url, cast_to=object, body=body, options=options)
        except (openai.OpenAIError, ValueError):
            return None

    def pool(self) -> AsyncOpenAI:
        """The library's client for the running loop. TLS is verified; redirects are not followed,
        because a body that was meant for one host would go to another."""
        loop = asyncio.get_running_loop()
        if self._pool is None or self._pool[0] is not loop:
            import openai

            times = self.endpoint.timeouts
            timeout = openai.Timeout(times.read, connect=times.connect)
            http = openai.DefaultAsyncHttpxClient(
                timeout=timeout,
                follow_redirects=False,
                trust_env=not self.endpoint.loopback,  # no proxy between us and ourselves
            )
            pool = openai.AsyncOpenAI(
                api_key=self.endpoint.key(self._environ),
                base_url=self.endpoint.base_url,
                max_retries=0,
                timeout=timeout,
                http_client=http,
            )
            self._pool = (loop, pool)
        return self._pool[1]

    def _prepare(self, request: Request, *, streamed: bool) -> tuple[dict[str, Any], int]:
        """Check the ceilings, shorten the answer to what they leave, write the ledger."""
        sent = self.estimate(request)
        self.spending.check(sent)
        room = request.max_tokens
        left = self.spending.tokens_left()
        if left is not None:
            room = min(room, left - sent)
        if self.context_tokens:
            room = min(room, self.context_tokens - sent)
            if room < LEAST_ANSWER:
                raise ContextError(
                    self.endpoint.where,
                    f"a prompt of about {sent} tokens leaves no room for an answer in a context "
                    f"of {self.context_tokens}",
                    "give the server a larger context and set context_tokens to it",
                )
        body = self.body(replace(request, max_tokens=room), streamed=streamed)
        self.endpoint.key(self._environ)  # says what is missing before anything is written
        if self._ledger is not None:
            self._ledger.record(
                host=self.endpoint.host,
                model=self.endpoint.model,
                purpose=request.purpose,
                characters=self._characters(request),
                tokens=sent,
            )
        if self._on_send is not None:
            self._on_send(request.label, request.purpose, body)
        return body, sent

    async def _within_time(
        self, body: dict[str, Any], request: Request, tell: OnProgress
    ) -> tuple[Reply, Counted]:
        """One request, ended by the call's own time-out or by the run's last second."""
        own = self.endpoint.timeouts.call
        left = self.spending.seconds_left()
        limit = own if left is None else min(own, left)
        try:
            async with asyncio.timeout(limit):
                return await send(self.pool(), body, request, tell)
        except TimeoutError:
            if left is not None and left <= own:
                self._count(request, Usage(calls=1, seconds=limit))
                raise self.spending.out_of_time() from None
            raise Failed.timeout(f"{own:.0f} seconds") from None

    async def _after(self, failed: Failed, tried: int, request: Request, tell: OnProgress) -> bool:
        """Wait for another try, or raise what there is to say. True: the next costs no try."""
        known = self.capabilities.of(self.endpoint)
        verdict: Verdict = judge(
            replace(
                failed.fault,
                message=self.endpoint.hide_key(failed.fault.message, self._environ),
                features=bool(request.tools or request.response_format),
            ),
            self.endpoint,
            now=self._now(),
            quirks=known.quirks,
            answered=self._answered,
        )
        if verdict.kind == "quirk":
            self.capabilities.learn(self.endpoint, quirk=verdict.quirk)
            return True
        if verdict.kind == "fail" or not self.backoff.allows(tried, failed.fault.cause):
            raise verdict.error from None
        if verdict.wait > self.backoff.longest:
            error = verdict.error
            what = f"the endpoint asks for a pause of {verdict.wait / 60:.0f} minutes"
            raise type(error)(error.where, what, "run again later") from None
        wait = self.backoff.wait(tried, verdict.wait, self._chance())
        self.spending.check(wait=wait)
        tell(
            Progress(
                request.label, request.purpose, "waiting", seconds=wait, reason=verdict.error.what
            )
        )
        await self._sleep(wait)
        return False

    def _watch_streams(self, *, wanted: bool, streamed: bool) -> None:
        """Two streams in a row that broke where a whole answer came: stop asking for streams."""
        if not wanted:
            return
        self._broken_streams = 0 if streamed else self._broken_streams + 1
        if self._broken_streams == STREAMS_BROKEN:
            self.capabilities.learn(self.endpoint, quirk="no_stream")

    def _counted(
        self, request: Request, reply: Reply, counted: Counted, sent: int, started: float
    ) -> Reply:
        written = reply.text + reply.reasoning + "".join(c.arguments for c in reply.tool_calls)
        usage = Usage(
            calls=1,
            prompt_tokens=sent if counted.prompt is None else counted.prompt,
            completion_tokens=(
                estimate_tokens(written) if counted.completion is None else counted.completion
            ),
            seconds=self.spending.now() - started,
            estimated=counted.prompt is None or counted.completion is None,
        )
        self._count(request, usage)
        return replace(reply, usage=usage)

    def _without_key(self, reply: Reply) -> Reply:
        """``reply`` as it may be shown and kept, should a server have put our key into it."""
        hide = partial(self.endpoint.hide_key, environ=self._environ)
        calls = (replace(c, arguments=hide(c.arguments)) for c in reply.tool_calls)
        return replace(
            reply,
            text=hide(reply.text),
            reasoning=hide(reply.reasoning),
            refusal=hide(reply.refusal),
            tool_calls=tuple(calls),
        )

    def _count(self, request: Request, usage: Usage) -> None:
        self.spending.add(request.label, usage)

    def _characters(self, request: Request) -> int:
        return sum(len(text) for text in message_texts(request.messages))

    def _check_whole(self, request: Request, counted: Counted) -> None:
        """ContextError where the server read fewer tokens than the prompt can possibly be."""
        fewest = fewest_prompt(request.messages)
        if counted.prompt is None or fewest < CUT_FROM:
            return
        read = counted.prompt
        if read >= fewest * CUT_BELOW or read + counted.cached >= fewest * CUT_BELOW:
            return
        raise ContextError(
            self.endpoint.where,
            f"the server silently cut the prompt: it read {read} tokens of at least {fewest}",
            f"give it a larger context (Ollama: OLLAMA_CONTEXT_LENGTH={_round_up(fewest * 2)}, or "
            "num_ctx in a Modelfile; LM Studio and llama.cpp: the context length at load), "
            f"or set context_tokens: {read} so that less is sent at a time",
        )


def _nobody(_: Progress) -> None:
    return None


def _round_up(tokens: int) -> int:
    size = 8192
    while size < tokens:
        size *= 2
    return size


def _without_system(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same said by the user, never twice in turn, for templates that know only two roles."""
    made: list[dict[str, Any]] = []
    for message in messages:
        if message.get("role") == "system":
            message = {**message, "role": "user"}
        if made and message["role"] == made[-1]["role"] == "user":
            message = {**message, "content": f"{made.pop()['content']}\n\n{message['content']}"}
        made.append(message)
    return made


def _speakable(message: Mapping[str, Any]) -> dict[str, Any]:
    """``message`` without lone surrogates, which JSON can hold and UTF-8 cannot."""
    text = json.dumps(message, ensure_ascii=False)
    with contextlib.suppress(UnicodeEncodeError):
        text.encode("utf-8")
        return dict(message)
    loaded: dict[str, Any] = json.loads(text.encode("utf-8", "replace"))
    return loaded
