"""The draft: the staged edits of one unit while a reader works on it through the six tools.

Every call is checked at once, so that the reader hears what is wrong and what to do instead.
Nothing here touches the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.classify import classify
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.edges import in_sources
from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.digest.page import index_text
from vault_dream.engine.dream.compose import (
    Spelling,
    canonical_links,
    new_note,
    relation_properties,
    unresolved,
)
from vault_dream.engine.dream.edits import (
    CreateNote,
    FileChange,
    Op,
    ReplaceText,
    SetProperties,
    apply_ops,
)
from vault_dream.engine.dream.proposals import Candidate
from vault_dream.engine.dream.reader import Action, Receipt, Relation, ToolError
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import EditError, PathError, VaultDreamError
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import key, linkable, normalise, portable_stem, slug
from vault_dream.engine.vault.properties import read_properties

OURS = frozenset({"created", "updated", "kind", "reviewed"})
"""Properties that code writes and a reader may not."""

MOST_RESULTS = 30
LEAST_SCORE = 0.2
"""Score under which a node that nobody classed is not worth showing."""


class UnitFailed(VaultDreamError):
    """A unit could not be integrated; the rest of the run goes on."""


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


class Draft:
    """The edits of one unit on one node; implements :class:`~.reader.Tools`. Stateful."""

    def __init__(
        self,
        unit: Unit,
        digest: Digest,
        settings: Settings,
        today: date,
        *,
        read_source: Callable[[str], str | None],
        source_properties: Callable[[str], Mapping[str, Any] | None] = lambda path: None,
        chosen: str | None = None,
        judge: Callable[[Outcome], tuple[str, ...]] = lambda outcome: (),
    ) -> None:
        self.unit = unit
        self._digest = digest
        self._settings = settings
        self._today = today
        self._read_source = read_source
        self._source_properties = source_properties
        self._chosen = chosen
        self._judge = judge
        self._seen: dict[str, NodeHit] = {}
        self._target: str | None = None
        self._base: str | None = None
        self._text: str | None = None
        self._ops: list[Op] = []

    # The tools -----------------------------------------------------------------------------------

    def node_search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """Digest nodes near ``query``: path, score, name and description, no bodies."""
        hits = self._digest.search(query, max(1, min(limit, MOST_RESULTS)))
        for hit in hits:
            known = self._seen.get(hit.path)
            if known is None or known.score < hit.score:
                self._seen[hit.path] = hit
        return hits

    def read(self, path: str) -> str:
        """The text of a node, of a source of the unit, or of a note that a source links to."""
        path = self._vault_path(path)
        if path == self._target and self._text is not None:
            return self._text.replace("\r\n", "\n")
        if self._digest.contains(path):
            return self._node_note(path).text.replace("\r\n", "\n")
        text = self._read_source(path)
        if text is None:
            raise ToolError(
                f"{path} is not yours to read. Read digest nodes that node_search returned, or the "
                f"unit's sources: {', '.join(self.unit.paths)}."
            )
        return text

    def frontmatter_read(self, path: str) -> Mapping[str, Any]:
        """The properties of a note that :meth:`read` would show."""
        path = self._vault_path(path)
        if path == self._target and self._text is not None:
            return dict(read_properties(parse_note(path, self._text.encode())).values)
        if self._digest.contains(path):
            return dict(read_properties(self._node_note(path)).values)
        properties = self._source_properties(path)
        if properties is None:
            raise ToolError(f"{path} is not yours to read. Use a path that node_search returned.")
        return dict(properties)

    def write(self, path: str, name: str, description: str, content: str) -> str:
        """Stage a new node with ``content`` as its body; returns the path that it got."""
        path = self._new_path(path)
        name, description = _one_line(name), _one_line(description)
        if not name or not description:
            raise ToolError("A node needs a name and a one-line description. Give both.")
        if content.lstrip("\ufeff").startswith("---"):
            raise ToolError(
                "Give only the body as content: code writes the frontmatter. Start with the text."
            )
        body = self._checked_links(path, content.replace("\r\n", "\n").strip("\n"))
        self._target, self._base = path, None
        self._text = new_note(self.unit, path, name, description, body, self._today, self._settings)
        self._ops = [CreateNote(self._text)]
        return path

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the one place where ``old`` stands in the node by ``new``."""
        path = self._existing_target(path)
        new = self._checked_links(path, new)
        self._apply(path, ReplaceText(old, new))

    def frontmatter_update(self, path: str, values: Mapping[str, Any]) -> None:
        """Set properties of the node; those that code writes itself are refused."""
        path = self._existing_target(path)
        if refused := sorted(OURS & set(values)):
            raise ToolError(f"{', '.join(refused)}: code sets these. Leave them out.")
        cleaned: dict[str, Any] = {}
        for name, value in values.items():
            cleaned[name] = self._checked_value(path, name, value)
        if not cleaned:
            raise ToolError("Nothing to set. Give at least one property.")
        self._apply(path, SetProperties(cleaned))

    def problems(self, receipt: Receipt) -> tuple[str, ...]:
        """What the checks would refuse the draft for, or why it comes to nothing."""
        try:
            return self._judge(self.finish(receipt))
        except (UnitFailed, EditError) as error:
            return (error.what,)
        except ToolError as error:
            return (str(error),)

    # What they share -----------------------------------------------------------------------------

    def _vault_path(self, path: str) -> str:
        try:
            return normalise(path.strip().strip("[]").split("|")[0].split("#")[0])
        except PathError as error:
            raise ToolError(
                f"{path!r} is not a path in the vault ({error.what}). Use paths as node_search and "
                "the unit give them."
            ) from None

    def _node_note(self, path: str) -> Note:
        if not self._digest.exists(path) and self._digest.exists(path + ".md"):
            path += ".md"
        if not self._digest.exists(path):
            raise ToolError(f"There is no node {path}. Use a path that node_search returned.")
        try:
            return self._digest.note(path)
        except VaultDreamError as error:
            raise ToolError(f"{path} cannot be read: {error.what}. Choose another node.") from None

    def _new_path(self, path: str) -> str:
        """Where a new node may go: the unit's own bucket, a portable name, nothing there yet."""
        if self._chosen:
            raise ToolError(f"The owner wants this in {self._chosen}. Use edit on it.")
        path = self._vault_path(path)
        if not path.endswith(".md"):
            path += ".md"
        folder = f"{self._digest.digest_dir}/{self.unit.bucket}"
        parent, _, file = path.rpartition("/")
        stem = file.removesuffix(".md")
        fitting = slug(stem) if self._settings.file_names == "slug" else portable_stem(stem)
        if parent != folder or stem != fitting or not linkable(file):
            raise ToolError(
                f"A new node of this unit must be called {folder}/{fitting}.md. Use it."
            )
        if self._target not in (None, path) or (self._target == path and self._base is not None):
            raise ToolError(
                f"This unit goes to one node, and you chose {self._target}. Edit that one."
            )
        if path != self._target and self._taken(path):
            raise ToolError(
                f"{path} exists already. If it is the same thing, use edit on it; if not, choose "
                "another name."
            )
        return path

    def _taken(self, path: str) -> bool:
        return key(path) in {key(known) for known in self._digest.paths()} or self._digest.exists(
            path
        )

    def _existing_target(self, path: str) -> str:
        path = self._vault_path(path)
        if not self._digest.contains(path):
            raise ToolError(
                f"{path} is not in {self._digest.digest_dir}/. Only digest nodes may be changed."
            )
        if self._chosen == "" and self._target is None:
            raise ToolError("The owner wants a new node for this. Use write first.")
        if self._chosen and path not in (self._chosen, self._chosen.removesuffix(".md")):
            raise ToolError(f"The owner wants this in {self._chosen}. Use edit on it.")
        if self._target is None:
            note = self._node_note(path)
            if not note.editable:
                raise ToolError(f"{note.path} cannot be edited: {note.reason}. Choose another.")
            error = read_properties(note).error
            if error:
                raise ToolError(f"{note.path} cannot be edited: {error}. Choose another node.")
            self._target, self._text = note.path, note.text
            self._base = note.sha256
        elif path not in (self._target, self._target.removesuffix(".md")):
            raise ToolError(
                f"This unit goes to one node, and you chose {self._target}. Edit that one."
            )
        return self._target

    def _apply(self, path: str, op: Op) -> None:
        try:
            text = apply_ops(path, self._text, [op])
        except EditError as error:
            raise ToolError(f"{error.what[:1].upper()}{error.what[1:]}: {error.next}.") from None
        self._text = text
        if self._base is None:
            self._ops = [CreateNote(text)]
        else:
            self._ops.append(op)

    def _checked_links(self, path: str, text: str) -> str:
        """``text`` with its links spelled in full; refuses those that lead nowhere."""
        resolver = self._digest.resolver()
        if path != self._target:
            resolver = resolver.with_paths([path])
        if bad := unresolved(path, text, resolver):
            raise ToolError(
                f"These links lead nowhere: {', '.join(bad)}. Link only to paths that node_search "
                "returned or that the unit cites."
            )
        spelling = Spelling.of(self._settings, self._digest.vault.obsidian)
        return canonical_links(path, text, resolver, spelling)

    def _checked_value(self, path: str, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return _one_line(self._checked_links(path, value))
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return [_one_line(self._checked_links(path, item)) for item in value]
        raise ToolError(f"{name} must be text, a number, true or false, or a list of text.")

    # The end -------------------------------------------------------------------------------------

    def finish(self, receipt: Receipt) -> Outcome:
        """What the draft came to; what the receipt says is corrected by what the draft shows.

        Raises :class:`UnitFailed` where the reader changed nothing and nothing stood already.
        """
        warnings: list[str] = []
        if self._target is None or self._text is None or not self._ops:
            return self._settled(receipt)
        if self._vault_path(receipt.target) != self._target:
            warnings.append(f"the reader said {receipt.target}, but it worked on {self._target}")
        action = self._action(receipt)
        if action != receipt.action:
            warnings.append(f"the reader said {receipt.action}, but what it made is {action}")
        change = FileChange(self._target, self._base, tuple(self._with_derived()))
        return Outcome(
            action=action,
            target=self._target,
            change=change,
            candidates=self._candidates(receipt),
            related=tuple(path for path, how in receipt.classes if how == "related"),
            note=_one_line(receipt.note),
            warnings=tuple(warnings),
        )

    def _settled(self, receipt: Receipt) -> Outcome:
        """The outcome without a write: the node has an edge to every source of the unit already."""
        from vault_dream.engine.digest.edges import link_pairs

        target = self._vault_path(receipt.target) if receipt.target else ""
        if not target or not self._digest.contains(target) or not self._digest.exists(target):
            raise UnitFailed(self.unit.name, "the reader changed nothing", "it will be tried again")
        linked = {end for _, end in link_pairs(self._digest.note(target), self._digest.resolver())}
        if missing := [path for path in self.unit.paths if path not in linked]:
            raise UnitFailed(
                self.unit.name,
                f"the reader changed nothing, though {target} does not cite {missing[0]}",
                "it will be tried again",
            )
        return Outcome(
            "CORROBORATE", target, None, self._candidates(receipt), (), _one_line(receipt.note), ()
        )

    def _action(self, receipt: Receipt) -> Action:
        if self._base is None:
            return "CREATE"
        if receipt.action in ("REFINE", "CORRECT"):
            return receipt.action
        return "REFINE" if self._body_grew() else "CORROBORATE"

    def _body_grew(self) -> bool:
        """Whether the edits touch more than the list of sources."""
        assert self._target is not None
        note = self._digest.note(self._target)
        for op in self._ops:
            if isinstance(op, ReplaceText):
                at = note.text.replace("\r\n", "\n").find(op.old)
                if at < 0 or not in_sources(note, at):
                    return True
        return False

    def _with_derived(self) -> list[Op]:
        """The reader's operations, and what code derives from them: the date and link
        properties.
        """
        assert self._target is not None and self._text is not None
        after = parse_note(self._target, self._text.encode("utf-8"))
        resolver = self._digest.resolver().with_paths([self._target])
        derived = relation_properties(after, resolver, self._digest.contains, self._settings)
        if self._base is None:
            return [CreateNote(apply_ops(self._target, self._text, derived))]
        return [*self._ops, *derived, SetProperties({"updated": self._today})]

    def _candidates(self, receipt: Receipt) -> tuple[Candidate, ...]:
        """The nodes that were found near the unit, the nearest first, strangers left out."""
        classes = dict(receipt.classes)
        found = []
        for hit in self._seen.values():
            if hit.path == self._target and self._base is None:
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
            node = index_text(self._digest.node(path))
        except VaultDreamError:
            return "unrelated"
        quotes = [item.quote for item in self.unit.evidence]
        return classify(self.unit.name, self.unit.summary, quotes, node, self._digest.rarity).kind


def _one_line(text: str) -> str:
    return " ".join(text.split())
