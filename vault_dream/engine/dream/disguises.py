"""Text without its disguises: what a model reads in it that a person does not see, or overlooks.

Words can be hidden from a pattern, and still be read by a model, by characters without a width, by
look-alike letters of other scripts, by markup inside a word, by spaced-out letters, by HTML
entities and by Unicode's tag characters, which spell ASCII invisibly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from vault_dream.engine.vault.plain import INVISIBLE

_LOOKALIKES = str.maketrans(
    dict(
        zip(
            "аеорсухіјѕԁһӏԛԝьвкмнтгпАВЕКМНОРСТХІЈЅУαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıℓո",
            "aeopcyxijsdhlqwbbkmhtrnABEKMHOPCTXIJSYaeiknoptuxABEZHIKMNOPTYXagiln",
            strict=True,
        )
    )
)
_DIGITS = str.maketrans("013457@$", "oieastas")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_JOINERS = re.compile("[\u200c\u200d\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0]")
_MARKUP = re.compile(
    r"(?<=\w)(?:[*_~`=]{1,3}|<!--.{0,200}?-->|%%.{0,200}?%%|</?[a-z]{1,6}>)(?=\w)", re.S | re.I
)
_SPACED = re.compile(r"(?<!\S)(?:[^\W\d_][ .·\-]){4,}[^\W\d_](?!\S)")
_MIXED = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457@$])[\w@$]{4,}\b", re.I)
_SPACE = re.compile(r"[^\S\n]+")
_LINE_BREAK = re.compile(r"(?<!\n)\n(?!\s*(?:\n|[-*+#>|]|\d+[.)]))[ \t]*")
_EMPHASIS = re.compile(r"[*_~`]{1,3}")


def undisguised(text: str) -> Iterator[str]:
    """The readings of ``text``: as it stands once what cannot be seen is gone, and with look-alike
    letters, digits for letters and spaced-out letters read as what they look like."""
    hidden = " ".join(_spelled_by_tags(text))
    plain = _JOINERS.sub("", INVISIBLE.sub("", _unescaped(text)))
    plain = unicodedata.normalize("NFKC", plain)
    plain = _SPACE.sub(" ", plain)
    bare = _EMPHASIS.sub("", _MARKUP.sub("", plain))
    unbroken = _LINE_BREAK.sub(" ", bare)
    readings = (
        hidden,
        plain,
        unbroken,
        _latin(unbroken),
        _SPACED.sub(_joined, unbroken),
        _MIXED.sub(_lettered, unbroken),
    )
    yield from (reading for reading in dict.fromkeys(readings) if reading)


def has_hidden_words(text: str) -> bool:
    """Whether ``text`` spells words with characters that nobody sees."""
    return any(_spelled_by_tags(text))


def _spelled_by_tags(text: str) -> Iterator[str]:
    """ASCII that tag characters spell; flags of emoji end theirs with U+E007F and stay short."""
    for run in _TAGS.findall(text):
        word = "".join(chr(ord(letter) - 0xE0000) for letter in run)
        if len(word) > 6:
            yield word


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    import html

    return html.unescape(text)


def _latin(text: str) -> str:
    """Words that mix Latin letters with look-alikes, all in Latin; accents are dropped too."""
    swapped = text.translate(_LOOKALIKES)
    if swapped == text and text.isascii():
        return text
    parts = unicodedata.normalize("NFD", swapped)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not 0x300 <= ord(c) < 0x370))


def _joined(match: re.Match[str]) -> str:
    return re.sub(r"[ .·\-]", "", match[0])


def _lettered(match: re.Match[str]) -> str:
    return match[0].translate(_DIGITS)
