"""Property values as YAML that readers of YAML 1.1 and of 1.2 take for the same thing.

One line for each property, never folded, letters of every script and emoji as they are. A string
stands plain only where no reader could take it for something else; all others are double-quoted.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping

from vault_dream.engine.errors import EditError

MAX_DEPTH = 32
MAX_KEY = 1000  # libyaml wants the colon within 1024 characters of a key's start
# Starts with a letter, an underscore or anything beyond ASCII; no indicator could be seen in it.
PLAIN = re.compile(r"[A-Za-z_\u00a1-\ud7ff\ue000-\U0010ffff](?:[^#:\[\]{}]|:(?=\S))*")
PLAIN_IN_FLOW = re.compile(r"[A-Za-z_\u00a1-\ud7ff\ue000-\U0010ffff][^\"'#:\[\]{},\\]*")
NOT_TEXT = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
UNWRITABLE = re.compile("[\ud800-\udfff]")
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def emit_properties(values: Mapping[str, object], newline: str = "\n") -> str:
    """Return one line of YAML for each property, without fences.

    Strings, numbers, booleans, None, dates (written unquoted, as Obsidian writes them), lists and
    mappings can be written. Raises EditError for anything else.
    """
    return "".join(f"{emit_key(key)}:{_after_colon(emit(values[key]))}{newline}" for key in values)


def _after_colon(text: str) -> str:
    return f" {text}" if text else ""


def emit_key(key: object) -> str:
    """Return a key as YAML. Raises EditError when no reader could take it for a key."""
    if not isinstance(key, str) or not key or len(key) > MAX_KEY:
        raise EditError("property", f"{str(key)[:40]!r} cannot be a property's name")
    return _string(key, flow=True)


def emit(value: object, *, flow: bool = False, json: bool = False, depth: int = 0) -> str:
    """Return a value as YAML on one line; the empty string for None outside flow collections.

    ``flow``: it will stand in a flow list or mapping; ``json``: strings are always quoted.
    """
    if depth > MAX_DEPTH:
        raise EditError("property", f"the value is nested more than {MAX_DEPTH} deep")
    if isinstance(value, str):
        return _quoted(value) if json else _string(value, flow=flow)
    if value is None:
        return "null" if flow else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, datetime.datetime | datetime.date):
        return _quoted(date_text(value)) if json else date_text(value)
    if isinstance(value, list | tuple):
        inner = (emit(item, flow=True, json=json, depth=depth + 1) for item in value)
        return f"[{', '.join(inner)}]"
    if isinstance(value, Mapping):
        pairs = (
            f"{_quoted(key) if json else emit_key(key)}: "
            f"{emit(item, flow=True, json=json, depth=depth + 1)}"
            for key, item in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    raise EditError("property", f"a {type(value).__name__} cannot be written as a property")


def as_read(value: object) -> object:
    """What reading gives back for a value that ``emit`` wrote: a date is text, a tuple a list."""
    if isinstance(value, datetime.datetime | datetime.date):
        return date_text(value)
    if isinstance(value, list | tuple):
        return [as_read(item) for item in value]
    if isinstance(value, Mapping):
        return {key: as_read(item) for key, item in value.items()}
    return value


def date_text(value: datetime.date) -> str:
    """A date as ``YYYY-MM-DD``, a date and time as ``YYYY-MM-DDTHH:mm:ss`` (H: Properties)."""
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat()


def _number(value: float) -> str:
    if isinstance(value, int):
        try:
            return str(int(value))
        except ValueError as error:
            raise EditError("property", "the number has too many digits") from error
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    mantissa, _, exponent = repr(float(value)).partition("e")
    if not exponent:
        return mantissa
    # YAML 1.1 wants a point and a sign, or it reads text
    mantissa = mantissa if "." in mantissa else f"{mantissa}.0"
    return f"{mantissa}e{exponent if exponent[0] in '+-' else '+' + exponent}"


def _string(text: str, *, flow: bool) -> str:
    plain = PLAIN_IN_FLOW if flow else PLAIN
    if (
        plain.fullmatch(text)
        and text == text.strip()
        and text.casefold() not in NOT_TEXT
        and not UNFIT.search(text)
    ):
        return text
    return _quoted(text)


def _quoted(text: str) -> str:
    if UNWRITABLE.search(text):
        raise EditError("property", "the text contains half a character (a lone surrogate)")
    return f'"{ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return SHORT.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
