"""Text as search words: folding, word breaking for every script, stems.

The same functions make the words of notes and of queries, so whatever they do to one side they do
to the other. A word is never empty and holds no space, quote or NUL: ASCII letters and digits,
``+`` or ``#`` in names like ``c++``, or characters beyond ASCII.

What most text is, plain ASCII, is done here with nothing imported; the rest is in ``scripts``.
"""

from __future__ import annotations

from vault_dream.engine.digest.stems import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_PART = 12  # letters of a part of a hyphenated word
_HYPHENED = "".join(chr(n).lower() if chr(n).isalnum() or n in b"-_" else " " for n in range(128))
_ASCII = bytes(ord(chr(n).lower()) if chr(n).isalnum() and n < 128 else 32 for n in range(256))

_ASCII_EACH = b"\0" + _ASCII[1:]


def fold(text: str) -> str:
    """Case, width, accents and vowel points away: ``Crème`` is ``creme``, ``ＡＢＣ`` is ``abc``.

    Marks that make another letter stay: the Indic and Thai vowel signs, the Japanese voicing marks.
    """
    if text.isascii():
        return text.lower()
    from vault_dream.engine.digest.scripts import folded

    return folded(text)


def spaced(text: str) -> str:
    """The words of ``text`` parted by spaces, perhaps by several; in no promised order."""
    if not text.isascii():
        from vault_dream.engine.digest.scripts import spaced_script

        return spaced_script(text)
    if _has_sharp(text):
        from vault_dream.engine.digest.scripts import ascii_tokens

        return " ".join(ascii_tokens(text))
    return _ascii_words(text)


def spaced_each(texts: Sequence[str]) -> list[str]:
    """``spaced`` of each text, all at once where they are plain."""
    whole = "\0".join(texts)
    if whole.isascii() and not _has_sharp(whole):
        each = whole.encode("ascii").translate(_ASCII_EACH).decode("ascii").split("\0")
        if len(each) == len(texts):
            return each
    return [spaced(text) for text in texts]


def words(text: str, *, singles: bool = True) -> list[str]:
    """The words of ``text``, unstemmed, without the extra spellings of compounds.

    Han and Kana runs give their characters and pairs of characters, Hangul pairs of syllables,
    Thai and its neighbours pairs of letters with their marks. Without ``singles`` a Han character
    stands alone only where it has no neighbour, as in a query, and the words are in the order of
    the text.
    """
    if singles or text.isascii():
        return spaced(text).split()
    from vault_dream.engine.digest.scripts import script_tokens

    return script_tokens(text, singles=False)


def terms(text: str) -> list[str]:
    """The stems of the words of ``text``, then those of the extra spellings of compounds."""
    return [*map(stem, words(text)), *map(stem, compounds(text))]


def compounds(text: str) -> list[str]:
    """The other spellings of the camel-case and hyphenated words in ``text``, as words.

    ``SearchIndex`` gives ``search`` and ``index``, ``time-out`` gives ``timeout``; of more than
    three parts, as file names have, no word is made.
    """
    found: list[str] = []
    if text.lower() != text and _has_hump(text):
        from vault_dream.engine.digest.scripts import camel_parts

        found = camel_parts(text)
    if not text.isascii():
        from vault_dream.engine.digest.scripts import unhyphened

        found += unhyphened(text)
    else:
        found += hyphened(text)
    return found


def hyphened(text: str) -> list[str]:
    """The hyphenated words of ASCII text without their hyphens."""
    if "-" not in text:
        return []
    chunks = " ".join([chunk for chunk in text.split() if "-" in chunk]).translate(_HYPHENED)
    few = [chunk for chunk in chunks.split() if 0 < chunk.count("-") < 3]
    return ["".join(parts) for chunk in few if (parts := _parts(chunk))]


def _parts(chunk: str) -> list[str]:
    """The parts of a hyphenated word; none of any other, and none where they are too many."""
    parts = chunk.split("-")
    if len(parts) > 3 or not parts[0].isalpha() or not all(parts) or "_" in chunk:
        return []
    return parts if max(map(len, parts)) <= _LONGEST_PART else []


def ascii_spaced(text: str) -> str:
    """As ``spaced``, but of other scripts only what may hide an ASCII word.

    For who looks for ASCII words alone.
    """
    quick = in_place(text)
    return spaced(text) if quick is None else quick


def in_place(text: str) -> str | None:
    """``text`` with all but its ASCII words, folded, as spaces: each word stands where it stood.

    None where characters may fold to others, so that only ``spaced`` can tell.
    """
    if not text.isascii():
        if not all(char < "\x80" or _parts_words(char) for char in set(text)):
            return None
        text = text.encode("ascii", "replace").decode("ascii")
    return None if _has_sharp(text) else _ascii_words(text)


def _ascii_words(text: str) -> str:
    """ASCII text with all but its words as spaces; a pattern takes six times as long, and texts are
    translated in twice the time of bytes."""
    return text.encode("ascii").translate(_ASCII).decode("ascii")


def _parts_words(char: str) -> bool:
    """Whether ``char`` parts ASCII words, and is none: punctuation, Han, Kana, Hangul."""
    return (
        "\u3400" <= char <= "\u9fff"
        or "\u3000" <= char <= "\u3029"
        or "\u3041" <= char <= "\u3096"
        or "\u30a1" <= char <= "\u30fe"
        or "\uac00" <= char <= "\ud7a3"
        or "\u2010" <= char <= "\u2022"
        or char in "\xab\xb7\xbb…←→↔×，。、；：？！（）～"
    )


def is_unspaced(word: str) -> bool:
    """Whether a word is a character or a pair of a script that is written without spaces."""
    if word.isascii():
        return False
    from vault_dream.engine.digest.scripts import starts_unspaced

    return starts_unspaced(word)


def _has_hump(text: str) -> bool:
    """Whether a capital follows a small letter or a digit somewhere."""
    for chunk in text.split():
        if chunk[1:].lower() != chunk[1:]:
            for at, before in enumerate(chunk[:-1]):
                if ("a" <= before <= "z" or "0" <= before <= "9") and "A" <= chunk[at + 1] <= "Z":
                    return True
    return False


def _has_sharp(text: str) -> bool:
    """Whether a ``#`` or ``++`` follows a letter or digit, as in ``c#``."""
    for mark in ("#", "++"):
        at = text.find(mark, 1) if mark[0] in text else -1
        while at > 0:
            if text[at - 1].isalnum():
                return True
            at = text.find(mark, at + 1)
    return False
