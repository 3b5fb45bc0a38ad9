"""A scripted OpenAI-compatible server on a real socket.

Each chat request takes the next step of the script; requests are kept for looking at. Nothing here
sleeps: a step that is to hang waits for an event that the end of the test sets.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from vault_dream.engine.model.tokens import fewest_prompt

JSON = "application/json"
EVENTS = "text/event-stream"


@dataclass
class Seen:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass
class Step:
    """What to do with one request. ``before``/``after``: hang there until the test is over."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    message: dict[str, Any] | None = None
    finish: str | None = "stop"
    usage: tuple[int, int] | str | None = "count"
    hang: bool = False
    hang_after: int = -1  # hang after so many events of a stream
    hang_up: bool = False  # close the socket without an answer
    break_after: int = -1  # close the socket after so many events of a stream
    claim: int = 0  # a Content-Length longer than the body
    piece: int = 7  # characters an event


def say(text: str | None, finish: str | None = "stop", **more: Any) -> Step:
    """An ordinary answer; ``more`` are further fields of the message or of :class:`Step`."""
    step_fields = {name: more.pop(name) for name in list(more) if name in Step.__annotations__}
    message = {"role": "assistant", "content": text, **more}
    return Step(message=message, finish=finish, **step_fields)


def say_json(value: Any, **more: Any) -> Step:
    return say(json.dumps(value, ensure_ascii=False), **more)


def call(*calls: tuple[str, Any], text: str | None = None, **more: Any) -> Step:
    """Tool calls; arguments that are not text are spelt as JSON."""
    listed = [
        {
            "id": f"id_{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given),
            },
        }
        for number, (name, given) in enumerate(calls)
    ]
    return say(text, more.pop("finish", "tool_calls"), tool_calls=listed, **more)


def fail(status: int, message: str = "no", headers: Mapping[str, str] | None = None) -> Step:
    body = json.dumps({"error": {"message": message, "type": "error"}}).encode()
    return Step(status=status, body=body, headers=headers or {})


def raw(body: bytes, content_type: str = JSON, **more: Any) -> Step:
    return Step(body=body, content_type=content_type, **more)


Chooser = Callable[[dict[str, Any]], Step]


class Server:
    """Stateful: a listening socket, a script and what came in."""

    def __init__(self) -> None:
        self.script: list[Step | Chooser] = []
        self.otherwise: Step | Chooser = fail(500, "the script is over")
        self.seen: list[Seen] = []
        self.pages: dict[str, Any] = {}
        self.context = 0  # tokens beyond which prompts are cut without a word
        self.over = threading.Event()
        self.hanging = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"server_of": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [seen.body for seen in self.seen if seen.path.endswith("/chat/completions")]

    def plays(self, *steps: Step | Chooser) -> None:
        self.script.extend(steps)

    def take(self, body: dict[str, Any]) -> Step:
        with self._lock:
            step = self.script.pop(0) if self.script else self.otherwise
        return step(body) if callable(step) else step

    def count(self, body: dict[str, Any]) -> int:
        tokens = int(fewest_prompt(body.get("messages", [])) * 1.3) + 10
        return min(tokens, self.context) if self.context else tokens

    def close(self) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: Server

    def log_message(self, format: str, *args: Any) -> None:
        return None

    def do_GET(self) -> None:
        self._page({})

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        if not self.path.endswith("/chat/completions"):
            self._page(body)
            return
        self.server_of.seen.append(Seen(self.path, lowered(self.headers), body))
        try:
            self._answer(self.server_of.take(body), body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _page(self, body: dict[str, Any]) -> None:
        self.server_of.seen.append(Seen(self.path, lowered(self.headers), body))
        page = self.server_of.pages.get(self.path)
        value = page(body) if callable(page) else page
        status = 404 if value is None else 200
        data = value if isinstance(value, bytes) else json.dumps(value or {"error": "no"}).encode()
        self._send(status, JSON, data, {})

    def _answer(self, step: Step, body: dict[str, Any]) -> None:
        if step.hang:
            self.server_of.hanging.set()
            self.server_of.over.wait()
        if step.hang_up or step.hang:
            self.close_connection = True
            self.connection.close()
            return
        if step.message is None:
            self._send(step.status, step.content_type, step.body, step.headers, step.claim)
        elif body.get("stream"):
            self._stream(step, body)
        else:
            self._send(200, JSON, json.dumps(self._completion(step, body)).encode(), step.headers)

    def _usage(self, step: Step, body: dict[str, Any]) -> dict[str, int] | None:
        if step.usage is None:
            return None
        if isinstance(step.usage, tuple):
            prompt, completion = step.usage
        else:
            prompt = self.server_of.count(body)
            completion = len(str((step.message or {}).get("content") or "")) // 4 + 1
        return {"prompt_tokens": prompt, "completion_tokens": completion}

    def _completion(self, step: Step, body: dict[str, Any]) -> dict[str, Any]:
        choice = {"index": 0, "message": step.message, "finish_reason": step.finish}
        made = {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice]}
        usage = self._usage(step, body)
        return {**made, "usage": usage} if usage else made

    def _stream(self, step: Step, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", EVENTS)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(self._events(step, body)):
            if number == step.hang_after:
                self.server_of.hanging.set()
                self.server_of.over.wait()
            if number in (step.hang_after, step.break_after):
                self.close_connection = True
                self.connection.close()
                return
            self._chunk(f"data: {event}\n\n".encode())
        self._chunk(b"")

    def _events(self, step: Step, body: dict[str, Any]) -> Iterator[str]:
        message = dict(step.message or {})
        yield _event({"role": "assistant"})
        for key in ("reasoning_content", "reasoning", "content", "refusal"):
            value = message.get(key)
            if isinstance(value, str):
                for at in range(0, len(value), step.piece):
                    yield _event({key: value[at : at + step.piece]})
        for index, made in enumerate(message.get("tool_calls") or ()):
            function = made["function"]
            head = {"index": index, "id": made["id"], "type": "function"}
            yield _event({"tool_calls": [{**head, "function": {"name": function["name"]}}]})
            spelt = function["arguments"]
            for at in range(0, len(spelt), step.piece):
                piece = {"arguments": spelt[at : at + step.piece]}
                yield _event({"tool_calls": [{"index": index, "function": piece}]})
        if step.finish is not None:
            yield _event({}, finish=step.finish)
        usage = self._usage(step, body)
        if usage and body.get("stream_options", {}).get("include_usage"):
            yield json.dumps({"choices": [], "usage": usage})
        yield "[DONE]"

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _send(
        self, status: int, kind: str, data: bytes, headers: Mapping[str, str], claim: int = 0
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(claim or len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()
        if claim:
            self.close_connection = True
            self.connection.close()


def _event(delta: dict[str, Any], finish: str | None = None) -> str:
    return json.dumps(
        {"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    )


def lowered(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@contextmanager
def serving(steps: Iterable[Step | Chooser] = ()) -> Iterator[Server]:
    server = Server()
    server.plays(*steps)
    try:
        yield server
    finally:
        server.close()
