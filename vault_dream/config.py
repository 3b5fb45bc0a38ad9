"""One settings object: defaults < user file < vault file < environment < job < flags.

An unknown key, or a value of the wrong type or out of range, is an error that names the file, the
line and the nearest valid key; nothing is silently ignored.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from vault_dream import setting_values as must_be
from vault_dream.engine.errors import SettingsError
from vault_dream.origins import ENV_PREFIX as ENV_PREFIX
from vault_dream.origins import VAULT_FILE as VAULT_FILE
from vault_dream.origins import user_config_file as user_config_file
from vault_dream.pipeline import (
    AUTO_DREAM,
    DREAM,
    NIGHTLY,
    Job,
    read_dream,
    read_jobs,
    shown,
    spelt_out,
)
from vault_dream.settings_file import Given, parse_value, read_settings_file

ENV_RESERVED = frozenset({"VAULT", "STATE_HOME", "CACHE_HOME", "CONFIG_HOME"})
"""Environment names under the prefix that are not settings but places."""

Policy = Literal["apply", "safe", "queue"]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """An OpenAI-compatible embeddings endpoint for semantic recall; off while ``model`` is
    empty.
    """

    model: str = ""
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; 0 means derived (``seconds``: none for local endpoints)."""

    calls: int = 0
    tokens: int = 400_000
    seconds: int = 0
    turns_per_unit: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its default; ``origins`` says where each value that was set came from, and
    ``job`` for which job they hold."""

    daily_dir: str | None = None
    daily_format: str | None = None
    extra_inputs: tuple[str, ...] = ()
    digest_dir: str = "digest"
    state_dir: str = "metadata"
    timezone: str = "local"
    scan_days: int = 2
    max_units: int = 5
    edge_style: Literal["sentence", "inline", "field"] = "sentence"
    edge_properties: Literal["relations", "all", "none"] = "relations"
    link_format: Literal["full", "obsidian"] = "full"
    file_names: Literal["slug", "title"] = "slug"
    language: str = "auto"
    tag_field: str = "memory_tags"
    reviewed_field: str = "reviewed"
    exclude: tuple[str, ...] = ()
    exclude_headings: tuple[str, ...] = ()
    exclude_tags: tuple[str, ...] = ()
    day_index: Literal["auto", "off"] = "auto"
    quiet_minutes: int = 0
    runs_on: tuple[str, ...] = ()
    provider: Literal["openai", "offline"] = "openai"
    model: str = ""
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    context_tokens: int = 0
    embeddings: Embeddings = Embeddings()
    tools: Literal["auto", "tools", "structured"] = "auto"
    budget: Budget = Budget()
    prices: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy = "safe"
    on_commit: Literal["none", "git"] = "none"
    keep_undo_days: int = 365
    auto_dream: Job = AUTO_DREAM
    jobs: Mapping[str, Job] = field(
        default_factory=lambda: {NIGHTLY.name: spelt_out(NIGHTLY, AUTO_DREAM)}
    )
    origins: Mapping[str, str] = field(default_factory=dict)
    job: str = DREAM

    @property
    def pipeline(self) -> Job:
        """The job that these settings hold for."""
        return self.auto_dream if self.job == DREAM else self.jobs[self.job]


VALIDATORS: Mapping[str, must_be.Validator] = {
    "daily_dir": must_be.daily_folder,
    "daily_format": must_be.optional_text,
    "extra_inputs": must_be.texts,
    "digest_dir": must_be.linkable_folder,
    "state_dir": must_be.folder,
    "timezone": must_be.zone_name,
    "scan_days": must_be.whole(1, 3660),
    "max_units": must_be.whole(1, 100),
    "edge_style": must_be.one_of("sentence", "inline", "field"),
    "edge_properties": must_be.one_of("relations", "all", "none"),
    "link_format": must_be.one_of("full", "obsidian"),
    "file_names": must_be.one_of("slug", "title"),
    "language": must_be.text,
    "tag_field": must_be.property_name,
    "reviewed_field": lambda value: value if value == "" else must_be.property_name(value),
    "exclude": must_be.texts,
    "exclude_headings": must_be.texts,
    "exclude_tags": must_be.texts,
    "day_index": must_be.one_of("auto", "off"),
    "quiet_minutes": must_be.whole(0, 525_600),
    "runs_on": must_be.texts,
    "provider": must_be.one_of("openai", "offline"),
    "model": must_be.text,
    "base_url": must_be.web_address,
    "api_key_env": must_be.variable,
    "context_tokens": must_be.whole(0),
    "embeddings": must_be.part(
        Embeddings, {"model": must_be.text, "base_url": must_be.web_address}
    ),
    "tools": must_be.one_of("auto", "tools", "structured"),
    "budget": must_be.part(
        Budget,
        {
            "calls": must_be.whole(0),
            "tokens": must_be.whole(0),
            "seconds": must_be.whole(0),
            "turns_per_unit": must_be.whole(1),
        },
    ),
    "prices": must_be.mapping,
    "policy": must_be.one_of("apply", "safe", "queue"),
    "on_commit": must_be.one_of("none", "git"),
    "keep_undo_days": must_be.whole(0, 365_000),
}
"""What each setting may be, but for the two that are jobs."""

NAMES = (*VALIDATORS, "auto_dream", "jobs")
"""Every setting."""


def load_settings(
    root: Path | None,
    *,
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    user_file: Path | None = None,
    job: str = DREAM,
) -> Settings:
    """The settings for the vault at ``root`` and its ``job``.

    A job and its steps override the files and the environment; ``flags``, which contain only what
    was given on the command line, override everything. ``environ`` and ``user_file`` default to the
    process's own. Raises :class:`SettingsError`.
    """
    environ = os.environ if environ is None else environ
    given: dict[str, Given] = {}
    given.update(read_settings_file(user_config_file(environ) if user_file is None else user_file))
    if root is not None:
        given.update(read_settings_file(root / VAULT_FILE))
    given.update(_from_environment(environ))
    for name, value in (flags or {}).items():
        given[name] = Given(value, f"--{name.replace('_', '-')}")
    settings = _build(given, job, frozenset(flags or ()))
    _check_folders(settings)
    return settings


def _build(given: Mapping[str, Given], name: str, flags: frozenset[str]) -> Settings:
    values = {name: _checked(name, item) for name, item in given.items()}
    dream, jobs = _jobs(given)
    origins = {name: item.where for name, item in given.items()}
    job = dream if name == DREAM else jobs.get(name)
    if job is None:
        raise SettingsError(
            origins.get("jobs", "jobs"),
            f"there is no job {name!r}",
            must_be.nearest(name, (*jobs, DREAM)),
        )
    for option in ("scan_days", "max_units"):
        if option not in flags and (found := job.value(option)) is not None:
            values[option], origins[option] = found
    values |= {"auto_dream": dream, "jobs": jobs}
    return Settings(**values, origins=origins, job=name)


NEVER_REPEATED = frozenset({"base_url", "embeddings", "api_key_env"})
"""Settings into which a key may have been written by mistake: no message says what they hold."""


def _checked(name: str, item: Given) -> Any:
    if name not in NAMES:
        raise SettingsError(item.where, f"there is no setting {name!r}", _nearest(name))
    if name not in VALIDATORS:
        return None  # the jobs, which are read together
    try:
        return VALIDATORS[name](item.value)
    except ValueError as error:
        instead = "" if name in NEVER_REPEATED else f", not {shown(item.value)}"
        raise SettingsError(
            item.where,
            f"{name} must be {error}{instead}",
            f"correct the value, or {_without(item.where)} to use the default",
        ) from None


def _without(where: str) -> str:
    """What a person does to give the setting no value there."""
    if where.startswith("-"):
        return "leave the option out"
    return "unset it" if where.startswith("environment variable ") else "remove the line"


def _jobs(given: Mapping[str, Given]) -> tuple[Job, Mapping[str, Job]]:
    dream = read_dream(given["auto_dream"]) if "auto_dream" in given else AUTO_DREAM
    if "jobs" in given:
        return dream, read_jobs(given["jobs"], dream)
    return dream, {NIGHTLY.name: spelt_out(NIGHTLY, dream)}


def _check_folders(settings: Settings) -> None:
    """What we write into may not be where the owner's notes are read from, or the other way
    round.
    """
    folders = {"digest_dir": settings.digest_dir, "state_dir": settings.state_dir}
    if settings.daily_dir:
        folders["daily_dir"] = settings.daily_dir
    names = sorted(folders)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            a, b = folders[one] + "/", folders[other] + "/"
            if a.startswith(b) or b.startswith(a):
                raise SettingsError(
                    settings.origins.get(one) or settings.origins.get(other) or VAULT_FILE,
                    f"{one} ({folders[one]}) and {other} ({folders[other]}) overlap",
                    "give each its own folder",
                )


def _nearest(name: str) -> str:
    found = must_be.nearest(name, NAMES)
    return found if found.endswith("?") else "vault-dream help settings lists them all"


def _from_environment(environ: Mapping[str, str]) -> dict[str, Given]:
    given = {}
    for variable, text in environ.items():
        name = variable.removeprefix(ENV_PREFIX)
        if name == variable or name in ENV_RESERVED:
            continue
        given[name.lower()] = Given(parse_value(text), f"environment variable {variable}")
    return given
