"""LineList: the widget behind every list, diff and page; it draws only the rows that are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from vault_dream.ui.lines import Line, plain

EMPTY: tuple[Line, ...] = ()


class _Told(Message):
    """What a list tells of itself."""

    def __init__(self, source: LineList) -> None:
        super().__init__()
        self.source = source

    @property
    def control(self) -> LineList:
        return self.source


class LineList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of :class:`Line`, some of which are items that a cursor walks over.

    Stateful: holds the rows that :meth:`show` gave it and the key under the cursor. ``bar`` draws
    a sign before the item under the cursor, so that it is seen without colour; a ``quiet`` list
    marks its item only while it has the focus. A page without items
    scrolls instead.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineList {
        scrollbar-size: 1 1;
        overflow-x: hidden;
        overflow-y: auto;
    }
    """

    cursor: reactive[str | None] = reactive(None, init=False)

    class Moved(_Told):
        """The cursor stands on another item."""

        def __init__(self, source: LineList, key: str | None) -> None:
            super().__init__(source)
            self.key = key

    class Chosen(_Told):
        """An item was chosen with the mouse."""

        def __init__(self, source: LineList, key: str) -> None:
            super().__init__(source)
            self.key = key

    class Resized(_Told):
        """The width changed: whoever lays out the rows does it again."""

        def __init__(self, source: LineList, width: int) -> None:
            super().__init__(source)
            self.width = width

    def __init__(
        self, *, id: str | None = None, bar: str = "", classes: str = "", quiet: bool = False
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = EMPTY
        self._keys: dict[str, tuple[int, int]] = {}
        self._order: list[str] = []
        self._bar = bar
        self._quiet = quiet
        self._layout: Callable[[int], Sequence[Line]] | None = None
        self._laid_out = 0

    # What is shown -------------------------------------------------------------------------------

    def show(
        self,
        rows: Sequence[Line] | Callable[[int], Sequence[Line]],
        *,
        cursor: str | None = None,
        top: bool = False,
    ) -> None:
        """Show ``rows``, or what they are at the widget's width and at each later one.

        The cursor stays on its item where that is still there, else goes to ``cursor``, else to the
        nearest one.
        """
        place = self._order.index(self.cursor) if self.cursor in self._keys else 0
        self._layout = rows if callable(rows) else None
        self._put(rows(self.room) if callable(rows) else rows)
        wanted: str | None
        if cursor in self._keys:
            wanted = cursor
        elif self.cursor in self._keys:
            wanted = self.cursor
        else:
            wanted = self._order[min(place, len(self._order) - 1)] if self._order else None
        if top:
            self.scroll_to(y=0, animate=False, force=True)
        self.cursor = wanted
        self._keep_in_sight()

    def _put(self, rows: Sequence[Line]) -> None:
        self._laid_out = self.room
        self._lines = rows
        self._keys = {}
        self._order = []
        for number, row in enumerate(rows):
            if row.key is None:
                continue
            if row.key in self._keys:
                first, _ = self._keys[row.key]
                self._keys[row.key] = (first, number)
            else:
                self._keys[row.key] = (number, number)
                self._order.append(row.key)
        self.virtual_size = Size(0, len(rows))
        self.refresh()

    @property
    def room(self) -> int:
        """Cells that a row has."""
        width = self.scrollable_content_region.width or self.size.width
        if not self.show_vertical_scrollbar and self.styles.scrollbar_size_vertical:
            width -= 1  # the bar may come, and rows must not be laid out anew when it does
        if self.styles.scrollbar_size_vertical:
            width -= 1  # words do not touch it
        return max(1, width - (2 if self._bar else 0))

    @property
    def keys(self) -> tuple[str, ...]:
        """The items, in order."""
        return tuple(self._order)

    @property
    def words(self) -> tuple[str, ...]:
        """The rows as plain text."""
        return tuple(plain(row) for row in self._lines)

    def on_resize(self, event: events.Resize) -> None:
        if self._layout is not None and self.room != self._laid_out:
            self._put(self._layout(self.room))
            self._keep_in_sight()
        self.post_message(self.Resized(self, self.room))

    # The cursor ----------------------------------------------------------------------------------

    def watch_cursor(self, old: str | None, new: str | None) -> None:
        self._keep_in_sight()
        self.refresh()
        self.post_message(self.Moved(self, new))

    def move(self, steps: int) -> None:
        """Move the cursor by ``steps`` items, or scroll by rows where there are none."""
        if not self._order:
            self.scroll_relative(y=steps, animate=False, force=True)
            return
        at = self._order.index(self.cursor) if self.cursor in self._keys else 0
        self.cursor = self._order[max(0, min(len(self._order) - 1, at + steps))]
        if at + steps < 0 or (steps < 0 and self.cursor == self._order[0]):
            self.scroll_to(y=0, animate=False, force=True)

    def page(self, direction: int) -> None:
        """Scroll by a page less a row."""
        self.scroll_relative(y=direction * max(1, self.size.height - 1), animate=False, force=True)

    def to_end(self, direction: int) -> None:
        """Go to the first item or row, or to the last."""
        if self._order:
            self.cursor = self._order[-1 if direction > 0 else 0]
        self.scroll_to(y=len(self._lines) if direction > 0 else 0, animate=False, force=True)

    def reveal(self, key: str) -> None:
        """Scroll so that the item ``key`` is near the top."""
        if key in self._keys:
            self.scroll_to(y=max(0, self._keys[key][0] - 2), animate=False, force=True)

    def _keep_in_sight(self) -> None:
        span = self._keys.get(self.cursor or "")
        if span is None or not self.size.height:
            return
        first, last = span
        height = min(last - first + 1, self.size.height)
        self.scroll_to_region(
            Region(0, first, 1, height), animate=False, force=True, immediate=True
        )

    def on_click(self, event: events.Click) -> None:
        number = int(event.y + self.scroll_offset.y)
        if 0 <= number < len(self._lines) and (key := self._lines[number].key):
            again = key == self.cursor
            self.cursor = key
            if again or event.chain > 1:
                self.post_message(self.Chosen(self, key))

    # Drawing -------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        number = y + int(self.scroll_offset.y)
        width = self.scrollable_content_region.width or self.size.width
        ground = self.rich_style
        if not 0 <= number < len(self._lines):
            return Strip.blank(width, ground)
        row = self._lines[number]
        looks = self.app.looks  # type: ignore[attr-defined]
        base = ground + looks[row.fill] if row.fill else ground
        here = row.key is not None and row.key == self.cursor
        here = here and (self.has_focus or not self._quiet)
        suffix = "-focus" if self.has_focus else ""
        mark = looks[f"cursor{suffix}"] if here else Style.null()
        segments: list[Segment] = []
        if self._bar:
            sign = self._bar if here else " "
            style = ground + (looks[f"bar{suffix}"] if here else Style.null())
            segments += [Segment(sign, style), Segment(" ", base)]
        for text, name in row.pieces:
            style = base + looks[name]
            if here and not row.fill:
                style += mark
            segments.append(Segment(text, style))
        rest = base + mark if here and not row.fill else base
        return Strip(segments).crop_extend(0, width, rest)
