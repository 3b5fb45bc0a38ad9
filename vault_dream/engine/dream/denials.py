"""Words by which a note says that something which was believed or done does not hold (any more)."""

from __future__ import annotations

import re

_DENIES = re.compile(
    r"(?i)\b(?:no longer|not (?:\w+ )?any ?more|instead of|not true|untrue|a myth|mistaken|"
    r"(?:was|were|is|are) (?:all |quite |simply )?wrong(?! with)|used to be|contrary to|"
    r"correction|stimmt nicht|(?:gilt|gelten) nicht mehr|nicht mehr\b[^.;:]*\bsondern|nicht länger|"
    r"anders als (?:bisher|früher|gedacht)|ein irrtum)\b"
    r"|不再|不对(?!劲)|改[成为](?![^，。；]*也(?:行|可以))|换[成为]|而不是|错了|说错|并非|谣言|误传|取消了"
)
_GIVEN_THAT = re.compile(
    r"(?i)\b(?:if|when|whenever|until|once|so that|wenn|bis|sobald|damit|weil)\b[^,.;:]*$"
    r"|(?:如果|到|等)[^，。；：]*$"
)
"""A clause that only says when something else holds: until it no longer sticks."""


def denies(text: str) -> bool:
    """Whether ``text`` says so, in English, German or Chinese."""
    return any(not _GIVEN_THAT.search(text[: m.start()]) for m in _DENIES.finditer(text))
