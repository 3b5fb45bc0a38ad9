"""The six tools as a model is offered them, under the seeds' names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vault_dream.engine.dream.fences import fenced
from vault_dream.engine.dream.reader import Receipt, Tools
from vault_dream.engine.model.tools import Tool


def _object(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": properties,
    }


_TEXT = {"type": "string"}
_PATH = {"type": "string", "description": "A path as node_search or the unit gives it."}


def tools_for(tools: Tools, boundary: str) -> tuple[Tool, ...]:
    """The tools of one draft, declared for a model; what they read stands between fences."""

    def node_search(given: Mapping[str, Any]) -> object:
        hits = tools.node_search(given["query"], int(given.get("limit", 20)))
        if not hits:
            return "Nothing near this. Try other words, or CREATE."
        return [
            {
                "path": hit.path,
                "score": round(hit.score, 2),
                "name": hit.name,
                "description": hit.description,
            }
            for hit in hits
        ]

    def edit(given: Mapping[str, Any]) -> str:
        tools.edit(given["path"], given["old"], given["new"])
        return "staged"

    def update(given: Mapping[str, Any]) -> str:
        tools.frontmatter_update(given["path"], given["values"])
        return "staged"

    return (
        Tool(
            "node_search",
            "Find digest nodes near a few words: path, score, name, description. Search often, "
            "with different words.",
            _object(["query"], query=_TEXT, limit={"type": "integer", "minimum": 1}),
            node_search,
        ),
        Tool(
            "read",
            "Read a node, or a source of the unit.",
            _object(["path"], path=_PATH),
            lambda given: fenced(f"FILE {given['path']}", tools.read(given["path"]), boundary),
        ),
        Tool(
            "frontmatter_read",
            "Read the properties of a node, or of a source of the unit.",
            _object(["path"], path=_PATH),
            lambda given: dict(tools.frontmatter_read(given["path"])),
        ),
        Tool(
            "write",
            "Stage a new node. `content` is its body without frontmatter.",
            _object(
                ["path", "name", "description", "content"],
                path=_TEXT,
                name=_TEXT,
                description=_TEXT,
                content=_TEXT,
            ),
            lambda given: (
                "staged as "
                + tools.write(given["path"], given["name"], given["description"], given["content"])
            ),
            changes=True,
        ),
        Tool(
            "edit",
            "Stage a change of a node: `old` stands exactly once in it and becomes `new`.",
            _object(["path", "old", "new"], path=_PATH, old=_TEXT, new=_TEXT),
            edit,
            changes=True,
        ),
        Tool(
            "frontmatter_update",
            "Stage new values of a node's properties, such as its description.",
            _object(["path", "values"], path=_PATH, values={"type": "object"}),
            update,
            changes=True,
        ),
    )


def receipt_of(answer: Mapping[str, Any]) -> Receipt:
    """The receipt in an answer that has its keys."""
    return Receipt(
        action=answer["action"],
        target=str(answer["target"]),
        related=tuple(str(path) for path in answer["related"]),
        classes=tuple((str(item["path"]), item["kind"]) for item in answer["classes"]),
        note=str(answer["note"]),
    )
