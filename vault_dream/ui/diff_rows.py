"""A proposal's change as rows: inline or side by side, with words marked and links made short."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.revise import Hunk
from vault_dream.ui.glyphs import Glyphs
from vault_dream.ui.lines import Line, Piece, pad, wrap
from vault_dream.ui.literal import literal
from vault_dream.ui.worddiff import Pair, Part, pairs

_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
GUTTER = 3


@dataclass(frozen=True, slots=True)
class DiffView:
    """How a change is to be shown. ``context`` is ``None`` for the whole note; ``plain`` marks
    words with signs where there are no colours; ``exact`` shows links as they are written."""

    context: int | None = 3
    side_by_side: bool = False
    exact: bool = False
    plain: bool = False


def hunk_key(index: int) -> str:
    """The key of a hunk's rows."""
    return f"hunk:{index}"


def diff_rows(
    before: str | None, hunks: Sequence[Hunk], view: DiffView, width: int, glyphs: Glyphs
) -> list[Line]:
    """The rows of a change at ``width`` cells; the rows of a hunk carry its key."""
    if before is None:
        text = "".join(line for hunk in hunks for line in hunk.new)
        return _new_note(text, view, width)
    paint = _SideBySide(view, width) if view.side_by_side else _Inline(view, width)
    rows: list[Line] = []
    lines = before.splitlines()
    matter = _frontmatter_end(lines)
    at = 0
    for hunk in hunks:
        rows += _context(
            lines, at, hunk.old_start, view, paint, glyphs, matter, first=at == 0, last=False
        )
        rows += paint.hunk(hunk)
        at = hunk.old_start + len(hunk.old)
    rows += _context(lines, at, len(lines), view, paint, glyphs, matter, first=not hunks, last=True)
    return rows


def _new_note(text: str, view: DiffView, width: int) -> list[Line]:
    """A note that was not there: its text, a quiet sign before each line."""
    lines = text.splitlines()
    matter = _frontmatter_end(lines)
    rows: list[Line] = []
    for number, raw in enumerate(lines):
        style = "muted" if number < matter else _style_of(raw)
        pieces = pieces_of(raw, style, exact=view.exact)
        rows += [Line((("+  ", "good"), *row)) for row in wrap(pieces, width - GUTTER, _hang(raw))]
    return rows


def _context(
    lines: Sequence[str],
    start: int,
    end: int,
    view: DiffView,
    paint: _Inline | _SideBySide,
    glyphs: Glyphs,
    matter: int,
    *,
    first: bool,
    last: bool,
) -> Iterator[Line]:
    """The lines between two hunks, those far from both folded."""
    around = view.context
    if around is not None and end <= matter and around <= 3:
        around = 0  # properties around a changed one say little
    elif around is not None and start < matter <= end and around <= 3:
        ends = max(matter, end - around)
        what = "properties" if ends == matter else f"{ends - start} lines"
        yield _folded(what, glyphs)
        start, around = ends, end - ends
    if around is None or end - start <= 2 * around + 1:
        for number in range(start, end):
            yield from paint.same(lines[number], number < matter)
        return
    head = 0 if first else around
    tail = 0 if last else around
    for number in range(start, start + head):
        yield from paint.same(lines[number], number < matter)
    hidden = end - start - head - tail
    if hidden > 0:
        lines_word = f"{hidden} {'line' if hidden == 1 else 'lines'}"
        yield _folded("properties" if end <= matter else lines_word, glyphs)
    for number in range(end - tail, end):
        yield from paint.same(lines[number], number < matter)


def _folded(what: str, glyphs: Glyphs) -> Line:
    return Line(((" " * GUTTER, "text"), (f"{glyphs.fold} {what} as before", "faint")))


class _Inline:
    """One column: what goes and what comes below each other, changed lines as one."""

    def __init__(self, view: DiffView, width: int) -> None:
        self._view = view
        self._width = width - GUTTER

    def same(self, text: str, matter: bool) -> Iterator[Line]:
        style = "muted" if matter else _style_of(text)
        for row in wrap(pieces_of(text, style, exact=self._view.exact), self._width, _hang(text)):
            yield Line(((" " * GUTTER, "text"), *row))

    def hunk(self, hunk: Hunk) -> Iterator[Line]:
        key = hunk_key(hunk.index)
        for pair in pairs(_bare(hunk.old), _bare(hunk.new)):
            if not hunk.taken:
                yield from self._left_out(pair, key)
            elif pair.parts is not None:
                yield from self._rows("~", self._merged(pair), "accent", key, "", pair.new or "")
            elif pair.old is not None:
                yield from self._one("-", pair.old, "del", key)
            else:
                yield from self._one("+", pair.new or "", "add", key)

    def _one(self, sign: str, text: str, style: str, key: str) -> Iterator[Line]:
        pieces = pieces_of(text, style, exact=self._view.exact)
        yield from self._rows(sign, pieces, style, key, style, text)

    def _left_out(self, pair: Pair, key: str) -> Iterator[Line]:
        if pair.old is not None:
            pieces = pieces_of(pair.old, "text", exact=self._view.exact)
            yield from self._rows("o", pieces, "faint", key, "", pair.old)
        if pair.new is not None:
            pieces = [(literal(pair.new), "off")]
            yield from self._rows("o", pieces, "faint", key, "", pair.new)

    def _merged(self, pair: Pair) -> list[Piece]:
        signs = {"-": ("[-", "-]"), "+": ("{+", "+}"), " ": ("", "")}
        styles = {"-": "del-word", "+": "add-word", " ": "text"}
        pieces: list[Piece] = []
        before = Part(" ", "")
        for part in pair.parts or ():
            if before.kind == "-" and part.kind == "+" and not before.text.endswith(" "):
                pieces.append((" ", "text"))  # else the two would read as one word
            before = part
            start, end = signs[part.kind] if self._view.plain else ("", "")
            shown = pieces_of(part.text, styles[part.kind], exact=self._view.exact)
            if self._view.plain and part.kind != " ":
                pieces += [(start, styles[part.kind]), *shown, (end, styles[part.kind])]
            else:
                pieces += shown
        return pieces

    def _rows(
        self, sign: str, pieces: Sequence[Piece], style: str, key: str, fill: str, text: str
    ) -> Iterator[Line]:
        for number, row in enumerate(wrap(pieces, self._width, _hang(text))):
            gutter = f"{sign}  " if number == 0 else " " * GUTTER
            yield Line(((gutter, style), *row), key=key, fill=fill)


class _SideBySide:
    """Two columns: the note as it is, and as it would be."""

    def __init__(self, view: DiffView, width: int) -> None:
        self._view = view
        self._half = max(12, (width - 1) // 2 - 1)
        self._text = self._half - 2

    def same(self, text: str, matter: bool) -> Iterator[Line]:
        style = "muted" if matter else _style_of(text)
        rows = wrap(pieces_of(text, style, exact=self._view.exact), self._text, _hang(text))
        for row in rows:
            yield self._row(" ", row, " ", row, None)

    def hunk(self, hunk: Hunk) -> Iterator[Line]:
        key = hunk_key(hunk.index)
        for pair in pairs(_bare(hunk.old), _bare(hunk.new)):
            left, right = self._side(pair, "-", hunk.taken), self._side(pair, "+", hunk.taken)
            for number in range(max(len(left), len(right))):
                old_row = left[number] if number < len(left) else ()
                new_row = right[number] if number < len(right) else ()
                first = number == 0
                yield self._row(
                    "-" if first and pair.old is not None else " ",
                    old_row,
                    ("+" if hunk.taken else "o") if first and pair.new is not None else " ",
                    new_row,
                    key,
                )

    def _side(self, pair: Pair, kind: str, taken: bool) -> list[tuple[Piece, ...]]:
        text = pair.old if kind == "-" else pair.new
        if text is None:
            return []
        name = "del" if kind == "-" else "add"
        if not taken:
            pieces: list[Piece] = [(literal(text), "text" if kind == "-" else "off")]
        elif pair.parts is not None:
            pieces = []
            for part in pair.parts:
                if part.kind in (" ", kind):
                    style = "text" if part.kind == " " else f"{name}-word"
                    pieces += pieces_of(part.text, style, exact=self._view.exact)
        else:
            pieces = pieces_of(text, name, exact=self._view.exact)
        return wrap(pieces, self._text, _hang(text))

    def _row(
        self, one: str, left: Sequence[Piece], two: str, right: Sequence[Piece], key: str | None
    ) -> Line:
        signs = {"-": "del", "+": "good"}
        return Line(
            (
                (f"{one} ", signs.get(one, "faint")),
                *pad(left, self._text),
                (" ", "text"),
                (f"{two} ", signs.get(two, "faint")),
                *right,
            ),
            key=key,
        )


def pieces_of(text: str, style: str, *, exact: bool = False) -> list[Piece]:
    """A line of a note in ``style``, its links by their labels unless ``exact``."""
    if "[[" not in text:
        return [(literal(text), style)] if text else []
    pieces: list[Piece] = []
    at = 0
    linked = "link" if style in ("text", "muted", "heading") else style
    for match in _LINK.finditer(text):
        if match.start() > at:
            pieces.append((literal(text[at : match.start()]), style))
        label = match[3] or match[2].rsplit("/", 1)[-1].removesuffix(".md")
        if exact:
            start = literal(f"{match[1]}[[{match[2]}{'|' if match[3] is not None else ''}")
            pieces += [(start, "faint" if linked == "link" else style)]
            pieces += [
                (literal(match[3] or ""), linked),
                ("]]", "faint" if linked == "link" else style),
            ]
        else:
            pieces.append((literal(label), linked))
        at = match.end()
    if at < len(text):
        pieces.append((literal(text[at:]), style))
    return pieces


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def _style_of(text: str) -> str:
    return "heading" if text.startswith("#") else "text"


_MARKER = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+|\s*>\s?")


def _hang(text: str) -> int:
    """How far the later rows of a list item or quote are indented."""
    match = _MARKER.match(text)
    return min(len(match[0]), 12) if match else 0


def _frontmatter_end(lines: Sequence[str]) -> int:
    """The number of lines that the properties take, fences included."""
    if not lines or lines[0].lstrip("\ufeff") != "---":
        return 0
    for number, text in enumerate(lines[1:], start=1):
        if text == "---":
            return number + 1
    return 0
