"""One template, two values: "the favourite colour is purple" and "... is cyan".

Such sentences read alike and say different things; whoever merges them loses one of the two. Code
finds the value that was exchanged by aligning the two word by word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from vault_dream.engine.digest.stems import stem

LONGEST_VALUE = 3
"""Words that an exchanged value may have; one sign more where words are not spaced."""
LEAST_SHARED = 2
"""Telling words that two sentences must have in common to be one template; one will do around
numbers, and four signs it must be where words are not spaced."""
LONGEST = 60

_SIGN = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_LETTER = rf"(?:(?!{_SIGN})[^\W_])"
_TOKEN = re.compile(rf"{_SIGN}|{_LETTER}+(?:[.,:'’-]{_LETTER}+)*")
_UNSPACED = re.compile(_SIGN)
_FUNCTION_WORDS = frozenset(
    word
    for line in (
        "a an and are as at be but by for from had has have he her his i in is it its my of on or",
        "our she that the their them they this to was we were with you your",
        "how if so than then there what when where whether which while who whom whose why",
        "der die das den dem ein eine einen und ist sind im am zu von mit für auf",
        "wann warum was wenn wer wie wo wohin ob als dass",
    )
    for word in line.split()
)
"""Words that build a sentence; one for another is another way to put it, not another value."""
_PLAIN_SIGNS = frozenset(
    "的了着是在和与及或对把被让使为于以而其之也都就还很会能可要何如怎么谁哪若则方法步骤注意事项"
)


@dataclass(frozen=True, slots=True)
class Side:
    """A sentence; the words that bear it out, its own not among them; and all that its side says.

    A value that the proof lacks, or that the other side says too, is a manner of speaking.
    """

    sentence: str
    proof: str
    said: str


def other_value(one: Side, other: Side) -> str:
    """What ``one`` says where ``other`` says something else, as "X, not Y"; ``""`` where the two
    are not one template."""
    left, right = _TOKEN.findall(one.sentence), _TOKEN.findall(other.sentence)
    if not left or not right or max(len(left), len(right)) > LONGEST:
        return ""
    found = _exchanged(left, right)
    if found is None:
        return ""
    mine, theirs = found
    if not _is_value(mine, one.proof, other.said) or not _is_value(theirs, other.proof, one.said):
        return ""
    return f"{_joined(mine)}, not {_joined(theirs)}"


def _alike(token: str) -> str:
    return stem(token.casefold())


def _exchanged(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The one run of words that differs, where all others are the same in the same order."""
    ones, others = [_alike(t) for t in left], [_alike(t) for t in right]
    codes = SequenceMatcher(None, ones, others, autojunk=False).get_opcodes()
    differing = [code for code in codes if code[0] != "equal"]
    if len(differing) != 1 or differing[0][0] != "replace":
        return None
    _, a, b, c, d = differing[0]
    mine, theirs = list(left[a:b]), list(right[c:d])
    shared = [token for token in (*ones[:a], *ones[b:]) if _tells(token)]
    unspaced = any(map(_UNSPACED.match, shared))
    if max(b - a, d - c) > LONGEST_VALUE + unspaced:
        return None
    numbers = all(any(map(str.isdigit, "".join(side))) for side in (mine, theirs))
    least = 2 * LEAST_SHARED if unspaced else LEAST_SHARED - numbers
    return (mine, theirs) if len(shared) >= least else None


def _tells(token: str) -> bool:
    return token.casefold() not in _FUNCTION_WORDS and token not in _PLAIN_SIGNS


def _is_value(words: Sequence[str], proof: str, opposite: str) -> bool:
    telling = [word for word in words if _tells(word)]
    return bool(telling) and _says(proof, telling) and not _says(opposite, telling)


def _says(text: str, words: Sequence[str]) -> bool:
    """Whether ``text`` has all of ``words``, in any form that has the same stem."""
    if any(map(_UNSPACED.match, words)):
        return _joined(words) in text
    there = {_alike(word) for word in _TOKEN.findall(text)}
    return all(_alike(word) in there for word in words)


def _joined(tokens: Sequence[str]) -> str:
    return ("" if any(map(_UNSPACED.match, tokens)) else " ").join(tokens)
