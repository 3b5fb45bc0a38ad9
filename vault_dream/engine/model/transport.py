"""One HTTP request through the ``openai`` package, and what came of it in our own values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from vault_dream.engine.model.trouble import Fault
from vault_dream.engine.model.wire import (
    Counted,
    OnProgress,
    Progress,
    Reply,
    Request,
    StreamedReply,
    read_counts,
    read_reply,
)

if TYPE_CHECKING:
    import openai
    from openai import AsyncOpenAI

RUNAWAY = 24
"""Characters a token, above which a server that ignores ``max_tokens`` is stopped."""


class Failed(Exception):
    """A request without a usable reply. ``no_stream``: streaming may be why."""

    def __init__(self, fault: Fault, *, no_stream: bool = False) -> None:
        self.fault = fault
        self.no_stream = no_stream
        super().__init__(fault.message)

    @classmethod
    def timeout(cls, after: str) -> Failed:
        return cls(Fault(0, f"no answer within {after}", "timeout"))


async def send(
    pool: AsyncOpenAI, body: dict[str, Any], request: Request, tell: OnProgress
) -> tuple[Reply, Counted]:
    """The reply to ``body`` and the tokens that the server counted. Raises :class:`Failed`."""
    import openai

    try:
        if body.get("stream"):
            return await _streamed(pool, body, request, tell)
        options: Any = body
        answer = await pool.chat.completions.with_raw_response.create(**options)
        return _whole(answer.http_response.content)
    except openai.APIStatusError as error:
        response = error.response
        message = _words(error.body) or response.text or error.message
        raise Failed(Fault(response.status_code, message, headers=dict(response.headers))) from None
    except openai.APITimeoutError:
        raise Failed.timeout("the time allowed") from None
    except openai.APIConnectionError as error:
        fault = _unreached(error)
        broken = bool(body.get("stream")) and fault.cause == "lost"
        raise Failed(fault, no_stream=broken) from None
    except openai.APIError as error:  # an error in the middle of a stream
        raise Failed(_named(error.body, error.message)) from None


async def _streamed(
    pool: AsyncOpenAI, body: dict[str, Any], request: Request, tell: OnProgress
) -> tuple[Reply, Counted]:
    options: Any = body
    stream = await pool.chat.completions.create(**options)
    try:
        if "json" in stream.response.headers.get("content-type", ""):
            return _whole(await _rest(stream.response))
        gathered = StreamedReply()
        most = int(body.get("max_tokens") or body["max_completion_tokens"]) * RUNAWAY + 20_000
        async for chunk in _chunks(stream):
            gathered.feed(chunk)
            state: Literal["thinking", "writing"] = "thinking" if gathered.thinking else "writing"
            if gathered.characters:
                tell(Progress(request.label, request.purpose, state, gathered.characters))
            if gathered.characters > most:
                gathered.finish = "length"
                break
    finally:
        await stream.close()
    if gathered.finish == "error":
        raise Failed(Fault(0, "the answer ended in an error", "lost"))
    if not gathered.finish:
        # a stream that stops without saying why was cut; asked for in one piece, one can tell
        raise Failed(Fault(0, "the stream ended in the middle", "lost"), no_stream=True)
    return gathered.reply(), gathered.counts


async def _chunks(stream: Any) -> Any:
    try:
        async for chunk in stream:
            data = chunk.to_dict() if hasattr(chunk, "to_dict") else chunk
            if isinstance(data, Mapping):
                yield data
    except (ValueError, TypeError, AttributeError):  # not JSON, not UTF-8, not a chunk
        raise Failed(Fault(0, "the stream is not JSON", "lost"), no_stream=True) from None


async def _rest(response: Any) -> bytes:
    try:
        content: bytes = await response.aread()
    except Exception as error:
        raise Failed(Fault(0, type(error).__name__, "lost"), no_stream=True) from error
    return content


def _whole(content: bytes) -> tuple[Reply, Counted]:
    """A reply sent in one piece. An empty body is an empty reply."""
    if not content.strip():
        return Reply(), Counted()
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if body is None and content.lstrip().startswith(b"{"):
        raise Failed(Fault(0, "the answer broke off", "lost"))
    if not isinstance(body, Mapping):
        start = content[:120].decode("utf-8", "replace")
        raise Failed(Fault(404, f"the answer is not JSON: {start}"))
    if not body.get("choices"):  # gateways put errors into a 200, in many shapes
        if body.get("error"):
            raise Failed(_named(body["error"], "an error without words"))
        if body.get("object") == "error" or _words(body):
            raise Failed(_named(body, "an error without words"))
    reply = read_reply(body)
    if reply.finish == "error":
        raise Failed(Fault(0, "the answer ended in an error", "lost"))
    return reply, read_counts(body)


def _named(error: Any, otherwise: str) -> Fault:
    """The fault that an ``error`` object names; a server's own fault where it has no number."""
    code = error.get("code", error.get("status")) if isinstance(error, Mapping) else None
    number = int(code) if isinstance(code, int | str) and str(code).isdecimal() else 500
    status = number if 400 <= number <= 599 else 500
    return Fault(status, _words(error) or otherwise)


def _words(body: Any) -> str:
    """What an error body says, in any of the shapes in use."""
    if isinstance(body, str):
        return body
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error", body)
    if isinstance(inner, str):
        return inner
    if isinstance(inner, Mapping):
        parts = (inner.get(key) for key in ("message", "detail", "code", "type", "param"))
        return " ".join(part for part in parts if isinstance(part, str) and part)
    return ""


def _unreached(error: openai.APIConnectionError) -> Fault:
    cause = error.__cause__
    words = f"{cause or error}" or type(cause).__name__
    name = type(cause).__name__
    if any(mark in words for mark in ("SSL", "CERTIFICATE", "certificate", "TLS")):
        return Fault(0, words, "tls")
    return Fault(0, words, "connect" if "Connect" in name or "Proxy" in name else "lost")
