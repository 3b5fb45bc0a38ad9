"""Pages of text: a node as it would be, a quote in its note, the guide."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from vault_dream.engine.errors import VaultDreamError
from vault_dream.ui.action import PREVIEW
from vault_dream.ui.linelist import LineList
from vault_dream.ui.lines import BLANK, Line, Piece, line, wrapped
from vault_dream.ui.page import Page
from vault_dream.ui.rendered import link_of, rendered

AROUND = 60
"""Lines of a source that are shown before and after a quote."""


class ReadPage(Page[None]):
    """A text as Obsidian would show it, its links walkable. Stateful: the way back."""

    PLACE = PREVIEW

    DEFAULT_CSS = """
    ReadPage #page { height: 1fr; padding: 0 1; border-top: solid $vd-rule; }
    """

    def __init__(self, path: str, text: str | None = None) -> None:
        super().__init__()
        self.path = path
        self._text = text
        self._way: list[tuple[str, str | None]] = []

    def body(self) -> Iterable[Widget]:
        yield LineList(id="page", bar=self.glyphs.bar)

    def on_mount(self) -> None:
        self._show(self.path, self._text)

    def _show(self, path: str, text: str | None) -> None:
        self.path = path
        word = "as it would be" if text is not None else ""
        self.show_head(
            [(self.desk.name_of(path), "strong"), (f"   {path}", "muted")], [(word, "muted")]
        )
        page = self.query_one("#page", LineList)
        if text is not None:
            page.show(lambda width: rendered(text, width), top=True)
            return
        self.later(
            lambda: self.desk.text_of(path),
            lambda found: page.show(lambda width: rendered(found, width), top=True),
            failed=lambda error: page.show(lambda width: _missing(error, width), top=True),
        )

    @property
    def chosen(self) -> str:
        """The note that is meant: the link under the cursor, else the one that is shown."""
        link = link_of(self.query_one("#page", LineList).cursor)
        return self.desk.resolve(link, self.path) or "" if link else self.path

    def do_choose(self) -> None:
        link = link_of(self.query_one("#page", LineList).cursor)
        if not link:
            self.say("there is no link here", "warn")
            return
        path = self.desk.resolve(link, self.path)
        if path is None:
            self.say(f"no note is there: {link}", "warn")
            return
        self._way.append((self.path, self._text))
        self._text = None
        self._show(path, None)

    def do_back(self) -> None:
        if self._way:
            path, self._text = self._way.pop()
            self._show(path, self._text)
        else:
            super().do_back()

    def do_open(self) -> None:
        self.dream_app.open_in_obsidian((self.chosen, ""))

    def do_copy(self) -> None:
        self.dream_app.copy_link((self.chosen, ""))

    def do_neighbours(self) -> None:
        self.dream_app.go_node(self.path)


class SourcePage(ReadPage):
    """A note as it is written, with the line of a quote marked."""

    def __init__(self, path: str, line_number: int, quote: str) -> None:
        super().__init__(path)
        self._line = line_number
        self._quote = quote

    def _show(self, path: str, text: str | None) -> None:
        self.path = path
        where = f"line {self._line}" if self._line else "the words are no longer there"
        self.show_head(
            [(self.desk.name_of(path), "strong"), (f"   {path}", "muted")], [(where, "muted")]
        )
        page = self.query_one("#page", LineList)

        def found(whole: str) -> None:
            page.show(
                lambda width: source_lines(whole, self._line, width, self._quote), cursor="quote"
            )
            page.reveal("quote")

        self.later(
            lambda: self.desk.text_of(path),
            found,
            failed=lambda error: page.show(lambda width: _missing(error, width)),
        )

    def do_choose(self) -> None:
        self.say("n shows its neighbours, o opens it in Obsidian")


def source_lines(text: str, number: int, width: int, quote: str = "") -> list[Line]:
    """The lines of ``text`` with their numbers, line ``number`` under the cursor."""
    lines = text.splitlines()
    first = max(0, number - 1 - AROUND) if number else 0
    rows: list[Line] = [BLANK]
    if first:
        rows.append(line((f"      {first} lines before", "faint")))
    for at, one in enumerate(lines[first : number + AROUND if number else None], start=first + 1):
        here = at == number
        rows += wrapped(
            _marked(one, quote) if here else [(one, "heading" if one.startswith("#") else "text")],
            width,
            first=[(f"{at:>5} ", "accent" if here else "faint")],
            key="quote" if here else None,
        )
    rest = len(lines) - (number + AROUND if number else len(lines))
    if rest > 0:
        rows.append(line((f"      {rest} lines more", "faint")))
    return rows


def _marked(text: str, quote: str) -> list[Piece]:
    """A line with the quoted words marked in it, or marked whole where they are not one stretch."""
    words = quote.strip().rstrip(".。")
    before, found, after = text.partition(words)
    if not words or not found:
        return [(text, "strong")]
    return [(before, "text"), (found, "key"), (after, "text")]


def _missing(error: VaultDreamError, width: int) -> list[Line]:
    return [BLANK, *wrapped([(f"{error.where}: {error.what}", "warn")], width)]
