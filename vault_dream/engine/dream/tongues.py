"""Which language a text is in: by its script, and for Latin letters by its small words.

Made to notice that a German note became an English node, not to name every language: where it is
not sure, it does not say.
"""

from __future__ import annotations

import re
from collections import Counter

LEAST_LETTERS = 12
"""Letters under which a text says nothing about its language; CJK signs count fourfold."""
LEAST_SMALL_WORDS = 4

_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u9fff\U00020000-\U0002fa1f]")),
    ("cyrillic", re.compile("[\u0400-\u04ff]")),
    ("greek", re.compile("[\u0370-\u03ff]")),
    ("arabic", re.compile("[\u0600-\u06ff]")),
    ("hebrew", re.compile("[\u0590-\u05ff]")),
    ("devanagari", re.compile("[\u0900-\u097f]")),
    ("thai", re.compile("[\u0e00-\u0e7f]")),
    ("latin", re.compile("[A-Za-z\u00c0-\u024f]")),
)
_WIDE = frozenset({"ja", "ko", "zh"})
_SMALL_WORDS = {
    "en": "the of and to is it that was for with are this not from have be when then which would",
    "de": "der die das und ist nicht mit ein eine den dem des zu auf für im von wir ich auch wenn"
    " sich wird aber noch nur",
    "fr": "le la les des et est pas une dans pour que qui avec sur du au ce il nous mais",
    "es": "el los las una que y es en por para con no se del al lo como pero más",
    "it": "il gli che di è non una per con del della sono ma anche si nel dei alla",
    "pt": "o os uma que e não em para com do da no na é mas por ao dos",
    "nl": "de het een en van is niet dat met voor op zijn ook maar wij er aan bij als",
    "pl": "nie się na jest że do to jak po ale czy tak przez od są",
    "sv": "och att det är som en på inte med för av den till om men jag",
}
_BY_WORD: dict[str, list[str]] = {}
for _language, _listed in _SMALL_WORDS.items():
    for _word in _listed.split():
        _BY_WORD.setdefault(_word, []).append(_language)
_WORD = re.compile(r"[^\W\d_]+")


def tongue(text: str) -> str:
    """``zh``, ``ja``, ``de``, …, the name of a script, or ``""`` where it is mixed or too short."""
    letters = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS}
    weights = {name: count * (4 if name in _WIDE else 1) for name, count in letters.items()}
    if weights["ja"] and weights["ja"] * 8 > weights["zh"]:
        weights["ja"] += weights.pop("zh")
    whole = sum(weights.values())
    script, most = max(weights.items(), key=lambda item: item[1])
    if whole < LEAST_LETTERS:
        return ""
    if most * 10 < whole * 8:
        return ""
    return _latin(text) if script == "latin" else script


def _latin(text: str) -> str:
    """A language that most of the small words belong to, else ``latin``."""
    found = Counter(
        language for word in _WORD.findall(text.casefold()) for language in _BY_WORD.get(word, ())
    )
    best = found.most_common(2)
    if not best or best[0][1] < LEAST_SMALL_WORDS:
        return "latin"
    return best[0][0] if len(best) == 1 or best[1][1] * 2 <= best[0][1] else "latin"


def differ(one: str, other: str) -> bool:
    """Whether two tongues are surely not the same: ``latin`` may be any language of that script."""
    if not one or not other or one == other:
        return False
    return "latin" not in (one, other) or not {one, other} - {"latin"} <= set(_SMALL_WORDS)
