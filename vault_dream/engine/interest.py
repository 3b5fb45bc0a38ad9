"""The session's part in the proactive flow: topics in the session's run or one of their own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from vault_dream.engine.dream.run import Run
from vault_dream.engine.dream.scan import Scan, Scanner
from vault_dream.engine.dream.sources import own_blocks
from vault_dream.engine.dream.topics import DIVERSITY_DAYS, MOST_TOPICS
from vault_dream.engine.intake import Intake
from vault_dream.engine.journal import FileWrite
from vault_dream.engine.proactive import Refresh, Refreshed

if TYPE_CHECKING:
    from vault_dream.engine.events import Event
    from vault_dream.engine.reader_at_work import ReaderAtWork

T = TypeVar("T")


class Interest(Intake):
    """The part of a session that names topics. Stateful, as the open vault is."""

    if TYPE_CHECKING:
        _tell: Callable[[Event], None]
        _at_work: ReaderAtWork

        def _work(self, work: Coroutine[Any, Any, T]) -> T: ...

        def report(self) -> dict[str, Any]: ...

    def topics(
        self,
        day: date | None = None,
        *,
        scan_days: int | None = None,
        limit: int = MOST_TOPICS,
        diversity_days: int = DIVERSITY_DAYS,
        hint: str = "",
        refresh: bool = True,
    ) -> Refreshed:
        """Name topics for ``day`` (today) from its ``scan_days``, and write its ``interests.yaml``.

        Same-day topics stay, and those of the ``diversity_days`` before are not said again. Without
        ``refresh`` what is there is only read. Without a reader they are found by code. Raises what
        the reader raises, :class:`PathError` for a file that would be outside the vault,
        :class:`EditError` for one that cannot be added to, and :class:`FilesystemError`.
        """
        day = day or self.today
        if self._run is None:
            self._at_work.begin()
            self._run = Run(self._run_id(), Scan(day, (day,)), dry_run=self.dry_run)
        self.digest.refresh()
        catalog = self.state.catalog()
        own = partial(own_blocks, self.digest)
        scanner = Scanner(self.vault, self.layout, self.settings, catalog, own_text=own)
        flow = Refresh(
            vault=self.vault,
            layout=self.layout,
            scanner=scanner,
            reader=self.reader,
            journal=self.journal,
            run_id=self.run.id,
            dry_run=self.dry_run,
            stamp=f"{self._clock():%Y%m%dT%H%M%S}",
            work=self._work,
            tell=self._tell,
            state=self._topics_state,
            limit=limit,
            diversity_days=diversity_days,
            language=self.settings.language,
            hint=hint,
        )
        if not refresh:
            return flow.kept(day)
        return flow.run(day, scan_days or self.settings.scan_days)

    def _topics_state(self, made: Refreshed) -> Sequence[FileWrite]:
        """The report of the run, with its topics in it."""
        self.run.topics = {
            "path": made.path,
            "added": [topic.title for topic in made.added],
            "kept": len(made.topics) - len(made.added),
            "by": made.by,
        }
        write = self.state.write(self.state.report_path(self.run.id), self.report())
        return [write] if write is not None else []
