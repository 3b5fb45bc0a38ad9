"""What a draft came to: the action that it really was, and the change that is proposed.

The reader's receipt is a claim; what was staged decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from vault_dream.config import Settings
from vault_dream.engine.digest.classify import classify
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import link_pairs, outside_sources
from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.digest.page import index_text
from vault_dream.engine.dream.arguments import meant, path_given
from vault_dream.engine.dream.compose import Spelling, relation_properties
from vault_dream.engine.dream.edits import CreateNote, FileChange, Op, SetProperties, apply_ops
from vault_dream.engine.dream.proposals import Candidate
from vault_dream.engine.dream.reader import Action, Receipt, Relation, ToolError
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.notes import Note, parse_note

MOST_RESULTS = 30
"""Nodes that a search of a draft returns, and candidates that a proposal keeps, at the most."""

LEAST_SCORE = 0.2
"""Score under which a node that nobody classed is not worth showing."""


class UnitFailed(VaultDreamError):
    """A unit could not be integrated; the rest of the run continues."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a draft came to. ``change`` is ``None`` where everything the unit says stood already."""

    action: Action
    target: str
    change: FileChange | None
    candidates: tuple[Candidate, ...]
    related: tuple[str, ...]
    note: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Staged:
    """The one node that a unit goes to, as its draft has it. ``base`` is the hash of what stood
    there, ``None`` for a new node; ``asked`` is the path that a new one was asked for under."""

    target: str
    base: str | None
    text: str
    ops: tuple[Op, ...] = ()
    asked: str = ""

    @property
    def is_new(self) -> bool:
        return self.base is None

    @property
    def note(self) -> Note:
        return parse_note(self.target, self.text.encode("utf-8"))

    def is_meant(self, path: str, digest: Digest) -> bool:
        """Whether ``path`` means this node."""
        known = (self.target, self.asked) if self.asked else (self.target,)
        others = () if self.is_new else digest.paths()
        return meant(path, known) is not None and meant(path, others) in (None, self.target)


@dataclass(frozen=True, slots=True)
class Ending:
    """A draft at its end: the unit, what was ``staged`` for it, if anything, and the nodes that
    were ``found`` near it, by path."""

    unit: Unit
    digest: Digest
    settings: Settings
    today: date
    staged: Staged | None
    found: Mapping[str, NodeHit]

    def outcome(self, receipt: Receipt) -> Outcome:
        """What it came to. Raises :class:`UnitFailed` where nothing changed and nothing stood
        already."""
        staged = self.staged
        if staged is None or self._is_as_it_was(staged):
            return self._settled(receipt)
        warnings: list[str] = []
        said = _said_target(receipt)
        if not staged.is_meant(said, self.digest):
            warnings.append(f"the reader said {said or 'no node'}, but worked on {staged.target}")
        action = self._action(staged, receipt)
        if action != receipt.action:
            warnings.append(f"the reader said {receipt.action}, but what it made is {action}")
        if action == "CORROBORATE" and self._cited_before(staged):
            return self._settled(replace(receipt, target=staged.target))
        return Outcome(
            action=action,
            target=staged.target,
            change=FileChange(staged.target, staged.base, self._with_derived(staged)),
            candidates=self._candidates(receipt),
            related=tuple(path for path, how in receipt.classes if how == "related"),
            note=one_line(receipt.note),
            warnings=tuple(warnings),
        )

    def _settled(self, receipt: Receipt) -> Outcome:
        """The outcome without a write: the node has an edge to every source of the unit already."""
        target = meant(_said_target(receipt), self.digest.paths())
        if target is None:
            raise UnitFailed(self.unit.name, "the reader changed nothing", "it will be tried again")
        linked = self._linked(target)
        if missing := [path for path in self.unit.paths if path not in linked]:
            raise UnitFailed(
                self.unit.name,
                f"the reader changed nothing, though {target} does not cite {missing[0]}",
                "it will be tried again",
            )
        return Outcome(
            "CORROBORATE", target, None, self._candidates(receipt), (), one_line(receipt.note), ()
        )

    def _is_as_it_was(self, staged: Staged) -> bool:
        """Whether the edits leave the node as it was; a new node is never nothing."""
        return not staged.is_new and self.digest.note(staged.target).text == staged.text

    def _cited_before(self, staged: Staged) -> bool:
        """Whether the node had an edge to every source of the unit before the draft."""
        return bool(self.unit.paths) and self._linked(staged.target).issuperset(self.unit.paths)

    def _linked(self, target: str) -> set[str]:
        return {end for _, end in link_pairs(self.digest.note(target), self.digest.resolver())}

    def _action(self, staged: Staged, receipt: Receipt) -> Action:
        if staged.is_new:
            return "CREATE"
        if receipt.action == "CORRECT":
            return "CORRECT"
        return "REFINE" if self._says_more(staged) else "CORROBORATE"

    def _says_more(self, staged: Staged) -> bool:
        """Whether the edits touch more than the list of sources."""
        if any(isinstance(op, SetProperties) for op in staged.ops):
            return True
        return outside_sources(self.digest.note(staged.target)) != outside_sources(staged.note)

    def _with_derived(self, staged: Staged) -> tuple[Op, ...]:
        """The reader's operations, and what code derives from them: the date and link
        properties.
        """
        spelling = Spelling.of(self.settings, self.digest.vault.obsidian)
        resolver = self.digest.resolver().with_paths([staged.target])
        derived = relation_properties(
            staged.note, resolver, self.digest.contains, self.settings, spelling
        )
        if staged.is_new:
            return (CreateNote(apply_ops(staged.target, staged.text, derived)),)
        return (*staged.ops, *derived, SetProperties({"updated": self.today}))

    def _candidates(self, receipt: Receipt) -> tuple[Candidate, ...]:
        """The nodes that were found near the unit, the nearest first, strangers left out."""
        classes = dict(receipt.classes)
        new = self.staged.target if self.staged and self.staged.is_new else None
        found = []
        for hit in self.found.values():
            if hit.path == new:
                continue
            judged = self._judged(hit.path)
            relation = classes.get(hit.path, "unrelated")
            if hit.path in classes or judged != "unrelated" or hit.score >= LEAST_SCORE:
                found.append(Candidate(hit.path, hit.name, hit.score, relation, judged))
        found.sort(key=lambda candidate: (-candidate.score, candidate.path))
        return tuple(found[:MOST_RESULTS])

    def _judged(self, path: str) -> Relation:
        """What code makes of a node that was found, by its words alone."""
        try:
            node = index_text(self.digest.node(path))
        except VaultDreamError:
            return "unrelated"
        quotes = [item.quote for item in self.unit.evidence]
        return classify(self.unit.name, self.unit.summary, quotes, node, self.digest.rarity).kind


def _said_target(receipt: Receipt) -> str:
    """The path that the receipt names, ``""`` where it names none that could be one."""
    try:
        return path_given(receipt.target)
    except ToolError:
        return ""


def one_line(text: str) -> str:
    return " ".join(text.split())
