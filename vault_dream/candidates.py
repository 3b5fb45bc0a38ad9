"""What could read the notes: a key in the environment, and model servers on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

LOCAL_SERVERS = (
    ("Ollama", "http://localhost:11434/v1"),
    ("LM Studio", "http://localhost:1234/v1"),
    ("llama.cpp", "http://localhost:8080/v1"),
    ("vLLM", "http://localhost:8000/v1"),
)
PATIENCE = 0.5
"""Seconds that a server on this machine is given to say what it has."""
MOST_BYTES = 1_000_000
MOST_MODELS = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reader that could be chosen. ``models`` is empty where they were not asked for."""

    name: str
    base_url: str
    models: tuple[str, ...] = ()


def candidates(
    environ: Mapping[str, str], ask: Callable[[str], tuple[str, ...]]
) -> tuple[Candidate, ...]:
    """What is there, servers on this machine first. ``ask`` gives the models at an address."""
    found = [
        Candidate(name, address, models)
        for name, address in LOCAL_SERVERS
        if (models := ask(address))
    ]
    if environ.get("OPENAI_BASE_URL"):
        found.append(Candidate("the endpoint in OPENAI_BASE_URL", environ["OPENAI_BASE_URL"]))
    elif environ.get("OPENAI_API_KEY"):
        found.append(Candidate("OpenAI, with the key in OPENAI_API_KEY", ""))
    return tuple(found)


def models_at(address: str) -> tuple[str, ...]:
    """The models that a server lists; none where nobody answers, or not so. Sends no note."""
    from urllib.request import ProxyHandler, build_opener

    try:
        opener = build_opener(ProxyHandler({}))
        with opener.open(f"{address}/models", timeout=PATIENCE) as answer:
            data = json.loads(answer.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return ()
    listed = data.get("data") if isinstance(data, dict) else None
    names = (
        item.get("id")
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict)
    )
    texts = (name for name in names if isinstance(name, str))
    plain = (name for name in texts if name.isprintable() and 0 < len(name) <= 100)
    return tuple(sorted(set(plain), key=str.casefold))[:MOST_MODELS]
