"""The six tools over a dict of notes in memory, with the refusals of the real draft."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.dream.offline.words import overlap, terms
from vault_dream.engine.dream.reader import ToolError

_FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n\n?", re.S)


@lru_cache(maxsize=1024)
def _properties(text: str) -> Mapping[str, Any]:
    found = _FRONTMATTER.match(text)
    return dict(yaml.safe_load(found[1])) if found else {}


class FakeTools:
    """Stateful: ``notes`` maps paths to texts, ``calls`` lists the tools that were called."""

    def __init__(self, notes: Mapping[str, str] | None = None) -> None:
        self.notes = dict(notes or {})
        self.calls: list[str] = []

    def node_search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        self.calls.append("node_search")
        wanted = terms(query)
        hits = []
        for path in self.notes:
            values = self._values(path)
            name, description = str(values["name"]), str(values["description"])
            score = overlap(wanted, terms(f"{name} {description}"))
            if score > 0:
                hits.append(NodeHit(path, score, name, description))
        return tuple(sorted(hits, key=lambda h: (-h.score, h.path))[:limit])

    def read(self, path: str) -> str:
        self.calls.append("read")
        if path not in self.notes:
            raise ToolError(f"{path} is not in the vault")
        return self.notes[path]

    def frontmatter_read(self, path: str) -> Mapping[str, Any]:
        self.calls.append("frontmatter_read")
        return self._values(path)

    def write(self, path: str, name: str, description: str, content: str) -> str:
        self.calls.append("write")
        if path in self.notes:
            raise ToolError(f"{path} exists; edit it instead")
        self.notes[path] = self._front({"name": name, "description": description}) + content
        return path

    def edit(self, path: str, old: str, new: str) -> None:
        self.calls.append("edit")
        found = self.notes[path].count(old)
        if found != 1 or old == new or not old:
            raise ToolError(f"the old text stands {found} times in {path}; quote more of it")
        self.notes[path] = self.notes[path].replace(old, new)

    def frontmatter_update(self, path: str, values: Mapping[str, Any]) -> None:
        self.calls.append("frontmatter_update")
        body = _FRONTMATTER.sub("", self.notes[path], count=1)
        self.notes[path] = self._front({**self._values(path), **values}) + body

    def _values(self, path: str) -> dict[str, Any]:
        return dict(_properties(self.notes[path]))

    def _front(self, values: Mapping[str, Any]) -> str:
        text = yaml.safe_dump(dict(values), allow_unicode=True, sort_keys=False, width=10_000)
        return f"---\n{text}---\n\n"
