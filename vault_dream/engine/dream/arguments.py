"""What a reader gives the tools: text that a note can hold, and paths in whatever spelling.

Models cut, quote and retype what they are given; a path is understood where it can mean only one
thing, and refused otherwise, with a word on what to do instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from vault_dream.engine.dream.reader import Action, Receipt, Relation, ToolError
from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.paths import key, normalise

LEAST_PREFIX = 4
"""Characters of a file's name from which a path that was cut short is taken for a longer one."""

_UNWRITABLE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def text_given(value: Any, name: str) -> str:
    """``value`` as text that a note can hold; ToolError for anything else."""
    if not isinstance(value, str):
        raise ToolError(f"{name} must be text. Give it as a string.")
    if _UNWRITABLE.search(value):
        raise ToolError(f"{name} has characters that no note can hold. Leave them out.")
    return value


def words_given(value: Any, name: str) -> str:
    """``value`` as one line of plain words, for a property that is shown, not read as Markdown."""
    text = " ".join(text_given(value, name).split())
    if "[[" in text or "]]" in text:
        raise ToolError(f"{name} holds a link. Give it as plain text; links belong in the content.")
    return text


def properties_given(values: Any) -> Mapping[str, Any]:
    """``values`` as names and values of properties; ToolError for what is none."""
    if not isinstance(values, Mapping):
        raise ToolError("Give the properties as names with their values. A list cannot be set.")
    if not values:
        raise ToolError("There is nothing to set. Give at least one property.")
    for name in values:
        if not text_given(name, "The name of a property").strip():
            raise ToolError("A property needs a name. Give one, or leave it out.")
    return values


def plain_value(value: Any) -> bool:
    """Whether ``value`` is a number or a truth value that a property may have."""
    return isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))


def path_given(path: Any) -> str:
    """The vault path that ``path`` spells, perhaps as a link or in quotation marks."""
    if not isinstance(path, str):
        raise ToolError("A path must be text. Give one as node_search and the unit do.")
    bare = path.strip().strip("`\"'").removeprefix("!").strip("[]").split("|")[0].split("#")[0]
    try:
        return normalise(bare.strip())
    except PathError as error:
        raise ToolError(
            f"{path!r} is not a path in the vault ({error.what}). Use paths as node_search and "
            "the unit give them."
        ) from None


def meant(path: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that ``path`` means: itself, without ``.md``, in another case, or cut
    short in its name; ``None`` where it means none of them or several."""
    paths = tuple(dict.fromkeys(known))
    for spelling in (path, f"{path}.md"):
        if spelling in paths:
            return spelling
    keys = {key(path), key(f"{path}.md")}
    same = [one for one in paths if key(one) in keys]
    if not same:
        folder, _, start = path.rpartition("/")
        if len(start) >= LEAST_PREFIX:
            same = [p for p in paths if p.rpartition("/")[0] == folder and p.startswith(path)]
    return same[0] if len(same) == 1 else None


def speakable(text: str) -> str:
    """``text`` without what no file can hold."""
    return _UNWRITABLE.sub("", text)


def receipt_given(receipt: Any) -> Receipt:
    """``receipt`` with what is no part of one left out: the draft decides anyway.

    ToolError where there is none at all.
    """
    if not isinstance(receipt, Receipt):
        raise ToolError("There is no receipt. Return one when the node is done.")
    classes = receipt.classes if isinstance(receipt.classes, tuple | list) else ()
    related = receipt.related if isinstance(receipt.related, tuple | list) else ()
    return Receipt(
        action=receipt.action if receipt.action in get_args(Action) else "CORROBORATE",
        target=receipt.target if isinstance(receipt.target, str) else "",
        related=tuple(path for path in related if isinstance(path, str)),
        classes=tuple(pair for pair in classes if _is_class(pair)),
        note=speakable(receipt.note) if isinstance(receipt.note, str) else "",
    )


def _is_class(pair: Any) -> bool:
    return (
        isinstance(pair, tuple | list)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and pair[1] in get_args(Relation)
    )
