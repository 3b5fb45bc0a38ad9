"""The vault of a case, as files: its nodes as runs write them, its days, its surroundings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date

from tests.evals.cases import Case, CaseNode
from vault_dream.engine.vault.properties import emit_properties

DIGEST = "digest"
_HAN = re.compile(r"[\u4e00-\u9fff]")


def files_of(case: Case, surroundings: Iterable[CaseNode]) -> Mapping[str, str]:
    """Every file of the vault, by path. The case's own node wins over a namesake around it."""
    nodes = {node.path: node for node in (*surroundings, *case.nodes)}
    earlier: dict[date, list[str]] = {}
    for node in nodes.values():
        earlier.setdefault(node.on, []).append(node.said)
    files = dict(case.notes)
    for day, said in earlier.items():
        files[day_path(day)] = "".join(f"- {words}\n" for words in said)
    for day, text in case.days.items():
        files[day_path(day)] = text
    for node in nodes.values():
        files[node_path(node.path)] = node_page(node)
    return files


def day_path(day: date) -> str:
    return f"daily/{day.isoformat()}.md"


def node_path(short: str) -> str:
    """The file of a node that a case calls ``bucket/name``."""
    return f"{DIGEST}/{short}.md"


def node_page(node: CaseNode) -> str:
    """A node's note: what it says, and the day that it came from."""
    values: dict[str, object] = {"name": node.name, "description": node.description}
    if node.aliases:
        values["aliases"] = list(node.aliases)
    values["kind"] = node.path.partition("/")[0]
    values["created"] = values["updated"] = node.on.isoformat()
    link = f"[[{day_path(node.on)}|{node.on.isoformat()}]]"
    sentence = (
        f"最初记在{link}：“{node.said}”"
        if _HAN.search(node.said)
        else f'First noted in {link}: "{node.said}".'
    )
    return f"---\n{emit_properties(values)}---\n\n{node.text}\n\n## Sources\n\n- {sentence}\n"
