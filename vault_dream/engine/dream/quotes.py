"""Quotes: finding the words that a reader claims in the source that it claims them of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from vault_dream.engine.dream.reader import SourceBlock
from vault_dream.engine.dream.units import Evidence
from vault_dream.engine.vault.plain import plain

LEAST_WORDS = 6
LEAST_CJK = 12
"""A shorter quote proves nothing: it is kept, but flagged (DESIGN, *Extract*)."""

_CJK = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0002fa1f"
    "\u0e01-\u0e30\u0e32\u0e33\u0e81-\u0ec6\u1000-\u102a\u1780-\u17b3]"
)
"""Characters of scripts that put no spaces between words: Thai, Lao, Burmese and Khmer as well."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SAME = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})
_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTATION = re.compile('"([^"\n]+)"|“([^”\n]+)”|「([^」\n]+)」|„([^“\n]+)“')
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_ELLIPSIS = re.compile(r"^[.…\s\"']+|[.…\s\"']+$")


def long_enough(quote: str) -> bool:
    """Whether a quote is long enough to prove something."""
    return length_in_words(quote) >= LEAST_WORDS


def length_in_words(text: str) -> int:
    """How many words ``text`` has; of scripts without spaces two characters count as one."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + cjk * LEAST_WORDS // LEAST_CJK


def words_of(text: str) -> list[str]:
    """The words of ``text`` in one case; of scripts without spaces the characters."""
    return _CJK.findall(text) + [word.casefold() for word in _WORD.findall(_CJK.sub(" ", text))]


def fold(text: str) -> str:
    """``text`` as it is compared: plain words, one case, straight quotes, single spaces."""
    folded = unicodedata.normalize("NFKC", plain(text).translate(_SAME)).casefold()
    return _ELLIPSIS.sub("", " ".join(folded.split()))


def quotes_beside(sentence: str) -> tuple[str, ...]:
    """The quotations in a sentence about a source that are long enough to prove something, those in
    link labels left out."""
    found = ("".join(groups) for groups in _QUOTATION.findall(_LINK.sub(" ", sentence)))
    return tuple(quote for quote in found if long_enough(quote))


def locate(path: str, quote: str, blocks: Iterable[SourceBlock]) -> Evidence:
    """Where ``quote`` stands among the blocks of the source at ``path``.

    A quote that stands nowhere comes back with line 0. Markup, case and the shape of quotation
    marks do not count; words and their order do.
    """
    wanted = fold(quote)
    if wanted:
        for block in blocks:
            if block.kind == "heading":
                continue
            text = fold(block.text)
            if wanted in text:
                heading = block.headings[-1] if block.headings else ""
                return Evidence(path, _line(block, wanted), quote.strip(), heading)
    return Evidence(path, 0, quote.strip())


def _line(block: SourceBlock, wanted: str) -> int:
    """The line on which the words begin: the last one from which they can still all be read."""
    lines = _LINE_END.split(block.text)
    first, beyond = 0, len(lines)
    while beyond - first > 1:
        middle = (first + beyond) // 2
        if wanted in fold("\n".join(lines[middle:])):
            first = middle
        else:
            beyond = middle
    return block.line + first


def on_fresh_block(evidence: Evidence, blocks: Iterable[SourceBlock]) -> bool:
    """Whether the quote stands in a block that no earlier reading saw."""
    return any(b.fresh and b.line <= evidence.line <= b.end_line for b in blocks)
