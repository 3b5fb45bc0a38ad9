"""Where evidence stands, as a link with a label that a person can read.

``[[daily/2026-11-29.md#Evening|29 Nov, Evening]]``, in Chinese ``11月29日 晚上``. Links are full
vault-relative paths with ``.md`` (DESIGN, Edges on the page); a heading is part of the link only
where Obsidian can spell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from vault_dream.engine.dream.reader import SourceText
from vault_dream.engine.dream.units import Evidence
from vault_dream.engine.vault.paths import linkable
from vault_dream.engine.vault.plain import plain

_UNLINKABLE_HEADING = re.compile(r"[#|^\[\]:*_`~=<>\\\n\r]|%%")
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MONTHS = """
    Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
    """.split()  # noqa: SIM905
_LABEL_LENGTH = 48


@dataclass(frozen=True, slots=True)
class Place:
    """A source, and the heading in it, ready to be linked. ``link`` is ``""`` if nothing can."""

    path: str
    link: str
    label: str


def place_of(
    evidence: Evidence, sources: Mapping[str, SourceText], today: date, *, chinese: bool
) -> Place:
    """The place of ``evidence`` as it is called on ``today`` (another year is written out)."""
    source = sources.get(evidence.path)
    heading = evidence.heading or _heading(evidence, source)
    day = source.date if source is not None else _date_in(evidence.path)
    title = _title(evidence.path, day)
    name = title or plain(heading)
    label = _label(day, name, today, chinese=chinese) or evidence.path
    dated = _ISO.search(heading) is not None
    subpath = (
        "" if not heading or dated or _UNLINKABLE_HEADING.search(heading) else f"#{heading.strip()}"
    )
    if not linkable(evidence.path):
        return Place(evidence.path, "", label)
    return Place(evidence.path, f"[[{evidence.path}{subpath}|{label}]]", label)


def node_link(path: str, name: str) -> str:
    """A link to the node at ``path``, called ``name``."""
    return f"[[{path}|{clean_label(name) or path.rsplit('/', 1)[-1].removesuffix('.md')}]]"


def clean_label(text: str) -> str:
    """``text`` as the label of a link."""
    text = re.sub(r"[\[\]|]+", " ", plain(text))
    text = re.sub(r"\s+", " ", text).strip(" ,:")
    return text


def cited(text: str) -> frozenset[str]:
    """The paths that the links of ``text`` name, as written, with ``.md``."""
    return frozenset(_target(m[1]) for m in re.finditer(r"\[\[([^\[\]|#\n]+)[^\[\]\n]*\]\]", text))


def _target(written: str) -> str:
    written = written.strip().rstrip("\\")
    return written if written.endswith(".md") else f"{written}.md"


def unlinked(line: str) -> str:
    """``line`` with its links removed: what must differ between two lines of Sources."""
    return re.sub(r"\s+", " ", re.sub(r"\[\[[^\[\]\n]*\]\]", "", line)).strip()


def paths_of(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.path for e in evidence))


def _heading(evidence: Evidence, source: SourceText | None) -> str:
    for block in source.blocks if source is not None else ():
        if block.line <= evidence.line <= block.end_line:
            return block.headings[-1] if block.headings else ""
    return ""


def _title(path: str, day: date | None) -> str:
    """What a note of a day is called besides its date; ``""`` for the daily note itself."""
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    if day is None:
        return stem
    rest = _ISO.sub("", stem).strip(" -_–")
    return rest if re.search(r"[^\W\d]", rest) else ""


def _date_in(path: str) -> date | None:
    found = _ISO.search(path)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def _label(day: date | None, name: str, today: date, *, chinese: bool) -> str:
    name = clean_label(name)
    if _ISO.search(name):
        name = clean_label(_ISO.sub("", name))
    if len(name) > _LABEL_LENGTH:
        name = name[:_LABEL_LENGTH].rsplit(" ", 1)[0].rstrip(" ,:")
    if day is None:
        return name
    if chinese:
        said = f"{day.month}月{day.day}日"
        said = said if day.year == today.year else f"{day.year}年{said}"
        return f"{said} {name}".strip()
    said = f"{day.day} {_MONTHS[day.month - 1]}"
    said = said if day.year == today.year else f"{said} {day.year}"
    return f"{said}, {name}" if name else said
