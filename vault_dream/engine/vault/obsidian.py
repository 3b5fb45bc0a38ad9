"""What a vault's Obsidian settings say, whatever shape they are in: warnings, never exceptions.

Sources: OBSIDIAN "Settings and the app"; the settings files of the shared sample vaults.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vault_dream.engine.errors import PathError
from vault_dream.engine.vault.config_files import read_json
from vault_dream.engine.vault.conflicts import conflict_copy
from vault_dream.engine.vault.paths import normalise

LINK_FORMATS = ("shortest", "relative", "absolute")
DEFAULT_FORMAT = "YYYY-MM-DD"


@dataclass(frozen=True, slots=True)
class ObsidianSettings:
    """The settings that bear on us. Folders are vault paths, ``""`` is the root.

    ``daily_governed`` says that Obsidian's settings tell where daily notes are; ``daily_origin`` is
    the file that does. ``excluded`` are Obsidian's filters as they are written there.
    """

    config_folder: str = ".obsidian"
    daily_folder: str = ""
    daily_format: str = DEFAULT_FORMAT
    daily_governed: bool = False
    daily_origin: str = ""
    excluded: tuple[str, ...] = ()
    new_link_format: str = "shortest"
    use_markdown_links: bool = False
    attachment_folder: str = ""
    template_folders: tuple[str, ...] = ()
    property_types: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[str, ...] = ()


def read_settings(root: Path, config_folder: str | None = None) -> ObsidianSettings:
    """The settings of the vault in ``root``; defaults where there are none.

    ``config_folder`` names the settings folder; without it that is ``.obsidian``, or else the one
    other dot folder that looks like one (Obsidian lets a device override the name).
    """
    reader = _Reader(root, config_folder)
    app = reader.mapping("app.json")
    folder, pattern, governed, origin = reader.daily()
    return ObsidianSettings(
        config_folder=reader.folder,
        daily_folder=folder,
        daily_format=pattern,
        daily_governed=governed,
        daily_origin=origin,
        excluded=reader.excluded(app),
        new_link_format=reader.choice(app, "newLinkFormat", LINK_FORMATS),
        use_markdown_links=reader.flag(app, "useMarkdownLinks"),
        attachment_folder=reader.text("app.json", app, "attachmentFolderPath"),
        template_folders=reader.template_folders(),
        property_types=reader.property_types(),
        warnings=tuple(dict.fromkeys(reader.warnings)),
    )


class _Reader:
    """Reads one settings folder; collects warnings."""

    def __init__(self, root: Path, config_folder: str | None) -> None:
        self.root = root
        self.warnings: list[str] = []
        self.folder = self._config_folder(config_folder)
        self._report_conflict_copies()

    def _config_folder(self, wanted: str | None) -> str:
        if wanted:
            if not (self.root / wanted).is_dir():
                self.warn(wanted, "there is no such settings folder")
            return wanted
        if (self.root / ".obsidian").is_dir():
            return ".obsidian"
        others = [name for name in self._names(self.root) if self._looks_like_settings(name)]
        if len(others) > 1:
            self.warn(", ".join(others), "there are several settings folders; none was read")
        return others[0] if len(others) == 1 else ".obsidian"

    def _looks_like_settings(self, name: str) -> bool:
        folder = self.root / name
        return (
            name.startswith(".")
            and (folder / "app.json").is_file()
            and any((folder / other).is_file() for other in _BESIDE_APP)
        )

    def _names(self, folder: Path) -> list[str]:
        try:
            return sorted(item.name for item in folder.iterdir())
        except OSError:
            return []

    def _report_conflict_copies(self) -> None:
        places = ["", "plugins/periodic-notes", "plugins/templater-obsidian"]
        for place in places:
            for name in self._names(self.root / self.folder / place):
                if name.endswith(".json") and conflict_copy(name):
                    where = f"{place}/{name}" if place else name
                    self.warn(self.where(where), "a sync-conflict copy of settings was not read")

    def where(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def warn(self, where: str, what: str) -> None:
        shown = where.encode("utf-8", "backslashreplace").decode()
        self.warnings.append(f"{shown}: {what}")

    def mapping(self, name: str) -> dict[str, Any]:
        """The JSON object in a settings file; empty, and reported, if it is something else."""
        return self.mapping_if_any(name) or {}

    def mapping_if_any(self, name: str) -> dict[str, Any] | None:
        found = read_json(self.root / self.folder / name)
        if found.problem:
            self.warn(self.where(name), found.problem)
        if found.value is None:
            return None
        if isinstance(found.value, dict):
            return found.value
        self.warn(self.where(name), "it is not a JSON object, and was not used")
        return None

    def text(self, name: str, values: Mapping[str, Any], key: str) -> str:
        value = values.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        self.warn(self.where(name), f"{key} is not text, and was not used")
        return ""

    def choice(self, values: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
        value = values.get(key)
        if value is not None and value not in known:
            self.warn(self.where("app.json"), f"{key} is not one of {', '.join(known)}")
        return value if isinstance(value, str) and value in known else known[0]

    def flag(self, values: Mapping[str, Any], key: str) -> bool:
        value = values.get(key)
        if value is not None and not isinstance(value, bool):
            self.warn(self.where("app.json"), f"{key} is neither true nor false")
        return value is True

    def folder_path(self, name: str, written: str) -> str | None:
        """A folder setting as a vault path, ``""`` for the root; None if it leaves the vault."""
        trimmed = unicodedata.normalize("NFC", written).strip().strip("/")
        if trimmed in ("", "."):
            return ""
        try:
            return normalise(trimmed)
        except PathError as error:
            self.warn(self.where(name), f"the folder {written!r} was not used: {error.what}")
            return None

    # Daily notes

    def daily(self) -> tuple[str, str, bool, str]:
        """``(folder, format, governed, origin)`` of daily notes.

        Periodic Notes governs days where its plugin and its daily notes are on. Otherwise the core
        plugin's file tells where daily notes are, even where that plugin is off now: the notes it
        made are still there.
        """
        for name, values in (self._periodic(), self._core()):
            if values is None:
                continue
            folder = self.folder_path(name, self.text(name, values, "folder"))
            if folder is not None:
                pattern = self.text(name, values, "format").strip("/").strip()
                if pattern.endswith(".md"):
                    pattern = pattern[: -len(".md")]
                return folder, pattern or DEFAULT_FORMAT, True, self.where(name)
        return "", DEFAULT_FORMAT, False, ""

    def _periodic(self) -> tuple[str, dict[str, Any] | None]:
        name = "plugins/periodic-notes/data.json"
        if "periodic-notes" not in self._plugins():
            return name, None
        data = self.mapping(name)
        daily = data.get("daily")
        if daily is None:
            daily = self._calendar_set(data)
        if isinstance(daily, dict):
            return name, daily if daily.get("enabled") is True else None
        if daily is not None:
            self.warn(self.where(name), "daily is not a JSON object, and was not used")
        return name, None

    def _calendar_set(self, data: Mapping[str, Any]) -> object:
        """The active calendar set's days, as version 1 of Periodic Notes keeps them."""
        sets = data.get("calendarSets")
        known = [one for one in sets if isinstance(one, dict)] if isinstance(sets, list) else []
        active = [one for one in known if one.get("id") == data.get("activeCalendarSet")]
        return active[0].get("day") if active else None

    def _core(self) -> tuple[str, dict[str, Any] | None]:
        return "daily-notes.json", self.mapping_if_any("daily-notes.json")

    def _plugins(self) -> tuple[str, ...]:
        name = "community-plugins.json"
        found = read_json(self.root / self.folder / name)
        if found.problem:
            self.warn(self.where(name), found.problem)
        if isinstance(found.value, list):
            return tuple(plugin for plugin in found.value if isinstance(plugin, str))
        if found.value is not None:
            self.warn(self.where(name), "it is not a JSON list, and was not used")
        return ()

    # The rest

    def template_folders(self) -> tuple[str, ...]:
        """Where templates are: the core plugin's folder, Templater's, and daily templates' own."""
        core, templater = "templates.json", "plugins/templater-obsidian/data.json"
        set_there = self.mapping(templater)
        written = [
            (core, self.text(core, self.mapping(core), "folder")),
            (templater, self.text(templater, set_there, "templates_folder")),
            (templater, self.text(templater, set_there, "template_folder")),
        ]
        for name, values in (self._core(), self._periodic()):
            template = self.text(name, values or {}, "template")
            template = template or self.text(name, values or {}, "templatePath")
            written.append((name, template.rpartition("/")[0]))
        found = [self._folder_of(name, folder) for name, folder in written]
        return tuple(dict.fromkeys(folder for folder in found if folder))

    def _folder_of(self, name: str, written: str) -> str | None:
        """A folder of templates; the root is none, or every note would be a template."""
        return self.folder_path(name, written) if written else None

    def property_types(self) -> Mapping[str, str]:
        types = self.mapping("types.json").get("types")
        if types is not None and not isinstance(types, dict):
            self.warn(self.where("types.json"), "types is not a JSON object, and was not used")
        items = types.items() if isinstance(types, dict) else ()
        return MappingProxyType({name: kind for name, kind in items if isinstance(kind, str)})

    def excluded(self, app: Mapping[str, Any]) -> tuple[str, ...]:
        value = app.get("userIgnoreFilters")
        if value is None:
            return ()
        if not isinstance(value, list):
            self.warn(self.where("app.json"), "userIgnoreFilters is not a list, and was not used")
            return ()
        filters = tuple(one for one in value if isinstance(one, str) and one)
        if len(filters) < len(value):
            self.warn(
                self.where("app.json"), "userIgnoreFilters contains something that is not text"
            )
        for one in filters:
            problem = _matcher(one).problem
            if problem:
                self.warn(self.where("app.json"), f"the excluded-files pattern {one!r}: {problem}")
        return filters


_BESIDE_APP = ("core-plugins.json", "workspace.json", "appearance.json", "community-plugins.json")


@dataclass(frozen=True, slots=True)
class _Matcher:
    """One of Obsidian's excluded-files filters. What cannot be decided counts as excluded."""

    matches: Any
    problem: str = ""


# Look-around is left to `re`, but only where nothing in it can take long.
_MANY_REPEATS = re.compile(r"[*+{].*[*+{].*[*+{]|\)[*+{]|\\[1-9].*[*+{].*[*+{]")
_LONG = 1024


@cache
def _matcher(written: str) -> _Matcher:
    """``/…/`` is a regular expression, anything else the beginning of a path; case is ignored."""
    if len(written) > 2 and written.startswith("/") and written.endswith("/"):
        from vault_dream.engine.vault.patterns import Pattern, UnboundedPatternError

        try:
            return _Matcher(Pattern(written[1:-1]).search)
        except UnboundedPatternError as error:
            if _MANY_REPEATS.search(written) is None:
                search = re.compile(written[1:-1], re.IGNORECASE).search
                return _Matcher(lambda path: len(path) > _LONG or search(path) is not None)
            return _Matcher(
                lambda path: True, f"{error}; until it is simpler, it excludes everything"
            )
        except (re.error, RecursionError, OverflowError) as error:
            return _Matcher(lambda path: False, f"it is not a regular expression ({error})")
    beginning = unicodedata.normalize("NFC", written).lstrip("/").lower()
    return _Matcher(lambda path: path.lower().startswith(beginning))


def is_excluded(settings: ObsidianSettings, path: str) -> bool:
    """Whether Obsidian's excluded files hold ``path``."""
    return any(_matcher(written).matches(path) for written in settings.excluded)
