"""What it means that notes, catalog, proposals, decisions, undo records and reports agree.

Checked against the disk alone, at any moment at which no commit is under way or half done:

* every note is whole: its properties can be read, and no line of it stands twice;
* what a report calls committed stands: the unit's target exists and links to every source that the
  unit cites, and an undo record holds the very write; unless it was undone, or the owner changed
  the note since;
* what a report calls queued has its proposal's file; what it calls rejected is in the decisions;
* a committed proposal's operations stand on its target; no two undecided proposals make one note;
* a catalog entry is ``done`` only if each unit of its run that cites it was committed, settled or
  rejected, ``queued`` only if one of them waits, and if a unit of it failed, it is neither;
* no note of the digest appeared that no record tells of, and none is told of twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from vault_dream.engine.dream.kept import evidence_key
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.state import State
from vault_dream.engine.dream.units import Evidence
from vault_dream.engine.journal.undo import RecordedWrite, writes_of
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.properties import read_properties

WAITS = UNDECIDED | {"parked"}


class Account:
    """Everything that the state files of a vault say, read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        state = State(root, "metadata", Disk(root), read_only=True)
        self.catalog = state.catalog()
        self.proposals = {proposal.id: proposal for proposal in state.proposals()}
        self.decisions = state.decisions()
        self.failed = state.failed()
        self.reports = {run: state.report(run) or {} for run in state.run_ids()}
        self.writes = list(_recorded(root))
        assert not state.problems, state.problems

    def text(self, path: str) -> str | None:
        file = self.root / path
        return file.read_bytes().decode() if file.exists() else None

    def links(self, path: str) -> set[str]:
        text = self.text(path)
        return {link.target for link in links_in(parse_note(path, (text or "").encode()))}

    def undone(self, set_id: str) -> bool:
        return any(write.undone for write in self.writes if write.set_id == set_id)


def _recorded(root: Path) -> Iterator[RecordedWrite]:
    for file in sorted((root / "metadata/runs").glob("*.undo.json")):
        yield from writes_of(json.loads(file.read_bytes()), file.name)


def assert_agreement(
    root: Path, *, before: Mapping[str, bytes], owners: Collection[str] = (), where: object = ""
) -> None:
    """``before``: the notes before the first run; ``owners``: notes that the owner touched since,
    which may say what they like."""
    account = Account(root)
    _notes_are_whole(account, owners, where)
    _reports_hold(account, owners, where)
    _proposals_hold(account, owners, where)
    _catalog_holds(account, where)
    _records_hold(account, before, owners, where)


def _notes_are_whole(account: Account, owners: Collection[str], where: object) -> None:
    for file in (account.root / "digest").rglob("*.md"):
        path = file.relative_to(account.root).as_posix()
        if path in owners:
            continue
        note = parse_note(path, file.read_bytes())
        assert note.editable and not read_properties(note).error, (path, where)
        body = note.text[note.body_start :]
        lines = Counter(line for line in body.splitlines() if line.strip())
        assert max(lines.values(), default=1) == 1, (path, lines.most_common(1), where)


def _reports_hold(account: Account, owners: Collection[str], where: object) -> None:
    recorded = {write.set_id for write in account.writes}
    for run, report in account.reports.items():
        units = {unit["name"]: unit for unit in report["units"]}
        for result in report["integrate_results"]:
            of = (run, result["unit"], where)
            set_id, target = result["proposal"], result["target_path"]
            if result["decision"] == "committed":
                assert set_id in recorded, of
                if not account.undone(set_id) and target not in owners:
                    assert account.text(target) is not None, of
                    assert set(result["paths"]) <= account.links(target), of
            elif result["decision"] == "queued":
                assert set_id in account.proposals, of
            elif result["decision"] == "rejected":
                items = [Evidence.from_json(e) for e in units[result["unit"]]["evidence"]]
                assert all(evidence_key(e) in account.decisions.rejected for e in items), of
        for path in (*report["nodes_created"], *report["nodes_updated"], *report["day_pages"]):
            assert any(w.path == path for w in account.writes), (run, path, where)
        again = any(account.undone(r["proposal"]) for r in report["integrate_results"])
        for path in report["checkpoint_paths"]:  # what was undone may be read again
            assert again or path in owners or path in account.catalog.files, (run, path, where)


def _proposals_hold(account: Account, owners: Collection[str], where: object) -> None:
    made: Counter[str] = Counter()
    for proposal in account.proposals.values():
        of = (proposal.id, proposal.unit.name, where)
        if proposal.state in WAITS and proposal.action == "CREATE":
            made[proposal.target] += 1
        if proposal.state == "committed":
            assert any(write.set_id == proposal.id for write in account.writes), of
            if not account.undone(proposal.id) and proposal.target not in owners:
                assert set(proposal.unit.paths) <= account.links(proposal.target), of
        if proposal.state == "rejected":
            keys = {evidence_key(item) for item in proposal.unit.evidence}
            assert keys <= account.decisions.rejected, of
    assert max(made.values(), default=1) == 1, (made, where)


def _catalog_holds(account: Account, where: object) -> None:
    waiting = {
        path
        for proposal in account.proposals.values()
        if proposal.state in WAITS
        for path in proposal.unit.paths
    }
    failed = {path for unit in account.failed for path in unit.unit.paths}
    for path, entry in account.catalog.files.items():
        of = (path, entry.state, entry.run_id, where)
        if entry.state == "done":
            assert path not in waiting and path not in failed, of
        if entry.state == "queued":
            assert path in waiting, of
        report: Mapping[str, Any] = account.reports.get(entry.run_id, {})
        if entry.state in ("done", "queued") and report:
            assert path not in report["failed_paths"], of
        for _, _, target in entry.units if entry.state == "done" else ():
            known = any(write.path == target for write in account.writes)
            told = any(
                result["target_path"] == target
                for each in account.reports.values()
                for result in each["integrate_results"]
            )
            assert known or told or account.text(target) is not None, of


def _records_hold(
    account: Account, before: Mapping[str, bytes], owners: Collection[str], where: object
) -> None:
    last: dict[str, bytes | None] = {}
    for write in account.writes:
        last[write.path] = write.before if write.undone else write.after
    for path, data in last.items():
        if path not in owners and not any(w.undone for w in account.writes if w.path == path):
            text = account.text(path)
            assert (None if text is None else text.encode()) == data, (path, where)
    for file in (account.root / "digest").rglob("*.md"):
        path = file.relative_to(account.root).as_posix()
        assert path in before or path in owners or path in last, (path, "unrecorded", where)


def undecided(root: Path) -> list[Proposal]:
    return [p for p in Account(root).proposals.values() if p.state in UNDECIDED]
