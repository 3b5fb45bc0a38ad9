"""Commands in notes that do harm when somebody copies them: what runs a stranger's text unread, and
what wipes a disk or a home folder.

A diary may hold them, and so may a node; but a node is what its owner will trust and paste half a
year later, so that they land only with a person's eyes on them (DESIGN, *Checks*).
"""

from __future__ import annotations

import re

_LOADS = (
    r"(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod|lwp-download|https?ie)"
)
_RUNS = (
    r"(?:(?:ba|z|da|k|fi|c|tc)?sh|pwsh|powershell|python[\d.]*|perl|ruby|node|php|lua|iex"
    r"|invoke-expression|osascript)"
)
_BEFORE = r"(?:(?:sudo|doas|env|nohup|exec|command|busybox)\s+(?:-\S+\s+|\w+=\S*\s+)*)*"
_FROM = rf"\b{_LOADS}\s(?=[^\n`]{{0,300}}(?:://|\w\.\w|\s-\w))"  # with an address or an option
_END = r"(?=[\s\"'`]|$)"
_DANGERS = re.compile(
    rf"{_FROM}[^\n`]{{0,300}}?\|\s*(?:tee\s[^|\n]*\|\s*)?{_BEFORE}(?:/\S*/)?{_RUNS}\b"
    rf"|\b(?:{_RUNS}|source|eval|\.)\s+(?:-\w+\s+)*[\"']?(?:<\(|\$\(|`)\s*{_LOADS}\b"
    r"|\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:downloadstring|iwr|irm|invoke-web)"
    rf"|{_FROM}[^\n`]{{0,200}}?(?:&&|;)\s*{_BEFORE}(?:chmod\s+\+?[\w=,]*x\w*\s+\S+\s*(?:&&|;)"
    rf"\s*{_BEFORE}\./|{_RUNS}\s+\.?/?\w)"
    r"|\brm\s+(?=(?:-\S+\s+){0,5}-\w*r)(?:-\S+\s+){1,5}[\"']?(?:/|/\*|~/?|~/\*|\*|\$\{?HOME\}?/?\*?"
    rf"|/(?:etc|usr|var|home|boot|bin|lib|opt)/?\*?){_END}"
    r"|\bmkfs(?:\.\w+)?\s+(?:-\S+\s+)*/dev/|\bdd\s[^\n]*\bof=/dev/(?!null|zero|stdout)\w"
    r"|>\s*/dev/(?:sd|hd|nvme|mmcblk|disk)\w|:\(\)\s*\{\s*:\s*\|\s*:|\bchmod\s+-R\s+0?777\s+/"
    rf"|(?:^|`)\s*format\s+[a-z]:(?:\s+/\w)*\s*(?:`|$)|\bdel\s+(?:/\w\s+)+[a-z]:\\"
    r"|\brd\s+/s\s+(?:/q\s+)?[a-z]:\\|\bremove-item\s[^\n]*-recurse[^\n]*\s[a-z]:\\(?:\s|\*|$)",
    re.I | re.M,
)


def danger_in(text: str) -> str:
    """The first command in ``text`` that should not be pasted unread; ``""`` where there is
    none."""
    match = _DANGERS.search(text)
    return match[0].strip(" \n`") if match else ""
