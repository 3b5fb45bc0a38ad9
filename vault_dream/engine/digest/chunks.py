"""A note cut into chunks: whole sections, paragraphs or lines, none of them long.

A search ranks chunks, so that a long daily log is not found for words that stand far apart in it.
The cut looks at line beginnings only: a wrong guess (a ``#`` in code) moves a border, nothing else.
"""

from __future__ import annotations

SIZE = 1_600  # characters of a chunk, about
MOST = 4_096  # chunks of one note: a longer note has longer chunks
_BREAKS = ("\n#", "\n\n", "\n- ", "\n", " ")  # where to cut, the best first


def chunk_spans(text: str) -> list[tuple[int, int]]:
    """``(start, end)`` of each chunk of ``text``, in order and without gaps; one at least."""
    length = len(text)
    size = max(SIZE, -(-2 * length // MOST))  # a cut may come at half the size
    if length <= size + size // 2:
        return [(0, length)]
    spans: list[tuple[int, int]] = []
    start = 0
    while length - start > size + size // 2:
        low, high = start + size // 2, start + size + size // 2
        for mark in _BREAKS:
            cut = text.rfind(mark, low, high)
            if cut >= 0:
                break
        else:
            cut = start + size - 1
        spans.append((start, cut + 1))
        start = cut + 1
    spans.append((start, length))
    return spans


def shown(text: str) -> str:
    """``text`` as its words are searched: of a labelled wikilink only the label counts."""
    bar = text.find("|")
    if bar < 0:
        return text
    parts: list[str] = []
    done = after = 0  # what is kept; the bar before
    while bar >= 0:
        start = text.rfind("[[", max(after, bar - _LONGEST_TARGET - 2), bar) + 2
        if start > 1:
            target = text[start:bar]
            if "]" not in target and "\n" not in target:
                parts.append(text[done:start])
                done = bar + 1
        after = bar + 1
        bar = text.find("|", after)
    parts.append(text[done:])
    return "".join(parts)


_LONGEST_TARGET = 1_000


def headings_in(text: str) -> list[str]:
    """The texts of the headings in ``text``, by line beginnings alone; what is fenced has none."""
    at = text.find("#")
    if at < 0:
        return []
    if ("`" in text and "```" in text) or ("~" in text and "~~~" in text):
        text = _unfenced(text)
        at = text.find("#")
    found: list[str] = []
    while at >= 0:
        if at and text[at - 1] != "\n":
            at = text.find("#", at + 1)
            continue
        end = text.find("\n", at)
        line = text[at:end] if end >= 0 else text[at:]
        words = line.lstrip("#")
        if len(line) - len(words) < 7 and words[:1] in (" ", "\t"):
            found.append(words.strip().rstrip("#").rstrip())
        at = text.find("#", at + len(line))
    return found


def _unfenced(text: str) -> str:
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        if line.startswith(("```", "~~~")):
            fence = "" if line[:3] == fence else fence or line[:3]
        elif not fence:
            kept.append(line)
    return "\n".join(kept)
