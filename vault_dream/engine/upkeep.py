"""What comes after a commit: undo, forgetting, and the vault's own git repository."""

from __future__ import annotations

from collections.abc import Sequence

from vault_dream.engine.dream.afterwards import after_undo, forget_in_state
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.journal import Undone
from vault_dream.engine.opened import OpenVault
from vault_dream.engine.versioning import git_commit


class Upkeep(OpenVault):
    """Taking back, taking out and recording what a run wrote. Stateful, as the open vault is."""

    def undo(
        self,
        run_id: str | None = None,
        paths: Sequence[str] | None = None,
        *,
        merge: bool = False,
        again: bool = False,
    ) -> Undone:
        """Give the files of a run (the last one that wrote) the bytes they had before it.

        ``paths`` limits it to some nodes. A file changed since stays, unless ``merge`` finds a
        clean three-way merge. Undone units count as rejected, unless ``again``. Raises
        :class:`FilesystemError` where there is no such run.
        """
        if run_id is None:
            run_id = self.last_written()
        return self.journal.undo(
            run_id,
            paths,
            merge=merge,
            state=lambda undone: after_undo(self.state, undone, again=again),
        )

    def last_written(self) -> str:
        """The id of the last run of which something still stands."""
        for run_id in reversed(self.journal.runs()):
            if any(not change.undone for change in self.journal.changes(run_id)):
                return run_id
        raise FilesystemError(
            self.settings.state_dir, "no run left anything to undo", "see vault-dream log"
        )

    def forget(self, path: str) -> tuple[str, ...]:
        """Take the text of the note at ``path`` out of journals, undo records, proposals, reports
        and the index; returns the files that held it."""
        held = self.journal.forget(path)
        writes = forget_in_state(self.state, path)
        if writes:
            self.journal.commit(self._run_id(), (), lambda landing: writes)
        if self._lookup is not None:
            self._lookup.close()
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
        ours = [p.relative_to(self.vault.root).as_posix() for p in state.rglob("*") if p.is_file()]
        counts = f"{len(run.created)} created, {len(run.updated)} updated"
        why_not = git_commit(self.vault.root, [*written, *ours], f"Vault Dream {run.id}: {counts}")
        if why_not:
            run.warnings.append(f"no git commit was made: {why_not}")
