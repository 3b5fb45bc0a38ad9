"""What a plain scalar means in the YAML 1.2 core schema, and a value as JavaScript's text.

Apart from ``yaml_core.py`` because simple properties need no more of YAML than this.
"""

from __future__ import annotations

import math
import re

MAX_INT_DIGITS = 300  # longer ones do not fit a float either: infinite, as in JavaScript
NULLS = frozenset(("", "~", "null", "Null", "NULL"))
BOOLS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INT = re.compile(r"[-+]?[0-9]+")
OCTAL_OR_HEX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
SPECIAL_FLOAT = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
NUMBER_START = frozenset("0123456789+-.")


def scalar(text: str) -> object:
    """Return what a plain scalar means in the YAML 1.2 core schema."""
    if text[:1] in NUMBER_START:
        return _number(text)
    if text in NULLS:
        return None
    return BOOLS.get(text, text)


def _number(text: str) -> object:
    if INT.fullmatch(text):
        return int(text) if len(text) < MAX_INT_DIGITS else float(text)
    if OCTAL_OR_HEX.fullmatch(text):
        digits, base = text[2:], 8 if text[1] == "o" else 16
        return int(digits, base) if len(digits) < MAX_INT_DIGITS else math.inf
    if FLOAT.fullmatch(text):
        return float(text)
    special = SPECIAL_FLOAT.fullmatch(text)
    if special is None:
        return text
    if text[-3:].lower() == "nan":
        return math.nan
    return -math.inf if special[1] == "-" else math.inf


def key_text(value: object, source: str) -> str:
    """A key as the string it is in a JavaScript object; a collection is its own source text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return source
    return as_text(value)


def as_text(value: object) -> str:
    """A scalar value as text, as JavaScript writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isfinite(value):
            return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return "" if value is None else str(value)
