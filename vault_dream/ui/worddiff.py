"""Which words of a line changed, and which lines of a change belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile("\\d[\\d.,:/-]*\\d|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|\\w+|\\s+|.", re.S)
_PROPERTY = re.compile(r"[\w-]+: ?(?=\S)")
_LONGEST = 1_500
"""Tokens beyond which a line is shown as changed whole."""
ALIKE = 0.5
"""Share of a line's characters that must stay for two lines to be the same one, changed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a changed line: ``kind`` is ``" "``, ``"-"`` or ``"+"``."""

    kind: str
    text: str


def parts(old: str, new: str) -> tuple[Part, ...] | None:
    """``old`` and ``new`` as one line with its changes, or ``None`` where they have too little in
    common for that."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if not a or not b or max(len(a), len(b)) > _LONGEST:
        return None
    from rapidfuzz.distance import Indel

    found: list[Part] = []
    for code in Indel.opcodes(a, b):
        gone = "".join(a[code.src_start : code.src_end])
        came = "".join(b[code.dest_start : code.dest_end])
        if code.tag == "equal":
            found.append(Part(" ", gone))
        else:
            found += [Part("-", gone)] if gone else []
            found += [Part("+", came)] if came else []
    kept = sum(len(part.text) for part in found if part.kind == " " and part.text.strip())
    named = _PROPERTY.match(old)
    same_property = named is not None and new.startswith(named[0])
    if not same_property and kept < ALIKE * min(len(old.strip()), len(new.strip())):
        return None
    return _calm(found)


def _calm(found: Sequence[Part]) -> tuple[Part, ...]:
    """Small words that stayed between two changes go with them: a phrase reads better whole."""
    tidy: list[Part] = []
    for i, part in enumerate(found):
        small = part.kind == " " and len(part.text) < 4 and not part.text.strip().isalnum()
        inside = 0 < i < len(found) - 1
        if small and inside and found[i - 1].kind != " " and found[i + 1].kind != " ":
            tidy += [Part("-", part.text), Part("+", part.text)]
        else:
            tidy.append(part)
    return _joined(tidy)


def _joined(found: Sequence[Part]) -> tuple[Part, ...]:
    """Neighbouring changes as one taken away and one added."""
    out: list[Part] = []
    gone = came = ""
    for part in (*found, Part(" ", "")):
        if part.kind == "-":
            gone += part.text
        elif part.kind == "+":
            came += part.text
        else:
            out += [Part("-", gone)] if gone else []
            out += [Part("+", came)] if came else []
            gone = came = ""
            if part.text:
                out.append(part)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Pair:
    """A line before and after; either may be missing. ``parts`` where they are one line."""

    old: str | None
    new: str | None
    parts: tuple[Part, ...] | None = None


def pairs(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The lines of a hunk, those that are one line changed put together, in order."""
    found: list[Pair] = []
    rest = list(new)
    for before in old:
        for number, after in enumerate(rest[:4]):
            if before.strip() and after.strip() and (same := parts(before, after)) is not None:
                found += [Pair(None, extra) for extra in rest[:number]]
                found.append(Pair(before, after, same))
                rest = rest[number + 1 :]
                break
        else:
            found.append(Pair(before, None))
    return [*found, *(Pair(None, after) for after in rest)]
