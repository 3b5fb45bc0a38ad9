"""Days as the corpus writes them: the text of a note, then what its owner would keep.

After ``=== keep`` each line is ``bucket bucket | words of the note``, or several such words with
`` ;; `` between them, of which any will do; a line that begins with ``?`` may be kept or left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from vault_dream.engine.dream.reader import SourceBlock, SourceText

DAYS = Path(__file__).parent / "days"
_ITEM = re.compile(r"^([ \t]*)(?:[-*+]|\d+[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class Keep:
    buckets: tuple[str, ...]
    words: str
    optional: bool

    def proved_by(self, quote: str) -> bool:
        return any(words in quote or quote in words for words in self.words.split(" ;; "))


@dataclass(frozen=True, slots=True)
class Day:
    name: str
    text: str
    keeps: tuple[Keep, ...]


def day(path: Path) -> Day:
    text, _, wanted = path.read_text(encoding="utf-8").partition("\n=== keep\n")
    return Day(path.stem, text, tuple(_keep(line) for line in wanted.splitlines() if line.strip()))


def days(folder: Path = DAYS) -> tuple[Day, ...]:
    return tuple(day(path) for path in sorted(folder.glob("*.txt")))


def _keep(line: str) -> Keep:
    buckets, _, words = line.lstrip("? ").partition("|")
    return Keep(tuple(buckets.split()), words.strip(), line.startswith("?"))


def source(
    text: str,
    *,
    handle: int = 1,
    path: str = "daily/2025-03-04.md",
    day: date | None = date(2025, 3, 4),
    fresh: bool = True,
) -> SourceText:
    """``text`` as a source, cut into blocks the way the vault layer cuts a simple note."""
    return SourceText(handle, path, day, path.rsplit("/", 1)[-1][:-3], _blocks(text, fresh))


def _blocks(text: str, fresh: bool) -> tuple[SourceBlock, ...]:
    found: list[SourceBlock] = []
    headings: list[tuple[int, str]] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line, start = lines[at], at
        at += 1
        if not line.strip():
            continue
        heading = re.match(r"(#{1,6})[ \t]+(.*)", line)
        if heading:
            headings = [h for h in headings if h[0] < len(heading[1])]
            headings.append((len(heading[1]), heading[2]))
            continue
        item = _ITEM.match(line)
        if line.startswith("```"):
            while at < len(lines) and not lines[at].startswith("```"):
                at += 1
            at += 1
            kind = "code"
        else:
            kind = "item" if item else "quote" if line.startswith(">") else "paragraph"
            while at < len(lines) and lines[at].strip() and not _ITEM.match(lines[at]):
                if re.match(r"#{1,6}[ \t]|```", lines[at]):
                    break
                at += 1
        depth = len(item[1].expandtabs(4)) // 2 if item else 0
        text_of = "\n".join(lines[start:at])
        above = tuple(h[1] for h in headings)
        found.append(SourceBlock(start + 1, at, kind, text_of, above, fresh, depth))
    return tuple(found)
