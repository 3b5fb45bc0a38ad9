"""The notes that ``extra_inputs`` add to their days: ``Meetings/YYYY-MM-DD*.md`` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from vault_dream.engine.vault.globs import matcher

_RUN = re.compile(r"(?<![^\W\d_])(?:YYYY|YY|MM|DD)+(?![^\W\d_])")
_TOKEN = re.compile("YYYY|YY|MM|DD")
_YEAR = re.compile(r"(?=(\d{4}))")


class ExtraInputs:
    """Which of ``paths`` belong to a day by ``patterns``. Stateful only in what it sorted once.

    YYYY, YY, MM and DD are tokens of a pattern where they are no part of a word, so that
    ``SUMMARY`` stays one. Ten years of days are asked one by one, so only paths that have the
    day's year in them are matched where every pattern names one.
    """

    def __init__(self, patterns: Iterable[str], paths: Iterable[str]) -> None:
        self._patterns = tuple(patterns)
        self._paths = tuple(paths)
        self._by_year: dict[str, dict[str, None]] = {}
        named = ("".join(_RUN.findall(pattern)) for pattern in self._patterns)
        self._yearly = all("YYYY" in tokens for tokens in named)
        for path in self._paths if self._yearly else ():
            for year in _YEAR.findall(path):
                self._by_year.setdefault(year, {})[path] = None

    def of(self, day: date) -> Iterator[str]:
        """The paths that belong to ``day``, in the order they were given."""
        values = {"YYYY": f"{day.year:04}", "YY": f"{day:%y}", "MM": f"{day:%m}", "DD": f"{day:%d}"}
        paths = self._by_year.get(values["YYYY"], {}) if self._yearly else self._paths
        found: set[str] = set()
        for pattern in self._patterns:
            wanted = {values[token] for token in _TOKEN.findall("".join(_RUN.findall(pattern)))}
            matches = matcher((_filled(pattern, values),))
            found.update(
                path for path in paths if all(value in path for value in wanted) and matches(path)
            )
        yield from (path for path in paths if path in found)


def _filled(pattern: str, values: dict[str, str]) -> str:
    def filled(run: re.Match[str]) -> str:
        return _TOKEN.sub(lambda token: values[token[0]], run[0])

    return _RUN.sub(filled, pattern)
