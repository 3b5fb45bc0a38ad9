"""Examine: what the checks say of a proposal, on the notes as they are or as somebody gives
them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import edges_of
from vault_dream.engine.dream import suspicions as suspicions  # its checks register themselves
from vault_dream.engine.dream.checks import Case, added_edges, lost_links, run_checks
from vault_dream.engine.dream.edits import apply_ops
from vault_dream.engine.dream.proposals import Proposal
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import key


@dataclass(frozen=True)
class Examiner:
    """Puts proposals before the checks. ``written`` gives the lines that runs put into a node,
    stripped: all other lines are its owner's."""

    digest: Digest
    settings: Settings
    written: Callable[[str], frozenset[str]]

    def examine(
        self,
        proposal: Proposal,
        sources: Mapping[str, str],
        *,
        before: Mapping[str, str | None] | None = None,
        read: Mapping[str, str] | None = None,
    ) -> Proposal:
        """``proposal`` with its findings, its edges, and the links it adds and loses.

        ``sources`` are the texts of what it cites; ``before`` gives the texts to work from where
        they are not what the digest shows; ``read`` what else its reader may have seen. Raises
        :class:`EditError` where an operation does not fit.
        """
        case = self._case(proposal, sources, before or {}, read or {})
        return replace(
            proposal,
            edges=tuple(edge for note in case.after.values() for edge in edges_of(note, case.new)),
            links_added=tuple(dict.fromkeys(edge.target for edge in added_edges(case))),
            links_lost=tuple(sorted(target for _, target in lost_links(case))),
            findings=run_checks(case),
        )

    def _case(
        self,
        proposal: Proposal,
        sources: Mapping[str, str],
        given: Mapping[str, str | None],
        read: Mapping[str, str],
    ) -> Case:
        old: dict[str, Note | None] = {}
        new: dict[str, Note] = {}
        for change in proposal.changes:
            path = change.path
            text = given[path] if path in given else self._text(path)
            old[path] = None if text is None else parse_note(path, text.encode("utf-8"))
            new[path] = parse_note(path, apply_ops(path, text, change.ops).encode("utf-8"))
        created = [path for path, note in old.items() if note is None]
        resolver = self.digest.resolver()
        return Case(
            proposal=proposal,
            before=old,
            after=new,
            old=resolver,
            new=resolver.with_paths(created) if created else resolver,
            taken=frozenset(key(path) for path in self.digest.paths() if path not in created),
            sources=sources,
            settings=self.settings,
            read=read,
            written={path: self.written(path) for path, note in old.items() if note is not None},
            real={path: self._real(path) for path in old},
        )

    def _real(self, path: str) -> str:
        """Where ``path`` leads on the disk, as a vault path; ``""`` for out of the vault."""
        vault = self.digest.vault
        try:
            found = vault.disk_path(path).relative_to(vault.root).as_posix()
        except (VaultDreamError, ValueError):
            return ""
        return unicodedata.normalize("NFC", found)

    def _text(self, path: str) -> str | None:
        return self.digest.note(path).text if self.digest.exists(path) else None
