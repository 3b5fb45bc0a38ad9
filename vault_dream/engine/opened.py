"""A vault open for dreaming: its parts, its clock, and its waiting proposals."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path

from vault_dream.config import Settings
from vault_dream.engine.digest.catalog import Catalog
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.dream.examine import Examiner
from vault_dream.engine.dream.exclusions import Exclusions
from vault_dream.engine.dream.proposals import UNDECIDED, Proposal
from vault_dream.engine.dream.queue import following, in_order
from vault_dream.engine.dream.rebuild import Rebuilt, rebuild
from vault_dream.engine.dream.run import Run
from vault_dream.engine.dream.scan import Scan, Scanner
from vault_dream.engine.dream.state import State as StateFiles
from vault_dream.engine.errors import EditError, VaultDreamError
from vault_dream.engine.journal import Journal, Recovered
from vault_dream.engine.lookup import Lookup, leaving, make_recall
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.disk import Disk
from vault_dream.engine.vault.locks import VaultLock
from vault_dream.engine.vault.machine import vault_state_folder
from vault_dream.engine.vault.vault import Vault


class OpenVault:
    """The parts that a session works with. Stateful: it holds the run and what waits.

    ``clock`` gives the time with its zone; with ``dry_run`` nothing at all is written.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        *,
        dry_run: bool = False,
        clock: Callable[[], datetime] | None = None,
        token: Callable[[], str] = lambda: secrets.token_hex(2),
        disk: Disk | None = None,
        index_file: Path | None = None,
    ) -> None:
        self.settings = settings
        self.dry_run = dry_run
        self._zone = _zone(settings.timezone)
        self._clock = clock or (lambda: datetime.now(UTC).astimezone(self._zone))
        self._token = token
        self._disk = disk or Disk(root)
        self.vault = Vault(root)
        self.state = StateFiles(
            self.vault.root, settings.state_dir, self._disk, read_only=dry_run, clock=self._clock
        )
        self.journal = Journal(
            self.vault.root,
            locate=self.vault.disk_path,
            disk=self._disk,
            state_folder=vault_state_folder(self.vault.root),
            state_dir=settings.state_dir,
            clock=self._clock,
        )
        self.digest = Digest(
            self.vault,
            settings.digest_dir,
            tag_field=settings.tag_field,
            index_file=index_file,
            recall=make_recall(settings, index_file and index_file.parent, self._warn),
            leaving=leaving(settings),
            unseen=Exclusions(settings).unseen(settings.exclude),
        )
        self._index_folder = index_file.parent if index_file is not None else None
        self._lookup: Lookup | None = None
        self._layout: DailyLayout | None = None
        self._run: Run | None = None
        self._unsaid: list[str] = []
        self._earlier: dict[str, Proposal] | None = None
        self._stored: dict[str, Proposal] = {}
        self._put_away: set[str] = set()  # parked, or part of another proposal now
        self._written: dict[str, frozenset[str]] | None = None

    @property
    def today(self) -> date:
        """The owner's day, by the setting ``timezone``."""
        return self._clock().astimezone(self._zone).date()

    @property
    def lookup(self) -> Lookup:
        """Search over the whole vault, and the graph of its links."""
        if self._lookup is None:
            self._lookup = Lookup(self.vault.root, lambda: self.settings, folder=self._index_folder)
        return self._lookup

    @property
    def layout(self) -> DailyLayout:
        """Where the daily notes live."""
        if self._layout is None:
            self._layout = self.vault.layout(self.settings.daily_dir, self.settings.daily_format)
        return self._layout

    @property
    def run(self) -> Run:
        """The run that the last scan began; before a scan, one that only decides what waits."""
        if self._run is None:
            self._run = Run(self._run_id(), Scan(self.today, (self.today,)), dry_run=self.dry_run)
        return self._run

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Undecided proposals of earlier runs, then all proposals of this one."""
        run = self._run.proposals if self._run else {}
        earlier = self.earlier
        hidden = run.keys() | self._put_away
        return (*(p for p in earlier.values() if p.id not in hidden), *run.values())

    @property
    def earlier(self) -> dict[str, Proposal]:
        """Stored proposals of earlier runs that may still land, by id."""
        if self._earlier is None:
            self._stored = {p.id: p for p in self.state.proposals()}
            own = self._run.proposals if self._run else {}
            waiting = {
                p.id: p for p in self._stored.values() if p.state in UNDECIDED and p.id not in own
            }
            self._earlier = in_order(waiting, self.today, self._now())
            self._put_away.clear()
            for proposal in self._earlier.values():
                if proposal.state in UNDECIDED:
                    self._stage(proposal)
                else:
                    self._put_away.add(proposal.id)
        return self._earlier

    def reload(self) -> None:
        """Read the queue again: another process may have proposed, decided or committed."""
        for proposal in self.earlier.values():
            self.digest.unstage(proposal.target)
        self._earlier = None
        for proposal in self.proposals:
            if self._run is not None and proposal.id in self._run.proposals:
                self._stage(proposal)

    @property
    def parked(self) -> tuple[Proposal, ...]:
        """Proposals that are parked: nobody decided them for a month."""
        earlier = self.earlier
        known = {**self._stored, **earlier}
        return tuple(proposal for proposal in known.values() if proposal.state == "parked")

    def unpark(self, proposal_id: str) -> Proposal:
        """Put a parked proposal back among those to decide; ``KeyError`` if there is none."""
        found = {proposal.id: proposal for proposal in self.parked}[proposal_id]
        back = found.decided("open", "person", self._now())
        self.earlier[proposal_id] = back
        self._put_away.discard(proposal_id)
        self._stage(back)
        return back

    @property
    def examiner(self) -> Examiner:
        return Examiner(self.digest, self.settings, self.written_lines)

    def written_lines(self, path: str) -> frozenset[str]:
        """The lines that runs put into the node at ``path``, stripped; all others are its
        owner's.
        """
        if self._written is None:
            self._written = self._all_written_lines()
        return self._written.get(path, frozenset())

    def _all_written_lines(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for run_id in self.journal.runs():
            try:
                changes = self.journal.changes(run_id)
            except VaultDreamError:
                continue  # a record that somebody damaged says nothing
            were = {change.path: change.before for change in changes}
            for change in changes:
                path, earlier = change.path, change.continues
                known = found.get(path, frozenset()) | found.get(earlier, frozenset())
                before = were.get(earlier) if earlier else change.before
                found[path] = known | (_stripped_lines(change.after) - _stripped_lines(before))
        return found

    def catalog(self) -> Catalog:
        """What was read, as the state files know it; where they lost it, as nodes and reports do
        (see :mod:`rebuild`). Writes nothing: the next commit puts it in its place."""
        if self.state.stand_in is None and self.state.lost_catalog():
            found = self.rebuilt()
            if found.catalog.files:
                self.state.stand_in = found.catalog
                self.state.problems.append(found.problem(self.state.catalog_path))
        return self.state.catalog()

    def rebuilt(self) -> Rebuilt:
        """The catalog, rebuilt from nodes and reports."""
        scanner = Scanner(self.vault, self.layout, self.settings, Catalog({}))
        return rebuild(self.state, self.digest, scanner, today=self.today, zone=self._zone)

    @contextmanager
    def dreaming(self, what: str) -> Iterator[None]:
        """Hold the dream lock: one process per vault extracts and integrates.

        Raises :class:`BusyError` if another process holds it. A dry run takes no lock.
        """
        if self.dry_run:
            yield
            return
        with VaultLock(self.vault.root, "dream", disk=self._disk).acquire(what):
            yield

    def recover(self) -> tuple[Recovered, ...]:
        """Finish or undo what a killed run left. Does nothing in a dry run."""
        return () if self.dry_run else self.journal.recover()

    def _warn(self, words: str) -> None:
        """Say it in the run at hand, or in the next one."""
        (self._unsaid if self._run is None else self._run.warnings).append(words)

    def _home(self, proposal_id: str) -> dict[str, Proposal]:
        if self._run is not None and proposal_id in self._run.proposals:
            return self._run.proposals
        if proposal_id in self.earlier:
            return self.earlier
        raise KeyError(proposal_id)

    def _stage(self, proposal: Proposal) -> None:
        """Show what an undecided proposal would make as if it were there."""
        for change in proposal.changes:
            if not self.digest.contains(change.path):
                continue  # no check would let it land
            try:
                text = (
                    self.digest.note(change.path).text if self.digest.exists(change.path) else None
                )
                self.digest.stage(change.path, apply_ops(change.path, text, change.ops))
            except (EditError, VaultDreamError):
                continue  # it is stale, and the commit will say so

    def _unstage(self, proposal: Proposal) -> None:
        """Show its target without it, but with the other proposals that wait."""
        for change in proposal.changes:
            self.digest.unstage(change.path)
            for other in self.proposals:
                touched = any(one.path == change.path for one in other.changes)
                if touched and other.id != proposal.id and other.state in UNDECIDED:
                    self._stage(other)

    def _follow(self, moved: Mapping[str, str]) -> None:
        """What waits cites its sources where their owner moved them."""
        for proposal_id, proposal in self.earlier.items() if moved else ():
            followed = following(proposal, moved)
            if followed is not proposal:
                self.earlier[proposal_id] = followed
                self.digest.unstage(proposal.target)
        if moved:
            for proposal in self.earlier.values():
                if proposal.state in UNDECIDED:
                    self._stage(proposal)

    def _run_id(self) -> str:
        """A new id. Ids sort as the runs were, in one second too: the last is undone first."""
        second = f"{self._clock().astimezone(self._zone):%Y%m%dT%H%M%S}-"
        token = self._token()
        taken = [run[len(second) :] for run in self.state.run_ids() if run.startswith(second)]
        if taken and token <= (last := max(taken)):
            try:
                token = f"{int(last, 16) + 1:0{len(last)}x}"
            except ValueError:
                token = f"{last}0"
            if token <= last:
                token = f"{last}0"
        return second + token

    def _now(self) -> str:
        return self._clock().astimezone(self._zone).isoformat(timespec="seconds")


def _zone(name: str) -> tzinfo | None:
    """The zone of the setting ``timezone``; ``None`` stands for the machine's own."""
    if name == "local":
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def _stripped_lines(raw: bytes | None) -> frozenset[str]:
    text = (raw or b"").decode("utf-8", "replace")
    return frozenset(line.strip() for line in text.splitlines())
