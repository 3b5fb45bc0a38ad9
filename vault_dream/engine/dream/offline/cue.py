"""What a cue is: a turn of phrase by which people mark what they want to keep, or what they do not.

Each cue has a kind and a weight. A statement is worth keeping when the weights of the different
cues it shows, its structure and its place add up to :data:`ENOUGH` after what speaks against it is
taken off. The cues are everyday English and Chinese; none belongs to a trade or a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "steps",
    "fix",
    "rule",
    "lesson",
    "decision",
    "preference",
    "instruction",
    "definition",
    "change",
    "recurrence",
]
Side = Literal["cause", "reason", "detail", "condition", "modality", "contrast"]
"""What strengthens a statement without being a reason to keep it."""

ENOUGH = 2.0


@dataclass(frozen=True, slots=True)
class Cue:
    """``pattern`` is searched in the lower-cased text; in the text itself if it names capitals."""

    kind: Kind | Side
    weight: float
    pattern: str
    _found: re.Pattern[str] = field(init=False, repr=False)
    _cased: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cased = "(?-i:" in self.pattern
        object.__setattr__(self, "_cased", cased)
        object.__setattr__(self, "_found", re.compile(self.pattern, re.I if cased else 0))

    def stands_in(self, text: str, lowered: str) -> bool:
        return self._found.search(text if self._cased else lowered) is not None


@dataclass(frozen=True, slots=True)
class Against:
    """What speaks against keeping a statement, searched in the lower-cased text."""

    weight: float
    pattern: str
    _found: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_found", re.compile(self.pattern))

    def stands_in(self, lowered: str) -> bool:
        return self._found.search(lowered) is not None
