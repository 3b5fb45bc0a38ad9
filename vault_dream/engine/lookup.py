"""Lookup: searching a vault and following its links, with an index that is updated first.

What a person searches is their own vault on their own machine: every note that can be read, save
those under Obsidian's excluded files and the setting ``exclude``, which are never read at all.
``dream: false`` and the settings ``exclude_headings`` and ``exclude_tags`` keep text from a model,
not from its owner, so they hide nothing here.
"""

from __future__ import annotations

import os
import sys

from vault_dream.engine.digest.vaultindex import VaultIndex
from vault_dream.engine.vault.pulse import SETTLED_NS, pulse, stamp

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path
    from sqlite3 import Connection
    from typing import TypeVar

    from vault_dream.config import Settings
    from vault_dream.engine.digest.asking import Asked, Filter
    from vault_dream.engine.digest.finding import Hit, Wanted
    from vault_dream.engine.digest.graph import Graph
    from vault_dream.engine.digest.nodes import NodeHit
    from vault_dream.engine.digest.recall import Recall
    from vault_dream.engine.digest.tagcounts import TagCount
    from vault_dream.engine.digest.unchanged import Entry
    from vault_dream.engine.vault.daily import DailyLayout
    from vault_dream.engine.vault.listing import Entry as Listed
    from vault_dream.engine.vault.notes import Note
    from vault_dream.engine.vault.pulse import Ahead
    from vault_dream.engine.vault.reading import Reading
    from vault_dream.engine.vault.vault import Vault
    from vault_dream.engine.vault.watch import Watcher

    T = TypeVar("T")

VAULT_INDEX = "vault.sqlite"
NODE_INDEX = "nodes.sqlite"
VECTORS = "vectors.sqlite"


def make_recall(
    settings: Settings, folder: str | os.PathLike[str] | None, warn: Callable[[str], None]
) -> Recall | None:
    """Semantic recall as the setting ``embeddings`` wants it; None if off, and nothing imported."""
    if not settings.embeddings.model:
        return None
    from urllib.parse import urlsplit

    from vault_dream.engine.digest.embedding import Endpoint
    from vault_dream.engine.digest.recall import Recall
    from vault_dream.engine.dream.secrets import redact
    from vault_dream.engine.model.ledger import EMBEDDINGS, Ledger
    from vault_dream.engine.model.tokens import estimate_tokens
    from vault_dream.engine.vault.machine import state_home

    wanted = settings.embeddings
    endpoint = Endpoint.of(wanted.model, wanted.base_url, settings.api_key_env)
    file = _path_in(folder, VECTORS)
    ledger = Ledger(state_home() / "sent.jsonl")

    host = urlsplit(endpoint.base_url).netloc

    def announce(texts: Sequence[str]) -> None:
        if not ledger.embedded(host):
            nodes = "1 node" if len(texts) == 1 else f"{len(texts)} nodes"
            size = f"{sum(map(len, texts)):,} characters"
            warn(f"embeddings: for the first time, the text of {nodes} goes to {host} ({size})")

    def leave(text: str) -> str:
        shown = redact(text)
        ledger.record(
            host=host,
            model=endpoint.model,
            purpose=EMBEDDINGS,
            characters=len(shown),
            tokens=estimate_tokens(shown),
        )
        return shown

    return Recall(file, endpoint, warn=warn, announce=announce, conceal=leave)


def leaving(settings: Settings) -> Callable[[Note], Note | None]:
    """What of a node may go to the embeddings endpoint; asked only where there is one."""

    def shown(note: Note) -> Note | None:
        from vault_dream.engine.dream.showing import Showing

        return Showing(settings).note(note)

    return shown


def _path_in(folder: str | os.PathLike[str] | None, name: str) -> Path | None:
    from pathlib import Path

    return None if folder is None else Path(folder) / name


class Lookup:
    """One vault's search and graph. Stateful: holds the index and what was last known of the vault.

    ``settings`` is asked only where they are needed, which ``origin``, whatever they were made of,
    decides together with the vault. ``folder`` is where the index files are; None keeps them in
    memory. ``ahead`` is a pulse of the vault that was begun before. ``quick`` trusts the index
    until ``refresh`` or ``update``, as a watched vault may. ``warnings`` is what went wrong without
    failing.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        settings: Callable[[], Settings],
        *,
        folder: str | os.PathLike[str] | None,
        origin: object = None,
        ahead: Ahead | None = None,
        quick: bool = False,
    ) -> None:
        self.root = os.path.realpath(root)
        self._make_settings = settings
        self._folder = folder
        self._origin = origin
        self._ahead = ahead
        self._quick = quick
        self._settings: Settings | None = None
        self._vault: Vault | None = None
        self._layout: DailyLayout | None = None
        self._index: VaultIndex | None = None
        self._state: bytes | None = None
        self._graph: Graph | None = None
        self.warnings: list[str] = []

    def close(self) -> None:
        if self._ahead is not None:
            self._ahead.take()
            self._ahead = None
        if self._index is not None:
            self._index.close()
            self._index = None

    def __enter__(self) -> Lookup:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # What is known of the vault ------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        if self._settings is None:
            self._settings = self._make_settings()
        return self._settings

    @property
    def vault(self) -> Vault:
        if self._vault is None:
            from vault_dream.engine.vault.vault import Vault

            self._vault = Vault(self.root)
        return self._vault

    @property
    def layout(self) -> DailyLayout:
        """Where the daily notes live."""
        if self._layout is None:
            self._layout = self.vault.layout(self.settings.daily_dir, self.settings.daily_format)
        return self._layout

    @property
    def index(self) -> VaultIndex:
        """The index, brought up to date when it is first asked for."""
        if self._index is None or not self._quick:
            self._bring_up(self._opened())
        return self._opened()

    def _opened(self) -> VaultIndex:
        if self._index is None:
            folder = self._folder
            self._index = VaultIndex(f"{os.fspath(folder)}/{VAULT_INDEX}" if folder else None)
        return self._index

    def refresh(self) -> None:
        """Bring the index up to date with the whole vault."""
        self._state = None
        _ = self.index
        if self._quick and self._index is not None:
            self._bring_up(self._index)

    def update(self, paths: Collection[str]) -> int:
        """Bring in these changed, new or deleted files alone; how many notes were read.

        For whoever watches the vault: the price is that of the files, not that of the vault.
        """
        index = self._index
        if index is None:
            return 0
        known = self.vault.listing().entries
        changed: list[Entry] = []
        others: list[str] = []
        for path in paths:
            if path in known and not known[path].skip and (entry := self._look(path)) is not None:
                changed.append(entry)
            else:
                others.append(path)
        if others:  # what else is there has changed too, and with it where links lead
            known = self.vault.listing(refresh=True).entries
            found = [known[path] for path in others if path in known and not known[path].skip]
            changed += [(entry.path, entry.size, entry.mtime_ns) for entry in found]
        left_out = self._left_out()
        wanted = [entry for entry in changed if _is_note(entry[0]) and not left_out(entry[0])]
        kept = {path for path, _, _ in wanted}
        self._forget_views()
        self._state = None
        return index.update(
            wanted, [path for path in paths if path not in kept], self.vault.reading
        )

    def _look(self, path: str) -> Entry | None:
        """A note that is known, as it is now; None where only a listing can tell."""
        import stat

        entry = self.vault.listing().entries[path]
        try:
            status = os.stat(  # noqa: PTH116 - paths are text here
                f"{self.root}/{entry.disk_name}", follow_symlinks=False
            )
        except OSError:
            return None
        if not stat.S_ISREG(status.st_mode) or not status.st_size:
            return None
        return path, status.st_size, status.st_mtime_ns

    def _bring_up(self, index: VaultIndex) -> bool:
        """Bring the index to what is in the vault now; whether it was not."""
        state, newest = self._now()
        if (state == self._state or index.is_at(state)) and not index.lost:
            self._state = state
            return False
        from time import time_ns

        self._forget_views()
        self._settings = None
        self.vault.listing(refresh=True)
        left_out = self._left_out()
        entries = [
            (entry.path, (status := entry.status).st_size, status.st_mtime_ns)
            for entry in self.vault.listing().notes
            if not left_out(entry.path)
        ]
        settled = newest < time_ns() - SETTLED_NS
        index.refresh(
            entries,
            self.vault.reading,
            state if settled else None,
            tag_field=self.settings.tag_field,
        )
        self._state = state if settled else None
        return True

    def refresh_nodes(self) -> None:
        """Bring the index of the digest's nodes up to date."""
        self.nodes("", 0)

    def watch(self) -> Watcher:
        """A watcher that keeps the index fresh from its ``start`` on; make the lookup ``quick``."""
        from vault_dream.engine.vault.watch import Watcher

        return Watcher(self.vault.root, self.update)

    def _forget_views(self) -> None:
        self._layout = None
        self._graph = None

    def _now(self) -> tuple[bytes, int]:
        """A number for all that the index is made of, and the newest time in it."""
        from vault_dream.engine.hashes import blake2b

        ahead, self._ahead = self._ahead, None
        number, newest = ahead.take() if ahead is not None else pulse(self.root)
        marks: list[object] = [self._origin]
        with os.scandir(self.root) as found:  # Obsidian's settings folder may have another name
            names = sorted(item.name for item in found if item.name[0] == ".")
        marks += [(name, stamp(f"{self.root}/{name}/app.json")) for name in names]
        return blake2b(number + repr(marks).encode(), digest_size=16).digest(), newest

    def _left_out(self) -> Callable[[str], bool]:
        from vault_dream.engine.vault.globs import matcher
        from vault_dream.engine.vault.obsidian import is_excluded

        obsidian, exclude = self.vault.obsidian, self.settings.exclude
        if not obsidian.excluded and not exclude:
            return lambda path: False
        left_out = matcher(exclude)
        return lambda path: left_out(path) or is_excluded(obsidian, path)

    # What is asked ------------------------------------------------------------------------------

    def search(self, query: str, limit: int = 20) -> tuple[Hit, ...]:
        """The notes that answer ``query`` best, with their best lines (see ``asking``).

        Raises SettingsError for a filter that has no meaning.
        """
        from vault_dream.engine.digest.asking import asked

        parts = asked(query)
        if self._ahead is None or parts.filters:
            return self._find(self.index, parts, limit)
        found = self._find(self._opened(), parts, limit)  # while the vault is being looked at
        changed = self._bring_up(self._opened())
        return self._find(self._opened(), parts, limit) if changed else found

    def _find(self, index: VaultIndex, parts: Asked, limit: int) -> tuple[Hit, ...]:
        from vault_dream.engine.digest.finding import find

        wanted = self._wanted(parts)
        most = max(limit, 0)
        with self._reading() as reading:

            def work(connection: Connection) -> tuple[Hit, ...]:
                return find(connection, index.vocabulary, parts, reading.read_bytes, wanted, most)

            return self._ask(index, lambda: index.ask(work, ()))

    def _ask(self, index: VaultIndex, work: Callable[[], T]) -> T:
        """The answer of ``work``, once more where the index turned out broken meanwhile."""
        found = work()
        if not index.lost:
            return found
        self._bring_up(index)
        return work()

    def _reading(self) -> Reading:
        from vault_dream.engine.vault.reading import Reading

        return Reading(_Place(self) if self._vault is None else self._vault)

    def nodes(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """``node_search``: digest nodes alone."""
        from vault_dream.engine.digest.digest import Digest
        from vault_dream.engine.dream.exclusions import Exclusions

        file = _path_in(self._folder, NODE_INDEX)
        digest = Digest(
            self.vault,
            self.settings.digest_dir,
            tag_field=self.settings.tag_field,
            index_file=file,
            recall=make_recall(self.settings, self._folder, self.warnings.append),
            leaving=leaving(self.settings),
            unseen=Exclusions(self.settings).unseen(self.settings.exclude),
        )
        try:
            return digest.search(query, limit)
        finally:
            digest.close()

    def tags(self) -> tuple[TagCount, ...]:
        """The tags of the vault, each with those above it, the most used first."""
        from vault_dream.engine.digest.tagcounts import count_tags

        return count_tags(tags for tags, _ in self._tags())

    def _tags(self) -> tuple[tuple[tuple[str, ...], bool], ...]:
        index = self.index
        return self._ask(index, index.tags)

    def told_tags(self) -> tuple[str, ...]:
        """The tags that a reader may be told of, the most used first: none that only notes have
        which the owner keeps from readers, and none at all where whole sections are kept."""
        from vault_dream.engine.digest.tagcounts import count_tags, is_under

        if self.settings.exclude_headings:
            return ()
        kept = [tag.strip().lstrip("#").casefold() for tag in self.settings.exclude_tags]
        told = (
            tags
            for tags, is_open in self._tags()
            if is_open and not any(is_under(tag.casefold(), one) for tag in tags for one in kept)
        )
        return tuple(counted.tag for counted in count_tags(told) if counted.own)

    def graph(self) -> Graph:
        """The links of the vault as they are now."""
        from vault_dream.engine.digest.graph import Graph

        index = self.index
        if self._graph is None or (self._state is None and not self._quick):
            self._graph = Graph.of(
                self._ask(index, index.links), self.vault.resolver(), self.vault.read
            )
        return self._graph

    def _wanted(self, parts: Asked) -> Wanted | None:
        if not parts.filters:
            return None
        return lambda path, kind, created, tags: all(
            self._passes(one, path, kind, created, tags) != one.without for one in parts.filters
        )

    def _passes(
        self, one: Filter, path: str, kind: str, created: str, tags: tuple[str, ...]
    ) -> bool:
        if one.name == "in":
            return path.casefold().startswith(one.value + "/")
        if one.name == "tag":
            return any(tag == one.value or tag.startswith(one.value + "/") for tag in tags)
        if one.name == "kind":
            return one.value in (kind, self._kind(path))
        day = self._day(path) or created
        if one.name == "before":
            return "" < day < one.value
        return day[: len(one.value)] > one.value

    def _kind(self, path: str) -> str:
        """What a note is by its place: ``node``, ``daily``, or ``note``."""
        if path.startswith(self.settings.digest_dir + "/"):
            return "node"
        return "daily" if self.layout.date_of(path) is not None else "note"

    def _day(self, path: str) -> str:
        day = self.layout.day_of(path)
        return day.isoformat() if day is not None else ""


class _Place:
    """A vault of which no more is known than where it is: enough to read what the index names."""

    platform = sys.platform

    def __init__(self, lookup: Lookup) -> None:
        self.root = lookup.root
        self._lookup = lookup

    def known_entries(self) -> Mapping[str, Listed]:
        return {}

    def disk_path(self, path: str) -> Path:
        return self._lookup.vault.disk_path(path)


def _is_note(path: str) -> bool:
    return path[-3:].lower() == ".md"
