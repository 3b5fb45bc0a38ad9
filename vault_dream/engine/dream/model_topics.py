"""Asking a model for topics: what it is sent, and how its answer becomes claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vault_dream.engine.dream.briefing import (
    Message,
    in_language,
    language_of,
    note_block,
)
from vault_dream.engine.dream.fences import fenced
from vault_dream.engine.dream.prompts import Prompts
from vault_dream.engine.dream.topics import TopicClaim, TopicsRequest
from vault_dream.engine.errors import ReaderError
from vault_dream.engine.model.answers import Shape, ask
from vault_dream.engine.model.context import pack, room_for
from vault_dream.engine.model.handles import HandleError, Handles
from vault_dream.engine.model.tokens import estimate_prompt, estimate_tokens

if TYPE_CHECKING:
    from vault_dream.engine.model.client import ChatClient
    from vault_dream.engine.model.wire import OnProgress

ANSWER_TOKENS = 2048
_WORDS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
TOPICS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["topics"],
    "properties": {
        "topics": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["title", "reason", "evidence", "keywords", "sources"],
                "properties": {
                    "title": {"type": "string"},
                    "reason": {"type": "string"},
                    "evidence": {"type": "string"},
                    "keywords": _WORDS,
                    "sources": {"type": "array", "items": {"type": ["integer", "string"]}},
                },
            },
        }
    },
}
TOPICS = Shape("topics", TOPICS_SCHEMA, "The topics that were found.", items="topics")


async def ask_for_topics(
    client: ChatClient,
    prompts: Prompts,
    request: TopicsRequest,
    *,
    context: int,
    boundary: Callable[[], str],
    show: Callable[[str, Sequence[Message]], None],
    on_progress: OnProgress | None,
) -> tuple[TopicClaim, ...]:
    """The claims about all sources, packed into as few calls as they fit in. A source that fits in
    none is left out: topics are no promise that everything was read."""
    bare = topics_messages(replace(request, sources=()), prompts, "0" * 12)
    room = room_for(context, instructions=estimate_prompt(bare), answer=ANSWER_TOKENS)
    packed = pack(request.sources, room, lambda s: estimate_tokens(note_block(s, "0" * 12)))
    if request.sources and not packed.calls:
        raise ReaderError(
            "topics", f"no note is short enough for {context} tokens", "use a larger context"
        )
    claims: list[TopicClaim] = []
    for sources in packed.calls:
        some = replace(request, sources=sources)
        messages = topics_messages(some, prompts, boundary())
        show("topics", messages)
        answer = await ask(
            client, messages, TOPICS, label="topics", purpose="topics",
            max_tokens=ANSWER_TOKENS, on_progress=on_progress,
        )  # fmt: skip
        handles = Handles({source.handle: source.path for source in sources})
        claims += [_claim(topic, handles) for topic in answer.value["topics"]]
    return tuple(claims)


def topics_messages(request: TopicsRequest, prompts: Prompts, boundary: str) -> list[Message]:
    """The conversation that asks for the topics of the request's sources."""
    texts = [block.text for source in request.sources for block in source.blocks]
    language = language_of(texts, request.language)
    system = prompts.text(
        language,
        "topics",
        limit=request.limit,
        language=in_language(request.language, language),
    )
    parts = []
    if request.known:
        listed = "\n".join(f"- {topic.title}" for topic in request.known)
        parts.append(fenced("已知的话题" if language == "zh" else "Known topics", listed, boundary))
    if request.hint:
        parts.append(("主人的提示：" if language == "zh" else "The owner's hint: ") + request.hint)
    parts += [note_block(source, boundary) for source in request.sources]
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n\n".join(parts)},
    ]


def _claim(topic: dict[str, Any], handles: Handles) -> TopicClaim:
    cited = []
    for said in topic["sources"]:
        try:
            cited.append(handles.resolve(said))
        except HandleError:
            continue
    return TopicClaim(
        topic["title"], topic["reason"], topic["evidence"], tuple(topic["keywords"]), tuple(cited)
    )
