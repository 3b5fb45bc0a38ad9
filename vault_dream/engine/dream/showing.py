"""What a reader is shown of the digest: nodes without what their owner keeps back, and no secrets.

A node may hold what a source may hold: a private section, a comment, a password that somebody put
there. The rules are those for sources (:mod:`.exclusions`), but for one: Obsidian's own excluded
files say what its search leaves out, and who keeps the digest out of that still wants it kept up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from vault_dream.config import Settings
from vault_dream.engine.digest.nodes import NodeHit
from vault_dream.engine.dream.exclusions import Exclusions, comments_in
from vault_dream.engine.dream.reader import ToolError
from vault_dream.engine.dream.secrets import REDACTED, redact
from vault_dream.engine.vault.globs import matcher
from vault_dream.engine.vault.notes import Note, Span, parse_note


class Showing:
    """The owner's wishes for the nodes of one vault, as its settings and the nodes say them."""

    def __init__(self, settings: Settings) -> None:
        self._exclusions = Exclusions(settings)
        self._excluded = matcher(settings.exclude)

    def withheld(self, note: Note) -> str:
        """Why no reader sees anything of ``note``, not even its name; ``""`` where one may."""
        if self._excluded(note.path):
            return "excluded by the setting exclude"
        return self._exclusions.withheld(note)

    def text(self, note: Note) -> str:
        """The node as it is shown, with ``\\n`` between its lines."""
        return redact(self._bare(note).replace("\r\n", "\n"))

    def note(self, note: Note) -> Note | None:
        """``note`` as it may leave the machine, ``None`` where nothing of it may."""
        if self.withheld(note):
            return None
        text = redact(self._bare(note))
        return note if text == note.text else parse_note(note.path, text.encode("utf-8"))

    def check_shown(self, note: Note, old: str) -> None:
        """ToolError for an edit of text that a reader was not shown, or could not be."""
        old = old.replace("\r\n", "\n")
        stands, shown = old in note.text.replace("\r\n", "\n"), old in self.text(note)
        if REDACTED in old and not stands:
            raise ToolError(
                f"{REDACTED} stands for a secret that you are not shown, so this text is not in "
                "the node. Choose a passage without it; the secret stays where it is."
            )
        if shown and not stands:
            raise ToolError(
                "Between these words stands something that its owner keeps back. Choose a shorter "
                "passage, of a single paragraph."
            )
        if stands and not shown:
            raise ToolError(
                "Its owner keeps this back, so it stays as it is. Choose a passage of the text "
                "that read shows."
            )

    def hit(self, hit: NodeHit) -> NodeHit:
        return replace(hit, name=redact(hit.name), description=redact(hit.description))

    def _bare(self, note: Note) -> str:
        """The text without sections, blocks and comments that are kept back."""
        pieces: list[str] = []
        at = 0
        for span in sorted(self._kept_back(note), key=lambda span: (span.start, span.end)):
            pieces.append(note.text[at : max(at, span.start)])
            at = max(at, span.end)
        return "".join((*pieces, note.text[at:]))

    def _kept_back(self, note: Note) -> Iterator[Span]:
        kept_back = self._exclusions.kept_back(note)
        for block in note.blocks:
            if block.start in kept_back and block.kind != "rule":  # a rule says nothing
                end = note.text.find("\n", block.end)
                yield Span(block.start, len(note.text) if end < 0 else end + 1)
        yield from comments_in(note)


def without_marker(text: str, before: str = "") -> str:
    """``text``; ToolError where it holds the mark of a secret more often than ``before`` did."""
    if text.count(REDACTED) > before.count(REDACTED):
        raise ToolError(
            f"{REDACTED} stands for a secret that you are not shown. Leave it out, and say where "
            "it is kept if the evidence does."
        )
    return text


def without_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as a reader may see them."""
    return {name: _redacted(name, value) for name, value in values.items()}


def _redacted(name: str, value: Any) -> Any:
    """``value`` without secrets; ``name`` may say that it is one, as in ``pin: 4711-x``."""
    if isinstance(value, str):
        return redact(f"{name}: {value}").removeprefix(f"{name}: ")
    if isinstance(value, Mapping):
        return without_secrets(value)
    return [_redacted(name, item) for item in value] if isinstance(value, list) else value
