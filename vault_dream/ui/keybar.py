"""The bottom of every screen: a word when there is one, and the keys that apply here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events

from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import Line, Piece, cut, line


@dataclass(frozen=True, slots=True)
class Hint:
    """A key and what it does. ``applies`` is false where it would only say why not; what is
    ``pinned`` always has its place, at the end."""

    key: str
    name: str
    applies: bool = True
    pinned: bool = False


class KeyBar(LineList, can_focus=False, inherit_bindings=False):
    """The keys in their order of use, as many as fit. Stateful: holds the word that is shown."""

    DEFAULT_CSS = """
    KeyBar { height: auto; max-height: 3; overflow: hidden; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="keybar")
        self._hints: Sequence[Hint] = ()
        self._word: tuple[str, str] = ("", "text")
        self.rows_wanted = 1

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def show_hints(self, hints: Sequence[Hint], rows: int) -> None:
        """Show ``hints`` in at most ``rows`` rows."""
        if (tuple(hints), rows) != (tuple(self._hints), self.rows_wanted):
            self._hints, self.rows_wanted = hints, rows
            self._draw()

    def say(self, text: str, style: str = "text") -> None:
        """Show a word above the keys until the next one; ``""`` takes it away."""
        if self._word != (text, style):
            self._word = (text, style)
            self._draw()

    @property
    def word(self) -> str:
        """What is being said."""
        return self._word[0]

    def _draw(self) -> None:
        width = max(10, self.size.width - 2 or 78)
        text, style = self._word
        tight = self.rows_wanted == 1  # then a word and a second row of keys share their place
        hints = hint_rows(self._hints, width, 2 if tight and not text else self.rows_wanted)
        said = [Line(cut(line((text, style)).pieces, width))] if text or not tight else []
        self.show([*said, *hints])
        self.styles.height = 1 + self.rows_wanted


def _size(hint: Hint) -> int:
    return cell_len(hint.key) + 1 + cell_len(hint.name)


def hint_rows(hints: Sequence[Hint], width: int, rows: int) -> list[Line]:
    """``hints`` in at most ``rows`` rows of ``width`` cells; the last ones are left out."""
    kept = [hint for hint in hints if hint.pinned]
    pinned = sum(_size(hint) + 3 for hint in kept)
    packed: list[Line] = []
    current: list[Piece] = []
    used = 0
    for hint in (*(hint for hint in hints if not hint.pinned), *kept):
        # The pinned ones stay together.
        size = pinned - 3 if kept and hint is kept[0] else _size(hint)
        room = width - (pinned if len(packed) == rows - 1 and not hint.pinned else 0)
        if current and used + 3 + size > room:
            if len(packed) == rows - 1:
                continue
            packed.append(Line(tuple(current)))
            current, used = [], 0
        if current:
            current.append(("   ", "text"))
            used += 3
        current += line(
            (hint.key, "key" if hint.applies else "faint"),
            " ",
            (hint.name, "muted" if hint.applies else "faint"),
        ).pieces
        used += _size(hint)
    if current and len(packed) < rows:
        packed.append(Line(tuple(current)))
    return packed
