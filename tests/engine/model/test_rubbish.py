"""Whatever a server or a model sends, reading it raises nothing and costs no long time."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from vault_dream.engine.model.endpoint import make_endpoint
from vault_dream.engine.model.json_text import find_json, parse_json
from vault_dream.engine.model.refusals import refuses
from vault_dream.engine.model.schema import coerce, flaws
from vault_dream.engine.model.thinking import separate_reasoning
from vault_dream.engine.model.trouble import Fault, judge
from vault_dream.engine.model.wire import StreamedReply, read_counts, read_reply

WORDS = st.sampled_from(
    [
        "choices",
        "message",
        "delta",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "index",
        "usage",
        "prompt_tokens",
        "finish_reason",
        "reasoning",
        "type",
        "text",
        "units",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=4),
    max_leaves=12,
)
BODIES = st.dictionaries(WORDS, VALUES, max_size=5)
MARKS = st.sampled_from(
    [
        *("<think>", "</think>", "```", "```json\n", "\n", "{", "}", "[", "]", '"a":', "1", ","),
        *("<|channel|>", "final", "<|message|>", "<tool_call>", "</tool_call>", '{"a": 1}'),
        *("I'm sorry", " word "),
    ]
)
SCRAPS = st.lists(MARKS | st.text(max_size=5), max_size=20).map("".join)
SCHEMA = {
    "type": "object",
    "properties": {
        "units": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        "name": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
        "type": {"enum": ["a", 1]},
    },
    "required": ["units"],
}


@given(BODIES)
def test_bodies(body: dict[str, Any]) -> None:
    read_reply(body)
    read_reply({"choices": [{"message": body}]})
    read_counts(body)


@given(st.lists(BODIES, max_size=4))
def test_streams(chunks: list[dict[str, Any]]) -> None:
    gathered = StreamedReply()
    for chunk in chunks:
        gathered.feed(chunk)
        gathered.feed({"choices": [{"delta": chunk}]})
    gathered.reply()


@given(VALUES)
def test_values(value: Any) -> None:
    for flaw in flaws(coerce(value, SCHEMA), SCHEMA):
        assert str(flaw)


@given(SCRAPS)
def test_texts(text: str) -> None:
    answer, _ = separate_reasoning(text)
    for found in find_json(answer):
        json.dumps(found.value)
    refuses(text)


@given(VALUES)
def test_json_that_is_json_is_found_unchanged(value: Any) -> None:
    spelt = json.dumps({"value": value})
    if "NaN" not in spelt and "Infinity" not in spelt:
        assert parse_json(spelt) == json.loads(spelt)
        assert next(iter(find_json(separate_reasoning(spelt)[0]))).value == json.loads(spelt)


@given(st.integers(300, 599), st.text(), st.dictionaries(st.just("retry-after"), st.text()))
def test_faults(status: int, message: str, headers: dict[str, str]) -> None:
    endpoint = make_endpoint(model="m", base_url="http://localhost/v1", environ={})
    fault = Fault(status, message, headers=headers)
    verdict = judge(fault, endpoint, now=0.0, quirks=frozenset(), answered=False)
    assert verdict.error.what and verdict.error.next and verdict.wait >= 0


def test_long_rubbish_is_read_quickly() -> None:
    for text in (
        "{" * 100_000,
        "[" * 100_000,
        '{"a":' * 20_000,
        "```\n" * 20_000,
        "~~~\n````\n" * 3_000,
        "</think>" * 12_000,
        "<think></think>" * 3_000,
        "<tool_call>" * 9_000,
        "I'm sorry " * 10_000,
    ):
        answer, _ = separate_reasoning(text)
        assert not any(isinstance(f.value, dict) and "units" in f.value for f in find_json(answer))
        refuses(text)
