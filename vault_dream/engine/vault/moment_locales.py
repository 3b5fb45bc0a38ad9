"""How moment.js (2.29) writes months, weekdays, weeks and ordinals in the languages of Obsidian.

Names are separated by spaces and begin with January and Sunday. Source of every value:
github.com/moment/moment, ``src/locale``; the tests compare a sample with moment's own output.
Left out: languages whose weekdays are declined, and Japanese era years.
"""

# ruff: noqa: E501  (a list of names reads best on one line)

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Locale:
    """One language. ``week_start`` counts from Sunday as 0; ``first_week`` is moment's ``doy``."""

    months: str
    months_short: str
    weekdays: str
    weekdays_short: str
    weekdays_min: str
    week_start: int
    first_week: int
    long: Mapping[str, str]
    ordinal: Callable[[int, str], str]
    months_after_day: str = ""
    months_short_after_day: str = ""
    months_short_dashed: str = ""
    meridiem: tuple[str, ...] = ("AM", "PM")

    def long_format(self, token: str) -> str | None:
        """What ``L``, ``LL`` … stand for; lower-case ones are the short form of their capitals."""
        found = self.long.get(token)
        if found is not None or token.upper() not in self.long:
            return found
        return _SHORTENED.sub(lambda name: name[0][1:], self.long[token.upper()])


def locale_named(name: str) -> Locale:
    """The locale ``name`` (``de``, ``pt-BR``, ``zh``), its language's, or English."""
    name = name.strip().lower().replace("_", "-")
    name = _ALIASES.get(name, name)
    return LOCALES.get(name) or LOCALES.get(name.partition("-")[0]) or LOCALES["en"]


def _always(suffix: str) -> Callable[[int, str], str]:
    return lambda number, period: f"{number}{suffix}"


def _by_period(suffixes: Mapping[str, str]) -> Callable[[int, str], str]:
    return lambda number, period: f"{number}{suffixes.get(period, '')}"


def _en_ordinal(number: int, period: str) -> str:
    if number // 10 % 10 == 1:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _fr_ordinal(number: int, period: str) -> str:
    if period == "D":
        return "1er" if number == 1 else str(number)
    first = "re" if period in "wW" else "er"
    return f"1{first}" if number == 1 else f"{number}e"


def _nl_ordinal(number: int, period: str) -> str:
    return f"{number}{'ste' if number in (1, 8) or number >= 20 else 'de'}"


def _sv_ordinal(number: int, period: str) -> str:
    teen = number // 10 % 10 == 1
    return f"{number}{':a' if number % 10 in (1, 2) and not teen else ':e'}"


_SHORTENED = re.compile(r"MMMM|MM|DD|dddd")
_ALIASES = {"zh": "zh-cn", "zh-hans": "zh-cn", "zh-hant": "zh-tw", "no": "nb", "en-us": "en"}

LOCALES: Mapping[str, Locale] = {
    "en": Locale(
        months="January February March April May June July August September October November December",
        months_short="Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        weekdays="Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
        weekdays_short="Sun Mon Tue Wed Thu Fri Sat",
        weekdays_min="Su Mo Tu We Th Fr Sa",
        week_start=0,
        first_week=6,
        long={
            "LT": "h:mm A",
            "LTS": "h:mm:ss A",
            "L": "MM/DD/YYYY",
            "LL": "MMMM D, YYYY",
            "LLL": "MMMM D, YYYY h:mm A",
            "LLLL": "dddd, MMMM D, YYYY h:mm A",
        },
        ordinal=_en_ordinal,
    ),
    "en-gb": Locale(
        months="January February March April May June July August September October November December",
        months_short="Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        weekdays="Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
        weekdays_short="Sun Mon Tue Wed Thu Fri Sat",
        weekdays_min="Su Mo Tu We Th Fr Sa",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm",
            "LLLL": "dddd, D MMMM YYYY HH:mm",
        },
        ordinal=_en_ordinal,
    ),
    "de": Locale(
        months="Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        months_short="Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.",
        weekdays="Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        weekdays_short="So. Mo. Di. Mi. Do. Fr. Sa.",
        weekdays_min="So Mo Di Mi Do Fr Sa",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD.MM.YYYY",
            "LL": "D. MMMM YYYY",
            "LLL": "D. MMMM YYYY HH:mm",
            "LLLL": "dddd, D. MMMM YYYY HH:mm",
        },
        ordinal=_always("."),
    ),
    "fr": Locale(
        months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        months_short="janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        weekdays="dimanche lundi mardi mercredi jeudi vendredi samedi",
        weekdays_short="dim. lun. mar. mer. jeu. ven. sam.",
        weekdays_min="di lu ma me je ve sa",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm",
            "LLLL": "dddd D MMMM YYYY HH:mm",
        },
        ordinal=_fr_ordinal,
    ),
    "es": Locale(
        months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        months_short="ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic.",
        weekdays="domingo lunes martes miércoles jueves viernes sábado",
        weekdays_short="dom. lun. mar. mié. jue. vie. sáb.",
        weekdays_min="do lu ma mi ju vi sá",
        week_start=1,
        first_week=4,
        months_short_dashed="ene feb mar abr may jun jul ago sep oct nov dic",
        long={
            "LT": "H:mm",
            "LTS": "H:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D [de] MMMM [de] YYYY",
            "LLL": "D [de] MMMM [de] YYYY H:mm",
            "LLLL": "dddd, D [de] MMMM [de] YYYY H:mm",
        },
        ordinal=_always("º"),
    ),
    "it": Locale(
        months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        months_short="gen feb mar apr mag giu lug ago set ott nov dic",
        weekdays="domenica lunedì martedì mercoledì giovedì venerdì sabato",
        weekdays_short="dom lun mar mer gio ven sab",
        weekdays_min="do lu ma me gi ve sa",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm",
            "LLLL": "dddd D MMMM YYYY HH:mm",
        },
        ordinal=_always("º"),
    ),
    "pt": Locale(
        months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        months_short="jan fev mar abr mai jun jul ago set out nov dez",
        weekdays="Domingo Segunda-feira Terça-feira Quarta-feira Quinta-feira Sexta-feira Sábado",
        weekdays_short="Dom Seg Ter Qua Qui Sex Sáb",
        weekdays_min="Do 2ª 3ª 4ª 5ª 6ª Sá",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D [de] MMMM [de] YYYY",
            "LLL": "D [de] MMMM [de] YYYY HH:mm",
            "LLLL": "dddd, D [de] MMMM [de] YYYY HH:mm",
        },
        ordinal=_always("º"),
    ),
    "pt-br": Locale(
        months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        months_short="jan fev mar abr mai jun jul ago set out nov dez",
        weekdays="domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        weekdays_short="dom seg ter qua qui sex sáb",
        weekdays_min="do 2ª 3ª 4ª 5ª 6ª sá",
        week_start=0,
        first_week=6,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD/MM/YYYY",
            "LL": "D [de] MMMM [de] YYYY",
            "LLL": "D [de] MMMM [de] YYYY [às] HH:mm",
            "LLLL": "dddd, D [de] MMMM [de] YYYY [às] HH:mm",
        },
        ordinal=_always("º"),
    ),
    "nl": Locale(
        months="januari februari maart april mei juni juli augustus september oktober november december",
        months_short="jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.",
        weekdays="zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
        weekdays_short="zo. ma. di. wo. do. vr. za.",
        weekdays_min="zo ma di wo do vr za",
        week_start=1,
        first_week=4,
        months_short_dashed="jan feb mrt apr mei jun jul aug sep okt nov dec",
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD-MM-YYYY",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm",
            "LLLL": "dddd D MMMM YYYY HH:mm",
        },
        ordinal=_nl_ordinal,
    ),
    "sv": Locale(
        months="januari februari mars april maj juni juli augusti september oktober november december",
        months_short="jan feb mar apr maj jun jul aug sep okt nov dec",
        weekdays="söndag måndag tisdag onsdag torsdag fredag lördag",
        weekdays_short="sön mån tis ons tor fre lör",
        weekdays_min="sö må ti on to fr lö",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "YYYY-MM-DD",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY [kl.] HH:mm",
            "LLLL": "dddd D MMMM YYYY [kl.] HH:mm",
            "lll": "D MMM YYYY HH:mm",
            "llll": "ddd D MMM YYYY HH:mm",
        },
        ordinal=_sv_ordinal,
    ),
    "da": Locale(
        months="januar februar marts april maj juni juli august september oktober november december",
        months_short="jan feb mar apr maj jun jul aug sep okt nov dec",
        weekdays="søndag mandag tirsdag onsdag torsdag fredag lørdag",
        weekdays_short="søn man tir ons tor fre lør",
        weekdays_min="sø ma ti on to fr lø",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD.MM.YYYY",
            "LL": "D. MMMM YYYY",
            "LLL": "D. MMMM YYYY HH:mm",
            "LLLL": "dddd [d.] D. MMMM YYYY [kl.] HH:mm",
        },
        ordinal=_always("."),
    ),
    "nb": Locale(
        months="januar februar mars april mai juni juli august september oktober november desember",
        months_short="jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
        weekdays="søndag mandag tirsdag onsdag torsdag fredag lørdag",
        weekdays_short="sø. ma. ti. on. to. fr. lø.",
        weekdays_min="sø ma ti on to fr lø",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD.MM.YYYY",
            "LL": "D. MMMM YYYY",
            "LLL": "D. MMMM YYYY [kl.] HH:mm",
            "LLLL": "dddd D. MMMM YYYY [kl.] HH:mm",
        },
        ordinal=_always("."),
    ),
    "pl": Locale(
        months="styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
        months_short="sty lut mar kwi maj cze lip sie wrz paź lis gru",
        weekdays="niedziela poniedziałek wtorek środa czwartek piątek sobota",
        weekdays_short="ndz pon wt śr czw pt sob",
        weekdays_min="Nd Pn Wt Śr Cz Pt So",
        week_start=1,
        first_week=4,
        months_after_day="stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "DD.MM.YYYY",
            "LL": "D MMMM YYYY",
            "LLL": "D MMMM YYYY HH:mm",
            "LLLL": "dddd, D MMMM YYYY HH:mm",
        },
        ordinal=_always("."),
    ),
    "ru": Locale(
        months="январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
        months_short="янв. февр. март апр. май июнь июль авг. сент. окт. нояб. дек.",
        weekdays="воскресенье понедельник вторник среда четверг пятница суббота",
        weekdays_short="вс пн вт ср чт пт сб",
        weekdays_min="вс пн вт ср чт пт сб",
        week_start=1,
        first_week=4,
        months_after_day="января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        months_short_after_day="янв. февр. мар. апр. мая июня июля авг. сент. окт. нояб. дек.",
        long={
            "LT": "H:mm",
            "LTS": "H:mm:ss",
            "L": "DD.MM.YYYY",
            "LL": "D MMMM YYYY г.",
            "LLL": "D MMMM YYYY г., H:mm",
            "LLLL": "dddd, D MMMM YYYY г., H:mm",
        },
        meridiem=("ночи", "утра", "дня", "вечера"),
        ordinal=_by_period({"D": "-го", "DDD": "-й", "d": "-й", "M": "-й", "w": "-я", "W": "-я"}),
    ),
    "ja": Locale(
        months="1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        months_short="1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        weekdays="日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
        weekdays_short="日 月 火 水 木 金 土",
        weekdays_min="日 月 火 水 木 金 土",
        week_start=0,
        first_week=6,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "YYYY/MM/DD",
            "LL": "YYYY年M月D日",
            "LLL": "YYYY年M月D日 HH:mm",
            "LLLL": "YYYY年M月D日 dddd HH:mm",
            "l": "YYYY/MM/DD",
            "ll": "YYYY年M月D日",
            "lll": "YYYY年M月D日 HH:mm",
            "llll": "YYYY年M月D日(ddd) HH:mm",
        },
        meridiem=("午前", "午後"),
        ordinal=_by_period({"D": "日", "DDD": "日", "d": "日"}),
    ),
    "ko": Locale(
        months="1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        months_short="1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        weekdays="일요일 월요일 화요일 수요일 목요일 금요일 토요일",
        weekdays_short="일 월 화 수 목 금 토",
        weekdays_min="일 월 화 수 목 금 토",
        week_start=0,
        first_week=6,
        long={
            "LT": "A h:mm",
            "LTS": "A h:mm:ss",
            "L": "YYYY.MM.DD.",
            "LL": "YYYY년 MMMM D일",
            "LLL": "YYYY년 MMMM D일 A h:mm",
            "LLLL": "YYYY년 MMMM D일 dddd A h:mm",
            "l": "YYYY.MM.DD.",
            "ll": "YYYY년 MMMM D일",
            "lll": "YYYY년 MMMM D일 A h:mm",
            "llll": "YYYY년 MMMM D일 dddd A h:mm",
        },
        meridiem=("오전", "오후"),
        ordinal=_by_period({"D": "일", "DDD": "일", "d": "일", "M": "월", "w": "주", "W": "주"}),
    ),
    "zh-cn": Locale(
        months="一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        months_short="1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        weekdays="星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        weekdays_short="周日 周一 周二 周三 周四 周五 周六",
        weekdays_min="日 一 二 三 四 五 六",
        week_start=1,
        first_week=4,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "YYYY/MM/DD",
            "LL": "YYYY年M月D日",
            "LLL": "YYYY年M月D日Ah点mm分",
            "LLLL": "YYYY年M月D日ddddAh点mm分",
            "l": "YYYY/M/D",
            "ll": "YYYY年M月D日",
            "lll": "YYYY年M月D日 HH:mm",
            "llll": "YYYY年M月D日dddd HH:mm",
        },
        meridiem=("凌晨", "早上", "上午", "中午", "下午", "晚上"),
        ordinal=_by_period({"D": "日", "DDD": "日", "d": "日", "M": "月", "w": "周", "W": "周"}),
    ),
    "zh-tw": Locale(
        months="一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        months_short="1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        weekdays="星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        weekdays_short="週日 週一 週二 週三 週四 週五 週六",
        weekdays_min="日 一 二 三 四 五 六",
        week_start=0,
        first_week=6,
        long={
            "LT": "HH:mm",
            "LTS": "HH:mm:ss",
            "L": "YYYY/MM/DD",
            "LL": "YYYY年M月D日",
            "LLL": "YYYY年M月D日 HH:mm",
            "LLLL": "YYYY年M月D日dddd HH:mm",
            "l": "YYYY/M/D",
            "ll": "YYYY年M月D日",
            "lll": "YYYY年M月D日 HH:mm",
            "llll": "YYYY年M月D日dddd HH:mm",
        },
        meridiem=("凌晨", "早上", "上午", "中午", "下午", "晚上"),
        ordinal=_by_period({"D": "日", "DDD": "日", "d": "日", "M": "月", "w": "週", "W": "週"}),
    ),
}
