"""What comes after a commit: undo, forget, and the vault's own git repository."""

from __future__ import annotations

from collections.abc import Sequence

from vault_dream.engine.dream.afterwards import after_undo
from vault_dream.engine.dream.forgetting import forget_in_state, units_in, words_of
from vault_dream.engine.errors import FilesystemError, PathError
from vault_dream.engine.glance import drop_glance
from vault_dream.engine.journal import Undone
from vault_dream.engine.opened import OpenVault
from vault_dream.engine.vault.disk import TEMP_PREFIX
from vault_dream.engine.vault.paths import key, normalise
from vault_dream.engine.versioning import git_commit


class Upkeep(OpenVault):
    """Undoing, forgetting and recording what a run wrote. Stateful, as the open vault is."""

    def undo(
        self,
        run_id: str | None = None,
        paths: Sequence[str] | None = None,
        *,
        merge: bool = False,
        again: bool = False,
    ) -> Undone:
        """Restore the files of a run (the last one that wrote) to the bytes they had before it.

        ``paths`` limits it to some nodes. A file that changed since stays as it is, unless
        ``merge`` finds a clean three-way merge. Undone units count as rejected, unless ``again``.
        Raises :class:`FilesystemError` if there is no such run, and :class:`PathError` for a path
        that the run did not change.
        """
        if run_id is None:
            run_id = self.last_written()
        if run_id is None:
            raise FilesystemError(
                self.settings.state_dir, "no run has anything to undo", "see vault-dream log"
            )
        if paths:
            changed = {key(c.path): c.path for c in self.journal.changes(run_id)}
            paths = [changed.get(key(normalise(path)), path) for path in paths]
            for path in paths:
                if path not in changed.values():
                    raise PathError(
                        path, f"run {run_id} did not change it", f"see vault-dream log {run_id}"
                    )
        undone = self.journal.undo(
            run_id,
            paths,
            merge=merge,
            state=lambda undone: after_undo(self.state, undone, again=again),
        )
        self._take_back(undone.sets)
        return undone

    def _take_back(self, proposal_ids: Sequence[str]) -> None:
        """Let proposals that landed and were undone be rejected in this session too."""
        for known in (self.earlier, self._run.proposals if self._run else {}):
            for proposal_id in proposal_ids:
                if (found := known.get(proposal_id)) and found.state == "committed":
                    known[proposal_id] = found.decided("rejected", "person", self._now(), "undone")

    def last_written(self) -> str | None:
        """The id of the last run with something left to undo."""
        for run_id in reversed(self.journal.runs()):
            if any(not change.undone for change in self.journal.changes(run_id)):
                return run_id
        return None

    def note_called(self, name: str) -> str:
        """The path of the note that a person calls ``name``: one of the vault, or one of which
        something is kept, whatever its case and form, and with ``.md`` where it lacks it.

        It comes back as it is where there is none. Raises :class:`PathError`, for a folder too.
        """
        path = normalise(name)
        for kept in (self.vault.listing(refresh=True).entries, self._kept_paths()):
            by_key = {key(each): each for each in kept}
            for wanted in (path, f"{path}.md"):
                if wanted in kept:
                    return wanted
                if found := by_key.get(key(wanted)):
                    return found
        if self.vault.exists(path):
            raise PathError(path, "is a folder", "give the path of a note in it")
        return path

    def _kept_paths(self) -> frozenset[str]:
        """Every note that the state names: one may be kept of which the vault has nothing more."""
        runs = self.journal.runs()
        return frozenset(
            (
                *self.catalog().files,
                *(path for unit in units_in(self.state) for path in unit.paths),
                *(proposal.target for proposal in self.state.proposals()),
                *(change.path for run in runs for change in self.journal.changes(run)),
            )
        )

    def forget(self, path: str) -> tuple[str, ...]:
        """Remove the text of the note at ``path``, and quotes from it, from journals, undo records,
        proposals, reports and the index; returns the files that contained it."""
        text = self.vault.read(path).text if self.vault.exists(path) else ""
        words = words_of(path, text, self.state)
        writes = self.state.tidied(forget_in_state(self.state, words))
        if writes:
            self.journal.commit(self._run_id(), (), lambda landing: writes)
        held = self.journal.forget(path, words.held_by)
        if self._lookup is not None:
            self._lookup.close()
        if self._index_folder is not None:
            drop_glance(self._index_folder)
        self.digest.forget()
        return (*held, *(write.path for write in writes))

    def record_in_git(self) -> None:
        """With ``on_commit: git``, commit exactly what the run wrote; a failure is a warning."""
        run = self.run
        if self.settings.on_commit != "git" or self.dry_run:
            return
        written = (*run.created, *run.updated, *run.pages)
        if not written:
            return
        state = self.vault.root / self.settings.state_dir
        ours = [
            file.relative_to(self.vault.root).as_posix()
            for file in sorted(state.rglob("*"))
            if file.is_file() and not file.name.startswith(TEMP_PREFIX)
        ]
        counts = f"{len(run.created)} created, {len(run.updated)} updated"
        why_not = git_commit(self.vault.root, [*written, *ours], f"Vault Dream {run.id}: {counts}")
        if why_not:
            run.warnings.append(f"no git commit was made: {why_not}")
