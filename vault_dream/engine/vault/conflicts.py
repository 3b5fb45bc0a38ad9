"""What a sync program leaves behind: conflict copies by their names, merge markers in a text.

Names are those that Syncthing, Obsidian Sync, Dropbox, Nextcloud, ownCloud, Nutstore, Maestral,
Seafile and Google Drive give, in the languages in which they were seen in public repositories.
"""

from __future__ import annotations

import re

_SYNCTHING = re.compile(r"\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{4,})?(?=\.|$)")
_OWNCLOUD = re.compile(r"_conflict-(?:.+-)?\d{8}-\d{6}(?=\.|$)")
# `(Conflicted copy Laptop 202601021011)`, `(Ann's conflicted copy 2026-01-02)`, …, perhaps `(1)`.
_PHRASES = (
    r"conflicted copy|conflicting copy|conflict copy|sfconflict|edit conflict"
    r"|in konflikt stehende kopie|konfliktkopie"
    r"|copie en conflit|copia en conflicto|copia conflictiva|copia in conflitto"
    r"|c[óo]pia em conflito|conflicterend exemplaar|conflicterende kopie"
    r"|の競合コピー|問題のあるコピー|的冲突副本|冲突的副本|的衝突複本|충돌된 사본"
)
_COPY = re.compile(
    rf"\(([^()]*?)({_PHRASES})([^()]*(?:\(\d+\))?)\)(?: ?\(\d+\))*(?=\.[^.]*$|$)", re.IGNORECASE
)
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8,12}")
_BY_SOMEONE = re.compile(r"['’]s $|s $", re.IGNORECASE)
_SAME_NAME = re.compile(
    r"\((?:case|unicode encoding) conflict(?: \(?\d+\)?)?\)(?: ?\(\d+\))*(?=\.|$)"
)
_HINT = re.compile("conflict|konflikt|conflit|conflitto|競合|問題の|冲突|衝突|충돌", re.IGNORECASE)


def conflict_copy(name: str) -> bool:
    """Whether a file name says that it is a sync program's copy of a conflict (case ob-27).

    A phrase alone is not enough: it needs brackets and a date, or an owner (``Ann's conflicted
    copy``), so that a note about conflicts stays a note.
    """
    if _HINT.search(name) is None:
        return False
    if _SYNCTHING.search(name) or _OWNCLOUD.search(name) or _SAME_NAME.search(name.lower()):
        return True
    found = _COPY.search(name)
    if found is None:
        return False
    before, _, after = found.groups()
    owned = not after.strip() and _BY_SOMEONE.search(before)
    return bool(owned or _DATED.search(before) or _DATED.search(after))


_MARKERS = re.compile(r"^(?:<{7}|={7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


def merge_marker_line(text: str) -> int:
    """The line, from 1, where a merge conflict begins; 0 when there is none.

    All three markers must stand at line starts in their order, so that a setext heading or a quote
    of seven signs is none.
    """
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return 0
    begun, halved = -1, False
    for found in _MARKERS.finditer(text):
        sign = found[0][0]
        if sign == "<":
            begun, halved = found.start(), False
        elif sign == "=":
            halved = begun >= 0
        elif begun >= 0 and halved:
            return text.count("\n", 0, begun) + 1
    return 0
