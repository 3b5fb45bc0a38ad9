"""The desk: the open session as the screens see it, with the decisions that can be taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_dream.engine.errors import BusyError, VaultDreamError
from vault_dream.ui.dreams import Dreams
from vault_dream.ui.sights import Landed, Sight, Step

if TYPE_CHECKING:
    from vault_dream.config import Settings
    from vault_dream.engine.dream.proposals import Proposal, State
    from vault_dream.engine.glance import Glance, Overview
    from vault_dream.engine.vault.daily import DailyLayout
    from vault_dream.first_settings import FirstChoice


LAST_WORDS = 30.0
"""Seconds that leaving the app waits for a dream to put down what it has."""


class Desk(Dreams):
    """One vault under review. Stateful: the session, the steps to take back, a dream that goes on.

    ``tell`` gets the session's events from whichever thread they happen in. Methods that read or
    write the disk are called from worker threads; deciding is quick and may be called anywhere.
    """

    def __init__(
        self,
        root: Path,
        *,
        flags: Mapping[str, Any] | None = None,
        clock: Callable[[], datetime] | None = None,
        day: date | None = None,
        reader: Any = None,
        session_options: Mapping[str, Any] | None = None,
        tell: Callable[[Any], None] = lambda event: None,
    ) -> None:
        super().__init__(reader, day)
        self.root = root
        self.settings: Settings | None = None
        self.recovered: tuple[str, ...] = ()
        self._flags = dict(flags or {})
        self._clock = clock
        self._options = dict(session_options or {})
        self._tell = tell
        self._steps: list[Step] = []
        self._saving = threading.Lock()
        self._unsaved = False

    # Opening -------------------------------------------------------------------------------------

    def open(self) -> Overview:
        """Open the vault, put right what a killed run left, and look around.

        Raises :class:`SettingsError` and :class:`FilesystemError`.
        """
        from vault_dream.config import load_settings
        from vault_dream.engine.overview import overview
        from vault_dream.engine.session import ReviewSession
        from vault_dream.places import index_file

        if self.session is None:
            settings = load_settings(self.root, flags=self._flags)
            options: dict[str, Any] = {"index_file": index_file(self.root), **self._options}
            session = ReviewSession(
                self.root,
                settings,
                reader=self._reader,
                clock=self._clock,
                on_event=self._tell,
                **options,
            )
            with suppress(BusyError):  # somebody is writing at this moment: nothing is left over
                self.recovered = tuple(f"{r.path}: {r.outcome}" for r in session.recover())
            self.settings = settings
            _ = session.earlier
            self.session = session
        return self._glanced(overview(self.session, self.day))

    @property
    def last_glance(self) -> Glance | None:
        """What was seen of the vault when it was open last, before it is open."""
        from vault_dream.engine.glance import last_glance
        from vault_dream.places import index_folder

        return last_glance(Path(index_folder(self.root)))

    def _glanced(self, view: Overview) -> Overview:
        """``view``, kept for the next start."""
        from vault_dream.engine.glance import Glance, keep_glance
        from vault_dream.places import index_folder

        now = (self._clock or datetime.now)()
        glance = Glance(view, self.reader_words(), self.why_no_reader(), now)
        keep_glance(Path(index_folder(self.root)), glance)
        return view

    @property
    def has_settings(self) -> bool:
        """Whether the vault has settings of its own."""
        from vault_dream.first_settings import has_settings

        return has_settings(self.root)

    def daily_notes(self, folder: str | None) -> tuple[DailyLayout, int]:
        """Where daily notes live, ``folder`` if it is given, and how many are there. Raises
        :class:`PathError` for a folder that cannot be one."""
        from vault_dream.engine.vault.daily import find_layout

        vault = self.open_session.vault
        entries = vault.listing().entries
        layout = self.open_session.layout
        if folder is not None:
            layout = find_layout(entries, vault.obsidian, daily_dir=folder)
        return layout, sum(1 for path in entries if layout.date_of(path) is not None)

    def first_settings(self, choice: FirstChoice) -> str:
        """The settings file that ``choice`` would make."""
        from vault_dream.first_settings import settings_text

        return settings_text(choice, self.open_session.layout)

    def begin(self, choice: FirstChoice) -> Overview:
        """Write the first settings, and open the vault with them."""
        from vault_dream.first_settings import write_settings

        write_settings(self.root, self.first_settings(choice))
        session, self.session = self.open_session, None
        session.close()
        return self.open()

    def why_no_reader(self) -> str:
        """Why nothing can be read by a model, ``""`` where it can be tried. Asks the settings
        alone, because making a reader takes its time."""
        session = self.session
        if session is None:
            return "the vault is still being read"
        if session.reader is not None or session.settings.provider == "offline":
            return ""
        if session.settings.model:
            return ""
        return "no model is configured; s sets one up, or set provider: offline in vault-dream.yaml"

    def reader_words(self) -> str:
        """Which reader there is, and whether anything leaves the machine."""
        session = self.session
        if session is None or self.why_no_reader():
            return "No model is configured, so nothing leaves this machine."
        reader, settings = session.reader, session.settings
        if settings.provider == "offline":
            return "The offline reader. Nothing leaves this machine."
        name = reader.model if reader is not None else settings.model
        return f"{name} at {settings.base_url}." if settings.base_url else f"{name}."

    def close(self) -> None:
        """Stop a dream that goes on, keep what it made, and give back the session."""
        if self.session is None:
            return
        if self.dreaming:
            self.session.cancel()
            self._dream_over.wait(LAST_WORDS)
        self.session.close()

    # Seeing --------------------------------------------------------------------------------------

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        return () if self.session is None else self.session.proposals

    @property
    def approved(self) -> tuple[Proposal, ...]:
        return tuple(p for p in self.proposals if p.state == "approved")

    @property
    def parked(self) -> tuple[Proposal, ...]:
        """Proposals that are parked: nobody decided them for a month."""
        return () if self.session is None else self.session.parked

    def unpark(self, proposal_id: str) -> None:
        """Put a parked proposal back among those to decide."""
        self.open_session.unpark(proposal_id)
        self._unsaved = True

    def proposal(self, proposal_id: str | None) -> Proposal | None:
        """The proposal as it stands now."""
        if proposal_id is None or self.session is None:
            return None
        try:
            return self.session.proposal(proposal_id)
        except KeyError:
            return None

    def look(self, proposal: Proposal) -> Sight:
        """All there is to see of ``proposal``. Reads the disk."""
        session = self.open_session
        paths = dict.fromkeys((proposal.target, *(edge.target for edge in proposal.edges)))
        names = {path: self.name_of(path) for path in (*paths, *proposal.unit.paths)}
        try:
            evidence = session.evidence(proposal.id)
            if proposal.state in ("committed", "settled", "failed") or not proposal.changes:
                return Sight(proposal, None, (), evidence, 0, names, _no_change(proposal))
            return Sight(
                proposal,
                session.sides(proposal.id),
                session.hunks(proposal.id),
                evidence,
                session.owner_lines(proposal.id),
                names,
            )
        except KeyError:
            return Sight(proposal, None, (), (), 0, names, "it is no longer among the proposals")
        except VaultDreamError as error:
            return Sight(proposal, None, (), (), 0, names, f"{error.where}: {error.what}")

    # Deciding ------------------------------------------------------------------------------------

    def decide(self, proposal_id: str, state: State, why: str = "") -> None:
        """Decide one proposal."""
        before = self.open_session.proposal(proposal_id)
        self.open_session.decide(proposal_id, state, why=why)
        self._steps.append(Step(before, state))
        self._unsaved = True

    def decide_all(self, proposal_ids: Sequence[str], state: State) -> None:
        """Decide several, each a step of its own."""
        for proposal_id in proposal_ids:
            self.decide(proposal_id, state)

    def revise(self, proposal_id: str, what: str, change: Callable[[], Proposal]) -> Proposal:
        """Change a proposal by one of the session's methods, so that it can be taken back.

        Raises what the session raises, with the proposal as it was.
        """
        before = self.open_session.proposal(proposal_id)
        after = change()
        self._steps.append(Step(before, what))
        self._unsaved = True
        return after

    @property
    def can_undo(self) -> bool:
        return bool(self._steps)

    def undo(self) -> Step:
        """Take the last step back."""
        step = self._steps.pop()
        self.open_session.put_back(step.before)
        self._unsaved = True
        return step

    def save(self) -> None:
        """Keep the decisions. While a dream goes on they are kept when it is done."""
        if self.session is not None and not self.dreaming:
            with self._saving:
                if self._unsaved:  # else one that waited here before kept this as well
                    self._unsaved = False
                    self.session.save()

    def reload(self) -> Overview:
        """Look at the disk again: what changed there, and what another run proposed."""
        from vault_dream.engine.overview import overview

        session = self.open_session
        if not self.dreaming:
            if self._unsaved:
                self.save()
            with self._saving:
                session.reload()
                session.refresh_stale()
        return self._glanced(overview(session, self.day))

    # Committing ----------------------------------------------------------------------------------

    def commit(self) -> Landed:
        """Write what is approved, then tag what was written; the tags land unless a check holds
        them.

        Raises :class:`FilesystemError`, with the vault whole.
        """
        from vault_dream.engine.dream.tagging import tags_wanted
        from vault_dream.engine.errors import NoModelError

        session = self.open_session
        warned = len(session.run.warnings)
        approved = self.approved
        first = None
        with suppress(NoModelError):  # then nothing is tagged
            first = self.new_endpoint()
        with self._saving:
            session.commit()
            self._steps.clear()  # what has landed is no step of a decision any more
            landed = tuple(p for p in map(self._now, approved) if p.state == "committed")
            tags = {}
            if landed and tags_wanted(session.settings):
                if first is None:
                    tags = self._tag()
                else:
                    session.run.warnings.append(
                        f"no tags: nothing was ever sent to {first.host}, and nobody was asked"
                    )
            session.record_in_git()
        paths = {
            change.path: "new" if change.base is None else "changed"
            for proposal in landed
            for change in proposal.changes
        }
        pages = dict.fromkeys(session.run.pages, "its list of notes")
        waiting = tuple(
            (p.unit.name, p.decision.reason)
            for p in map(self._now, approved)
            if p.state not in ("committed", "settled")
        )
        warnings = tuple(session.run.warnings[warned:])
        return Landed(session.run.id, tuple({**paths, **pages}.items()), tags, waiting, warnings)

    def _now(self, proposal: Proposal) -> Proposal:
        return self.open_session.proposal(proposal.id)

    def _tag(self) -> dict[str, tuple[str, ...]]:
        """Tags for what was written, as far as no check holds them."""
        from vault_dream.engine.policy import judge

        session = self.open_session
        made = session.auto_tag()
        for proposal in made:
            verdict = judge(proposal, "apply")
            state: State = "approved" if verdict.lands else "later"
            session.decide(proposal.id, state, by="policy", why=verdict.reason)
        if made:
            session.commit()
        field = session.settings.tag_field
        return {
            proposal.target: self._tags_of(proposal.target, field)
            for proposal in map(self._now, made)
            if proposal.state == "committed"
        }

    def _tags_of(self, path: str, field: str) -> tuple[str, ...]:
        from vault_dream.engine.vault.properties import read_properties

        return read_properties(self.open_session.vault.read(path)).texts(field)

    def undo_run(self, run_id: str) -> tuple[str, ...]:
        """Put back what a run changed; returns a line for each file."""
        session = self.open_session
        with self._saving:
            undone = session.undo(run_id)
            session.digest.refresh()
        return tuple(
            f"{file.path}: {file.outcome}"
            + (f", now {file.trash}" if file.trash else "")
            + (f" ({file.note})" if file.note else "")
            for file in undone.files
        )


def _no_change(proposal: Proposal) -> str:
    if proposal.state == "committed":
        return "it has landed"
    return "nothing changes: the node already says it"
