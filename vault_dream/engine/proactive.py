"""The proactive flow: what a day's notes make worth hearing more about, in its ``interests.yaml``.

It reads the days as a dream does, with the same exclusions, but touches neither catalog nor digest;
and a dream never reads or writes what it makes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, TypeVar

from vault_dream.engine.dream.interests import FILE_NAME, read_interests, with_topics
from vault_dream.engine.dream.offline.interests import local_topics
from vault_dream.engine.dream.reader import ExtractRequest, Reader, Sender, SourceText
from vault_dream.engine.dream.scan import Scanner, Source, window
from vault_dream.engine.dream.topics import (
    DIVERSITY_DAYS,
    MOST_TOPICS,
    LeftOut,
    Topic,
    TopicClaim,
    TopicReader,
    TopicsRequest,
    choose,
)
from vault_dream.engine.errors import FilesystemError, VaultDreamError
from vault_dream.engine.events import Event, Sending, TopicsFound
from vault_dream.engine.journal import FileWrite, Journal, Landing, WriteSet, unified_diff
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.vault import Vault

T = TypeVar("T")
LOCAL = "local"
"""Who named the topics where no model did."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The topics of a day. ``topics`` are all that its file holds now, ``added`` the new ones;
    ``by`` is the model that named them, or ``local``. ``aside`` is where a file that was none of
    ours is now. ``diff`` shows the change of the file, which in a dry run was not made."""

    day: date
    path: str
    topics: tuple[Topic, ...] = ()
    added: tuple[Topic, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    by: str = ""
    aside: str = ""
    diff: str = ""
    warnings: tuple[str, ...] = ()


@dataclass
class Refresh:
    """One refresh of a day's topics. Stateful: collects warnings.

    ``work`` runs a reader's coroutine; ``state`` gives the state files that go with what landed.
    """

    vault: Vault
    layout: DailyLayout
    scanner: Scanner
    reader: Reader | None
    journal: Journal
    run_id: str
    dry_run: bool
    stamp: str
    work: Callable[[Coroutine[Any, Any, Sequence[TopicClaim]]], Sequence[TopicClaim]]
    tell: Callable[[Event], None]
    state: Callable[[Refreshed], Sequence[FileWrite]]
    limit: int = MOST_TOPICS
    diversity_days: int = DIVERSITY_DAYS
    language: str = "auto"
    hint: str = ""
    _warnings: list[str] = field(default_factory=list)

    def path_of(self, day: date) -> str:
        return f"{self.layout.day_folder(day)}/{FILE_NAME}"

    def kept(self, day: date) -> Refreshed:
        """The topics that the day has already; nothing is read or asked."""
        _, topics, _ = self._today(self.path_of(day))
        return Refreshed(day, self.path_of(day), topics, warnings=tuple(self._warnings))

    def run(self, day: date, scan_days: int) -> Refreshed:
        """Name topics for ``day`` from the ``scan_days`` days that end with it, and write them.

        Raises what the reader raises, :class:`PathError` for a file that would leave the vault, and
        :class:`FilesystemError` where it cannot be written.
        """
        path = self.path_of(day)
        raw, today, broken = self._today(path)
        room = self.limit - len(today)
        sources = self._sources(day, scan_days) if room > 0 else ()
        if not sources:
            return Refreshed(day, path, today, warnings=tuple(self._warnings))
        recent = self._recent(day)
        known = (*today, *(topic for topics in recent.values() for topic in topics))
        request = TopicsRequest(sources, room, known, self.hint, self.language)
        claims, by = self._claims(request)
        added, left = choose(claims, sources, limit=room, today=today, recent=recent)
        self.tell(TopicsFound(path, tuple(topic.title for topic in added)))
        found = Refreshed(day, path, today, (), left, by, warnings=tuple(self._warnings))
        return self._written(found, raw, added, broken) if added else found

    # Reading -------------------------------------------------------------------------------------

    def _today(self, path: str) -> tuple[bytes | None, tuple[Topic, ...], str]:
        """The file's bytes and topics, and why it is none of ours."""
        raw = self._raw(path)
        found = read_interests(raw) if raw is not None else None
        if found is not None and found.problem:
            self._warnings.append(f"{path}: {found.problem}")
            return raw, (), found.problem
        return raw, found.topics if found is not None else (), ""

    def _raw(self, path: str) -> bytes | None:
        file = self.vault.disk_path(path)
        try:
            return file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FilesystemError(
                path, f"it cannot be read ({error.strerror})", "check what is in its place"
            ) from None

    def _recent(self, day: date) -> Mapping[date, tuple[Topic, ...]]:
        """The topics of the days before; a file that cannot be read counts as none."""
        found: dict[date, tuple[Topic, ...]] = {}
        for back in range(1, self.diversity_days + 1):
            if day.toordinal() <= back:
                break
            before = day - timedelta(days=back)
            path = self.path_of(before)
            try:
                raw = self._raw(path)
            except VaultDreamError as error:
                self._warnings.append(f"{path}: {error.what}")
                continue
            if raw is not None:
                interests = read_interests(raw)
                if interests.problem:
                    self._warnings.append(f"{path}: {interests.problem}")
                found[before] = interests.topics
        return found

    def _sources(self, day: date, scan_days: int) -> tuple[SourceText, ...]:
        texts: list[SourceText] = []
        for each in window(day, scan_days, None):
            for path in self.scanner.inputs(each):
                found = self.scanner.read(path)
                if isinstance(found, Source) and found.blocks:
                    texts.append(found.as_text(len(texts) + 1))
        return tuple(texts)

    def _claims(self, request: TopicsRequest) -> tuple[Sequence[TopicClaim], str]:
        reader = self.reader
        if not isinstance(reader, TopicReader):
            return local_topics(request), LOCAL
        if isinstance(reader, Sender):
            about = ExtractRequest(request.sources, request.limit, request.hint, request.language)
            if first := reader.first_send(about):
                self.tell(Sending(first.host, first.model, first.notes, first.characters))
        by = LOCAL if reader.provider == "offline" else reader.model
        return self.work(_claimed(reader, request)), by

    # Writing -------------------------------------------------------------------------------------

    def _written(
        self, found: Refreshed, raw: bytes | None, added: tuple[Topic, ...], broken: str
    ) -> Refreshed:
        before = None if broken else raw
        after = with_topics(before, added, found.day)
        made = replace(found, topics=(*found.topics, *added), added=added)
        writes = [FileWrite(found.path, raw, after)]
        if broken and raw is not None:
            aside = self._aside(found.path)
            writes.insert(0, FileWrite(aside, None, raw))
            made = replace(made, aside=aside)
        made = replace(made, diff=unified_diff(found.path, raw, after))
        if self.dry_run:
            return made

        def state(landing: Landing) -> Sequence[FileWrite]:
            return self.state(made) if landing.landed else ()

        landing = self.journal.commit(
            self.run_id, [WriteSet(f"topics {found.path}", tuple(writes))], state
        )
        if not landing.landed:
            why = [*landing.stale.values(), *(p.what for p in landing.refused.values())]
            raise FilesystemError(
                found.path, f"it was not written ({'; '.join(why)})", "ask for the topics again"
            )
        return made

    def _aside(self, path: str) -> str:
        """A free name beside ``path``, with the time in it."""
        number = 0
        while True:
            more = f"-{number}" if number else ""
            aside = f"{path}.unreadable-{self.stamp}{more}"
            if not self.vault.disk_path(aside).exists():
                return aside
            number += 1


async def _claimed(reader: TopicReader, request: TopicsRequest) -> Sequence[TopicClaim]:
    return await reader.topics(request)
