"""The lines of a node's ``## Sources``: a sentence around each link, and words that prove it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_dream.engine.dream.offline.places import Place, unlinked
from vault_dream.engine.vault.plain import plain

HEADING = "## Sources"
_DENIED = 90  # characters of a sentence that no longer holds
_SECTION = re.compile(r"(?m)^#{1,6}[ \t]+(?:Sources|来源|出处)[ \t]*#*[ \t]*\r?$")
_ANY_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+\S")

_SAID = {
    "steps": ("The steps were worked out in", "The same steps were followed in"),
    "fix": ("The cause was found in", "It came up again in"),
    "rule": ("The rule was written down in", "The rule is repeated in"),
    "lesson": ("This was learned in", "It showed again in"),
    "decision": ("The decision was made in", "It was confirmed in"),
    "preference": ("This was noted in", "It showed again in"),
    "instruction": ("The instruction was noted in", "It is repeated in"),
    "recurrence": ("It was seen in", "It happened again in"),
    "definition": ("The explanation stands in", "It is explained again in"),
    "change": ("The change was noted in", "The change is mentioned again in"),
    "": ("This was noted in", "It was noted again in"),
    "refined": ("More was added in", "A further detail comes from"),
    "corrected": ("The contradiction was noted in", "It is contradicted again in"),
}
_SAID_ZH = {
    "steps": ("步骤整理自", "同样的步骤又见于"),
    "fix": ("原因查明于", "同样的情况又见于"),
    "rule": ("这条规则记于", "同样的规则又见于"),
    "lesson": ("这条经验记于", "同样的经验又见于"),
    "decision": ("这个决定记于", "同样的决定又见于"),
    "preference": ("此事记于", "此事又见于"),
    "instruction": ("医嘱记于", "同样的嘱咐又见于"),
    "recurrence": ("此事见于", "同样的情况又见于"),
    "definition": ("解释见于", "同样的解释又见于"),
    "change": ("这一变化记于", "这一变化又见于"),
    "": ("此事记于", "此事又见于"),
    "refined": ("补充内容来自", "更多细节来自"),
    "corrected": ("相反的说法见于", "相反的说法又见于"),
}


@dataclass(frozen=True, slots=True)
class Cited:
    """A place and the words quoted from it."""

    place: Place
    quotes: tuple[str, ...]


def gathered(quoted: Iterable[tuple[Place, str]]) -> tuple[Cited, ...]:
    """One :class:`Cited` for each place, with all that is quoted from it."""
    by_place: dict[Place, list[str]] = {}
    for place, quote in quoted:
        by_place.setdefault(place, []).append(quote)
    return tuple(Cited(place, tuple(dict.fromkeys(quotes))) for place, quotes in by_place.items())


def lines(
    cited: Iterable[Cited],
    reason: str,
    *,
    style: str,
    chinese: bool,
    again: bool = False,
    denied: str = "",
    standing: Sequence[str] = (),
) -> tuple[str, ...]:
    """One line per place for ``reason`` (a claim's kind, ``refined`` or ``corrected``).

    No line equals another of the section, ``standing`` among them, once its links are removed.
    """
    table = _SAID_ZH if chinese else _SAID
    said = table.get(reason, table[""])
    if denied:
        said = (_changed(denied, chinese=chinese), said[1])
    seen = {unlinked(line) for line in standing}
    written: list[str] = []
    for one in cited:
        words = said[1] if again or written else said[0]
        line = _line(words, one, style=style, chinese=chinese)
        if line in standing or line in written:
            continue
        if style != "field" and unlinked(line) in seen:
            line = _line(f"{one.place.label}: {words}", one, style=style, chinese=chinese)
        seen.add(unlinked(line))
        written.append(line)
    return tuple(written)


def _changed(denied: str, *, chinese: bool) -> str:
    """What a correction changes, as the beginning of its line."""
    old = quotable(denied)
    if len(old) > _DENIED:
        old = old[:_DENIED].rsplit(" ", 1)[0].rstrip(" ,;，；") + " …"
    return f"“{old}”已不成立，见于" if chinese else f'That "{old}" no longer holds was noted in'


def _line(words: str, one: Cited, *, style: str, chinese: bool) -> str:
    link = one.place.link or one.place.path
    if style == "field":
        return f"derived_from:: {link}"
    if style == "inline" and one.place.link:
        link = f"(derived_from:: {link})"
    quotes = [q for q in map(quotable, one.quotes) if q]
    if chinese:
        said = "、".join(f"“{q}”" for q in quotes)
        return f"- {words} {link}：{said}。" if said else f"- {words} {link}。"
    said = ", ".join(f'"{q}"' for q in quotes)
    return f"- {words} {link}: {said}." if said else f"- {words} {link}."


def quotable(quote: str) -> str:
    """A quote's plain words, without the double quotes that would close it."""
    text = plain(quote).replace("“", "‘").replace("”", "’").replace('"', "'")
    return text.rstrip(" .,;，。；")


def section(text: str) -> tuple[int, int] | None:
    """Where the Sources section of ``text`` starts (its heading) and ends, or ``None``."""
    found = list(_SECTION.finditer(text))
    if not found:
        return None
    start = found[-1].start()
    after = _ANY_HEADING.search(text, found[-1].end())
    return start, after.start() if after else len(text)


def standing_lines(text: str) -> tuple[str, ...]:
    """The lines under ``## Sources`` of a node that are not empty."""
    where = section(text)
    if where is None:
        return ()
    return tuple(x.rstrip() for x in text[slice(*where)].splitlines()[1:] if x.strip())
