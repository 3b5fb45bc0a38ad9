"""What the state files say of a node follows it to its new path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.dream.kept import Decisions, failed_as_json
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.dream.state import State
from vault_dream.engine.journal import FileWrite

VERBATIM = frozenset({"quote", "before", "heading"})
"""Fields that hold somebody's own words, in which nothing is respelled."""


def moved_in_state(state: State, old: str, new: str) -> list[FileWrite]:
    """The state writes that make catalog, queue, failed units and decisions speak of ``new``.

    Reports stay as they are: they tell what a run did when it did it.
    """
    files: list[tuple[str, Mapping[str, Any]]] = []
    for proposal in state.proposals():
        followed = followed_by(proposal, old, new)
        if followed is not proposal:
            files.append((state.proposal_path(proposal), followed.as_json()))
    catalog = state.known_catalog()
    if catalog is not None:
        files.append((state.catalog_path, _catalog(catalog, old, new).as_json()))
    if failed := state.failed():
        value = failed_as_json(failed)
        files.append((state.failed_path, _respelled(value, old, new)))
    decisions = state.decisions()
    if any(path == old for path, _ in decisions.rejected):
        rejected = frozenset((new if p == old else p, quote) for p, quote in decisions.rejected)
        files.append((state.decisions_path, Decisions(rejected).as_json()))
    writes = (state.write(path, value) for path, value in files)
    return state.tidied(write for write in writes if write is not None)


def followed_by(proposal: Proposal, old: str, new: str) -> Proposal:
    """The proposal with the node called by its new path: as target, in its edges and candidates,
    and in the links that it writes or replaces."""
    value = proposal.as_json()
    moved = _respelled(value, old, new)
    return proposal if moved == value else Proposal.from_json(moved)


def _catalog(catalog: Catalog, old: str, new: str) -> Catalog:
    files = {
        path: replace(
            entry,
            units=tuple((n, b, new if target == old else target) for n, b, target in entry.units),
        )
        for path, entry in catalog.files.items()
    }
    untagged = tuple(sorted(new if path == old else path for path in catalog.untagged))
    return replace(catalog, files=files, untagged=untagged)


def _respelled(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new if value == old else _with_links(value, old, new)
    if isinstance(value, Mapping):
        return {
            (new if key == old else key): item if key in VERBATIM else _respelled(item, old, new)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_respelled(item, old, new) for item in value]
    return value


def _with_links(text: str, old: str, new: str) -> str:
    """``text`` with the full wikilinks that we write led to the new path."""
    for end in ("|", "#", "]]", "\\|"):
        text = text.replace(f"[[{old}{end}", f"[[{new}{end}")
    return text
