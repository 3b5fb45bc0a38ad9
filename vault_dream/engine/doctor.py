"""Doctor: looks over settings, vault, digest, state, index and model, and says what to mend.

Writes nothing in the vault. What the model is asked holds no note.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_dream.config import NAMES, Settings
from vault_dream.engine.digest_health import FIX, examine
from vault_dream.engine.dream.proposals import UNDECIDED
from vault_dream.engine.errors import Problem, VaultDreamError
from vault_dream.engine.session import ReviewSession
from vault_dream.engine.vault.disk import Disk
from vault_dream.pipeline import Job

if TYPE_CHECKING:
    from vault_dream.engine.model.probe import Probe

LATELY = 14
"""Days back that the machines which ran in a vault are looked for."""


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
    model_problems: list[Problem] = field(default_factory=list)
    index_damaged: bool = False
    unreachable: bool = False

    def as_json(self) -> dict[str, Any]:
        found = {
            item.name: getattr(self, item.name)
            for item in dataclasses.fields(self)
            if item.name not in ("problems", "model_problems", "index_damaged", "unreachable")
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
        _look_at_folders(session, found)
        _look_at_digest(session, found)
        _look_at_state(session, found)
    _look_at_index(index_file, found)
    before = len(found.problems)
    _look_at_model(settings, probe, found)
    found.model_problems = found.problems[before:]
    return found


def _settings(settings: Settings) -> Iterator[dict[str, Any]]:
    for name in NAMES:
        value = getattr(settings, name)
        if isinstance(value, Job):
            value = value.as_json()
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            value = dataclasses.asdict(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif name == "jobs":
            value = {name: job.as_json() for name, job in settings.jobs.items()}
        yield {"name": name, "value": value, "from": settings.origins.get(name, "default")}


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


def _look_at_folders(session: ReviewSession, found: Diagnosis) -> None:
    """Whether a run could write in the vault, the digest and the state; of closed folders in one
    another the outermost is told."""
    root, disk = session.vault.root, Disk(session.vault.root)
    ours = (session.digest.digest_dir, session.settings.state_dir)
    within = tuple(f"{folder}/" for folder in ours)
    below = sorted(path for path in session.vault.listing().folders if path.startswith(within))
    closed: dict[Path, Problem] = {}
    for folder in (root, *(root / path for path in (*ours, *below)), session.journal.path.parent):
        if closed.keys().isdisjoint(folder.parents) and (problem := disk.closed(folder)):
            closed[folder] = problem
    found.problems.extend(dict.fromkeys(closed.values()))


def _look_at_digest(session: ReviewSession, found: Diagnosis) -> None:
    health = examine(session.digest)
    found.digest = {
        "folder": session.digest.digest_dir,
        "nodes": health.nodes,
        **{name: len(items) for name, items in health.faults.items()},
    }
    found.problems.extend(health.problems())


def _look_at_state(session: ReviewSession, found: Diagnosis) -> None:
    state = session.state
    catalog = session.catalog()
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
    _look_at_machines(session, found)
    for copy in (*state.needless_copies(), *state.differing_copies()):
        what = "is a conflict copy of a report or an undo record"
        found.problems.append(Problem(copy, what, f"{FIX} where it adds nothing of its own"))
    if found.state["interrupted"]:
        found.problems.append(
            Problem(str(session.journal.path), "a run was interrupted", "the next run repairs it")
        )
    found.problems.extend(state.problems)


def _look_at_machines(session: ReviewSession, found: Diagnosis) -> None:
    """Which machines ran here lately; several that may are likely to be scheduled for one vault."""
    since = f"{session.today - timedelta(days=LATELY):%Y%m%d}"
    hosts: dict[str, int] = {}
    for run_id in session.state.run_ids():
        report = session.state.report(run_id) if run_id >= since else None
        if report is not None and isinstance(report.get("host"), str):
            hosts[report["host"]] = hosts.get(report["host"], 0) + 1
    found.state["machines"] = hosts
    allowed = session.settings.runs_on
    if len(hosts) > 1 and len(allowed) != 1:
        told = ", ".join(f"{host} ({count})" for host, count in sorted(hosts.items()))
        most = max(sorted(hosts), key=lambda host: hosts[host])
        found.problems.append(
            Problem(
                told,
                f"{len(hosts)} machines ran on this vault within {LATELY} days",
                f"if each has a schedule, leave it to one: runs_on: [{most}]",
            )
        )


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
        found.index_damaged = True
        found.problems.append(Problem(str(index_file), f"the index is damaged ({said})", FIX))


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
