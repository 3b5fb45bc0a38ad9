"""What a person types into ``search``: words, quoted phrases, unwanted words, filters.

``half "empty until" -draft in:daily tag:work kind:wiki after:2026-03 before:2026-06-15``
"""

from __future__ import annotations

from vault_dream.engine.errors import SettingsError
from vault_dream.engine.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

FILTERS = ("in", "tag", "kind", "before", "after")
_MOST = 4_000  # characters


@record
class Filter:
    """One condition on notes; ``value`` is folded. With ``without`` the others are wanted."""

    name: str
    value: str
    without: bool = False


@record
class Asked:
    """A query taken apart. ``words`` is all that is to be found, that of phrases too."""

    words: str
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()


def asked(query: str) -> Asked:
    """Take a query apart. Whatever is no filter is a word; a filter with no value is a word too.

    Raises SettingsError for a date that is none.
    """
    if not any(mark in query for mark in ':"') and not f" {query}".count(" -"):
        return Asked(" ".join(query[:_MOST].split()))
    words: list[str] = []
    phrases: list[str] = []
    without: list[str] = []
    filters: list[Filter] = []
    for match in _parts(query[:_MOST]):
        minus, name, quoted, plain = match.groups()
        text = quoted if quoted is not None else plain
        if name is not None and text:
            filters.append(_filter(name.lower(), text, bool(minus)))
        elif minus and text:
            without.append(text)
        elif quoted is not None and text.strip():
            phrases.append(text)
            words.append(text)
        elif quoted is None:
            words.append(text.strip('"') if minus != "-" else match[0])
    return Asked(" ".join(words), tuple(phrases), tuple(without), tuple(filters))


def _parts(query: str) -> list[re.Match[str]]:
    import re

    part = r"(-?)(?:(" + "|".join(FILTERS) + r'):)?(?:"([^"]*)"|(\S+))'
    return list(re.finditer(part, query, re.IGNORECASE))


def _filter(name: str, value: str, without: bool) -> Filter:
    import re

    day = r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?"
    if name in ("before", "after") and not re.fullmatch(day, value, re.ASCII):
        raise SettingsError(
            f"{name}:{value}", "this is not a date", f"write {name}:2026-11-30, or 2026-11, or 2026"
        )
    if name == "in":
        value = value.strip("/")
    return Filter(name, value.removeprefix("#").casefold(), without)
