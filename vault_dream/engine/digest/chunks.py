"""A note cut into chunks: whole sections, paragraphs or lines, none of them long.

A search ranks chunks, so that a long daily log is not found for words that stand far apart in it.
The cut looks at line beginnings only: a wrong guess (a ``#`` in code) moves a border, nothing else.
"""

from __future__ import annotations

import re

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


_TARGET = re.compile(r"\[\[[^\[\]|\n]{1,1000}\|")


def shown(text: str) -> str:
    """``text`` as its words are searched: of a labelled wikilink only the label counts."""
    return _TARGET.sub("[[", text) if "[[" in text else text
