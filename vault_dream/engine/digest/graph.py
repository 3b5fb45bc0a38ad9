"""The graph of a vault's links: who links to whom, what leads nowhere, how two notes hang together.

Made of the index's record of link targets, so that no note is read for it; the words of a link, and
with them its predicate, are read from the few notes that are asked about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from vault_dream.engine.digest.edges import Edge, edges_of
from vault_dream.engine.errors import PathError, VaultDreamError
from vault_dream.engine.vault.notes import Note
from vault_dream.engine.vault.paths import key
from vault_dream.engine.vault.resolve import Resolver


@dataclass(frozen=True, slots=True)
class Loose:
    """A link that leads nowhere, or to one of several: ``target`` as written, ``candidates`` the
    files of a tie, the chosen one first."""

    note: str
    target: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """``out`` has every note's link targets that exist, ``into`` the notes that link to a file.

    A snapshot: ``read`` gives the notes that are looked at closely, as they are then.
    """

    out: Mapping[str, tuple[str, ...]]
    into: Mapping[str, tuple[str, ...]]
    unresolved: tuple[Loose, ...]
    ambiguous: tuple[Loose, ...]
    resolver: Resolver
    read: Callable[[str], Note]

    @classmethod
    def of(
        cls,
        links: Iterable[tuple[str, tuple[str, ...]]],
        resolver: Resolver,
        read: Callable[[str], Note],
    ) -> Graph:
        """The graph of notes and the targets of their links as written."""
        out: dict[str, tuple[str, ...]] = {}
        into: dict[str, list[str]] = {}
        unresolved: list[Loose] = []
        ambiguous: list[Loose] = []
        resolve = resolver.resolve
        for note, targets in sorted(links):
            found: dict[str, None] = {}
            for target in targets:
                to = resolve(target, note)
                if to.path is None:
                    unresolved.append(Loose(note, target))
                    continue
                if to.ambiguous:
                    ambiguous.append(Loose(note, target, (to.path, *to.ambiguous)))
                if to.path != note:
                    found[to.path] = None
            out[note] = tuple(found)
            for path in found:
                into.setdefault(path, []).append(note)
        backwards = {path: tuple(notes) for path, notes in into.items()}
        return cls(out, backwards, tuple(unresolved), tuple(ambiguous), resolver, read)

    def find(self, name: str) -> str:
        """The path of the note that a person calls ``name``: a path, or a name as in a link.

        Raises PathError where there is none.
        """
        if name in self.out:
            return name
        found = self.resolver.resolve(name.removeprefix("./"), "")
        if found.path is None:
            raise PathError(name, "there is no such note", "give its path inside the vault")
        return found.path

    def backlinks(self, path: str) -> tuple[str, ...]:
        """The notes that link to the file at ``path``, by path."""
        return self.into.get(path, ())

    def edges_out(self, path: str) -> tuple[Edge, ...]:
        """The edges that leave a note, in the order of the page; none where it cannot be read."""
        try:
            return edges_of(self.read(path), self.resolver)
        except VaultDreamError:
            return ()

    def edges_in(self, path: str) -> tuple[Edge, ...]:
        """The edges of other notes that lead to ``path``."""
        return tuple(
            edge
            for note in self.backlinks(path)
            for edge in self.edges_out(note)
            if edge.target == path
        )

    def neighbours(self, path: str) -> tuple[str, ...]:
        """The files that a link joins with ``path``, in either direction."""
        both = (*self.out.get(path, ()), *self.into.get(path, ()))
        return tuple(dict.fromkeys(both))

    def orphans(self, folder: str) -> tuple[str, ...]:
        """The notes in ``folder`` that no note links to and that link to no other note in it."""
        inside = key(folder) + "/"
        notes = [path for path in self.out if key(path).startswith(inside)]
        return tuple(
            path
            for path in notes
            if not self.into.get(path)
            and not any(key(target).startswith(inside) for target in self.out[path])
        )

    def way(self, start: str, end: str) -> tuple[Edge, ...]:
        """The shortest way from one file to another along links of either direction, as edges.

        Of several the one by path; empty where there is none, or where start is end. An edge may
        point backwards: its ``node`` is always the note that holds the link.
        """
        came: dict[str, str] = {start: ""}
        waiting = deque([start])
        while waiting and end not in came:
            here = waiting.popleft()
            for there in sorted(self.neighbours(here)):
                if there not in came:
                    came[there] = here
                    waiting.append(there)
        if end not in came:
            return ()
        stops = [end]
        while came[stops[-1]]:
            stops.append(came[stops[-1]])
        stops.reverse()
        return tuple(self._between(a, b) for a, b in pairwise(stops))

    def _between(self, one: str, other: str) -> Edge:
        """The edge of a link that joins two neighbours, the first one's own if it has one."""
        for note, target in ((one, other), (other, one)):
            if target in self.out.get(note, ()):
                found = [edge for edge in self.edges_out(note) if edge.target == target]
                return found[0] if found else Edge(note, "links_to", target)
        raise KeyError(other)
