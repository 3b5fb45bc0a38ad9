"""One settings object: defaults < user file < vault file < environment < flags.

A key that is not known, a value of the wrong type or out of range is an error that names the file,
the line and the nearest valid key; nothing is accepted and then ignored.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from vault_dream.engine.errors import PathError, SettingsError
from vault_dream.engine.vault.paths import linkable, normalise
from vault_dream.origins import ENV_PREFIX as ENV_PREFIX
from vault_dream.origins import VAULT_FILE as VAULT_FILE
from vault_dream.origins import user_config_file as user_config_file

if TYPE_CHECKING:
    from yaml.nodes import Node

TAKEN_PROPERTIES = frozenset({"name", "description", "aliases", "kind", "created", "updated"})
"""Properties of a node that no setting may claim."""

ENV_RESERVED = frozenset({"VAULT", "STATE_HOME", "CACHE_HOME", "CONFIG_HOME"})
"""Environment names under the prefix that are not settings but places."""

DEFAULT_STEPS = ("dream_extract_step", "dream_integrate_step", "dream_finish_step", "auto_tag_step")

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
    """Ceilings of one run; 0 means derived (``seconds``: none for local endpoints)."""

    calls: int = 0
    tokens: int = 400_000
    seconds: int = 0
    turns_per_unit: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its default; ``origins`` says where each value that was set came from."""

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
    auto_dream: Mapping[str, Any] = field(default_factory=lambda: {"steps": list(DEFAULT_STEPS)})
    jobs: Mapping[str, Any] = field(
        default_factory=lambda: {"nightly": {"cron": "30 3 * * *", "steps": "auto_dream"}}
    )
    origins: Mapping[str, str] = field(default_factory=dict)


# One validator a kind of value: given the plain value, it returns the value to keep or raises
# ValueError with words that complete "<key> must be …".
Validator = Callable[[Any], Any]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def _whole(low: int, high: int | None = None) -> Validator:
    words = f"a whole number from {low} to {high}" if high else f"a whole number of at least {low}"

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(words)
        if value < low or (high is not None and value > high):
            raise ValueError(words)
        return value

    return check


def _one_of(*words: str) -> Validator:
    def check(value: Any) -> str:
        if value not in words:
            raise ValueError("one of " + ", ".join(words))
        return str(value)

    return check


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("a list of text")
    return tuple(value)


def _folder(value: Any) -> str:
    """A folder inside the vault that is not the vault itself and not hidden."""
    words = "a folder inside the vault, such as 'digest'"
    if not isinstance(value, str):
        raise ValueError(words)
    try:
        path = normalise(value.rstrip("/"))
    except PathError as error:
        raise ValueError(f"{words} ({error.what})") from None
    if any(part.startswith(".") for part in path.split("/")):
        raise ValueError(f"{words}, and Obsidian does not read dot-folders")
    return path


def _linkable_folder(value: Any) -> str:
    path = _folder(value)
    if not linkable(f"{path}/x.md"):
        raise ValueError("a folder whose name a link can spell, without # ^ | [ ]")
    return path


def _property(value: Any) -> str:
    """The name of a property that code may fill, so none of those that make a node."""
    if not isinstance(value, str) or not re.fullmatch(r"[^\W\d][\w -]*(?<! )", value):
        raise ValueError("the name of a property, such as 'memory_tags'")
    if value.casefold() in TAKEN_PROPERTIES:
        raise ValueError("a property of its own; a node has this one already")
    return value


def _daily_folder(value: Any) -> str | None:
    if value is None or value in ("", ".", "/"):
        return "" if value is not None else None
    return _folder(value)


def _optional_text(value: Any) -> str | None:
    return None if value is None or value == "" else _text(value)


def _timezone(value: Any) -> str:
    name = _text(value)
    if name == "local":
        return name
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("an IANA time zone such as Europe/Berlin, or local") from None
    return name


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError("a mapping")
    return value


def _part(kind: type[Any], checks: Mapping[str, Validator]) -> Validator:
    """A mapping with known keys that becomes a ``kind``."""

    def check(value: Any) -> Any:
        given = _mapping(value)
        kept: dict[str, Any] = {}
        for name, item in given.items():
            if name not in checks:
                raise ValueError(f"a mapping with {', '.join(checks)} (it has {name!r})")
            try:
                kept[name] = checks[name](item)
            except ValueError as error:
                raise ValueError(f"a mapping whose {name} is {error}") from None
        return kind(**kept)

    return check


def _steps(value: Any) -> Mapping[str, Any]:
    """``auto_dream``: a list of steps, or the seeds' mapping with ``steps``."""
    if isinstance(value, list):
        value = {"steps": value}
    return _mapping(value)


VALIDATORS: Mapping[str, Validator] = {
    "daily_dir": _daily_folder,
    "daily_format": _optional_text,
    "extra_inputs": _texts,
    "digest_dir": _linkable_folder,
    "state_dir": _folder,
    "timezone": _timezone,
    "scan_days": _whole(1, 3660),
    "max_units": _whole(1, 100),
    "edge_style": _one_of("sentence", "inline", "field"),
    "edge_properties": _one_of("relations", "all", "none"),
    "link_format": _one_of("full", "obsidian"),
    "file_names": _one_of("slug", "title"),
    "language": _text,
    "tag_field": _property,
    "reviewed_field": lambda value: value if value == "" else _property(value),
    "exclude": _texts,
    "exclude_headings": _texts,
    "exclude_tags": _texts,
    "day_index": _one_of("auto", "off"),
    "quiet_minutes": _whole(0),
    "runs_on": _texts,
    "provider": _one_of("openai", "offline"),
    "model": _text,
    "base_url": _text,
    "api_key_env": _text,
    "context_tokens": _whole(0),
    "embeddings": _part(Embeddings, {"model": _text, "base_url": _text}),
    "tools": _one_of("auto", "tools", "structured"),
    "budget": _part(
        Budget,
        {
            "calls": _whole(0),
            "tokens": _whole(0),
            "seconds": _whole(0),
            "turns_per_unit": _whole(1),
        },
    ),
    "prices": _mapping,
    "policy": _one_of("apply", "safe", "queue"),
    "on_commit": _one_of("none", "git"),
    "keep_undo_days": _whole(0),
    "auto_dream": _steps,
    "jobs": _mapping,
}


@dataclass(frozen=True, slots=True)
class Given:
    """A value as somebody gave it, and where: a file and line, a variable, or a flag."""

    value: Any
    where: str


def load_settings(
    root: Path | None,
    *,
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    user_file: Path | None = None,
) -> Settings:
    """The settings that hold for the vault at ``root``.

    ``flags`` holds only what was given on the command line; ``environ`` and ``user_file`` default
    to the process's own. Raises :class:`SettingsError`.
    """
    environ = os.environ if environ is None else environ
    given: dict[str, Given] = {}
    given.update(_from_file(user_config_file(environ) if user_file is None else user_file))
    if root is not None:
        given.update(_from_file(root / VAULT_FILE))
    given.update(_from_environment(environ))
    for name, value in (flags or {}).items():
        given[name] = Given(value, f"--{name.replace('_', '-')}")
    return _build(given)


def _build(given: Mapping[str, Given]) -> Settings:
    values: dict[str, Any] = {}
    for name, item in given.items():
        if name not in VALIDATORS:
            raise SettingsError(item.where, f"there is no setting {name!r}", _nearest(name))
        try:
            values[name] = VALIDATORS[name](item.value)
        except ValueError as error:
            raise SettingsError(
                item.where,
                f"{name} must be {error}, not {_shown(item.value)}",
                "correct the value, or remove the line to use the default",
            ) from None
    settings = Settings(**values, origins={name: item.where for name, item in given.items()})
    _check_folders(settings)
    return settings


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
    import difflib

    close = difflib.get_close_matches(name.lower(), VALIDATORS, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else "vault-dream help settings lists them all"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _from_environment(environ: Mapping[str, str]) -> dict[str, Given]:
    given = {}
    for variable, text in environ.items():
        name = variable.removeprefix(ENV_PREFIX)
        if name == variable or name in ENV_RESERVED:
            continue
        given[name.lower()] = Given(parse_value(text), f"environment variable {variable}")
    return given


def parse_value(text: str) -> Any:
    """A value as it would stand in the settings file; text that is not YAML is just text."""
    import yaml

    try:
        node = yaml.compose(text, Loader=_loader())
        return None if node is None else _plain_value(node)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def _from_file(file: Path) -> dict[str, Given]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            str(file), f"the settings cannot be read ({_reason(error)})", "make it a UTF-8 file"
        ) from None
    import yaml

    try:
        node = yaml.compose(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it is not YAML"
        raise SettingsError(f"{file}{line}", str(problem), "correct the YAML") from None
    except RecursionError:
        raise SettingsError(str(file), "it is nested too deeply", "correct the YAML") from None
    if node is None or (isinstance(node, yaml.ScalarNode) and _NULL.match(str(node.value))):
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise SettingsError(str(file), "it is not a list of 'key: value' lines", "see --help")
    given: dict[str, Given] = {}
    for key, value in node.value:
        where = f"{file}:{key.start_mark.line + 1}"
        name = str(key.value)
        if name in given:
            raise SettingsError(where, f"{name} is set twice", f"first at {given[name].where}")
        try:
            given[name] = Given(_plain_value(value), where)
        except ValueError as error:
            raise SettingsError(where, str(error), "correct the YAML") from None
    return given


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_NULL = re.compile(r"(?:null|Null|NULL|~|)\Z")
_BOOL = re.compile(r"(true|True|TRUE)\Z|(?:false|False|FALSE)\Z")
_INT = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")


MOST_VALUES = 10_000
"""Values that a file of settings may hold: aliases of aliases can make it grow without end."""


def _plain_value(node: Node, depth: int = 0, counted: Iterator[int] | None = None) -> Any:
    """The value of a YAML node by the YAML 1.2 core schema, so that ``off`` stays a word."""
    import yaml

    counted = count() if counted is None else counted
    if depth > 20 or next(counted) > MOST_VALUES:
        raise ValueError("it is nested too deeply")
    if isinstance(node, yaml.SequenceNode):
        return [_plain_value(item, depth + 1, counted) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {
            str(key.value): _plain_value(value, depth + 1, counted) for key, value in node.value
        }
    text = str(node.value)
    if getattr(node, "style", None):
        return text
    if _NULL.match(text):
        return None
    if match := _BOOL.match(text):
        return match[1] is not None
    if _INT.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that differ from their defaults, for ``doctor`` and reports."""
    default = Settings()
    return {
        item.name: getattr(settings, item.name)
        for item in dataclasses.fields(Settings)
        if item.name != "origins" and getattr(settings, item.name) != getattr(default, item.name)
    }
