"""Resolving the identifiers that models cut, quote, number and retype."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

LEAST_PREFIX = 8
"""Characters of an identifier that may stand for the whole, if only one begins with them."""

_WRAPS = (("[[", "]]"), ("[", "]"), ("(", ")"), ("<", ">"), ('"', '"'), ("'", "'"), ("`", "`"))
_CURLY = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "【": "[", "】": "]"})
_NUMBER = re.compile(
    r"(?:(?:source|handle|note|file|doc|document|item|id|no|nr|number|来源|文件|编号|笔记)"
    r"[\s_:.#№-]*)?[#№]?\s*(\d{1,9})(?:\.0+)?\s*[.):,;]?",
    re.I,
)


class HandleError(ValueError):
    """An identifier that names nothing, or more than one thing; the message says what to send."""


class Handles:
    """Numbers for names, and back. ``names`` maps each handle to what it stands for (a path)."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = dict(names)

    @classmethod
    def number(cls, names: Sequence[str]) -> Handles:
        """Handles 1, 2, 3 … for ``names`` in their order."""
        return cls(dict(enumerate(names, 1)))

    def __getitem__(self, handle: int) -> str:
        return self._names[handle]

    def resolve(self, said: object) -> int:
        """The handle that ``said`` means.

        A number in any dress (``3``, ``3.0``, ``"3"``, ``[3]``, ``3.``, ``source 3``), or the name
        itself: quoted, bracketed, in other letters, without ``.md``, without its folder, or its
        first eight characters or more. HandleError where it names none or several.
        """
        if isinstance(said, list | tuple) and len(said) == 1:
            said = said[0]
        if isinstance(said, bool) or not isinstance(said, int | float | str):
            raise HandleError(f"{said!r} is no handle; {self._offer()}")
        if isinstance(said, float) and not said.is_integer():
            raise HandleError(f"{said!r} is no handle; {self._offer()}")
        if isinstance(said, int | float):
            return self._numbered(int(said))
        word = _bare(said)
        by_name = self._named(word)
        number = _NUMBER.fullmatch(word)
        by_number = {int(number[1])} & self._names.keys() if number else set()
        found = set(by_name) | by_number
        if len(found) > 1:
            listed = ", ".join(f"{handle} ({self._names[handle]})" for handle in sorted(found))
            raise HandleError(f"{said!r} could be any of {listed}; send the number alone")
        if not found:
            raise HandleError(f"{said!r} names none of them; {self._offer()}")
        return found.pop()

    def _numbered(self, handle: int) -> int:
        if handle not in self._names:
            raise HandleError(f"there is no handle {handle}; {self._offer()}")
        return handle

    def _offer(self) -> str:
        known = sorted(self._names)
        shown = ", ".join(str(handle) for handle in known[:30])
        more = f" and {len(known) - 30} more" if len(known) > 30 else ""
        return f"send one of {shown}{more}" if known else "there are none"

    def _named(self, word: str) -> list[int]:
        """Handles whose name is ``word``, by the surest likeness that any has."""
        if not word:
            return []
        given = _key(word)
        stem = given.removesuffix(".md")
        keys = {handle: _key(name) for handle, name in self._names.items()}
        long = len(given) >= LEAST_PREFIX
        tiers: tuple[Callable[[str], bool], ...] = (
            lambda key: key == given,
            lambda key: key.removesuffix(".md") == stem,
            lambda key: key.removesuffix(".md").endswith("/" + stem),
            lambda key: long and key.startswith(given),
            lambda key: long and key.rpartition("/")[2].startswith(given),
        )
        for like in tiers:
            found = [handle for handle, key in keys.items() if like(key)]
            if found:
                return found
        return []


def _bare(said: str) -> str:
    """``said`` without quotes, brackets, a link's label and heading, and white space."""
    word = unicodedata.normalize("NFKC", said) if said.strip().isdecimal() else said
    word = word.translate(_CURLY).strip()
    changed = True
    while changed and word:
        changed = False
        for left, right in _WRAPS:
            if word.startswith(left) and word.endswith(right) and len(word) > len(left + right) - 1:
                inner = word[len(left) : -len(right)].strip()
                if left == "[[":
                    inner = re.split(r"[|#]", inner, maxsplit=1)[0].strip()
                word, changed = inner, inner != word
                break
    return word.rstrip("…").removesuffix("...").strip()


def _key(name: str) -> str:
    key = unicodedata.normalize("NFC", name).casefold().replace("\\", "/")
    return key.removeprefix("./").lstrip("/")
