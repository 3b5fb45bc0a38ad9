"""The quick way to read properties that are written at their plainest, as nearly all are.

``key: value`` lines at column 0 and lists of plain or simply quoted words. Whatever is not plainly
that is left to ``yaml_core.py``; where this answers, that gives the same (the tests hold the two
together).
"""

from __future__ import annotations

import re

# Not in the quick way: tabs, comments, and characters that some reader breaks lines at or refuses.
ODD = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff"
# A plain scalar in which, outside flow collections, no YAML indicator can be seen.
WORD = rf"[A-Za-z0-9_\u00a1-\ud7ff\ue000-\U0010ffff](?:[^:#{ODD}]|:(?=[^\s:#{ODD}]))*"
QUOTED = rf"\"[^\"\\{ODD}]*\"|'[^'{ODD}]*'"
LINE = re.compile(
    r"([A-Za-z_][A-Za-z0-9_ \-]*):"
    rf"(?: +(?:({WORD})|({QUOTED}) *|\[([^\[\]{{}}:#\\{ODD}]*)\] *)?)?\n"
    rf"|( *)-(?: +(?:({WORD})|({QUOTED}) *)?)?\n"
    r"|\n"
)
ITEM = re.compile(
    r" *(?:([A-Za-z0-9_\u00a1-\ud7ff\ue000-\U0010ffff][^\"',]*)|\"([^\"]*)\"|'([^']*)') *(?:,|\Z)"
)


def read_simple(text: str) -> dict[str, object] | None:
    """Return the mapping that the YAML ``text`` is, or None when it is not simple."""
    from vault_dream.engine.vault.yaml_core import scalar

    values: dict[str, object] = {}
    items: list[object] | None = None  # of the list that may go on
    key = indent = ""  # the key that a list may follow, the list's indent
    position = 0
    while position < len(text):
        found = LINE.match(text, position)
        if found is None:
            return None
        position = found.end()
        name, plain, quoted, flow, dash, item, quoted_item = found.groups()
        if name is not None:
            name = name.rstrip(" ")
            if name in values or scalar(name) != name:
                return None
            key, items = "", None
            if plain is not None:
                values[name] = scalar(plain.rstrip(" "))
            elif quoted is not None:
                values[name] = quoted[1:-1]
            elif flow is not None:
                words = _flow_items(flow)
                if words is None:
                    return None
                values[name] = words
            else:
                key, values[name] = name, None
        elif dash is not None:
            if not key or (items is not None and dash != indent):
                return None
            if items is None:
                items = values[key] = []
                indent = dash
            plain_item = item.rstrip(" ") if item is not None else ""
            items.append(quoted_item[1:-1] if quoted_item is not None else scalar(plain_item))
    return values


def _flow_items(flow: str) -> list[object] | None:
    """The items between the brackets of a flow list; None when they are not simple."""
    from vault_dream.engine.vault.yaml_core import scalar

    items: list[object] = []
    position = 0
    if not flow.strip(" "):
        return items
    while position < len(flow):
        found = ITEM.match(flow, position)
        if found is None:
            return None
        position = found.end()
        plain, double, single = found.groups()
        items.append(scalar(plain.rstrip(" ")) if plain is not None else double or single or "")
    return None if flow.endswith(",") else items
