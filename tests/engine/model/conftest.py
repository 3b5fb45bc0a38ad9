"""A server for each test, and clients that never sleep and always throw the same dice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest

from tests.engine.model.server import Server
from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.endpoint import Timeouts, make_endpoint
from vault_dream.engine.model.wire import Request

T = TypeVar("T")
KEY = "sk-test-0123456789"
ENVIRON = {"OPENAI_API_KEY": KEY}
QUICK = Timeouts(connect=2, read=5, call=5)


@dataclass
class Slept:
    """Stands in for sleeping: notes how long it would have been."""

    waits: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


MakeClient = Callable[..., ChatClient]


@pytest.fixture
def slept() -> Slept:
    return Slept()


@pytest.fixture
def make_client(server: Server, slept: Slept) -> MakeClient:
    def make(*, timeouts: Timeouts = QUICK, **options: Any) -> ChatClient:
        environ = options.setdefault("environ", ENVIRON)
        base_url = options.pop("base_url", server.url)
        model = options.pop("model", "m")
        endpoint = make_endpoint(model=model, base_url=base_url, environ=environ)
        options.setdefault("sleep", slept)
        options.setdefault("chance", lambda: 1.0)
        return ChatClient(replace(endpoint, timeouts=timeouts), **options)

    return make


def request(text: str = "Say something.", **options: Any) -> Request:
    return Request(({"role": "user", "content": text},), **options)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)
