"""The signs the app draws, in Unicode and for terminals that have only ASCII."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs. The marks of the actions are ASCII in both sets: they need no colour."""

    bar: str = "▌"
    rule: str = "─"
    done: str = "●"
    waiting: str = "◐"
    changed: str = "◌"
    failed: str = "×"
    unread: str = "○"
    none: str = "·"
    approved: str = "✓"
    rejected: str = "✗"
    later: str = "◦"
    arrow: str = "→"
    back: str = "←"
    dots: str = "…"
    fold: str = "⋯"
    ascii: bool = False


ASCII = Glyphs(
    bar="|",
    rule="-",
    done="*",
    waiting="w",
    changed="c",
    failed="x",
    unread="o",
    none=".",
    approved="v",
    rejected="x",
    later="-",
    arrow="->",
    back="<-",
    dots="...",
    fold="...",
    ascii=True,
)
UNICODE = Glyphs()

ACTION_MARKS = {"CREATE": "+", "CORROBORATE": "=", "REFINE": "~", "CORRECT": "!"}


def glyphs_for(environ: Mapping[str, str] = os.environ) -> Glyphs:
    """ASCII where the locale or the terminal says that it has nothing else, Unicode elsewhere."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    named = locale.upper()
    plain = named in ("C", "POSIX") or (named and "UTF" not in named)
    return ASCII if plain or environ.get("TERM") in ("linux", "vt100", "vt220") else UNICODE
