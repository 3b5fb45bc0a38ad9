"""The offline reader: a deterministic, extractive stand-in for a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vault_dream.engine.dream.offline.extract import extract
from vault_dream.engine.dream.offline.integrate import integrate
from vault_dream.engine.dream.offline.interests import local_topics
from vault_dream.engine.dream.offline.tags import tags_for
from vault_dream.engine.dream.reader import (
    ExtractAnswer,
    ExtractRequest,
    IntegrateRequest,
    Receipt,
    TagRequest,
    Tools,
    Usage,
)
from vault_dream.engine.dream.topics import TopicClaim, TopicsRequest


class OfflineReader:
    """Implements :class:`~vault_dream.engine.dream.reader.Reader` without a model or a network.

    It has no state: the same request gives the same answer. It quotes rather than writes, and
    marks every node it makes with the property ``reader: offline``.
    """

    provider: Final = "offline"
    model: Final = "offline"
    prompts: Final = "offline-2"

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        return extract(request)

    async def integrate(self, request: IntegrateRequest, tools: Tools) -> Receipt:
        return integrate(request, tools)

    async def tag(self, request: TagRequest) -> Sequence[str]:
        return tags_for(request)

    async def topics(self, request: TopicsRequest) -> Sequence[TopicClaim]:
        return local_topics(request)

    def usage(self) -> Usage:
        return Usage()
