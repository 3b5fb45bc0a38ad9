"""Briefings: what a model is sent for each job, and how its answers become claims.

Text from notes stands between fences (:mod:`.fences`), and the notes of a day are named by handles,
never by paths that a model would have to copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vault_dream.engine.dream.fences import fenced
from vault_dream.engine.dream.prompts import Language, Prompts
from vault_dream.engine.dream.reader import (
    ExtractRequest,
    IntegrateRequest,
    SourceText,
    TagRequest,
    UnitClaim,
)
from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.dream.units import BUCKETS

Message = dict[str, Any]


def _units_schema(bucket: Mapping[str, Any]) -> dict[str, Any]:
    handle = {"type": ["integer", "string"]}
    quote = {
        "type": "object",
        "additionalProperties": False,
        "required": ["source", "text"],
        "properties": {"source": handle, "text": {"type": "string"}},
    }
    unit = {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "bucket", "summary", "sources", "quotes"],
        "properties": {
            "name": {"type": "string"},
            "bucket": bucket,
            "summary": {"type": "string"},
            "sources": {"type": "array", "items": handle},
            "quotes": {"type": "array", "items": quote},
        },
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["units"],
        "properties": {"units": {"type": "array", "items": unit}},
    }


UNITS_SCHEMA = _units_schema({"type": "string", "enum": list(BUCKETS)})
"""What extract is asked for."""

UNITS_ACCEPTED = _units_schema({"type": "string"})
"""What of it is taken: a bucket that is none costs no unit, it goes to wiki (DESIGN, *Words*)."""

RECEIPT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["action", "target", "related", "classes", "note"],
    "properties": {
        "action": {"type": "string", "enum": ["CREATE", "CORROBORATE", "REFINE", "CORRECT"]},
        "target": {"type": "string"},
        "related": {"type": "array", "items": {"type": "string"}},
        "classes": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "kind"],
                "properties": {
                    "path": {"type": "string"},
                    "kind": {
                        "type": "string",
                        "enum": ["same_abstraction", "related", "unrelated"],
                    },
                },
            },
        },
        "note": {"type": "string"},
    },
}
"""What integrate answers when it is done."""

DRAFT_SCHEMA: dict[str, Any] = {
    **RECEIPT_SCHEMA,
    "required": [
        *RECEIPT_SCHEMA["required"],
        "name",
        "description",
        "content",
        "edits",
    ],
    "properties": {
        **RECEIPT_SCHEMA["properties"],
        "name": {"type": "string"},
        "description": {"type": "string"},
        "content": {"type": "string"},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["old", "new"],
                "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
            },
        },
    },
}
"""What integrate answers where the model cannot call tools: the draft itself, as data."""

TAGS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tags"],
    "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
}

_CHOSEN: dict[Language, str] = {
    "en": "The owner chose the node: {}. Edit that one.",
    "zh": "主人选定了节点：{}。改这一个。",
}
_NEW: dict[Language, str] = {
    "en": "The owner wants a new node for this: CREATE.",
    "zh": "主人要为它新建一个节点：CREATE。",
}
_CJK = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")


def language_of(texts: Sequence[str], setting: str = "auto") -> Language:
    """The language of the prompts: Chinese for Chinese notes or where the setting says so."""
    if setting != "auto":
        return "zh" if setting.lower().startswith("zh") else "en"
    cjk = sum(len(_CJK.findall(text)) for text in texts)
    latin = sum(len(_LATIN.findall(text)) for text in texts)
    return "zh" if cjk > latin / 3 else "en"


def extract_messages(request: ExtractRequest, prompts: Prompts, boundary: str) -> list[Message]:
    """The conversation that asks for the units of the request's sources."""
    language = language_of(
        [block.text for source in request.sources for block in source.blocks], request.language
    )
    system = prompts.text(
        language,
        "extract",
        max_units=request.max_units,
        language=in_language(request.language, language),
    )
    parts = []
    if request.settled:
        listed = "\n".join(f"- {unit.name} ({unit.target})" for unit in request.settled)
        title = "已经整理过的" if language == "zh" else "Settled already"
        parts.append(fenced(title, listed, boundary))
    if request.hint:
        parts.append(_hint(request.hint, language))
    parts += [note_block(source, boundary) for source in request.sources]
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n\n".join(parts)},
    ]


def note_block(source: SourceText, boundary: str) -> str:
    """A source between its fences, its lines marked ``+`` where they are new and ``.`` else."""
    day = f", {source.date.isoformat()}" if source.date else ""
    lines = []
    for block in source.blocks:
        mark = "+" if block.fresh else "."
        lines += [f"{mark} {line}" for line in block.text.splitlines()]
    return fenced(f"NOTE {source.handle} ({source.title}{day})", "\n".join(lines), boundary)


def _hint(hint: str, language: Language) -> str:
    return ("主人的提示：" if language == "zh" else "The owner's hint: ") + redact(hint)


def in_language(setting: str, language: Language) -> str:
    if setting == "auto":
        return ""
    return f"（{setting}）" if language == "zh" else f", that is in {setting}"


def integrate_messages(request: IntegrateRequest, prompts: Prompts, boundary: str) -> list[Message]:
    """The conversation that asks to bring one unit into the digest."""
    unit = request.unit
    quotes = [item.quote for item in unit.evidence]
    language = language_of([unit.name, unit.summary, *quotes], request.language)
    system = "\n\n".join(
        (
            prompts.text(
                language,
                "integrate",
                digest_dir=request.digest_dir,
                bucket=unit.bucket,
                language=in_language(request.language, language),
            ),
            prompts.text(language, unit.bucket),
            _style(request.edge_style, language),
        )
    ).rstrip()
    about = [
        f"name: {unit.name}",
        f"bucket: {unit.bucket}",
        f"summary: {unit.summary}",
        "sources, all to be linked:",
        *(f"- {path}" for path in unit.paths),
        "passages:",
        *(f"- {_cite(item.path, item.heading)}: {item.quote}" for item in unit.evidence),
    ]
    parts = [fenced("UNIT", "\n".join(about), boundary)]
    parts += [_passages(source, request, boundary) for source in request.sources]
    if request.chosen:
        parts.append(_CHOSEN[language].format(request.chosen))
    elif request.chosen == "":
        parts.append(_NEW[language])
    if request.hint:
        parts.append(_hint(request.hint, language))
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": "\n\n".join(parts)},
    ]


def structured_messages(
    request: IntegrateRequest,
    prompts: Prompts,
    boundary: str,
    candidates: Sequence[tuple[str, str, str]],
    texts: Sequence[tuple[str, str]],
) -> list[Message]:
    """The conversation for a model without tools: code's recall stands in it."""
    system, user = integrate_messages(request, prompts, boundary)
    language = language_of([request.unit.name, request.unit.summary], request.language)
    how = prompts.text(language, "structured")
    listed = "\n".join(f"{path}: {name}. {about}" for path, name, about in candidates)
    parts = [
        user["content"],
        fenced("NODES", listed or "(none)", boundary),
        *(fenced(f"NODE {path}", text, boundary) for path, text in texts),
    ]
    return [
        {**system, "content": f"{system['content']}\n\n{how}"},
        {**user, "content": "\n\n".join(parts)},
    ]


def _cite(path: str, heading: str) -> str:
    return f"[[{path}#{heading}]]" if heading else f"[[{path}]]"


def _style(edge_style: str, language: Language) -> str:
    if edge_style == "inline":
        return (
            "来源和关系写成句中的字段：`(derived_from:: [[路径]])`、`(depends_on:: [[路径]])`。"
            if language == "zh"
            else "Write source and relation links typed, inside their sentences: "
            "`(derived_from:: [[path]])`, `(depends_on:: [[path]])`."
        )
    if edge_style == "field":
        return (
            "链接各占一行：`derived_from:: [[路径]]`、`relates_to:: [[路径]]`，不写 Sources 句子。"
            if language == "zh"
            else "Write each link as a field on a line of its own: `derived_from:: [[path]]`, "
            "`relates_to:: [[path]]`; these replace the sentences of `## Sources`."
        )
    return ""


def _passages(source: SourceText, request: IntegrateRequest, boundary: str) -> str:
    """The parts of a source around the unit's evidence: the sections that hold a quote."""
    lines = {item.line for item in request.unit.evidence if item.path == source.path}
    near = {
        block.headings
        for block in source.blocks
        if any(block.line <= line <= block.end_line for line in lines)
    }
    kept = [block for block in source.blocks if not near or block.headings in near]
    text = "\n".join(block.text for block in kept)
    return fenced(f"SOURCE {source.path}", text, boundary)


def tag_messages(request: TagRequest, prompts: Prompts, boundary: str) -> list[Message]:
    """The conversation that asks for a node's tags."""
    language = language_of([request.name, request.body])
    known = ", ".join(request.vault_tags) or "(none)"
    text = f"{request.name}\n{request.description}\n\n{request.body}"
    return [
        {"role": "system", "content": prompts.text(language, "tag", limit=request.limit)},
        {
            "role": "user",
            "content": f"{fenced('TAGS', known, boundary)}\n\n{fenced('NODE', text, boundary)}",
        },
    ]


def claims_of(answer: Mapping[str, Any]) -> Iterator[UnitClaim]:
    """The claims in an answer of the shape :data:`UNITS_SCHEMA`; handles are checked later."""
    for unit in answer["units"]:
        yield UnitClaim(
            name=str(unit["name"]),
            bucket=str(unit["bucket"]),
            summary=str(unit["summary"]),
            handles=tuple(int(handle) for handle in unit["sources"]),
            quotes=tuple((int(quote["source"]), str(quote["text"])) for quote in unit["quotes"]),
        )
