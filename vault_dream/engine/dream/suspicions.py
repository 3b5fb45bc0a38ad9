"""Suspicions: checks of what a proposal says, beside those of its form in :mod:`.checks`.

They look for what a careless or captured reader lets through: secrets, commands hidden in notes,
labels of a prompt, things that act in Obsidian, whole passages copied, the wrong language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault_dream.engine.dream.checks import Case, check
from vault_dream.engine.dream.proposals import Level
from vault_dream.engine.dream.secrets import secrets_in
from vault_dream.engine.vault.fields import fields_in
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.tags import body_tags

LONG_COPY = 100
"""Words from which a node that repeats its source is called a copy."""

_COMMANDS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|system|all"
    r" (?:other|your))\b[^.\n]{0,20}\b(?:instruction|prompt|rule|message|direction)s?"
    r"|\b(?:system|developer) prompt\b"
    r"|\byou are (?:now )?(?:an? )?(?:ai|llm|language model|helpful assistant|chatbot)\b"
    r"|\b(?:dear|attention|note to|hey)[ ,]+(?:the )?(?:ai|llm|assistant|language model|chatbot)\b"
    r"|\bdo not (?:tell|inform|alert|mention (?:this|it) to) the (?:user|owner|human)\b"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]"
    r"|(?:忽略|无视|忘记)[^。\n]{0,8}(?:以上|上述|之前|先前|前面)[^。\n]{0,8}(?:指令|指示|提示|要求|内容)"
    r"|系统提示词|你(?:现在)?是(?:一个)?(?:AI|人工智能|语言模型|助手)",
    re.I,
)
_LABELS = re.compile(
    r"(?im)^\s*(?:[-*>]\s*)?(?:\*\*)?(?:existing (?:version|note|node)|new (?:version|evidence)"
    r"|unit (?:name|summary)|final answer|receipt|action|bucket|target_path|handles?)(?:\*\*)?\s*:"
    r"|\[(?:source|note|handle) \d+\]|^\s*(?:BEGIN|END) (?:NOTE|SOURCE|DATA)\b"
)
_REFUSAL = re.compile(
    r"(?i)\b(?:i(?:'|’)?m sorry,? but|i (?:can(?:'|’)?t|cannot|am unable to) (?:help|assist|comply)"
    r"|as an ai(?: language)? model)\b|作为(?:一个)?(?:AI|人工智能|语言)(?:语言)?(?:模型|助手)"
)
_TASK = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]\][ \t]")
_EMBED = re.compile(r"!\[\[")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LATIN = re.compile("[A-Za-z]")
_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]")
_WORD = re.compile(r"[A-Za-z0-9']+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def refuses(text: str) -> bool:
    """Whether ``text`` is a model's excuse for not doing what it was asked."""
    return bool(_REFUSAL.search(text))


def added_text(case: Case, path: str) -> str:
    """The body lines that a proposal adds to the note at ``path``."""
    before = case.before.get(path)
    old = set(_body(before).splitlines()) if before is not None else set()
    return "\n".join(line for line in _body(case.after[path]).splitlines() if line not in old)


def _body(note: Note) -> str:
    return note.text[note.body_start :]


@check
def secrets(case: Case) -> Iterator[tuple[Level, str]]:
    """Nothing that looks like a key or a password goes into a node."""
    for path in case.after:
        text = case.after[path].text
        before = case.before.get(path)
        if any(before is None or text[a:b] not in before.text for a, b in secrets_in(text)):
            yield "hold", f"{path} would hold what looks like a key or a password"


@check
def commands_in_sources(case: Case) -> Iterator[tuple[Level, str]]:
    """Text in a source that speaks to a model: what came of it is for a person to see."""
    for path, text in case.sources.items():
        if match := _COMMANDS.search(text):
            yield "hold", f"{path} holds words that give a reader orders: {match[0]}"


@check
def refusal_prose(case: Case) -> Iterator[tuple[Level, str]]:
    """A model's excuse is never saved as memory."""
    for path in case.after:
        if match := _REFUSAL.search(added_text(case, path)):
            yield "error", f"a refusal would be kept as a memory: {match[0]}"


@check
def prompt_labels(case: Case) -> Iterator[tuple[Level, str]]:
    for path in case.after:
        if match := _LABELS.search(_LINK.sub("", added_text(case, path))):
            yield "warn", f"it has words of the prompt in it: {match[0].strip()}"


@check
def inert(case: Case) -> Iterator[tuple[Level, str]]:
    """What is added acts in nobody's views: no tasks, tags, embeds, and no fields but ours."""
    for path, note in case.after.items():
        added = added_text(case, path)
        if _TASK.search(added):
            yield "warn", "it would add a task"
        if _EMBED.search(added):
            yield "warn", "it would embed another note"
        lines = set(added.splitlines())
        for tag, span in body_tags(note):
            if _line_at(note, span.start) in lines:
                yield "warn", f"it would tag the node with #{tag}"
        if case.settings.edge_style == "sentence":
            for field in fields_in(note):
                if _line_at(note, field.start) in lines:
                    yield "warn", f"it would add the Dataview field {field.key}"


def _line_at(note: Note, offset: int) -> str:
    start = note.text.rfind("\n", 0, offset) + 1
    end = note.text.find("\n", offset)
    return note.text[start : len(note.text) if end < 0 else end].rstrip("\r")


@check
def mostly_copied(case: Case) -> Iterator[tuple[Level, str]]:
    """A digest is not a copy: a long addition whose words stand in the same order in a source.

    The offline reader can only quote, and says so on what it makes.
    """
    for path in case.after if case.proposal.provider != "offline" else ():
        words = [word.lower() for word in _WORD.findall(_LINK.sub("", added_text(case, path)))]
        if len(words) < LONG_COPY:
            continue
        runs = {tuple(words[i : i + 8]) for i in range(len(words) - 7)}
        for source, text in case.sources.items():
            there = [word.lower() for word in _WORD.findall(_LINK.sub("", text))]
            same = runs & {tuple(there[i : i + 8]) for i in range(len(there) - 7)}
            if len(same) * 10 > len(runs) * 7:
                yield "warn", f"it is mostly a copy of {source}"


@check
def language(case: Case) -> Iterator[tuple[Level, str]]:
    """A node is written in the language of its sources, unless the owner set one."""
    if case.settings.language != "auto" or case.proposal.kind != "unit":
        return
    quotes = " ".join(item.quote for item in case.proposal.unit.evidence)
    source = _cjk_share(quotes)
    for path in case.after:
        said = _cjk_share(_LINK.sub("", _without_sources(added_text(case, path))))
        if source is None or said is None:
            continue
        if (source > 0.7 and said < 0.15) or (source < 0.05 and said > 0.6):
            yield "warn", "it is written in another language than its sources"


def _without_sources(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "“" not in line and '"' not in line)


def _cjk_share(text: str) -> float | None:
    """How much of a text is Chinese, Japanese or Korean; ``None`` where there is too little."""
    cjk, latin = len(_CJK.findall(text)), len(_LATIN.findall(text))
    return cjk / (cjk + latin / 4) if cjk + latin >= 12 else None
