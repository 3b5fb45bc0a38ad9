"""How much a model can take, as far as it can be found out, and packing what is sent into that."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from vault_dream.engine.model.client import ChatClient
from vault_dream.engine.model.endpoint import Endpoint

DEFAULT_CONTEXT = 32_768
OLLAMA_DEFAULT = 4096
"""What Ollama gives a model on a small machine where nobody said otherwise."""

_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d+)", re.M)
_KEYS = ("max_model_len", "context_length", "context_window", "max_context_length", "context_size")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ContextSize:
    """``origin`` says where the number is from, for doctor."""

    tokens: int
    origin: str


async def learn_context(client: ChatClient, known: int = 0) -> ContextSize:
    """The context of the client's model; the client packs and checks by it from then on.

    ``known`` (the setting) wins. Else the server is asked: LM Studio, llama.cpp, Ollama, then the
    model list (vLLM and gateways). Else 32768.
    """
    size = ContextSize(known, "the setting context_tokens") if known > 0 else None
    if size is None:
        size = await _asked(client) or ContextSize(
            DEFAULT_CONTEXT, "assumed; the endpoint does not say"
        )
    client.context_tokens = size.tokens
    return size


async def _asked(client: ChatClient) -> ContextSize | None:
    endpoint = client.endpoint
    if endpoint.host.endswith("api.openai.com"):
        return None  # its model list does not say, and it has no native API to ask
    for ask in (_lm_studio, _llama_cpp, _ollama, _model_list):
        size = await ask(client, endpoint)
        if size is not None:
            return size
    return None


async def _lm_studio(client: ChatClient, endpoint: Endpoint) -> ContextSize | None:
    listed = await client.ask_server("GET", f"{endpoint.root}/api/v0/models")
    model = _named(listed, endpoint.model)
    loaded = _whole(model.get("loaded_context_length"))
    if loaded:
        return ContextSize(loaded, "LM Studio, as the model is loaded")
    most = _whole(model.get("max_context_length"))
    return ContextSize(min(most, OLLAMA_DEFAULT), "LM Studio, not loaded yet") if most else None


async def _llama_cpp(client: ChatClient, endpoint: Endpoint) -> ContextSize | None:
    props = await client.ask_server("GET", f"{endpoint.root}/props")
    settings = _mapping(_mapping(props).get("default_generation_settings"))
    size = _whole(settings.get("n_ctx")) or _whole(_mapping(props).get("n_ctx"))
    return ContextSize(size, "llama.cpp, a slot's context") if size else None


async def _ollama(client: ChatClient, endpoint: Endpoint) -> ContextSize | None:
    """What Ollama really gives: the loaded model's context; else the Modelfile's; else its default.

    The number in ``model_info`` is what the model could take and says nothing about the server.
    """
    shown = _mapping(
        await client.ask_server("POST", f"{endpoint.root}/api/show", {"model": endpoint.model})
    )
    if "model_info" not in shown:
        return None
    loaded = await _ollama_loaded(client, endpoint)
    if not loaded:  # asking for nothing loads the model, as the first call would
        await client.ask_server("POST", f"{endpoint.root}/api/generate", {"model": endpoint.model})
        loaded = await _ollama_loaded(client, endpoint)
    if loaded:
        return ContextSize(loaded, "Ollama, as the model is loaded")
    told = _NUM_CTX.search(str(shown.get("parameters", "")))
    if told:
        return ContextSize(int(told[1]), "Ollama, num_ctx of the Modelfile")
    return ContextSize(OLLAMA_DEFAULT, "Ollama's default; set OLLAMA_CONTEXT_LENGTH for more")


async def _ollama_loaded(client: ChatClient, endpoint: Endpoint) -> int:
    running = await client.ask_server("GET", f"{endpoint.root}/api/ps")
    return _whole(_named(running, endpoint.model).get("context_length"))


async def _model_list(client: ChatClient, endpoint: Endpoint) -> ContextSize | None:
    model = _named(await client.ask_server("GET", f"{endpoint.base_url}/models"), endpoint.model)
    places = (model, _mapping(model.get("top_provider")), _mapping(model.get("meta")))
    sizes = [size for place in places for key in _KEYS if (size := _whole(place.get(key)))]
    return ContextSize(min(sizes), "the endpoint's list of models") if sizes else None


def _named(listed: Any, model: str) -> Mapping[str, Any]:
    """The entry for ``model`` in a list of models, of any of the servers."""
    body = _mapping(listed)
    entries = body.get("data") or body.get("models") or ()
    for entry in entries if isinstance(entries, list) else ():
        names = {_mapping(entry).get(key) for key in ("id", "key", "name", "model")}
        if names & {model, f"{model}:latest"}:
            return _mapping(entry)
    return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


@dataclass(frozen=True, slots=True)
class Packed(Generic[T]):
    """``calls``: items that go together, in their order. ``too_large``: fit in no call alone."""

    calls: tuple[tuple[T, ...], ...]
    too_large: tuple[T, ...]


def pack(items: Sequence[T], room: int, tokens: Callable[[T], int]) -> Packed[T]:
    """Whole items into as few calls of ``room`` tokens as their order allows; none is ever cut."""
    calls: list[list[T]] = []
    too_large: list[T] = []
    left = 0
    for item in items:
        size = tokens(item)
        if size > room:
            too_large.append(item)
            continue
        if size > left or not calls:
            calls.append([])
            left = room
        calls[-1].append(item)
        left -= size
    return Packed(tuple(tuple(call) for call in calls), tuple(too_large))


def room_for(context: int, *, instructions: int, answer: int) -> int:
    """Tokens left for items beside the instructions and the answer, with a margin for estimates."""
    return max(0, int((context - instructions - answer) * 0.95))
