"""How much a model can take: asked of every server in its own way; and packing into it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.model.conftest import MakeClient, run
from tests.engine.model.server import Server
from vault_dream.engine.model.context import ContextSize, learn_context, pack, room_for
from vault_dream.engine.model.tokens import estimate_tokens, fewest_tokens

OLLAMA = {"model_info": {"llama.context_length": 131072}, "parameters": "stop x\nnum_ctx 16384"}


@pytest.mark.parametrize(
    ("pages", "tokens", "origin"),
    [
        ({}, 32768, "assumed"),
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": 8192}]}}, 8192, "list of models"),
        ({"/v1/models": {"data": [{"id": "other", "max_model_len": 8192}]}}, 32768, "assumed"),
        ({"/v1/models": {"data": [{"id": "m", "context_length": "big"}]}}, 32768, "assumed"),
        ({"/v1/models": b"<html>"}, 32768, "assumed"),
        ({"/v1/models": [3]}, 32768, "assumed"),
        ({"/props": {"default_generation_settings": {"n_ctx": 4096}}}, 4096, "llama.cpp"),
        (
            {"/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 6000}]}},
            6000,
            "LM Studio",
        ),
        ({"/api/show": OLLAMA}, 16384, "num_ctx"),
        ({"/api/show": {"model_info": {"llama.context_length": 131072}}}, 4096, "Ollama's default"),
        (
            {
                "/api/show": OLLAMA,
                "/api/ps": {"models": [{"name": "m:latest", "context_length": 40960}]},
            },
            40960,
            "loaded",
        ),
    ],
)
def test_the_server_is_asked(
    server: Server, make_client: MakeClient, pages: dict[str, Any], tokens: int, origin: str
) -> None:
    server.pages = pages
    client = make_client()
    size = run(learn_context(client))
    assert size.tokens == client.context_tokens == tokens and origin in size.origin
    assert client.spending.total.calls == 0


def test_ollama_is_told_to_load_the_model_before_it_is_asked(
    server: Server, make_client: MakeClient
) -> None:
    loaded: list[str] = []
    server.pages = {
        "/api/show": OLLAMA,
        "/api/generate": lambda body: loaded.append(body["model"]) or {"done": True},
        "/api/ps": lambda _: {"models": [{"name": "m", "context_length": 4096}] if loaded else []},
    }
    assert run(learn_context(make_client())).tokens == 4096 and loaded == ["m"]


def test_the_setting_wins_and_nobody_is_asked(server: Server, make_client: MakeClient) -> None:
    size = run(learn_context(make_client(), 9000))
    assert size == ContextSize(9000, "the setting context_tokens") and not server.seen


@given(st.lists(st.integers(0, 120)), st.integers(1, 100))
def test_items_are_packed_whole_and_in_order(items: list[int], room: int) -> None:
    packed = pack(items, room, lambda item: item)
    assert [n for call in packed.calls for n in call] == [n for n in items if n <= room]
    assert list(packed.too_large) == [n for n in items if n > room]
    assert all(call and sum(call) <= room for call in packed.calls)


def test_room_is_what_is_left() -> None:
    assert 26_000 < room_for(32768, instructions=1000, answer=4096) < 27_672
    assert room_for(4096, instructions=3000, answer=4096) == 0


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("The oven was lit at five and the bread was out by seven. " * 100, 1300, 2100),
        ("今天在面包房学到了新的做法" * 100, 800, 2000),
        ("Сегодня мы пекли ржаной хлеб и пили чай. " * 100, 1000, 3200),
        ("🍞🥖" * 100, 200, 900),
        ("", 0, 1),
    ],
)
def test_estimates_are_near_what_tokenizers_count(text: str, low: int, high: int) -> None:
    assert low <= estimate_tokens(text) <= high


@given(st.text())
def test_the_least_is_never_more_than_the_estimate_by_much(text: str) -> None:
    assert 0 <= fewest_tokens(text) <= len(text)
