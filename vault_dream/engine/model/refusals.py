"""Telling a refusal from an answer."""

from __future__ import annotations

import re

_START = 300
"""Characters into which a refusal's opening words must fall."""

_TO_DO = (
    r"(?:help|assist|comply|fulfil+|provide|do|complete|process|create|generate|continue|answer|"
    r"engage|support|participate|discuss|produce|share|respond)"
)
_ENGLISH = re.compile(
    rf"\b(?:I(?:'|\u2019)?m|I am)(?: really| very| so)? (?:sorry|afraid)\b.{{0,40}}"
    rf"\b(?:can(?:'|\u2019)?t|cannot|can not|unable|won(?:'|\u2019)?t|not able)\b"
    rf"|\b(?:sorry|apologi[sz]e|apologies)\b.{{0,40}}\bI (?:can(?:'|\u2019)?t|cannot|am unable)"
    rf"|\bI (?:can(?:'|\u2019)?t|cannot|can not|won(?:'|\u2019)?t|will not|(?:must )?decline to"
    rf"|(?:am|'m) (?:unable|not able) to|am not comfortable) {_TO_DO}\b.{{0,40}}"
    rf"\b(?:that|this|your|these|the)\b.{{0,20}}(?:request|content|notes?|task|information|[.!]|$)"
    rf"|\bI(?:'|\u2019)?m (?:unable|not able) to {_TO_DO}\b"
    r"|\bas an? (?:AI|artificial intelligence|(?:large )?language model)\b",
    re.I,
)
_CHINESE = re.compile(
    r"(?:抱歉|对不起|很遗憾|不好意思).{0,12}(?:不能|无法|不可以|没办法)"
    r"|我(?:不能|无法)(?:协助|帮助|满足|提供|回答|处理|完成|继续|参与)(?:你|您|这|该|此|相关)?"
    r"|作为(?:一个|一款|一名)?(?:AI|人工智能|语言模型|大模型)",
    re.I,
)


def refuses(text: str) -> bool:
    """Whether ``text`` opens the way a model declines, in English or Chinese.

    A sentence of a note that says what its writer cannot do ("I can't drink coffee after two")
    is none.
    """
    start = text.strip().lstrip("\"'“*#>- ")[:_START]
    return any(match.start() < 120 for match in _matches(start))


def _matches(start: str) -> list[re.Match[str]]:
    found = (_ENGLISH.search(start), _CHINESE.search(start))
    return [match for match in found if match is not None]
