"""A found note looked at closely: how well it answers, and which of its lines to show.

Nothing is stemmed here: the index has told which words, as they are written, answer a query.
"""

from __future__ import annotations

from vault_dream.engine.digest.chunks import SIZE, chunk_spans, shown
from vault_dream.engine.digest.rank import (
    ALIAS,
    BODY,
    HEADING,
    NAME,
    PRECISION,
    SATURATION,
    worth_of,
)
from vault_dream.engine.digest.tokens import ascii_spaced, compounds, in_place, spaced
from vault_dream.engine.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vault_dream.engine.digest.rank import Slot
    from vault_dream.engine.digest.sheet import Sheet

_LENGTH = 0.5  # of BM25's b: how much a long chunk is worth less
_PASSAGES = 2
_SNIPPET = 180  # characters


@record
class Passage:
    """A line of a note, from 1: ``text`` are its words, ``marks`` the places of the found ones."""

    line: int
    heading: str
    text: str
    marks: tuple[tuple[int, int], ...]


@record
class Look:
    """The words that are looked for: what each is worth, with the first form of it, so that two
    forms of one word count once; and whether all of them are ASCII."""

    worth: Mapping[str, tuple[str, float]]
    in_ascii: bool

    @classmethod
    def for_(cls, slots: Sequence[Slot]) -> Look:
        worth: dict[str, tuple[str, float]] = {}
        for slot in slots:
            for forms, trust in slot.alternatives:
                for form in forms:
                    value = slot.weight * trust
                    if form not in worth or worth[form][1] < value:
                        worth[form] = (forms[0], value)
        return cls(worth, all(map(str.isascii, worth)))

    def spaced(self, text: str) -> str:
        """The words of ``text``, at least those that are looked for, parted by spaces."""
        return ascii_spaced(text) if self.in_ascii else spaced(text)

    def words(self, text: str) -> set[str]:
        """Those words of ``text``, taken apart too, that are looked for or not."""
        return {*self.spaced(text).split(), *compounds(text)} if text else set()

    def weight(self, line: str) -> float:
        """What the words of ``line`` are worth, each once."""
        found = self.worth.keys() & self.spaced(line).split()
        return sum(value for _, value in {self.worth[word] for word in found})


def rank_note(
    note: Sheet, slots: Sequence[Slot], look: Look
) -> tuple[float, list[tuple[float, int, int]]]:
    """How well the note answers, in [0, 1], and its best chunks: worth, start, end."""
    title, aliases = look.words(note.title), look.words(note.aliases)
    total = sum(slot.weight for slot in slots)
    chunks: list[tuple[float, int, int]] = []
    for start, end in chunk_spans(note.text):
        text = note.text[start:end]
        body: dict[str, int] = {}
        for word in look.spaced(shown(text)).split():
            if word in look.worth:
                body[word] = body.get(word, 0) + 1
        headings = look.words(note.headings(start, end))
        length = (1 - _LENGTH) + _LENGTH * (end - start) / SIZE
        got = 0.0
        for slot in slots:
            best = 0.0
            for forms, trust in slot.alternatives:
                times = sum([body[form] for form in forms if form in body])
                evidence = BODY * times * (SATURATION + 1) / (times + SATURATION * length)
                evidence += NAME * (not title.isdisjoint(forms))
                evidence += ALIAS * (not aliases.isdisjoint(forms))
                evidence += HEADING * (not headings.isdisjoint(forms))
                best = max(best, trust * worth_of(evidence))
            got += slot.weight * best
        chunks.append((got / total if total else 0.0, start, end))
    chunks.sort(key=lambda chunk: (-chunk[0], chunk[1]))
    named = sum(
        not title.isdisjoint(forms) for slot in slots for forms, _ in slot.alternatives
    ) / max(1, len(title))
    worth = (1 - PRECISION) * chunks[0][0] + PRECISION * min(1.0, named)
    return (worth if chunks[0][0] > 0 else 0.0), chunks


def passages(
    note: Sheet,
    chunks: Sequence[tuple[float, int, int]],
    look: Look,
    first: Callable[[str], bool] | None,
) -> tuple[Passage, ...]:
    """The lines with most of what was asked, from the note's best chunks; ``first`` tells lines
    that go before all others."""
    found: list[tuple[float, int]] = []
    for worth, start, end in chunks[:_PASSAGES]:
        if worth <= 0:
            break
        for offset, line in _lines(note, start, end, look, every=first is not None):
            weight = look.weight(shown(line))
            if first is not None and first(line):
                weight += 1_000.0
            if weight > 0:
                found.append((weight, offset))
    if not found:
        return first_line(note)
    best = sorted(found, key=lambda one: (-one[0], one[1]))[:_PASSAGES]
    enough = best[0][0] / 2
    return tuple(_passage(note, offset, look) for weight, offset in best if weight >= enough)


def _lines(
    note: Sheet, start: int, end: int, look: Look, *, every: bool
) -> Iterator[tuple[int, str]]:
    """Where lines of a chunk start, and they; not ``every``, but what may say what is asked."""
    text = note.text[start:end]
    quick = in_place(text) if look.in_ascii and not every else None
    at = 0
    for line in text.split("\n"):
        if line and start + at >= note.body_start:
            words = quick[at : at + len(line)].split() if quick is not None else None
            if words is None or not look.worth.keys().isdisjoint(words):
                yield start + at, line
        at += len(line) + 1


def first_line(note: Sheet) -> tuple[Passage, ...]:
    """The first line of a note in which nothing was looked for."""
    text = note.text[note.body_start :]
    blank = len(text) - len(text.lstrip())
    return (_passage(note, note.body_start + blank, None),) if text.strip() else ()


def _passage(note: Sheet, offset: int, look: Look | None) -> Passage:
    written = note.line_at(offset)
    text = _plain(written) or " ".join(written.split())
    if len(text) > _SNIPPET:
        text = _cut(text, next(_places(text, look), (0, 0))[0])
    places = tuple(_places(text, look))
    return Passage(note.line_of(offset), note.heading_over(offset), text, places)


# What ``plain`` would act upon, and patterns with it.
_ACTIVE = ("[", "]", "<", "%%", "**", "__", "==", "~~", "#", "^", "::")


def _plain(line: str) -> str:
    """A line as its words; most lines need no patterns for that."""
    text = line.strip()
    if text.startswith(("- ", "* ", "> ")):
        text = text[2:]
    if text.isprintable() and not text[:1].isdigit() and not text.startswith(("-", "*", ">", "+")):
        words = _without_links(text)
        if not any(mark in words for mark in _ACTIVE):
            return " ".join(words.split())
    from vault_dream.engine.vault.plain import plain

    return plain(line)


def _without_links(text: str) -> str:
    """``text`` with its plain wikilinks as their labels; where one is odd, as it is."""
    if "[[" not in text:
        return text
    first, *others = text.split("[[")
    parts = [first]
    for other in others:
        link, closed, rest = other.partition("]]")
        target, bar, label = link.partition("|")
        if not closed or not target or "]" in link or "\\" in link:
            return text
        if parts[-1].endswith(("!", "[")):
            return text
        name = target.partition("#")[0].rpartition("/")[2].removesuffix(".md")
        parts += (label.strip() if bar and label else name, rest)
    return "".join(parts)


def _places(text: str, look: Look | None) -> Iterator[tuple[int, int]]:
    """Where in ``text`` the asked words stand, overlapping ones as one."""
    if look is None:
        return
    begin = end = -1
    for start, stop in _pieces(text, look):
        if start <= end:
            end = stop
            continue
        if begin >= 0:
            yield begin, end
        begin, end = start, stop
    if begin >= 0:
        yield begin, end


def _pieces(text: str, look: Look) -> Iterable[tuple[int, int]]:
    """Where the asked words stand in ``text``, in order."""
    quick = in_place(text) if look.in_ascii else None
    if quick is not None:
        return sorted(_standing(f" {quick} ", look))
    from vault_dream.engine.digest.scripts import pieces

    wanted = look.worth.keys()
    return ((start, end) for start, end, found in pieces(text) if not wanted.isdisjoint(found))


def _standing(padded: str, look: Look) -> Iterator[tuple[int, int]]:
    for word in look.worth:
        at = padded.find(f" {word} ")
        while at >= 0:
            yield at, at + len(word)
            at = padded.find(f" {word} ", at + 1)


def _cut(text: str, first: int) -> str:
    """The part of a long line around its first found word, dots where something is left out."""
    start = max(0, min(first - _SNIPPET // 3, len(text) - _SNIPPET))
    if start:
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + _SNIPPET)
    if end < len(text):
        space = text.rfind(" ", start + _SNIPPET // 2, end)
        end = space if space >= 0 else end
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
