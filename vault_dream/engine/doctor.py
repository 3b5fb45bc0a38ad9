"""Doctor: looks over settings, vault, digest, state, index and model, and says what to mend.

Writes nothing in the vault. What the model is asked holds no note.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.edges import DERIVED_FROM, edges_of
from vault_dream.engine.digest.page import Node
from vault_dream.engine.dream.proposals import UNDECIDED
from vault_dream.engine.dream.quotes import fold, quotes_beside
from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.errors import Problem, VaultDreamError
from vault_dream.engine.model.probe import Probe
from vault_dream.engine.session import ReviewSession

MOST_NAMED = 5
"""Notes that one problem names; the counts are whole."""


@dataclass
class Diagnosis:
    """What was found. Stateful while it is being made: each look adds to it.

    ``settings`` are (name, value, where from); the other parts are counts and facts by name.
    """

    settings: list[dict[str, Any]] = field(default_factory=list)
    vault: dict[str, Any] = field(default_factory=dict)
    digest: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    index: dict[str, Any] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unreachable: bool = False

    def as_json(self) -> dict[str, Any]:
        found = {
            item.name: getattr(self, item.name)
            for item in dataclasses.fields(self)
            if item.name not in ("problems", "unreachable")
        }
        problems = [problem.as_json() for problem in self.problems]
        return {"version": 1, "ok": not problems, **found, "problems": problems}


def diagnose(
    root: Path, settings: Settings, *, index_file: Path | None, probe: Callable[[], Probe] | None
) -> Diagnosis:
    """Everything that can be seen of the vault at ``root``.

    ``probe`` asks the model, ``None`` where nobody is to be asked; an endpoint that cannot be used
    is a problem, and the rest is looked at all the same. Raises :class:`FilesystemError` where the
    vault itself cannot be read.
    """
    found = Diagnosis(settings=list(_settings(settings)))
    with ReviewSession(root, settings, dry_run=True) as session:
        _look_at_vault(session, found)
        _look_at_digest(session, found)
        _look_at_state(session, found)
    _look_at_index(index_file, found)
    _look_at_model(settings, probe, found)
    return found


def _settings(settings: Settings) -> Iterator[dict[str, Any]]:
    for item in dataclasses.fields(settings):
        if item.name == "origins":
            continue
        value = getattr(settings, item.name)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            value = dataclasses.asdict(value)
        if isinstance(value, tuple):
            value = list(value)
        yield {
            "name": item.name,
            "value": value,
            "from": settings.origins.get(item.name, "default"),
        }


def _look_at_vault(session: ReviewSession, found: Diagnosis) -> None:
    layout, vault = session.layout, session.vault
    listing = vault.listing()
    found.vault = {
        "root": str(vault.root),
        "notes": sum(1 for path in listing.entries if path.endswith(".md")),
        "daily_notes": layout.path_for(session.today),
        "daily_notes_from": layout.origin,
        "obsidian_settings": (vault.root / vault.obsidian.config_folder).is_dir(),
        "today": session.today.isoformat(),
    }
    where = vault.obsidian.config_folder
    for words in (*layout.warnings, *vault.obsidian.warnings):
        found.problems.append(Problem(where, words, "set daily_dir and daily_format to be sure"))
    found.problems.extend(listing.problems)


def _look_at_digest(session: ReviewSession, found: Diagnosis) -> None:
    digest = session.digest
    nodes = list(digest.nodes())
    unreadable = sorted(set(digest.paths()) - {node.path for node in nodes})
    faults: dict[str, list[str]] = {
        "unreadable": unreadable + [node.path for node in nodes if node.problem],
        "without_description": [n.path for n in nodes if not n.problem and not n.description],
        "without_sources": [],
        "unresolved_links": [],
        "quotes_gone": [],
    }
    for node in nodes:
        edges = edges_of(node.note, digest.resolver())
        lost = [edge for edge in edges if not edge.resolved]
        faults["unresolved_links"] += [f"{node.path} → {edge.target}" for edge in lost]
        if not any(edge.predicate == DERIVED_FROM for edge in edges):
            faults["without_sources"].append(node.path)
        faults["quotes_gone"] += [f"{node.path}: {quote}" for quote in _quotes_gone(session, node)]
    found.digest = {
        "folder": digest.digest_dir,
        "nodes": len(digest.paths()),
        **{name: len(items) for name, items in faults.items()},
    }
    for name, (what, next_step) in _DIGEST_FAULTS.items():
        if items := faults[name]:
            listed = "; ".join(items[:MOST_NAMED])
            if len(items) > MOST_NAMED:
                listed += f"; and {len(items) - MOST_NAMED} more"
            found.problems.append(Problem(listed, f"{len(items)} {what}", next_step))


_DIGEST_FAULTS = {
    "unreadable": ("nodes cannot be read", "mend their properties in Obsidian"),
    "without_description": ("nodes have no description", "add one: the search for nodes uses it"),
    "without_sources": ("nodes cite no source", "link the note that proves each, under ## Sources"),
    "unresolved_links": ("links of nodes lead nowhere", "restore the notes, or mend the links"),
    "quotes_gone": (
        "quotes do not stand in their source any more",
        "see whether the node still holds, and correct it",
    ),
}


def _quotes_gone(session: ReviewSession, node: Node) -> Iterator[str]:
    """Quotes beside a source's link whose words the source has no longer."""
    resolver = session.digest.resolver()
    for edge in edges_of(node.note, resolver):
        if edge.predicate != DERIVED_FROM or not edge.resolved or not edge.sentence:
            continue
        quotes = quotes_beside(edge.sentence)
        if not quotes or not edge.target.endswith(".md"):
            continue
        try:
            text = fold(redact(session.vault.read(edge.target).text))
        except VaultDreamError:
            continue
        yield from (quote for quote in quotes if fold(quote) not in text)


def _look_at_state(session: ReviewSession, found: Diagnosis) -> None:
    state = session.state
    catalog = state.catalog()
    proposals = state.proposals()
    failed = state.failed()
    state.decisions()
    runs = state.run_ids()
    last = state.report(runs[-1]) if runs else None
    found.state = {
        "folder": session.settings.state_dir,
        "sources_known": len(catalog.files),
        "sources_failed": sum(entry.state == "failed" for entry in catalog.files.values()),
        "queued": sum(proposal.state in UNDECIDED for proposal in proposals),
        "parked": sum(proposal.state == "parked" for proposal in proposals),
        "failed_units": len(failed),
        "runs": len(runs),
        "last_run": None if last is None else {"id": runs[-1], "status": last["status"]},
        "interrupted": session.journal.path.exists(),
    }
    if found.state["interrupted"]:
        found.problems.append(
            Problem(str(session.journal.path), "a run was cut off", "the next run puts it right")
        )
    found.problems.extend(state.problems)


def _look_at_index(index_file: Path | None, found: Diagnosis) -> None:
    if index_file is None or not index_file.exists():
        found.index = {"file": str(index_file or ""), "exists": False}
        return
    found.index = {"file": str(index_file), "exists": True, "bytes": index_file.stat().st_size}
    import sqlite3

    try:
        with closing(sqlite3.connect(f"{index_file.as_uri()}?mode=ro", uri=True)) as connection:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        found.problems.append(
            Problem(str(index_file), f"the index is damaged ({said})", "remove it; it is made anew")
        )


def _look_at_model(settings: Settings, probe: Callable[[], Probe] | None, found: Diagnosis) -> None:
    found.model = {"provider": settings.provider, "model": settings.model}
    if settings.provider == "offline":
        return
    if not settings.model:
        found.problems.append(
            Problem(
                settings.origins.get("model", "model"),
                "no model is configured",
                "set model and base_url in vault-dream.yaml, or provider: offline",
            )
        )
        return
    if probe is None:
        return
    try:
        said = probe()
    except VaultDreamError as error:
        found.unreachable = True
        found.problems.append(error.problem)
        return
    found.model |= {
        "calls": said.calls,
        "answered": len(said.latencies),
        "latencies": [round(seconds, 3) for seconds in said.latencies],
        "mode": said.mode,
        "empties": said.empties,
        "repairs": said.repairs,
        "context_tokens": said.context.tokens,
        "context_from": said.context.origin,
        "read_whole": said.read_whole,
        "cut": said.cut,
    }
    found.problems.extend(said.problems)
