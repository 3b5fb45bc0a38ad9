"""Dates to names and back, as moment.js has them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vault_dream.engine.vault.moment import Format, week_of
from vault_dream.engine.vault.moment_locales import LOCALES, locale_named

steady = settings(derandomize=True, deadline=None, max_examples=400)
SUNDAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("pattern", "locale", "expected"),
    [
        ("YYYY/MM-MMMM/YYYY-MM-DD [W]WW dddd", "de", "2026/03-März/2026-03-01 W09 Sonntag"),
        (r"YYYY/MM/YYYY-MM-DD \C\A\L\L", "en", "2026/03/2026-03-01 CALL"),
        ("YYYY/MM MMM/DD ddd", "en", "2026/03 Mar/01 Sun"),
    ],
)
def test_nested_escaped_localised(pattern: str, locale: str, expected: str) -> None:  # case ob-34
    made = Format(pattern, locale)
    assert made.render(SUNDAY) == expected
    assert made.parse(expected) == SUNDAY
    assert made.parse(expected.rpartition("/")[2]) is None


# What moment 2.29.4 itself writes: moment.utc("2026-03-01").locale(…).format(…)
MOMENT = [
    ("YYYY YY M MM MMM MMMM D Do DD DDD DDDo DDDD", "en",
     "2026 26 3 03 Mar March 1 1st 01 60 60th 060"),
    ("d do dd ddd dddd e E", "en", "0 0th Su Sun Sunday 0 7"),
    ("Q Qo w wo ww W Wo WW gg gggg GG GGGG", "en", "1 1st 10 10th 10 9 9th 09 26 2026 26 2026"),
    ("w ww gggg e", "de", "9 09 2026 6"),
    ("H h m s A", "en", "0 12 0 0 AM"),
    ("CALL", "en", "CAMMarch 1, 2026"),
    ("L", "en", "03/01/2026"),
    ("LL", "es", "1 de marzo de 2026"),
    ("ll", "en", "Mar 1, 2026"),
    ("MMM-", "es", "mar.-"),
    ("DD-MMM-YYYY", "es", "01-mar-2026"),
    ("dddd D MMMM YYYY", "fr", "dimanche 1 mars 2026"),
    ("Do MMMM", "fr", "1er mars"),
    ("MMM ddd dd", "de", "März So. So"),
    ("YYYY年MMMDo dddd ddd wo", "zh-cn", "2026年3月1日 星期日 周日 9周"),
    ("YYYY年MMMDo dddd", "ja", "2026年3月1日 日曜日"),
    ("D MMMM; MMMM", "ru", "1 марта; марта"),
    ("MMMM YYYY", "ru", "март 2026"),
    ("[a] b] [W]WW", "en", "a] b W09"),
    (r"YYYY\\MM", "en", "202603"),
    ("[[]]YYYY", "en", "[]2026"),
    ("YYYY[", "en", "2026["),
    ("ddd [", "en", "Sun ["),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "locale", "expected"), MOMENT)
def test_writes_what_moment_writes(pattern: str, locale: str, expected: str) -> None:
    assert Format(pattern, locale).render(SUNDAY) == expected


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("YYYY-MM-DD", "2026-3-1"),
        ("YYYY-MM-DD", "2026-02-30"),
        ("YYYY-MM-DD", "2026-03-01 notes"),
        ("YYYY-MM-DD", "x2026-03-01"),
        ("YYYY-MM-DD", "２０２６-03-01"),
        ("YYYY-M-D", "2026-03-01"),
        ("YYYY-MM-DD dddd", "2026-03-01 Monday"),
        ("YYYY-MM-DD dddd", "2026-03-01 sunday"),
        ("YYYY-MM-DD [W]WW", "2026-03-01 W10"),
        ("YYYY/MM/YYYY-MM-DD", "2025/03/2026-03-01"),
        ("GGGG-[W]WW-E", "2026-W60-1"),
        ("Do MMMM YYYY", "1th March 2026"),
        ("YYYY-MM-DD", "0000-01-01"),
    ],
)
def test_reading_is_strict(pattern: str, text: str) -> None:
    assert Format(pattern).parse(text) is None


@pytest.mark.parametrize(
    "pattern", ["gggg-[W]ww", "YYYY-MM", "[Daily]", "DD MMMM", "GGGG WW", "YYYY"]
)
def test_what_names_no_day_reads_none(pattern: str) -> None:
    made = Format(pattern)
    assert not made.complete
    assert made.parse(made.render(SUNDAY)) is None


@pytest.mark.parametrize(
    "pattern",
    ["GGGG-[W]WW-E", "gggg-[W]ww-e", "gggg-[W]ww dddd", "YYYY-DDDD", "YYYY DDDo", "YY-MM-DD",
     "YYYYMMDD", "YYYY.M.D", "dddd, MMMM Do YYYY"],
)  # fmt: skip
def test_other_ways_to_name_a_day(pattern: str) -> None:
    made = Format(pattern)
    for ordinal in range(date(2024, 12, 20).toordinal(), date(2027, 1, 12).toordinal(), 3):
        day = date.fromordinal(ordinal)
        assert made.parse(made.render(day)) == day


@pytest.mark.parametrize("pattern", ["GGGG-MM-DD", "YYYY-[W]WW-E"])
def test_calendar_years_and_week_years_together_name_most_days(pattern: str) -> None:
    made = Format(pattern)
    assert made.parse(made.render(SUNDAY)) == SUNDAY
    # 30 December of 2025 and of 2026 have the same name: neither is guessed.
    assert Format("GGGG-MM-DD").parse("2026-12-30") is None


def test_numbers_that_run_together_are_read_only_if_they_can_mean_one_day() -> None:
    made = Format("YYYYMD")
    assert made.parse("2026111") is None  # 11 January, or 1 November
    assert made.parse("2026131") == date(2026, 1, 31)


def test_a_time_of_day_is_read_and_ignored() -> None:
    made = Format("YYYY-MM-DD HHmm")
    assert made.has_time and made.render(SUNDAY) == "2026-03-01 0000"
    assert made.parse("2026-03-01 2359") == SUNDAY


def test_nothing_set_is_the_default() -> None:
    assert Format("").render(SUNDAY) == Format("  ").render(SUNDAY) == "2026-03-01"


def test_locales_are_found_by_language() -> None:
    assert locale_named("de-AT") is LOCALES["de"]
    assert locale_named("zh") is locale_named("zh-Hans") is LOCALES["zh-cn"]
    assert locale_named("pt_BR") is LOCALES["pt-br"]
    assert locale_named("tlh") is LOCALES["en"]
    for locale in LOCALES.values():
        assert len(locale.months.split()) == len(locale.months_short.split()) == 12
        assert len(locale.weekdays.split()) == len(locale.weekdays_min.split()) == 7


days = st.dates(date(1, 1, 1), date(9999, 12, 31))
separators = st.sampled_from(["-", "/", " ", "_", ".", "[ W]", "[Tag] ", r"\C", " [at] ", "年"])
locales = st.sampled_from(sorted(LOCALES))
full = st.permutations(["YYYY", "MM", "DD"]) | st.permutations(["YYYY", "MMMM", "Do"])
extra = st.lists(
    st.sampled_from(["dddd", "ddd", "WW", "ww", "Q", "MMM", "E", "d", "DDDD", "Wo", "GGGG"]),
    max_size=3,
)


@steady
@given(full, extra, st.lists(separators, min_size=6, max_size=6), locales, days)
def test_what_is_written_reads_back(
    tokens: list[str], more: list[str], between: list[str], locale: str, day: date
) -> None:
    pattern = "".join(a + b for a, b in zip([*tokens, *more], between, strict=False))
    made = Format(pattern, locale)
    text = made.render(day)
    assert made.complete
    assert made.parse(text) == day
    assert made.parse(text + "x") is None


@steady
@given(st.text(alphabet="YMDdWwGgQEeo[]\\/-. LlHhmsAa年x", max_size=14), locales, days)
def test_any_pattern_writes_and_never_reads_a_wrong_day(
    pattern: str, locale: str, day: date
) -> None:
    made = Format(pattern, locale)
    text = made.render(day)
    read = made.parse(text)
    assert read is None or made.render(read) == text or made.has_time
    if read is not None and not made.has_time and "YYYY" in pattern:
        assert read == day or "YYYY" in pattern.replace("YYYY", "", 1)


@steady
@given(days)
def test_iso_weeks_are_pythons(day: date) -> None:
    assert week_of(day, 1, 4) == day.isocalendar()[:2]


@steady
@given(st.text(max_size=25) | st.from_regex(r"\A2\d{3}-\d\d-\d\d( \w*)?\Z"))
def test_reads_only_what_it_would_write(text: str) -> None:
    made = Format("YYYY-MM-DD")
    read = made.parse(text)
    assert read is None or made.render(read) == text


def test_every_day_of_a_leap_cycle_in_every_language() -> None:
    for locale in LOCALES:
        made = Format("YYYY/MM MMMM/Do dddd [w]ww gggg", locale)
        for number in range(0, 1500, 7):
            day = date(2023, 12, 25) + timedelta(number)
            assert made.parse(made.render(day)) == day


@steady
@given(days, days)
def test_different_days_have_different_names(one: date, two: date) -> None:
    assume(one != two)
    made = Format("GGGG-[W]WW-E")
    assert made.render(one) != made.render(two)
