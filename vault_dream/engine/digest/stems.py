"""English word forms: one stem for the inflections and spellings of a word.

The rules are Martin Porter's ("An algorithm for suffix stripping", Program 14/3, 1980), after
a table of irregular forms and British spellings turned American. A stem only has to be the same
on both sides of a search, so a rule may be rough wherever it is consistent.
"""

from __future__ import annotations

_IRREGULAR_FORMS = """
be was were been|become became|begin began begun|bite bit bitten|blow blew blown
break broke broken|bring brought|build built|buy bought|calf calves|catch caught|child children
choose chose chosen|come came|criterion criteria|deal dealt|dig dug|do did done|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
fight fought|find found|fly flew flown|foot feet|forget forgot forgotten|freeze froze frozen
get got gotten|give gave given|go went gone|goose geese|grow grew grown|half halves|hang hung
have has had|hear heard|hide hid hidden|hold held|index indices indexes|keep kept|knife knives
know knew known|lead led|leaf leaves|learn learnt|leave left|lend lent|life lives|light lit
loaf loaves|lose lost|make made|man men|mean meant|meet met|mouse mice|pay paid
phenomenon phenomena|ride rode ridden|ring rang rung|rise rose risen|run ran|say said
scarf scarves|see saw seen|seek sought|self selves|sell sold|send sent|shake shook shaken
shelf shelves|shoot shot|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept
slide slid|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck
strike struck|swear swore sworn|sweep swept|swim swam swum|take took taken|teach taught
tear tore torn|tell told|thief thieves|think thought|throw threw thrown|tooth teeth
understand understood|vertex vertices|wake woke woken|wear wore worn|weave wove woven|wife wives
win won|wind wound|wolf wolves|woman women|write wrote written
"""

_IRREGULAR = {
    form: line.split()[0]
    for line in _IRREGULAR_FORMS.replace("\n", "|").split("|")
    if line
    for form in line.split()[1:]
}

# American for British: what is replaced, by what, from which letter; and what must follow, as the
# word's end or as a beginning.
_SPELLINGS: tuple[tuple[str, str, int, tuple[str, ...], tuple[str, ...]], ...] = (
    ("our", "or", 3, ("", "s", "ed", "ing"), ("ful", "less", "abl", "ite", "hood")),
    ("is", "iz", 3, ("e", "ed", "es", "er", "ers", "ing"), ("ation",)),
    ("alys", "alyz", 2, ("e", "ed", "es", "er", "ers", "ing"), ()),
    ("tre", "ter", 3, ("", "s"), ()),
    ("bre", "ber", 3, ("", "s"), ()),
    ("nre", "ner", 3, ("", "s"), ()),
    ("ll", "l", 3, ("ed", "ing", "er", "ers"), ()),
    ("ogue", "og", 3, ("", "s"), ()),
)

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "ion", "al", "er", "ic", "ou",
)  # fmt: skip

_ENDINGS_2 = tuple(suffix for suffix, _ in _STEP_2)
_ENDINGS_3 = tuple(suffix for suffix, _ in _STEP_3)
_VOWELS = "aeiou"

_found: dict[str, str] = {}
_MOST_FOUND = 65_536


def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; any other word, or one with a digit, as it is."""
    known = _found.get(word)
    if known is None:
        if len(_found) >= _MOST_FOUND:
            _found.clear()
        known = _found[word] = _stem(word)
    return known


def is_stemmed(word: str) -> bool:
    """Whether ``word`` may have another stem than itself."""
    return 3 <= len(word) <= 40 and word.isascii() and word.isalpha()


def _stem(word: str) -> str:
    if not is_stemmed(word):
        return word
    word = _IRREGULAR.get(word, word)
    for part, instead, least, ends, goes_on in _SPELLINGS:
        if part in word:
            word = _respelled(word, part, instead, least, ends, goes_on)
    return _porter(word)


def _respelled(
    word: str,
    part: str,
    instead: str,
    least: int,
    ends: tuple[str, ...],
    goes_on: tuple[str, ...],
) -> str:
    """``word`` with the first ``part`` that stands where it may be replaced by ``instead``."""
    at = word.find(part, least)
    while at >= 0:
        rest = word[at + len(part) :]
        if rest in ends or (goes_on and rest.startswith(goes_on)):
            return word[:at] + instead + rest
        at = word.find(part, at + 1)
    return word


def _porter(word: str) -> str:
    word = _past_and_gerund(_plural(word))
    if word.endswith("y") and len(word) > 2:  # dry, dried: Porter parts them
        word = word[:-1] + "i"
    if word.endswith(_ENDINGS_2):
        word = _replace(word, _STEP_2)
    if word.endswith(_ENDINGS_3):
        word = _replace(word, _STEP_3)
    if word.endswith(_STEP_4):
        suffix = next(suffix for suffix in _STEP_4 if word.endswith(suffix))
        rest = word[: -len(suffix)]
        if _measure(rest) > 1 and (suffix != "ion" or rest.endswith(("s", "t"))):
            word = rest
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_cvc(rest)):
            word = rest
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if not _has_vowel(rest):
                return word
            if rest.endswith(("at", "bl", "iz", "u")) or (len(rest) == 2 and rest[1] in "iy"):
                return rest + "e"
            if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
                return rest[:-1]
            if _measure(rest) == 1 and _ends_cvc(rest):
                return rest + "e"
            return rest
    return word


def _replace(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    for suffix, instead in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + instead if _measure(rest) > 0 else word
    return word


def _is_vowel(word: str, at: int) -> bool:
    letter = word[at]
    if letter in _VOWELS:
        return True
    return letter == "y" and at > 0 and not _is_vowel(word, at - 1)


def _has_vowel(word: str) -> bool:
    return any(_is_vowel(word, at) for at in range(len(word)))


def _measure(word: str) -> int:
    """How many times a vowel run is followed by a consonant run: Porter's m."""
    count, before = 0, False
    for at, letter in enumerate(word):
        vowel = letter in _VOWELS or (letter == "y" and at > 0 and not before)
        if before and not vowel:
            count += 1
        before = vowel
    return count


def _ends_cvc(word: str) -> bool:
    """Whether the word ends consonant, vowel, consonant, the last not w, x or y."""
    end = len(word)
    return (
        end >= 3
        and word[-1] not in "wxy"
        and not _is_vowel(word, end - 1)
        and _is_vowel(word, end - 2)
        and not _is_vowel(word, end - 3)
    )
