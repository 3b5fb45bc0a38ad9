"""What can be read at the desk: notes, their neighbours, past runs."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.sights import Neighbours, PastRun

if TYPE_CHECKING:
    from vault_dream.engine.dream.revise import Hunk
    from vault_dream.engine.session import ReviewSession


class Readings:
    """The open vault, read only. Stateful: holds the session. All of it reads the disk."""

    session: ReviewSession | None = None

    @property
    def open_session(self) -> ReviewSession:
        """The session; only for what can be asked once the vault is open."""
        assert self.session is not None
        return self.session

    def name_of(self, path: str) -> str:
        """What a person calls the note at ``path``: a node's name, a day's date, a file's stem."""
        session = self.open_session
        if session.digest.contains(path) and session.digest.exists(path):
            with suppress(VaultDreamError):
                return session.digest.node(path).name
        day = session.layout.day_of(path)
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        if day is None:
            return stem
        date_words = f"{day.day} {day:%b}"
        return date_words if session.layout.date_of(path) else f"{date_words}, {stem}"

    def text_of(self, path: str) -> str:
        """The text of a note, as it stands or as an undecided proposal would make it."""
        return self.open_session.digest.note(path).text

    def past_runs(self) -> tuple[PastRun, ...]:
        """The runs of which something can be shown, the newest first."""
        session = self.open_session
        found: list[PastRun] = []
        for run_id in reversed(session.journal.runs()):
            with suppress(VaultDreamError, ValueError):
                at = datetime.strptime(run_id[:15], "%Y%m%dT%H%M%S")
                found.append(PastRun(run_id, at, session.journal.changes(run_id)))
        return tuple(found)

    def hunks_between(self, before: str, after: str) -> tuple[Hunk, ...]:
        """The line hunks from one text to another."""
        from vault_dream.engine.dream.revise import hunks

        return hunks(before, after)

    def neighbours(self, path: str) -> Neighbours:
        """A node with what it leads to and what leads to it."""
        from vault_dream.engine.digest.edges import edges_of

        session = self.open_session
        resolver = session.digest.resolver()
        node = session.digest.node(path)
        outgoing: dict[str, tuple[str, str, str, str, bool]] = {}
        for edge in edges_of(node.note, resolver):
            row = (
                edge.target,
                self.name_of(edge.target),
                edge.predicate,
                edge.sentence,
                edge.resolved,
            )
            _keep(outgoing, edge.target, row)
        incoming: dict[str, tuple[str, str, str, str, bool]] = {}
        for other in session.digest.nodes():
            if other.path == path or path.rsplit("/", 1)[-1][:-3] not in other.note.text:
                continue
            for edge in edges_of(other.note, resolver):
                if edge.target == path:
                    row = (other.path, other.name, edge.predicate, edge.sentence, True)
                    _keep(incoming, other.path, row)
        return Neighbours(
            path, node.name, node.description, tuple(incoming.values()), tuple(outgoing.values())
        )

    def resolve(self, link: str, source: str) -> str | None:
        """The note that a link leads to."""
        return self.open_session.digest.resolver().resolve(link, source).path


def _keep(
    rows: dict[str, tuple[str, str, str, str, bool]],
    path: str,
    row: tuple[str, str, str, str, bool],
) -> None:
    """One row for each note: a named predicate before a plain link, and the sentence with it."""
    known = rows.get(path)
    if known is None:
        rows[path] = row
        return
    predicate = row[2] if known[2] == "links_to" else known[2]
    rows[path] = (path, row[1], predicate, known[3] or row[3], row[4])
