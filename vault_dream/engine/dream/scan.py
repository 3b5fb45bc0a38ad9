"""The scan: which notes the run reads, what of them is new, and what was left out and why.

The window's files are few, so they are always read and hashed; the wider look only compares sizes
and times (DESIGN, *Scan*).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from vault_dream.config import Settings
from vault_dream.engine.digest.catalog import Catalog, Entry, block_hash
from vault_dream.engine.dream.dayindex import DayPage, index_span, without_index
from vault_dream.engine.dream.exclusions import Exclusions, shown_heading, shown_texts
from vault_dream.engine.dream.extras import ExtraInputs
from vault_dream.engine.dream.reader import SourceBlock, SourceText
from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.globs import matcher
from vault_dream.engine.vault.links import Link
from vault_dream.engine.vault.listing import CONFLICT_COPY
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.obsidian import is_excluded
from vault_dream.engine.vault.reading import Reading
from vault_dream.engine.vault.vault import Vault

LONGEST_WINDOW = 30
"""Days that the window is stretched back at most, in days."""
LOOKED_INTO = 100
"""Older notes that are looked into for whether they keep themselves from readers."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """A note that was not read, and why."""

    path: str
    reason: str

    def as_json(self) -> dict[str, str]:
        return {"path": self.path, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Source:
    """A note of a day as it was read. ``hash`` leaves a day page's index block out; ``blocks`` hold
    what a reader may see; ``hashes`` those of all its blocks."""

    path: str
    day: date | None
    note: Note
    hash: str
    size: int
    mtime_ns: int
    blocks: tuple[SourceBlock, ...]
    hashes: tuple[str, ...]
    known: Entry | None

    @property
    def fresh(self) -> bool:
        """Whether it says something that no earlier reading saw; headings alone say nothing."""
        return any(block.fresh and block.kind != "heading" for block in self.blocks)

    def shows(self, link: Link) -> bool:
        """Whether a reader sees ``link``: one in a comment or a private section leads nowhere."""
        within = any(block.line <= link.line <= block.end_line for block in self.blocks)
        return not link.hidden and (link.property is not None or within)

    def as_text(self, handle: int) -> SourceText:
        title = self.path.rsplit("/", 1)[-1].removesuffix(".md")
        return SourceText(handle, self.path, self.day, title, self.blocks)

    def entry(self, run_id: str) -> Entry:
        """What the catalog keeps of it once it is settled."""
        return Entry(
            hash=self.hash,
            blocks=self.hashes,
            size=self.size,
            mtime_ns=self.mtime_ns,
            run_id=run_id,
            units=self.known.units if self.known else (),
        )


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found. ``changed`` are sources whose bytes the catalog does not know;
    ``unchanged`` are known by their bytes, ``returned`` those among them that had been gone;
    ``renamed`` maps those that moved to their old paths."""

    day: date
    dates: tuple[date, ...]
    changed: tuple[Source, ...] = ()
    unchanged: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    older_unread: int = 0
    pages: tuple[DayPage, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def scanned(self) -> int:
        return len(self.changed) + len(self.unchanged)


def window(day: date, scan_days: int, last_completed: date | None) -> tuple[date, ...]:
    """The days to read, oldest first: ``scan_days`` ending at ``day``, stretched back to the last
    completed run and to what the nights since would have read, at most :data:`LONGEST_WINDOW`
    days."""
    last = day.toordinal()
    first = max(1, last - scan_days + 1)
    if last_completed is not None:
        completed = last_completed.toordinal()
        reach = min(completed, completed + 1 - (scan_days - 1))
        first = min(first, max(reach, last - LONGEST_WINDOW + 1, 1))
    return tuple(map(date.fromordinal, range(first, last + 1)))


class Scanner:
    """Reads the days of a vault against a catalog. Stateful: what it looked up once, it keeps."""

    def __init__(
        self,
        vault: Vault,
        layout: DailyLayout,
        settings: Settings,
        catalog: Catalog,
        *,
        own_text: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self.vault = vault
        self.layout = layout
        self.settings = settings
        self.catalog = catalog
        self._own_text = own_text
        self._own: frozenset[str] | None = None
        self._looks = LOOKED_INTO
        self._excluded_glob = matcher(settings.exclude)
        self._exclusions = Exclusions(settings)
        self._forgotten = frozenset(
            block
            for entry in catalog.files.values()
            if entry.state == "gone"
            for block in entry.blocks
        )

    def scan(
        self,
        day: date,
        dates: tuple[date, ...],
        *,
        wanted: Iterable[str] = (),
        rest: Container[str] = (),
        newest_mtime_ns: int | None = None,
    ) -> Scan:
        """Read the inputs of ``dates``, and the paths ``wanted`` of any age.

        Those in ``rest`` failed so often that they wait, as long as their bytes stay the same.
        Notes that changed after ``newest_mtime_ns`` are left alone.
        """
        inputs: dict[str, date | None] = {}
        for each in dates:
            inputs.update(dict.fromkeys(self.inputs(each), each))
        for path in wanted:
            if path in self.vault.listing().entries:
                inputs.setdefault(path, self.layout.day_of(path))
        changed: list[Source] = []
        unchanged: list[str] = []
        returned: list[str] = []
        renamed: dict[str, str] = {}
        excluded = [Excluded(path, CONFLICT_COPY) for path in self._copies(dates, inputs)]
        for path, when in inputs.items():
            found = self._read(path, when, newest_mtime_ns)
            if isinstance(found, Excluded):
                excluded.append(found)
            elif path in rest and found.known and found.known.hash == found.hash:
                excluded.append(Excluded(path, "failed too often; tried again within a week"))
            elif found.known and found.known.hash == found.hash and found.known.state != "failed":
                unchanged.append(path)
                if found.known.state == "gone":
                    returned.append(path)
            elif found.known is None and (old := self._renamed_from(found)):
                renamed[path] = old
                unchanged.append(path)
            else:
                changed.append(found)
        return Scan(
            day=day,
            dates=dates,
            changed=tuple(changed),
            unchanged=tuple(unchanged),
            returned=tuple(returned),
            renamed=renamed,
            gone=tuple(self._gone(renamed)),
            excluded=tuple(excluded),
            older_unread=sum(1 for _ in self.older_unread(dates[0])),
            pages=tuple(self._pages(dates)),
        )

    def read(self, path: str) -> Source | Excluded:
        """The note at ``path`` as a source, or why it may not be one."""
        if path not in self.vault.listing().entries:
            return Excluded(path, "there is no such note")
        if not path.endswith(".md") or self._ours(path):
            return Excluded(path, "it is not one of the owner's notes")
        found = self._read(path, self.layout.day_of(path), None)
        return self._with_blocks(found) if isinstance(found, Source) else found

    @cached_property
    def _by_day(self) -> Mapping[date, tuple[str, ...]]:
        """Notes that belong to a day by their path, each day's daily note first."""
        found: dict[date, list[str]] = {}
        before = f"{self.layout.folder}/" if self.layout.folder else ""
        for path in self.vault.listing().entries:
            if not path.startswith(before) or not path.endswith(".md") or self._ours(path):
                continue
            day = self.layout.day_of(path)
            if day is not None:
                found.setdefault(day, []).append(path)
        return {
            day: tuple(sorted(paths, key=lambda path: (path.count("/"), path)))
            for day, paths in found.items()
        }

    def inputs(self, day: date) -> Iterator[str]:
        """Paths of the notes of ``day``: its daily note, its folder's notes, the extra inputs."""
        held = self._by_day.get(day, ())
        yield from held
        if self.settings.extra_inputs:
            yield from (path for path in self._extra.of(day) if path not in held)

    @cached_property
    def _extra(self) -> ExtraInputs:
        paths = sorted(self.vault.listing().entries)
        notes = (path for path in paths if path.endswith(".md") and not self._ours(path))
        return ExtraInputs(self.settings.extra_inputs, notes)

    def days(self) -> tuple[date, ...]:
        """Every day that a note belongs to by its path, the oldest first; extra inputs add none."""
        return tuple(sorted(self._by_day))

    def unread(self, paths: Iterable[str], *, failed: bool = False) -> Iterator[str]:
        """Those of ``paths`` that were never read or look changed since, told without reading one
        whose size and time are the ones that are known; with ``failed`` also those that wait to be
        tried again.

        What is kept from readers is not waiting for one. A note can say so itself, so the first
        :data:`LOOKED_INTO` of a scanner that nothing is known of are looked into: once the older
        days are read, only such notes are left.
        """
        entries = self.vault.listing().entries
        with self.vault.reading() as reading:
            for path in paths:
                entry, known = entries[path], self.catalog.get(path)
                same = known and (known.size, known.mtime_ns) == (entry.size, entry.mtime_ns)
                if known and same and (known.state != "failed" or not failed):
                    continue
                if not entry.size or self.left_out(path) or _same_bytes(reading, path, known):
                    continue
                if known is None and self._says_no(reading, path):
                    continue
                yield path

    def _says_no(self, reading: Reading, path: str) -> bool:
        """Whether the note keeps itself from readers, as far as it is looked into."""
        if self._looks == 0:
            return False
        self._looks -= 1
        note = reading.read_or_why(path)
        return isinstance(note, Note) and bool(self._exclusions.why_not(note))

    def older_unread(self, before: date) -> Iterator[str]:
        """Notes of days before ``before`` that were never read or look changed since."""
        earlier = (path for day, paths in self._by_day.items() if day < before for path in paths)
        yield from self.unread(earlier)

    def _copies(self, dates: Iterable[date], inputs: Container[str]) -> Iterator[str]:
        """Conflict copies of the daily notes of ``dates``: their names are no dates, but the owner
        is to know that part of a day may be in them."""
        entries = self.vault.listing().entries
        copies = [path for path in entries if conflict_copy(path.rpartition("/")[2])]
        stems = tuple(self.layout.path_for(day)[:-3] for day in dates) if copies else ()
        for path in sorted(copies):
            if path.startswith(stems) and path not in inputs and path.endswith(".md"):
                yield path

    def _ours(self, path: str) -> bool:
        settings = self.settings
        folders = (settings.digest_dir, settings.state_dir, *self.vault.obsidian.template_folders)
        return any(folder and path.startswith(folder + "/") for folder in folders)

    def _gone(self, renamed: Mapping[str, str]) -> Iterator[str]:
        entries = self.vault.listing().entries
        came_from = set(renamed.values())
        for path, entry in self.catalog.files.items():
            if entry.state != "gone" and path not in entries and path not in came_from:
                yield path

    def _renamed_from(self, source: Source) -> str | None:
        entries = self.vault.listing().entries
        for path, entry in self.catalog.files.items():
            if entry.hash == source.hash and path not in entries and entry.state != "failed":
                return path
        return None

    def left_out(self, path: str) -> str:
        """Why the note at ``path`` is never read, as far as its name tells, ``""`` where it is."""
        if skip := self.vault.listing().entries[path].skip:
            return skip
        if is_excluded(self.vault.obsidian, path):
            return "excluded in Obsidian's settings"
        return "excluded by the setting exclude" if self._excluded_glob(path) else ""

    def _read(self, path: str, day: date | None, newest_mtime_ns: int | None) -> Source | Excluded:
        entry = self.vault.listing().entries[path]
        if reason := self.left_out(path):
            return Excluded(path, reason)
        if entry.size == 0:
            return Excluded(path, "empty; it may still be syncing")
        if newest_mtime_ns is not None and entry.mtime_ns > newest_mtime_ns:
            return Excluded(path, "changed a moment ago; left for the next run")
        try:
            note = self.vault.read(path)
        except VaultDreamError as error:
            return Excluded(path, error.what)
        if reason := self._exclusions.why_not(note):
            return Excluded(path, reason)
        known = self.catalog.get(path)
        source = Source(
            path=path,
            day=day,
            note=note,
            hash=source_hash(note),
            size=entry.size,
            mtime_ns=entry.mtime_ns,
            blocks=(),
            hashes=(),
            known=known,
        )
        if known and known.hash == source.hash and known.state != "failed":
            return source
        return self._with_blocks(source)

    def _with_blocks(self, source: Source) -> Source:
        note = source.note
        index = index_span(note)
        seen = frozenset(source.known.blocks if source.known else ()) | self._forgotten
        kept: list[SourceBlock] = []
        hashes: list[str] = []
        kept_back, texts = self._exclusions.kept_back(note), shown_texts(note)
        for block in note.blocks:
            if index and index.start <= block.start < index.end:
                continue
            text = texts[block.start]
            if not text.strip():
                continue
            digest = block_hash(text)
            hashes.append(digest)
            if block.start in kept_back:
                continue
            fresh = digest not in seen
            if fresh and len(text) >= 40 and digest in self._digest_text():
                continue
            kept.append(
                SourceBlock(
                    line=block.line,
                    end_line=block.end_line,
                    kind=block.kind,
                    text=redact(text),
                    headings=tuple(redact(shown_heading(text)) for text in block.headings),
                    fresh=fresh,
                    depth=block.depth,
                )
            )
        return replace(source, blocks=tuple(kept), hashes=tuple(hashes))

    def _digest_text(self) -> frozenset[str]:
        """Hashes of the digest's own blocks, so that what we wrote never comes back as news."""
        if self._own is None:
            self._own = self._own_text()
        return self._own

    def _pages(self, dates: Iterable[date]) -> Iterator[DayPage]:
        if self.settings.day_index == "off":
            return
        entries = self.vault.listing().entries
        for day in dates:
            path = self.layout.path_for(day)
            held = tuple(
                note
                for note in self._by_day.get(day, ())
                if note != path and not entries[note].skip
            )
            if not held:
                continue
            note: Note | None = None
            if path in entries:
                try:
                    note = self.vault.read(path)
                except VaultDreamError:
                    continue
            yield DayPage(path, path.rsplit("/", 1)[-1].removesuffix(".md"), note, held)


def _same_bytes(reading: Reading, path: str, known: Entry | None) -> bool:
    """Whether a note whose size or time changed still says what was read: a sync program or our
    own list in a day page changes those."""
    if known is None or known.state == "failed":
        return False
    found = reading.read_or_why(path)
    return isinstance(found, Note) and source_hash(found) == known.hash


def source_hash(note: Note) -> str:
    """The identity of a source: the hash of its bytes, the index block of a day page left out."""
    return hashlib.sha256(without_index(note)).hexdigest()
