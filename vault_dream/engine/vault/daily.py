"""Where a vault keeps its daily notes, and which day a note belongs to (DESIGN "Scan")."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from vault_dream.engine.vault.listing import daily_looking_folders
from vault_dream.engine.vault.moment import Format
from vault_dream.engine.vault.moment_locales import LOCALES
from vault_dream.engine.vault.obsidian import DEFAULT_FORMAT, ObsidianSettings
from vault_dream.engine.vault.paths import normalise

SEED_FOLDER = "daily"


@dataclass(frozen=True, slots=True)
class DailyLayout:
    """Daily notes are ``folder/<format>.md``; ``folder`` is ``""`` for the vault's root.

    ``governed`` says that Obsidian's own settings decide it, so that we never create a daily note;
    ``origin`` is where the layout came from, for a person. Equal layouts may differ in warnings.
    """

    folder: str
    format: str
    governed: bool
    origin: str
    locale: str = "en"
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def path_for(self, day: date) -> str:
        """The path of that day's note. Raises PathError if the format can make no path."""
        name = _format(self.format, self.locale).render(day) + ".md"
        return normalise(f"{self.folder}/{name}" if self.folder else name)

    def day_folder(self, day: date) -> str:
        """The folder of that day's further notes: named like the daily note, without ``.md``."""
        return self.path_for(day)[: -len(".md")]

    def date_of(self, path: str) -> date | None:
        """The day whose daily note ``path`` is, by its whole path under the folder; else None."""
        before = f"{self.folder}/" if self.folder else ""
        if not path.startswith(before) or path[-3:].lower() != ".md":
            return None
        return _format(self.format, self.locale).parse(path[len(before) : -3])

    def day_of(self, path: str) -> date | None:
        """The day that ``path`` belongs to: as its daily note, or as a note in its folder."""
        day = self.date_of(path)
        if day is not None or path[-3:].lower() != ".md":
            return day
        before = f"{self.folder}/" if self.folder else ""
        if not path.startswith(before):
            return None
        parts = path[len(before) :].split("/")
        depth = _format(self.format, self.locale).depth + 1
        if len(parts) <= depth:
            return None
        return _format(self.format, self.locale).parse("/".join(parts[:depth]))


@lru_cache(maxsize=64)
def _format(pattern: str, locale: str) -> Format:
    return Format(pattern, locale)


def find_layout(
    paths: Collection[str],
    obsidian: ObsidianSettings,
    *,
    daily_dir: str | None = None,
    daily_format: str | None = None,
    locale: str | None = None,
) -> DailyLayout:
    """Where daily notes live, given the vault's files.

    In order: our own settings; Obsidian's; the root or ``daily/``, whichever holds dated notes;
    ``daily/YYYY-MM-DD.md``. A folder that was set and does not exist is kept and reported, with
    the folders that hold dated notes. The language is the one in which most notes can be read,
    since Obsidian does not say it in the vault. Raises PathError for a bad ``daily_dir``.
    """
    found = _layout(paths, obsidian, daily_dir, daily_format)
    language = locale or _language(found, paths)
    warnings = list(_warnings(found, paths, language))
    return DailyLayout(
        found.folder, found.format, found.governed, found.origin, language, tuple(warnings)
    )


def _layout(
    paths: Collection[str],
    obsidian: ObsidianSettings,
    daily_dir: str | None,
    daily_format: str | None,
) -> DailyLayout:
    own = _own_folder(daily_dir) if daily_dir is not None else None
    if obsidian.daily_governed:
        folder = obsidian.daily_folder if own is None else own
        pattern = daily_format or obsidian.daily_format
        governed = (folder, pattern) == (obsidian.daily_folder, obsidian.daily_format)
        return DailyLayout(
            folder, pattern, governed, obsidian.daily_origin if governed else "settings"
        )
    pattern = daily_format or DEFAULT_FORMAT
    if own is not None:
        return DailyLayout(own, pattern, False, "settings")
    origin = "settings" if daily_format else ""
    candidates = [DailyLayout(folder, pattern, False, origin) for folder in (SEED_FOLDER, "")]
    counts = [_dated(layout, paths) for layout in candidates]
    if not any(counts):
        return DailyLayout(SEED_FOLDER, pattern, False, origin or "default")
    best = candidates[1] if counts[1] > counts[0] else candidates[0]
    where = "daily/" if best.folder else "the vault's root"
    return DailyLayout(
        best.folder, pattern, False, origin or f"dated notes in {where}", warnings=_rivals(counts)
    )


def _rivals(counts: list[int]) -> tuple[str, ...]:
    if not all(counts):
        return ()
    return (
        f"dated notes are in daily/ ({counts[0]}) and in the vault's root ({counts[1]}); "
        "set daily_dir to choose",
    )


def _own_folder(written: str) -> str:
    trimmed = unicodedata.normalize("NFC", written).strip().rstrip("/")
    return normalise(trimmed) if trimmed not in ("", ".") else ""


def _dated(layout: DailyLayout, paths: Collection[str]) -> int:
    return sum(layout.day_of(path) is not None for path in paths)


_ENOUGH = 400  # notes that are looked at to tell a language


def _language(layout: DailyLayout, paths: Collection[str]) -> str:
    if not Format(layout.format).localised:
        return "en"
    before = f"{layout.folder}/" if layout.folder else ""
    sample = [path for path in paths if path.startswith(before) and path.endswith(".md")]
    sample = sorted(sample)[-_ENOUGH:]
    counts = {
        name: _dated(DailyLayout(layout.folder, layout.format, False, "", name), sample)
        for name in LOCALES
    }
    return max(counts, key=lambda name: counts[name])  # of equal ones English, the first


def _warnings(layout: DailyLayout, paths: Collection[str], locale: str) -> tuple[str, ...]:
    warnings = list(layout.warnings)
    pattern = _format(layout.format, locale)
    if not pattern.complete:
        warnings.append(f"the daily format {layout.format!r} does not name a single day")
    elif pattern.has_time:
        warnings.append(f"the daily format {layout.format!r} holds a time, so a day has many names")
    before = f"{layout.folder}/"
    if layout.folder and not any(path.startswith(before) for path in paths):
        others = ", ".join(folder or "the vault's root" for folder in daily_looking_folders(paths))
        hint = f"; dated notes are in {others}: set daily_dir to read them" if others else ""
        if others or layout.origin != "default":
            warnings.append(
                f"the daily folder {layout.folder!r} ({layout.origin}) has no notes{hint}"
            )
    if layout.origin == "default" and not warnings:
        warnings.append(
            f"no daily notes were found: {before} has none named {layout.format}; if yours are "
            "elsewhere, set daily_dir and daily_format"
        )
    return tuple(warnings)
