"""How many tokens a text is, without a tokenizer: a careful estimate and a lower bound.

Every model cuts text its own way. Packing needs a number that is seldom too small; catching a
server that cuts needs one that is never too big.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Chinese, Japanese, Korean: about a token a character, and no spaces to count words by.
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)
_ASTRAL = re.compile("[\U00010000-\U0001ffff\U000e0000-\U0010ffff]")  # emoji and rare scripts
_CHUNK = re.compile(r"\S+")

ASCII_TOKENS = 0.31
CJK_TOKENS = 1.2
OTHER_TOKENS = 0.65  # Cyrillic, Greek, Arabic, Thai, accented Latin
ASTRAL_TOKENS = 3.0
MESSAGE_TOKENS = 8
"""What a chat template adds around each message."""

FEWEST_CJK = 0.35
"""Tokens a CJK character at the very least: vocabularies hold two- and three-letter words."""


def estimate_tokens(text: str) -> int:
    """About how many tokens ``text`` is, on the high side."""
    ascii_count = len(text.encode("ascii", "ignore"))
    if ascii_count == len(text):
        return int(ascii_count * ASCII_TOKENS) + 1
    cjk = len(_CJK.findall(text))
    astral = len(_ASTRAL.findall(text))
    other = max(0, len(text) - ascii_count - cjk - astral)
    weight = ascii_count * ASCII_TOKENS + cjk * CJK_TOKENS
    weight += other * OTHER_TOKENS + astral * ASTRAL_TOKENS
    return int(weight) + 1


def fewest_tokens(text: str) -> int:
    """A count that no tokenizer in use stays below: none joins words across white space."""
    cjk = len(_CJK.findall(text))
    words = len(_CHUNK.findall(_CJK.sub(" ", text) if cjk else text))
    return words + int(cjk * FEWEST_CJK)


def message_texts(messages: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """Every text that a list of chat messages sends."""
    for message in messages:
        content = message.get("content")
        if isinstance(content, str):
            yield content
        for call in message.get("tool_calls") or ():
            yield str(call["function"]["name"])
            yield str(call["function"]["arguments"])


def estimate_prompt(
    messages: Sequence[Mapping[str, Any]], extras: Sequence[Mapping[str, Any]] = ()
) -> int:
    """About how many tokens a request is: messages, tool declarations, response format."""
    total = sum(estimate_tokens(text) for text in message_texts(messages))
    total += MESSAGE_TOKENS * len(messages)
    return total + sum(estimate_tokens(json.dumps(extra)) for extra in extras if extra)


def fewest_prompt(messages: Sequence[Mapping[str, Any]]) -> int:
    """The least that an uncut prompt of these messages can count."""
    return sum(fewest_tokens(text) for text in message_texts(messages))
