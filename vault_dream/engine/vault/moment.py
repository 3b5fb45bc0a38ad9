"""moment.js date formats: a date to a path, and a path strictly back to its date.

The tokens, escapes and expansions are those of moment 2.29 ``format()``, which Obsidian names daily
notes with. Reading back is stricter than moment's strict mode: a text is a date's only if rendering
that date gives the text again, so a wrong weekday or week number is no daily note.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from vault_dream.engine.vault.moment_locales import Locale, locale_named

_TOKENS = re.compile(
    r"(\[[^\[]*\])|(\\)?([Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[o|w]?|W[o|W]?|Qo?"
    r"|N{1,5}|YYYYYY|YYYYY|YYYY|YY|y{2,4}|yo?|gg(?:ggg?)?|GG(?:GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?"
    r"|S{1,9}|x|X|zz?|ZZ?|.)",
    re.DOTALL,
)
_LONG_TOKENS = re.compile(r"(\[[^\[]*\])|(\\)?(LTS|LT|LL?L?L?|l{1,4})")
_EXPANSIONS = 6  # as often as moment itself goes around

# After a day of the month Slavic languages put the month's name in the genitive.
_MONTH_AFTER_DAY = re.compile(r"D[oD]?(?:\[[^\[\]]*\]|\s)+MMMM?")
_MONTH_DASHED = re.compile("-MMM-")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A literal (``write`` is None), or one token: how it is written and what it may look like."""

    literal: str
    write: Callable[[date], str] | None = None
    pattern: str = ""
    field: str = ""
    values: Mapping[str, int] | None = None
    loose: bool = False  # of no fixed width, and beginning or ending with digits

    @property
    def parts(self) -> bool:
        """Whether it keeps the numbers before and after it apart."""
        if self.write is None:
            return not self.literal.isdigit()
        return bool(self.values) and not any(char.isdigit() for char in "".join(self.values or ()))


class Format:
    """A moment.js pattern in one language; an empty pattern is ``YYYY-MM-DD``, as in Obsidian.

    ``complete`` says that it names one day (a weekly format does not), ``depth`` how many folders
    it makes.

    ``parse(render(day)) == day`` for every day of years 1 to 9999 if ``complete`` (within 1969 to
    2068 for two-digit years) and the pattern does not run variable numbers together.
    """

    def __init__(self, pattern: str, locale: str = "en") -> None:
        self.pattern = pattern if pattern.strip() else "YYYY-MM-DD"
        self.locale = locale
        self._pieces = _compile(self.pattern, locale_named(locale))
        self._fields = frozenset(piece.field for piece in self._pieces)
        self._loose = _runs_together(self._pieces)
        self.complete = _names_a_day(self._fields)
        self.depth = self.render(date(2026, 12, 30)).count("/")

    def __repr__(self) -> str:
        return f"Format({self.pattern!r}, {self.locale!r})"

    @property
    def has_time(self) -> bool:
        """Whether the format holds a time of day, so that one day has many names."""
        return "time" in self._fields

    @property
    def localised(self) -> bool:
        """Whether the language changes what is written."""
        return bool(self._fields & {"name", "local_week", "local_year", "local_day"}) or any(
            piece.values is not None for piece in self._pieces
        )

    def render(self, day: date) -> str:
        """``day`` in this format; a time of day is written as midnight."""
        return "".join(
            piece.literal if piece.write is None else piece.write(day) for piece in self._pieces
        )

    def parse(self, text: str) -> date | None:
        """The one date whose rendering is ``text``, or None."""
        if not self.complete:
            return None
        text = unicodedata.normalize("NFC", text)
        found = self._regex.fullmatch(text)
        if found is None:
            return None
        fields: dict[str, int] = {}
        for name, piece in self._tokens:
            if piece.field and piece.field not in ("time", "name"):
                written = found[name]
                fields[piece.field] = piece.values[written] if piece.values else _number(written)
        day = _date_of(fields)
        if day is not None and not self._loose:
            return day if self._writes(day, found) else None
        return self._only_day(fields, found)

    def _only_day(self, fields: Mapping[str, int], found: re.Match[str]) -> date | None:
        """The one day around the year found that is written so; None if there are several."""
        year = next((fields[name] for name in _YEARS_IN_ORDER if name in fields), 0)
        fits = {
            day
            for ordinal in range(max(1, _new_year(year - 1)), min(_new_year(year + 2), _DAYS))
            if self._writes(day := date.fromordinal(ordinal), found)
        }
        return fits.pop() if len(fits) == 1 else None

    def _writes(self, day: date, found: re.Match[str]) -> bool:
        """Whether ``day`` is written as the text that was matched, whatever the time in it."""
        at = 0
        text = found.string
        for index, piece in enumerate(self._pieces):
            if piece.write is None:
                part = piece.literal
            else:
                part = found[f"t{index}"] if piece.field == "time" else piece.write(day)
            if not text.startswith(part, at):
                return False
            at += len(part)
        return at == len(text)

    @cached_property
    def _tokens(self) -> tuple[tuple[str, _Piece], ...]:
        return tuple(
            (f"t{index}", piece)
            for index, piece in enumerate(self._pieces)
            if piece.write is not None
        )

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(
            "".join(
                re.escape(piece.literal)
                if piece.write is None
                else f"(?P<t{index}>{piece.pattern})"
                for index, piece in enumerate(self._pieces)
            )
        )


def _names_a_day(has: frozenset[str]) -> bool:
    day = {"month", "day"} <= has or "doy" in has
    weekday = has & {"iso_day", "local_day", "weekday"} and has & {"iso_week", "local_week"}
    return bool(has & _YEARS and (day or weekday))


_YEARS_IN_ORDER = ("year", "iso_year", "local_year")
_YEARS = frozenset(_YEARS_IN_ORDER)
_DAYS = date.max.toordinal() + 1


def _number(written: str) -> int:
    return int("".join(char for char in written if char in "0123456789-"))


# From fields to a date -----------------------------------------------------------------------


def _date_of(fields: Mapping[str, int]) -> date | None:
    """The date that the fields name directly, unchecked; None if they do so only in part."""
    try:
        if "year" in fields and "month" in fields and "day" in fields:
            return date(fields["year"], fields["month"], fields["day"])
        if "year" in fields and "doy" in fields:
            return date.fromordinal(_new_year(fields["year"]) + fields["doy"] - 1)
        if "iso_year" in fields and "iso_week" in fields and "iso_day" in fields:
            return date.fromisocalendar(fields["iso_year"], fields["iso_week"], fields["iso_day"])
    except (ValueError, OverflowError):
        return None
    return None


def _runs_together(pieces: tuple[_Piece, ...]) -> bool:
    """Whether two numbers of no fixed width meet, as in ``YYYYMD``: 2026111 is two dates."""
    loose = 0
    for piece in pieces:
        loose = 0 if piece.parts else loose + piece.loose
        if loose > 1:
            return True
    return False


def _new_year(year: int) -> int:
    """The ordinal of 1 January, also for years that ``date`` does not reach."""
    past = year - 1
    return 365 * past + past // 4 - past // 100 + past // 400 + 1


def _week_offset(year: int, start: int, first: int) -> int:
    """moment's ``firstWeekOffset``: days from 1 January back to the first week's first day."""
    into = 7 + start - first
    weekday = (_new_year(year) + into - 1) % 7
    return -((7 + weekday - start) % 7) + into - 1


def week_of(day: date, start: int, first: int) -> tuple[int, int]:
    """``(week-year, week)`` of ``day`` where weeks begin on ``start`` (Sunday is 0).

    ``first`` is moment's ``doy``: 7 + start - first is the day of January that is always in week 1.
    ISO weeks are ``start=1, first=4``.
    """
    year = day.year
    day_of_year = day.toordinal() - _new_year(year) + 1
    week = (day_of_year - _week_offset(year, start, first) - 1) // 7 + 1
    if week < 1:
        return year - 1, week + _weeks_in(year - 1, start, first)
    weeks = _weeks_in(year, start, first)
    return (year + 1, week - weeks) if week > weeks else (year, week)


def _weeks_in(year: int, start: int, first: int) -> int:
    days = _new_year(year + 1) - _new_year(year)
    return (days - _week_offset(year, start, first) + _week_offset(year + 1, start, first)) // 7


# From a pattern to pieces --------------------------------------------------------------------


def _compile(pattern: str, locale: Locale) -> tuple[_Piece, ...]:
    for _ in range(_EXPANSIONS):
        expanded = _LONG_TOKENS.sub(lambda token: locale.long_format(token[0]) or token[0], pattern)
        if expanded == pattern:
            break
        pattern = expanded
    tokens = _token_table(locale, pattern)
    pieces: list[_Piece] = []
    for found in _TOKENS.finditer(pattern):
        piece = tokens.get(found[0]) or _Piece(_unescaped(found[0]))
        if piece.write is None and not piece.literal:
            continue
        if piece.write is None and pieces and pieces[-1].write is None:
            pieces[-1] = _Piece(pieces[-1].literal + piece.literal)
        else:
            pieces.append(piece)
    return tuple(pieces)


def _unescaped(token: str) -> str:
    """What a token without meaning stands for: ``[literal]`` or an escaped character."""
    if token.startswith("[") and len(token) > 1:
        return unicodedata.normalize("NFC", token[1:].removesuffix("]"))
    return token.replace("\\", "")


def _token_table(locale: Locale, pattern: str) -> dict[str, _Piece]:
    return {
        **_calendar_tokens(locale),
        **_name_tokens(locale, pattern),
        **_week_tokens(locale),
        **_time_tokens(locale),
    }


def _digits(field: str, get: Callable[[date], int], width: int = 0, *, most: int = 2) -> _Piece:
    """A number: of exactly ``width`` digits, or without a width of up to ``most``."""
    if width:
        return _Piece("", lambda day: f"{get(day):0{width}d}", f"[0-9]{{{width}}}", field)
    return _Piece("", lambda day: str(get(day)), f"[0-9]{{1,{most}}}", field, loose=True)


def _ordinal(field: str, get: Callable[[date], int], locale: Locale, period: str) -> _Piece:
    top = {"d": 6, "Q": 4, "M": 12, "D": 31, "DDD": 366}.get(period, 53)
    values = {locale.ordinal(number, period): number for number in range(top + 1)}
    pattern = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    return _Piece(
        "", lambda day: locale.ordinal(get(day), period), pattern, field, values, loose=True
    )


def _names(field: str, names: str, get: Callable[[date], int], first: int) -> _Piece:
    listed = names.split(" ")
    # Longest first: 10月 before 1月; of equal names the check by rendering decides.
    pattern = "|".join(sorted(map(re.escape, dict.fromkeys(listed)), key=len, reverse=True))
    values = {name: number for number, name in reversed(list(enumerate(listed, first)))}
    loose = any(char.isdigit() for char in names)
    return _Piece("", lambda day: listed[get(day) - first], pattern, field, values, loose=loose)


def _two_digit_year(field: str, get: Callable[[date], int]) -> _Piece:
    # moment parseTwoDigitYear: 69 to 99 are of the twentieth century.
    values = {f"{year % 100:02d}": year for year in range(1969, 2069)}
    return _Piece("", lambda day: f"{get(day) % 100:02d}", "[0-9]{2}", field, values)


def _calendar_tokens(locale: Locale) -> dict[str, _Piece]:
    def year(day: date) -> int:
        return day.year

    def month(day: date) -> int:
        return day.month

    def day_of_month(day: date) -> int:
        return day.day

    def day_of_year(day: date) -> int:
        return day.timetuple().tm_yday

    def quarter(day: date) -> int:
        return (day.month + 2) // 3

    return {
        "YYYY": _digits("year", year, 4),
        "YYYYY": _digits("year", year, 5),
        "YYYYYY": _Piece("", lambda day: f"+{day.year:06d}", r"\+[0-9]{6}", "year"),
        "YY": _two_digit_year("year", year),
        "y": _digits("year", year, most=4),
        "yy": _Piece("", lambda day: f"{day.year:02d}", "[0-9]{2,4}", "year", loose=True),
        "yyy": _Piece("", lambda day: f"{day.year:03d}", "[0-9]{3,4}", "year", loose=True),
        "yyyy": _digits("year", year, 4),
        "Q": _digits("quarter", quarter, 1),
        "Qo": _ordinal("quarter", quarter, locale, "Q"),
        "M": _digits("month", month),
        "MM": _digits("month", month, 2),
        "Mo": _ordinal("month", month, locale, "M"),
        "D": _digits("day", day_of_month),
        "DD": _digits("day", day_of_month, 2),
        "Do": _ordinal("day", day_of_month, locale, "D"),
        "DDD": _digits("doy", day_of_year, most=3),
        "DDDD": _digits("doy", day_of_year, 3),
        "DDDo": _ordinal("doy", day_of_year, locale, "DDD"),
    }


def _weekday(day: date) -> int:
    """Days since Sunday, as JavaScript counts."""
    return day.isoweekday() % 7


def _name_tokens(locale: Locale, pattern: str) -> dict[str, _Piece]:
    def month(day: date) -> int:
        return day.month

    months, short = locale.months, locale.months_short
    if _MONTH_AFTER_DAY.search(pattern):
        months = locale.months_after_day or months
        short = locale.months_short_after_day or short
    if _MONTH_DASHED.search(pattern):
        short = locale.months_short_dashed or short
    return {
        "MMMM": _names("month", months, month, 1),
        "MMM": _names("month", short, month, 1),
        "dddd": _names("weekday", locale.weekdays, _weekday, 0),
        "ddd": _names("weekday", locale.weekdays_short, _weekday, 0),
        "dd": _names("weekday", locale.weekdays_min, _weekday, 0),
        "d": _digits("weekday", _weekday, 1),
        "do": _ordinal("weekday", _weekday, locale, "d"),
    }


def _week_tokens(locale: Locale) -> dict[str, _Piece]:
    start, first = locale.week_start, locale.first_week

    def local_year(day: date) -> int:
        return week_of(day, start, first)[0]

    def local_week(day: date) -> int:
        return week_of(day, start, first)[1]

    def iso_year(day: date) -> int:
        return week_of(day, 1, 4)[0]

    def iso_week(day: date) -> int:
        return week_of(day, 1, 4)[1]

    def local_day(day: date) -> int:
        return (_weekday(day) - start) % 7

    return {
        "gg": _two_digit_year("local_year", local_year),
        "gggg": _digits("local_year", local_year, 4),
        "ggggg": _digits("local_year", local_year, 5),
        "GG": _two_digit_year("iso_year", iso_year),
        "GGGG": _digits("iso_year", iso_year, 4),
        "GGGGG": _digits("iso_year", iso_year, 5),
        "w": _digits("local_week", local_week),
        "ww": _digits("local_week", local_week, 2),
        "wo": _ordinal("local_week", local_week, locale, "w"),
        "W": _digits("iso_week", iso_week),
        "WW": _digits("iso_week", iso_week, 2),
        "Wo": _ordinal("iso_week", iso_week, locale, "W"),
        "e": _digits("local_day", local_day, 1),
        "E": _digits("iso_day", date.isoweekday, 1),
    }


def _time_tokens(locale: Locale) -> dict[str, _Piece]:
    """A day has no time: written as midnight, and any time is read."""
    upper = "|".join(map(re.escape, locale.meridiem))
    lower = "|".join(re.escape(half.lower()) for half in locale.meridiem)
    midnight = locale.meridiem[0]
    written = {
        "H": ("0", "[0-9]{1,2}"),
        "HH": ("00", "[0-9]{2}"),
        "h": ("12", "[0-9]{1,2}"),
        "hh": ("12", "[0-9]{2}"),
        "k": ("24", "[0-9]{1,2}"),
        "kk": ("24", "[0-9]{2}"),
        "m": ("0", "[0-9]{1,2}"),
        "mm": ("00", "[0-9]{2}"),
        "s": ("0", "[0-9]{1,2}"),
        "ss": ("00", "[0-9]{2}"),
        "Hmm": ("000", "[0-9]{3,4}"),
        "Hmmss": ("00000", "[0-9]{5,6}"),
        "hmm": ("1200", "[0-9]{3,4}"),
        "hmmss": ("120000", "[0-9]{5,6}"),
        "A": (midnight, upper),
        "a": (midnight.lower(), lower),
        "Z": ("+00:00", "[+-][0-9]{2}:[0-9]{2}"),
        "ZZ": ("+0000", "[+-][0-9]{4}"),
        "z": ("", "[A-Z]{0,5}"),
        "zz": ("", "[A-Za-z ]{0,40}"),
        **{"S" * digits: ("0" * digits, f"[0-9]{{{digits}}}") for digits in range(1, 10)},
    }
    tokens = {token: _timeless(text, pattern) for token, (text, pattern) in written.items()}
    tokens["X"] = _Piece("", lambda day: str(_unix(day)), "-?[0-9]+", "time", loose=True)
    tokens["x"] = _Piece("", lambda day: str(_unix(day) * 1000), "-?[0-9]+", "time", loose=True)
    return tokens


def _timeless(text: str, pattern: str) -> _Piece:
    return _Piece("", lambda day: text, pattern, "time", loose="," in pattern)


def _unix(day: date) -> int:
    return (day.toordinal() - date(1970, 1, 1).toordinal()) * 86_400
