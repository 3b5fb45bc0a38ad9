"""The file name of a new node, before the draft checks it: lower-case words joined by hyphens."""

from __future__ import annotations

import re
import unicodedata

MAX_BYTES = 100
_RESERVED = re.compile(r"(?i)^(?:con|prn|aux|nul|com\d|lpt\d)$")


def file_stem(name: str, fallback: str = "untitled") -> str:
    """``name`` as a file name without extension; letters of every script are kept."""
    text = unicodedata.normalize("NFC", name).lower().replace("'", "").replace("’", "")
    words = re.findall(r"[^\W_]+", text)
    kept = ""
    for word in words:
        joined = f"{kept}-{word}" if kept else word
        if len(joined.encode()) > MAX_BYTES:
            break
        kept = joined
    if not kept and words:
        kept = words[0].encode()[:MAX_BYTES].decode(errors="ignore")
    return f"{kept}-note" if _RESERVED.match(kept) else kept or fallback
