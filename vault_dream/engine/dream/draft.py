"""The draft: the staged edits of one unit while a reader works on it through the six tools.

Every call is checked at once, so that the reader hears what is wrong and what to do instead.
Nothing here touches the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.digest import Digest
from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.dream.arguments import (
    meant,
    path_given,
    plain_value,
    properties_given,
    receipt_given,
    text_given,
    words_given,
)
from vault_dream.engine.dream.compose import (
    Spelling,
    canonical_links,
    new_note,
    unresolved,
)
from vault_dream.engine.dream.edits import (
    CreateNote,
    Op,
    ReplaceText,
    SetProperties,
    apply_ops,
)
from vault_dream.engine.dream.outcome import (
    MOST_RESULTS,
    Ending,
    Outcome,
    Staged,
    UnitFailed,
    one_line,
)
from vault_dream.engine.dream.reader import Receipt, ToolError
from vault_dream.engine.dream.showing import Showing, without_marker, without_secrets
from vault_dream.engine.dream.units import Unit
from vault_dream.engine.errors import EditError, VaultDreamError
from vault_dream.engine.vault.conflicts import merge_marker_line
from vault_dream.engine.vault.notes import Note, parse_note
from vault_dream.engine.vault.paths import key, linkable, portable_stem, slug, unique_path
from vault_dream.engine.vault.properties import read_properties

OURS = frozenset({"created", "updated", "kind", "reviewed"})
"""Properties that code writes and a reader may not."""

READERS = frozenset({"name", "description", "aliases"})
"""Properties that a reader may change where they stand; others that stand are the owner's."""


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
        self._showing = Showing(settings)
        self._seen: dict[str, NodeHit] = {}
        self._spelling = Spelling.of(settings, digest.vault.obsidian)
        self._staged: Staged | None = None
        self.shown: dict[str, str] = {}  # texts that the reader opened, by path

    # The tools -----------------------------------------------------------------------------------

    def node_search(self, query: str, limit: int = 20) -> tuple[NodeHit, ...]:
        """Digest nodes near ``query``: path, score, name and description, no bodies; none that
        its owner keeps back.
        """
        if isinstance(limit, bool) or not isinstance(limit, int):
            limit = MOST_RESULTS
        query = text_given(query, "The query")
        found = self._digest.search(query, max(1, min(limit, MOST_RESULTS)))
        hits = tuple(self._showing.hit(hit) for hit in found if not self._withheld(hit.path))
        for hit in hits:
            known = self._seen.get(hit.path)
            if known is None or known.score < hit.score:
                self._seen[hit.path] = hit
        return hits

    def read(self, path: str) -> str:
        """The text of a node, of a source of the unit, or of a note that a source links to."""
        path = path_given(path)
        if self._staged and self._is_target(path):
            return self._showing.text(parse_note(path, self._staged.text.encode()))
        if self._digest.contains(path):
            note = self._node_note(path)
            self.shown[note.path] = note.text
            return self._showing.text(note)
        text = self._read_source(self._source_path(path))
        if text is None:
            raise ToolError(
                f"{path} is not yours to read. Read digest nodes that node_search returned, or the "
                f"unit's sources: {', '.join(self.unit.paths)}."
            )
        self.shown[path] = text
        return text

    def frontmatter_read(self, path: str) -> Mapping[str, Any]:
        """The properties of a note that :meth:`read` would show."""
        path = path_given(path)
        if self._staged and self._is_target(path):
            return without_secrets(read_properties(self._staged.note).values)
        if self._digest.contains(path):
            note = self._node_note(path)
            self.shown[note.path] = note.text
            return without_secrets(read_properties(note).values)
        properties = self._source_properties(self._source_path(path))
        if properties is None:
            raise ToolError(f"{path} is not yours to read. Use a path that node_search returned.")
        shown = without_secrets(properties)
        self.shown[f"{path} (properties)"] = "\n".join(map(str, shown.values()))
        return shown

    def write(self, path: str, name: str, description: str, content: str) -> str:
        """Stage a new node with ``content`` as its body; returns the path that it got."""
        asked = path_given(path)
        path = self._new_path(asked)
        name, description = words_given(name, "The name"), words_given(description, "It")
        if not name or not description:
            raise ToolError("A node needs a name and a one-line description. Give both.")
        content = without_marker(text_given(content, "The content"))
        if not content.strip():
            raise ToolError("The content is empty. Give the text of the node.")
        if content.lstrip("\ufeff").startswith("---"):
            raise ToolError(
                "Give only the body as content: code writes the frontmatter. Start with the text."
            )
        body = self._checked_links(path, content.replace("\r\n", "\n").strip("\n"))
        text = new_note(self.unit, path, name, description, body, self._today, self._settings)
        self._staged = Staged(path, None, text, (CreateNote(text),), asked)
        return path

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the one place where ``old`` stands in the node's body by ``new``."""
        note = self._note_to_change(path)
        old, new = text_given(old, "The old text"), text_given(new, "The new text")
        self._showing.check_shown(note, old)
        new = without_marker(new, before=old)
        head = len(note.text[: note.body_start].replace("\r\n", "\n"))
        at = note.text.replace("\r\n", "\n").find(old.replace("\r\n", "\n"))
        if old and 0 <= at < head:
            raise ToolError(
                "This text stands in the properties. Use frontmatter_update to change those."
            )
        new = self._checked_links(note.path, new, keep=old)
        self._apply(note, ReplaceText(old, new))

    def frontmatter_update(self, path: str, values: Mapping[str, Any]) -> None:
        """Set properties of the node; those that code writes itself are refused."""
        note = self._note_to_change(path)
        values = properties_given(values)
        ours = {name.casefold() for name in (*OURS, self._settings.reviewed_field) if name}
        if refused := sorted(name for name in values if name.strip().casefold() in ours):
            raise ToolError(f"{', '.join(refused)}: code sets these. Leave them out.")
        cleaned = {name: self._checked_value(note, name, value) for name, value in values.items()}
        self._apply(note, SetProperties(cleaned))

    def problems(self, receipt: Receipt) -> tuple[str, ...]:
        """What the checks would refuse the draft for, or why it comes to nothing."""
        try:
            return self._judge(self.finish(receipt))
        except (UnitFailed, EditError) as error:
            return (error.what,)
        except ToolError as error:
            return (str(error),)

    def finish(self, receipt: Receipt) -> Outcome:
        """What the draft came to; what the receipt says is corrected by what the draft shows.

        Raises :class:`UnitFailed` where the reader changed nothing and nothing stood already.
        """
        ending = Ending(
            self.unit, self._digest, self._settings, self._today, self._staged, self._seen
        )
        return ending.outcome(receipt_given(receipt))

    # What they share -----------------------------------------------------------------------------

    def _is_target(self, path: str) -> bool:
        """Whether ``path`` means the node that this unit goes to."""
        return self._staged is not None and self._staged.is_meant(path, self._digest)

    def _source_path(self, path: str) -> str:
        return meant(path, self.unit.paths) or path

    def _node_note(self, path: str) -> Note:
        found = meant(path, self._digest.paths())
        if found is None:
            raise ToolError(f"There is no node {path}. Use a path that node_search returned.")
        try:
            note = self._digest.note(found)
        except VaultDreamError as error:
            raise ToolError(f"{found} cannot be read: {error.what}. Choose another node.") from None
        if reason := self._showing.withheld(note):
            raise ToolError(f"{found} is not yours to read or change ({reason}). Choose another.")
        return note

    def _withheld(self, path: str) -> str:
        try:
            return self._showing.withheld(self._digest.note(path))
        except VaultDreamError:
            return ""

    def _new_path(self, path: str) -> str:
        """Where a new node may go: the unit's own bucket, a portable name, nothing there yet.

        Where another note of the vault has the name, links that are written with the name alone
        would lead here: the bucket is added to it.
        """
        if self._chosen:
            raise ToolError(f"The owner wants this in {self._chosen}. Use edit on it.")
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
        if (staged := self._staged) is not None:
            if not staged.is_new or not self._is_target(path):
                raise _one_node(staged)
            return staged.target
        if self._taken(path):
            raise ToolError(
                f"{path} exists already. If it is the same thing, use edit on it; if not, choose "
                "another name."
            )
        return self._apart(path)

    def _apart(self, path: str) -> str:
        """``path``, or one beside it that shares its file name with no other note."""
        resolver = self._digest.resolver()
        if not resolver.named(path.rpartition("/")[2]):
            return path
        folder, _, name = path.rpartition("/")
        stem, bucket = name.removesuffix(".md"), self.unit.bucket
        joined = f"{stem}-{bucket}" if self._settings.file_names == "slug" else f"{stem} ({bucket})"
        return unique_path(
            folder,
            joined,
            lambda taken: self._taken(taken) or bool(resolver.named(taken.rpartition("/")[2])),
        )

    def _taken(self, path: str) -> bool:
        return key(path) in {key(known) for known in self._digest.paths()} or self._digest.exists(
            path
        )

    def _note_to_change(self, path: str) -> Note:
        """The draft of the node that ``path`` means; the first call decides which one it is."""
        path = path_given(path)
        if not self._digest.contains(path):
            raise ToolError(
                f"{path} is not in {self._digest.digest_dir}/. Only digest nodes may be changed."
            )
        if self._chosen == "" and self._staged is None:
            raise ToolError("The owner wants a new node for this. Use write first.")
        if self._chosen and path not in (self._chosen, self._chosen.removesuffix(".md")):
            raise ToolError(f"The owner wants this in {self._chosen}. Use edit on it.")
        if self._staged is None:
            note = self._node_note(path)
            if not note.editable:
                raise ToolError(f"{note.path} cannot be edited: {note.reason}. Choose another.")
            error = read_properties(note).error
            if error:
                raise ToolError(f"{note.path} cannot be edited: {error}. Choose another node.")
            if line := merge_marker_line(note.text):
                raise ToolError(
                    f"{note.path} cannot be edited: a merge conflict begins at line {line}. Choose "
                    "another node."
                )
            return note
        if not self._is_target(path):
            raise _one_node(self._staged)
        return self._staged.note

    def _apply(self, note: Note, op: Op) -> None:
        """Do ``op``; the node becomes the unit's target with the first one that succeeds."""
        try:
            text = apply_ops(note.path, note.text, [op])
        except EditError as error:
            what, next_step = (s[:1].upper() + s[1:] for s in (error.what, error.next))
            raise ToolError(f"{what}. {next_step or 'Try another way'}.") from None
        staged = self._staged or Staged(note.path, note.sha256, note.text)
        ops = (CreateNote(text),) if staged.is_new else (*staged.ops, op)
        self._staged = replace(staged, text=text, ops=ops)

    def _checked_links(
        self, path: str, text: str, *, keep: str = "", in_property: bool = False
    ) -> str:
        """``text`` with its links spelled in full; refuses those that lead nowhere.

        Links that stand in ``keep`` word for word are the node's own, and stay as they are.
        """
        resolver = self._digest.resolver()
        if self._staged is None or path != self._staged.target:
            resolver = resolver.with_paths([path])
        if bad := unresolved(path, text, resolver, keep=keep):
            raise ToolError(
                f"These links lead nowhere: {', '.join(bad)}. Link only to paths that node_search "
                "returned or that the unit cites."
            )
        # A Markdown link in a property is none to Obsidian.
        spelling = replace(self._spelling, markdown=False) if in_property else self._spelling
        return canonical_links(path, text, resolver, spelling, keep=keep)

    def _checked_value(self, note: Note, name: str, value: Any) -> Any:
        values = read_properties(note).values
        twins = [one for one in values if one != name and one.casefold() == name.casefold()]
        if twins:
            raise ToolError(f"{name} stands there as {twins[0]}. Use that name.")
        exists = self._staged is None or not self._staged.is_new
        before = values.get(name) if exists else None
        cleaned = self._cleaned(note.path, name, value)
        if name in ("name", "description"):
            cleaned = words_given(value, name)
            if not cleaned:
                raise ToolError(f"A node needs a {name}. Give one, or leave it out.")
        elif before is not None and name not in READERS and cleaned != before:
            grown = cleaned if isinstance(before, list) and isinstance(cleaned, list) else []
            if not (isinstance(before, list) and before == grown[: len(before)]):
                raise ToolError(
                    f"{name} stands there and is the owner's. Leave it as it is; to a list you may "
                    "add at its end."
                )
        return cleaned

    def _cleaned(self, path: str, name: str, value: Any) -> Any:
        if isinstance(value, str):
            value = text_given(value, name)
            return one_line(self._checked_links(path, value, in_property=True))
        if plain_value(value):
            return value
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return [self._cleaned(path, name, item) for item in value]
        raise ToolError(
            f"{name} must be text, a number, true or false, or a list of text. Give it as one of "
            "these."
        )


def _one_node(staged: Staged) -> ToolError:
    return ToolError(f"This unit goes to one node, and you chose {staged.target}. Edit that one.")
