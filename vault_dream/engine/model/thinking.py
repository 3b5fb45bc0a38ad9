"""Telling what a model thought aloud from what it answered."""

from __future__ import annotations

import json
import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis"
_OPEN = re.compile(rf"\s*(?:<({_NAMES})>|\[(THINK)\])", re.I)
_CLOSE = re.compile(rf"(?:</({_NAMES})>|\[/(THINK)\])", re.I)
# gpt-oss speaks in channels; a server without its template lets them through
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|start|call)\|>(?:assistant)?")


def separate_reasoning(text: str) -> tuple[str, str]:
    """``(answer, reasoning)`` of one text.

    Reasoning is what stands between think tags before, between or after the answer; everything
    before a closing tag that nobody opened (templates open it in the prompt); everything after an
    opening one that is never closed. A text that is JSON as a whole is an answer, whatever words
    its strings hold.
    """
    if "<" not in text and "[" not in text:
        return text, ""
    if _is_json(text):
        return text, ""
    if "<|channel|>" in text:
        return _by_channel(text)
    thoughts: list[str] = []
    while opened := _OPEN.match(text):
        name = opened.group(1) or opened.group(2)
        closing = f"</{name}>" if opened.group(1) else "[/THINK]"
        at = _find(text, closing, opened.end())
        if at < 0:
            thoughts.append(text[opened.end() :])
            return "", _joined(thoughts)
        thoughts.append(text[opened.end() : at])
        text = text[at + len(closing) :]
    last = next(reversed(list(_CLOSE.finditer(text))), None)
    if last and not _opened_before(text, last) and not _is_json(text[: last.start()]):
        thoughts.append(text[: last.start()])
        text = text[last.end() :]
    text, trailing = _cut_tail(text)
    thoughts.extend(trailing)
    return text, _joined(thoughts)


def _cut_tail(text: str) -> tuple[str, list[str]]:
    """Whole tagged stretches after the answer, at the start of a line."""
    pattern = re.compile(rf"(?:^|\n)\s*<({_NAMES})>(.*?)(?:</\1>|\Z)", re.I | re.S)
    match = pattern.search(text)
    if match is None or not _ends_value(text[: match.start()]):
        return text, []
    return text[: match.start()] + text[match.end() :], [match.group(2)]


def _ends_value(text: str) -> bool:
    return text.rstrip().endswith(("}", "]", "```"))


def _opened_before(text: str, close: re.Match[str]) -> bool:
    opening = f"<{close.group(1)}>" if close.group(1) else "[THINK]"
    return _find(text[: close.start()], opening, 0) >= 0


def _by_channel(text: str) -> tuple[str, str]:
    final: list[str] = []
    thoughts: list[str] = []
    marks = list(_CHANNEL.finditer(text))
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        stop = _CHANNEL_END.search(text, mark.end(), end)
        piece = text[mark.end() : stop.start() if stop else end]
        (final if mark.group(1).lower() in ("final", "commentary") else thoughts).append(piece)
    return "".join(final), _joined(thoughts)


def _find(text: str, tag: str, start: int) -> int:
    return text.lower().find(tag.lower(), start)


def _joined(thoughts: list[str]) -> str:
    return "\n".join(part.strip() for part in thoughts if part.strip())


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
