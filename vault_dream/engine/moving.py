"""Renaming a node: planned first, then done as one commit that can be undone.

What a link means is what Obsidian resolves it to. A link is respelled where it would not lead to
the same note any more; one that still does, because it is short and the name stays, is left alone.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from vault_dream.engine.dream.moved import moved_in_state
from vault_dream.engine.dream.reader import Usage
from vault_dream.engine.dream.report import report
from vault_dream.engine.dream.run import Run
from vault_dream.engine.dream.scan import Scan
from vault_dream.engine.dream.units import BUCKETS
from vault_dream.engine.errors import EditError, FilesystemError, PathError, VaultDreamError
from vault_dream.engine.journal import FileWrite, WriteSet, unified_diff
from vault_dream.engine.opened import OpenVault
from vault_dream.engine.vault.links import Link, links_in
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import key, linkable, normalise, portable_stem
from vault_dream.engine.vault.properties import read_properties, set_properties
from vault_dream.engine.vault.resolve import Resolver, fold
from vault_dream.engine.vault.respell import respelled, spelled_like

CANVAS = (".canvas", ".base")
"""Files of Obsidian's own that name notes by their path."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """A note with links that have to be respelled, on these lines. ``write`` is the write that does
    so; where there is none, ``reason`` says why they stay."""

    path: str
    lines: tuple[int, ...]
    write: FileWrite | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A planned move. ``node`` are the writes of the node itself, ``inside`` the nodes
    whose links follow, ``outside`` the notes of the owner's with links to it, changed only where
    they have a write; ``naming`` are canvases and bases that name the path and are left alone."""

    old: str
    new: str
    node: tuple[FileWrite, FileWrite]
    inside: tuple[Inbound, ...]
    outside: tuple[Inbound, ...]
    naming: tuple[str, ...] = ()

    @property
    def writes(self) -> tuple[FileWrite, ...]:
        links = (each.write for each in (*self.inside, *self.outside) if each.write is not None)
        return (*self.node, *links)

    def diffs(self) -> tuple[str, ...]:
        """What changes in each file, apart from its name."""
        gone, made = self.node
        own = unified_diff(self.new, gone.before, made.after)
        links = [unified_diff(w.path, w.before, w.after) for w in self.writes[2:]]
        return tuple(diff for diff in (own, *links) if diff)

    def as_json(self) -> dict[str, Any]:
        return {
            "old": self.old,
            "new": self.new,
            "nodes": [_told(each) for each in self.inside],
            "outside": [_told(each) for each in self.outside],
            "naming": list(self.naming),
        }


def _told(each: Inbound) -> dict[str, Any]:
    return {
        "path": each.path,
        "lines": list(each.lines),
        "rewritten": each.write is not None,
        "reason": each.reason,
    }


class Moving(OpenVault):
    """The part of a session that moves nodes. Stateful, as the open vault is."""

    def plan_move(self, old: str, new: str, *, everywhere: bool = False) -> Move:
        """What moving the node ``old`` to ``new`` would change; writes nothing.

        ``new`` without a folder stays in the node's own; ending in ``/`` it is the folder to move
        to. With ``everywhere`` the owner's notes follow too. Raises :class:`PathError` where one of
        the two cannot be, :class:`FilesystemError` where the node may not be written, and
        :class:`EditError` where a link to it in another node cannot be respelled.
        """
        listing = self.vault.listing(refresh=True)
        old = self._node_called(old)
        new = self._free_path(old, new)
        note = self.vault.read(old)
        if problem := self._disk.refusal(self.vault.disk_path(old)):
            raise FilesystemError(problem.where, problem.what, problem.next)
        before = self.vault.resolver()
        after = Resolver([path for path in listing.paths if path != old] + [new])
        turn = _Turn(old, new, before, after)
        made = FileWrite(new, None, self._bytes_at(new, turn, note), continues=old)
        inside: list[Inbound] = []
        outside: list[Inbound] = []
        for path, entry in listing.entries.items():
            if path == old or not path.endswith(".md") or entry.skip or not entry.size:
                continue
            ours = self.digest.contains(path)
            found = self._inbound(path, turn, write=ours or everywhere)
            if found is None:
                continue
            if ours and found.write is None:
                raise EditError(path, f"its link cannot be updated: {found.reason}", "fix it first")
            (inside if ours else outside).append(found)
        return Move(
            old,
            new,
            (FileWrite(old, note.raw, None), made),
            tuple(inside),
            tuple(outside),
            tuple(self._naming(old)),
        )

    def move(self, plan: Move) -> str:
        """Make the move in one commit, all or nothing, our own state included; returns the id to
        undo it by.

        Raises :class:`FilesystemError`, with everything as it was, where a file changed since the
        plan was made or cannot be written, and :class:`BusyError` while another process dreams.
        """
        if self.dry_run:
            return ""
        set_id = f"move {plan.old}"
        run = Run(self._run_id(), Scan(self.today, (self.today,)), moves_window=False)
        run.updated = [plan.new, *(each.path for each in plan.inside)]
        run.pages = [each.path for each in plan.outside if each.write is not None]
        run.warnings = [f"{plan.old} was moved to {plan.new}"]
        with self.dreaming("moving a node"):
            self.state.look_again()
            landing = self.journal.commit(
                run.id,
                (WriteSet(set_id, plan.writes),),
                lambda landed: self._told_of(plan, run) if landed.landed else (),
            )
        if reason := landing.stale.get(set_id):
            raise FilesystemError(plan.old, reason, "nothing was moved; try again")
        if problem := landing.refused.get(set_id):
            raise FilesystemError(problem.where, problem.what, problem.next)
        self._written = None
        self.digest.refresh()
        self._earlier = None
        return run.id

    def _told_of(self, plan: Move, run: Run) -> list[FileWrite]:
        """The state files that go with a move: those that follow it, and the account of it."""
        account = report(
            run,
            host=socket.gethostname(),
            vault=self.vault.root.name,
            provider=self.settings.provider,
            model=self.settings.model,
            prompts="",
            usage=Usage(),
        )
        told = self.state.write(self.state.report_path(run.id), account | {"status": "ok"})
        return [*moved_in_state(self.state, plan.old, plan.new), *([told] if told else [])]

    def _node_called(self, name: str) -> str:
        path = normalise(name)
        for wanted in (path, f"{path}.md"):
            if wanted in self.digest.paths() and wanted in self.vault.listing().entries:
                return wanted
        found = self.vault.resolver().resolve(path, "").path
        if found is None or not self.digest.contains(found) or not found.endswith(".md"):
            raise PathError(
                path, f"is not a node in {self.settings.digest_dir}/", "see vault-dream links"
            )
        return found

    def _free_path(self, old: str, name: str) -> str:
        folder, _, stem = old.rpartition("/")
        path = normalise(name)
        if name.endswith("/"):
            path = f"{path}/{stem}"
        elif "/" not in path:
            path = f"{folder}/{path}"
        path = (path[:-3] if path.lower().endswith(".md") else path) + ".md"
        where = self.settings.digest_dir
        if any(part.startswith(".") for part in path.split("/")):
            raise PathError(path, "is hidden: its name begins with a dot", "drop the dot")
        if not path.startswith(f"{where}/"):
            raise PathError(path, f"is not in {where}/", f"give a path that begins with {where}/")
        name = path.rpartition("/")[2].removesuffix(".md")
        if portable_stem(name) != name or not linkable(path):
            next_ = f"{portable_stem(name)} would do"
            raise PathError(
                path, "does not work as a file name, or in links, on every system", next_
            )
        if path == old:
            raise PathError(path, "is where the node is already", "give another path")
        taken = self.vault.listing().keys
        if key(path) in taken and key(path) != key(old):
            raise PathError(path, "a file with this name exists already", "choose another name")
        if any(key(p.target) == key(path) for p in self.proposals if p.action == "CREATE"):
            raise PathError(path, "a waiting proposal would create it", "decide that one first")
        self.vault.disk_path(path)
        return path

    def _bytes_at(self, new: str, turn: _Turn, note: Note) -> bytes:
        """The node's bytes under its new name: links that led from its folder lead there still, and
        a ``kind`` that named its bucket names the new one."""
        text = turn.text(note)
        kind = read_properties(note).values.get("kind")
        was, bucket = (self._bucket(path) for path in (note.path, new))
        if kind == was != bucket and bucket in BUCKETS:
            text = set_properties(parse_note(new, text.encode("utf-8")), {"kind": bucket})
        return note.raw if text == note.text else text.encode("utf-8")

    def _bucket(self, path: str) -> str:
        return path.removeprefix(self.settings.digest_dir + "/").partition("/")[0]

    def _inbound(self, path: str, turn: _Turn, *, write: bool) -> Inbound | None:
        try:
            note = self.vault.read(path)
            changed = turn.changed(note)
        except VaultDreamError:
            return None  # not readable here, so no link of it is known
        if not changed:
            return None
        lines = tuple(dict.fromkeys(link.line for link in changed))
        if not write:
            return Inbound(path, lines, reason="not changed without --all")
        if problem := self._disk.refusal(self.vault.disk_path(path)):
            return Inbound(path, lines, reason=problem.what)
        try:
            text = turn.text(note)
        except EditError as error:
            return Inbound(path, lines, reason=error.what)
        return Inbound(path, lines, FileWrite(path, note.raw, text.encode("utf-8")))

    def _naming(self, old: str) -> Iterator[str]:
        wanted = old.encode("utf-8")
        for path, entry in self.vault.listing().entries.items():
            if path.endswith(CANVAS) and not entry.skip:
                try:
                    if wanted in self.vault.read_bytes(path):
                        yield path
                except VaultDreamError:
                    continue


@dataclass(frozen=True, slots=True)
class _Turn:
    """Which links have to be spelled anew once ``old`` is called ``new``."""

    old: str
    new: str
    before: Resolver
    after: Resolver

    def text(self, note: Note) -> str:
        """The whole text of ``note`` with its links led where they led."""
        return respelled(note, lambda link: self._target(note, link))

    def changed(self, note: Note) -> list[Link]:
        """The links of ``note`` that have to be spelled anew."""
        if not self._may_concern(note.text):
            return []
        return [link for link in links_in(note) if self._target(note, link) is not None]

    def _may_concern(self, text: str) -> bool:
        """A quick look whether a link in ``text`` can be meant: it has the old or the new name in
        it, or something that is spelled with escapes."""
        if "[" not in text:
            return False
        if "%" in text or "\\" in text:
            return True
        folded = fold(text)
        names = (path.rpartition("/")[2].removesuffix(".md") for path in (self.old, self.new))
        return any(fold(name) in folded for name in names)

    def _target(self, note: Note, link: Link) -> str | None:
        if link.external or not link.target:
            return None
        was = self.before.resolve(link.target, note.path)
        if was.path is None:
            return None
        wanted = self.new if was.path == self.old else was.path
        source = self.new if note.path == self.old else note.path
        now = self.after.resolve(link.target, source)
        if now.path == wanted and (not now.ambiguous or was.ambiguous):
            return None
        return spelled_like(link.target, wanted, source, self.after)
