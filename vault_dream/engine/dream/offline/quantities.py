"""Quantities in a text, however they are written: "half an hour", "30 min", 半小时.

Numbers are read as digits and as the words of English, German and Chinese up to 999; a number
before a unit of time, length, mass or volume is brought to that measure's base unit, so that 48
hours are two days. Anything else that counts is a bare number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from vault_dream.engine.digest.stems import stem


class Quantity(NamedTuple):
    """``size`` in the base unit of ``measure``: seconds, millimetres, grams, millilitres, and for a
    time of day (``clock``) hours; a day of the week is its number, Monday's 1, of the measure
    ``weekday``; a bare number has the measure ``""``."""

    size: float
    measure: str


_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_EN += " fifteen sixteen seventeen eighteen nineteen"
_DE = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn"
_DE += " fünfzehn sechzehn siebzehn achtzehn neunzehn"
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_DE_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_ALSO: dict[str, float] = {
    "ein": 1,
    "eine": 1,
    "einen": 1,
    "einem": 1,
    "einer": 1,
    "a": 1,
    "an": 1,
    "twice": 2,
}
_ALSO |= {"half": 0.5, "halbe": 0.5, "halben": 0.5, "halber": 0.5, "quarter": 0.25, "dozen": 12}
_ALSO |= {"anderthalb": 1.5, "eineinhalb": 1.5, "zweimal": 2, "dreimal": 3, "dreissig": 30}
_UNITS = {
    "s": "1 s sec secs second seconds sekunde sekunden 秒 秒钟;"
    "60 min mins minute minutes minuten 分钟;"
    "3600 h hr hrs hour hours stunde stunden 小时 钟头 个小时 个钟头;"
    "86400 day days tag tage tagen 天 日;604800 week weeks woche wochen 周 星期 个星期;"
    "2629800 month months monat monate monaten 个月;31557600 year years jahr jahre jahren 年",
    "mm": "1 mm millimetre millimetres millimeter millimeters 毫米;"
    "10 cm centimetre centimetres centimeter centimeters zentimeter 厘米 公分;"
    "1000 m metre metres meter meters 米;1000000 km kilometre kilometres kilometer kilometers 公里",
    "g": "0.001 mg milligram milligrams milligramm 毫克;1 g gr gram grams gramm 克;"
    "1000 kg kilo kilos kilogram kilograms kilogramm 公斤 千克",
    "ml": "1 ml millilitre millilitres milliliter milliliters 毫升;10 cl;"
    "1000 l litre litres liter liters 升",
    "clock": "1 点 点钟 uhr oclock am pm",
}
_CHINESE_DIGITS = {sign: n for n, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE = re.compile(
    r"(?P<n>\d+(?:[.,]\d+)?|[零〇一二两三四五六七八九十百]+|半)(?P<half>个半|半)?(?P<unit>"
    + "|".join(
        sorted(
            {u for line in _UNITS.values() for u in re.findall(r"[^\x00-\x7fß-ü]+", line)},
            key=len,
            reverse=True,
        )
    )
    + r")?"
)
_DAYS = (
    ("monday mondays montag montags maandag lundi lunes lunedì", "一"),
    ("tuesday tuesdays dienstag dienstags dinsdag mardi martes martedì", "二"),
    ("wednesday wednesdays mittwoch mittwochs woensdag mercredi miércoles mercoledì", "三"),
    ("thursday thursdays donnerstag donnerstags donderdag jeudi jueves giovedì", "四"),
    ("friday fridays freitag freitags vrijdag vendredi viernes venerdì", "五"),
    ("saturday saturdays samstag samstags sonnabend zaterdag samedi sábado sabato", "六"),
    ("sunday sundays sonntag sonntags zondag dimanche domingo domenica", "日天"),
)
_CHINESE_DAY = re.compile("(?:星期|周|礼拜)([一二三四五六日天])")
_TIME = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?![\d:])")
_TOKEN = re.compile(r"(?<![^\W_\u3400-\u9fff])\d+(?:[.,:]\d+)*|[^\W\d_\u3400-\u9fff]+")
_BETWEEN = frozenset(["of", "full", "whole", "good", "a", "an", "and", "ganze", "volle", "gute"])
_LONGEST = 10_000  # characters that are looked at


@lru_cache(maxsize=1024)
def quantities(text: str) -> frozenset[Quantity]:
    """The quantities that ``text`` names."""
    text = text[:_LONGEST].replace("o'clock", "oclock")
    found = {Quantity(int(h) + int(m) / 60, "clock") for h, m in _TIME.findall(text)}
    found |= {Quantity(_weekdays()[sign], "weekday") for sign in _CHINESE_DAY.findall(text)}
    text = _CHINESE_DAY.sub(" ", text)
    found |= {_chinese(match) for match in _CHINESE.finditer(text) if _counts(match)}
    text = _CHINESE.sub(lambda match: " " if _counts(match) else match[0], text)
    tokens = [token.lower() for token in _TOKEN.findall(text.replace("-", " "))]
    at = 0
    while at < len(tokens):
        day = _weekdays().get(tokens[at])
        if day is not None:
            found.add(Quantity(day, "weekday"))
        size, following = _number(tokens, at)
        if size is None:
            at += 1
            continue
        unit = following
        while unit < len(tokens) and tokens[unit] in _BETWEEN:
            unit += 1
        measured = _measures().get(tokens[unit]) if unit < len(tokens) else None
        if measured is not None:
            found.add(Quantity(round(size * measured[0], 6), measured[1]))
            following = unit + 1
        elif tokens[at] not in _ALSO and tokens[at] not in ("one", "eins"):
            found.add(Quantity(size, ""))
        at = following
    return frozenset(found)


def other_amount(new: frozenset[Quantity], old: frozenset[Quantity]) -> bool:
    """Whether of one measure each gives an amount that the other does not give."""
    return bool({q.measure for q in new - old} & {q.measure for q in old - new})


def _number(tokens: list[str], at: int) -> tuple[float | None, int]:
    """The number that begins at ``at``, and where the tokens after it begin."""
    token = tokens[at]
    if token[0].isdecimal():
        if ":" in token:
            return None, at + 1
        size = float(token.replace(",", ".")) if token.count(",") + token.count(".") < 2 else None
        return size, at + 1
    size = _words().get(token)
    if size is None:
        return None, at + 1
    after = _words().get(tokens[at + 1]) if at + 1 < len(tokens) else None
    if token in ("a", "an") and after in (0.5, 0.25, 12):
        return after, at + 2
    if size >= 20 and size % 10 == 0 and size < 100 and after is not None and 1 <= after < 10:
        return size + after, at + 2
    if at + 1 < len(tokens) and tokens[at + 1] in ("hundred", "hundert") and size < 10:
        return size * 100, at + 2
    return size, at + 1


def _counts(match: re.Match[str]) -> bool:
    """A Chinese numeral counts where it is more than a word's part: 一 alone is in half of all
    words."""
    number = match["n"]
    if number[0].isdecimal():
        return match["unit"] is not None
    return match["unit"] is not None or (len(number) > 1 and not {"十", "百"}.isdisjoint(number))


def _chinese(match: re.Match[str]) -> Quantity:
    number = match["n"]
    if number == "半":
        size = 0.5
    elif number[0].isdecimal():
        size = float(number.replace(",", "."))
    else:
        size = _chinese_number(number)
    size += 0.5 if match["half"] else 0
    factor, measure = _measures()[match["unit"]] if match["unit"] else (1.0, "")
    return Quantity(round(size * factor, 6), measure)


def _chinese_number(signs: str) -> float:
    total, digit = 0, 0
    for sign in signs:
        if sign in "十百":
            total += (digit or 1) * (10 if sign == "十" else 100)
            digit = 0
        else:
            digit = _CHINESE_DIGITS[sign]
    return float(total + digit)


@cache
def _weekdays() -> dict[str, float]:
    return {
        name: float(number)
        for number, (names, signs) in enumerate(_DAYS, 1)
        for name in (*names.split(), *signs)
    }


@cache
def _words() -> dict[str, float]:
    found: dict[str, float] = {}
    for names in (_EN, _DE):
        found |= {word: float(n) for n, word in enumerate(names.split())}
    for names in (_EN_TENS, _DE_TENS):
        found |= {word: 10.0 * n for n, word in enumerate(names.split(), 2)}
    ones = _DE.split()[1:10]
    for ten in _DE_TENS.split():
        for n, one in enumerate(ones, 1):
            found[f"{'ein' if n == 1 else one}und{ten}"] = found[ten] + n
    return found | _ALSO


@cache
def _measures() -> dict[str, tuple[float, str]]:
    return {
        name: (float(factor), measure)
        for measure, lines in _UNITS.items()
        for line in lines.split(";")
        for factor, *names in [line.split()]
        for name in names
    }


_IDENTIFIER = re.compile(r"([^\W\d_]+)[ -](\d+[a-zA-Z]?|[A-Z])\b(?![.,:%]\d|%)(?: ([^\W\d_]+))?")
_MARKED = re.compile(
    r"\b(?:[A-Z]+\d+\w*|\d+[A-Za-z])\b|[\d一二三四五六七八九十]+(?=[路号楼栋室床院])"
)
_ORDINAL = re.compile(
    r"(?i)\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)"
    r"|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|vierte[nrs]?|fünfte[nrs]?)\b|第[一二三四五六七八九十\d]+"
)
_NO_NOUN = frozenset(
    """
    a an the at by for from in of on or to and after before within about around over under every
    each takes take needs need than is are was were not no only until till per um nach vor ab bis
    mit auf gets get costs has have
    """.split()  # noqa: SIM905
)


def identifiers(title: str) -> frozenset[str]:
    """The numbers and letters of ``title`` that tell one thing from its neighbours and measure
    nothing: room 12, C7, flat B, 14A, the second movement, 三号."""
    found = {m[0].lower() for marks in (_MARKED, _ORDINAL) for m in marks.finditer(title)}
    for match in _IDENTIFIER.finditer(title):
        noun, mark, following = match.groups()
        if noun.lower() not in _NO_NOUN and (following or "").lower() not in _measures():
            found.add(mark.lower())
    return frozenset(found)


def numerals(terms: frozenset[str]) -> frozenset[str]:
    """Those of ``terms``, which are stems, that are numbers or days of the week."""
    return frozenset(t for t in terms if t[:1].isdecimal() or t in _stems())


@cache
def _stems() -> frozenset[str]:
    return frozenset(form for word in (*_words(), *_weekdays()) for form in (word, stem(word)))


def without_chinese(text: str) -> str:
    """``text`` without its Chinese quantities and days, which no space divides from its words."""
    text = _CHINESE_DAY.sub(" ", text)
    return _CHINESE.sub(lambda match: " " if _counts(match) else match[0], text)
