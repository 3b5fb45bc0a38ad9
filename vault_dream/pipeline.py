"""Jobs and their steps, as configuration spells them (the seeds' *Auto Dream*).

``auto_dream`` is a job, and so is each entry of ``jobs``: steps by their names or as mappings with
``backend``, parameters with types and defaults, and a cron line where it runs by the clock. What
cannot be meant is an error that names the file and the line of what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vault_dream import setting_values as must_be
from vault_dream.engine.errors import SettingsError
from vault_dream.settings_file import At, Given

DREAM = "auto_dream"
CATALOG = "dream"

EXTRACT = "dream_extract_step"
INTEGRATE = "dream_integrate_step"
FINISH = "dream_finish_step"
TAG = "auto_tag_step"
TOPICS = "dream_topics_step"
DEFAULT_STEPS = (EXTRACT, INTEGRATE, FINISH, TAG)


@dataclass(frozen=True, slots=True)
class Kind:
    """A step that exists: what it may be given, and the step that has to come before it."""

    options: frozenset[str] = frozenset()
    after: str = ""


KINDS: Mapping[str, Kind] = {
    EXTRACT: Kind(frozenset({"file_catalog", "date", "hint", "scan_days", "max_units"})),
    INTEGRATE: Kind(frozenset({"hint"}), after=EXTRACT),
    FINISH: Kind(frozenset({"file_catalog"}), after=INTEGRATE),
    TAG: Kind(after=FINISH),
    TOPICS: Kind(frozenset({"date", "hint"})),
}
"""Every step by its name. ``vault_dream.headless`` says what each does."""

VALUES: Mapping[str, must_be.Validator] = {
    "date": must_be.day,
    "hint": must_be.text,
    "scan_days": must_be.whole(1, 3660),
    "max_units": must_be.whole(1, 100),
    "file_catalog": must_be.one_of(CATALOG),
}
"""What an option of a step or a parameter of a job may be."""

TYPES = {"date": "string", "hint": "string", "scan_days": "integer", "max_units": "integer"}
"""Parameters of a job, with their types as the seeds write them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a job with its options; ``where`` is the place that gave it."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    where: str = ""

    def as_json(self) -> Any:
        return {"backend": self.name, **self.options} if self.options else self.name


@dataclass(frozen=True, slots=True)
class Job:
    """Steps in their order, the defaults of the parameters, and the cron line ("" for none).

    A step may be the word ``auto_dream``, until :func:`spelt_out` puts the steps in its place.
    """

    name: str
    steps: tuple[Step, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cron: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    where: str = ""

    @classmethod
    def of(cls, *steps: str, name: str = DREAM, cron: str = "") -> Job:
        """A job of steps without options."""
        return cls(name, tuple(Step(step) for step in steps), cron=cron)

    def has(self, step: str) -> bool:
        return any(one.name == step for one in self.steps)

    def value(self, name: str, step: str = EXTRACT) -> tuple[Any, str] | None:
        """What a step, or else the job, gives for ``name``, and where; None where neither does."""
        for one in self.steps:
            if one.name == step and name in one.options:
                return one.options[name], one.places.get(name, one.where)
        if name in self.parameters:
            return self.parameters[name], self.places.get(name, self.where)
        return None

    def as_json(self) -> dict[str, Any]:
        """The job as it would be written, for reports."""
        found: dict[str, Any] = {"steps": [step.as_json() for step in self.steps]}
        if self.cron:
            found["cron"] = self.cron
        if self.parameters:
            found["parameters"] = {
                name: value.isoformat() if name == "date" and value else value
                for name, value in self.parameters.items()
            }
        return found


AUTO_DREAM = Job.of(*DEFAULT_STEPS)
NIGHTLY = Job.of(DREAM, name="nightly", cron="30 3 * * *")


def spelt_out(job: Job, dream: Job) -> Job:
    """``job`` with the steps of ``dream`` where it says so, and its parameters below its own.

    Raises :class:`SettingsError` where the steps do not go together.
    """
    steps: list[Step] = []
    parameters, places = dict(job.parameters), dict(job.places)
    for step in job.steps:
        if step.name != DREAM:
            steps.append(step)
            continue
        steps += [replace(one, where=step.where or one.where) for one in dream.steps]
        parameters = {**dream.parameters, **parameters}
        places = {**dream.places, **places}
    made = replace(job, steps=tuple(steps), parameters=parameters, places=places)
    _check_order(made)
    return made


def _check_order(job: Job) -> None:
    seen: set[str] = set()
    for step in job.steps:
        where = step.where or job.where or job.name
        if step.name in seen:
            raise SettingsError(where, f"{job.name} has {step.name} twice", "take one out")
        before = KINDS[step.name].after
        if before and before not in seen:
            raise SettingsError(
                where,
                f"{job.name} has {step.name} without {before} before it",
                "the order is " + ", ".join(DEFAULT_STEPS),
            )
        seen.add(step.name)
    if EXTRACT in seen and FINISH not in seen:
        # What was read and never settled would be read, and paid for, again each night.
        missing = INTEGRATE if INTEGRATE not in seen else FINISH
        raise SettingsError(
            job.where or job.name,
            f"{job.name} has {EXTRACT} but no {missing} after it",
            "the order is " + ", ".join(DEFAULT_STEPS),
        )


# From what was given -----------------------------------------------------------------------------


def read_dream(given: Given) -> Job:
    """The job ``auto_dream``: a list of steps, or the seeds' mapping."""
    value: Any = given.value
    if isinstance(value, list):
        job = replace(AUTO_DREAM, steps=tuple(_steps(given, (), DREAM)), where=given.where)
    else:
        job = _job(given, (), DREAM, value)
    if not job.has(EXTRACT):
        raise SettingsError(
            given.at("steps"), f"{DREAM} lacks {EXTRACT}", "its steps: " + ", ".join(DEFAULT_STEPS)
        )
    return spelt_out(job, job)


def read_jobs(given: Given, dream: Job) -> Mapping[str, Job]:
    """The jobs by their names, ``auto_dream`` in them spelt out."""
    if given.value is None:
        return {}
    if not isinstance(given.value, dict):
        raise SettingsError(
            given.where, "jobs must be a mapping", "such as: nightly: {cron: 30 3 * * *, steps: …}"
        )
    jobs: dict[str, Job] = {}
    for name, value in given.value.items():
        if not name.strip() or name == DREAM:
            raise SettingsError(
                given.at(name), f"jobs cannot have one called {name!r}", "give it another name"
            )
        jobs[name] = spelt_out(_job(given, (name,), name, value), dream)
    return jobs


def _job(given: Given, at: At, name: str, value: Any) -> Job:
    known = ("backend", "parameters", "cron", "steps")
    if not isinstance(value, dict):
        raise SettingsError(
            given.at(*at), f"{name} must be a mapping, not {shown(value)}", "of " + ", ".join(known)
        )
    for key in value:
        if key not in known:
            raise _unknown(given.at(*at, key), f"{name} has no {key!r}", key, known)
    cron = _cron(given, at, name, value)
    steps = tuple(_steps(given, (*at, "steps"), name)) if "steps" in value else ()
    if "steps" in value and value["steps"] == DREAM and name != DREAM:
        steps = (Step(DREAM, where=given.at(*at, "steps")),)
    if not steps:
        raise SettingsError(
            given.at(*at, "steps"), f"{name} has no steps", f"a list of steps, or {DREAM}"
        )
    parameters, places = _parameters(given, (*at, "parameters"), name, value.get("parameters"))
    return Job(name, steps, parameters, cron, places, given.at(*at))


def _cron(given: Given, at: At, name: str, value: Mapping[str, Any]) -> str:
    """The cron line of a job, ``""`` for one that only runs when it is called."""
    backend = value.get("backend", "cron" if "cron" in value else "base")
    if backend not in ("base", "cron"):
        raise SettingsError(
            given.at(*at, "backend"),
            f"the backend of {name} must be base or cron, not {shown(backend)}",
            "base runs when it is called, cron by the clock",
        )
    if name == DREAM and (backend == "cron" or "cron" in value):
        raise SettingsError(
            given.at(*at, "cron" if "cron" in value else "backend"),
            f"{DREAM} has no time of its own",
            f"give one to a job, such as jobs: {{nightly: {{cron: 30 3 * * *, steps: {DREAM}}}}}",
        )
    if (backend == "cron") != ("cron" in value):
        where = given.at(*at, "cron" if "cron" in value else "backend")
        wrong = "has a cron line, but the backend base" if "cron" in value else "lacks a cron line"
        raise SettingsError(
            where, f"{name} {wrong}", "backend: cron with cron: '30 3 * * *', or neither"
        )
    if backend == "base":
        return ""
    from vault_dream.cron import CronError, checked

    line = value["cron"]
    where = given.at(*at, "cron")
    example = "'30 3 * * *' is half past three every night"
    if not isinstance(line, str):
        raise SettingsError(where, f"the cron line of {name} must be text", example)
    try:
        return checked(line)
    except CronError as error:
        what = f"the cron line of {name} makes no sense: {error}"
        raise SettingsError(where, what, example) from None


def _steps(given: Given, at: At, job: str) -> Iterator[Step]:
    listed: Any = given.value
    for part in at:
        listed = listed[part]
    if isinstance(listed, str) and listed == DREAM and job != DREAM:
        return
    if not isinstance(listed, list):
        raise SettingsError(
            given.at(*at), f"the steps of {job} must be a list, not {shown(listed)}", ""
        )
    for place, item in enumerate(listed):
        yield _step(given, (*at, place), item, job)


def _step(given: Given, at: At, item: Any, job: str) -> Step:
    where = given.at(*at)
    options = dict(item) if isinstance(item, dict) else {"backend": item}
    name = options.pop("backend", None)
    words = (*KINDS, DREAM) if job != DREAM else tuple(KINDS)
    if not isinstance(name, str) or name not in words:
        where = given.at(*at, "backend") if isinstance(item, dict) else where
        what = "a step has no backend" if name is None else f"there is no step {shown(name)}"
        raise _unknown(where, what, str(name), words)
    allowed = KINDS[name].options if name in KINDS else frozenset()
    kept: dict[str, Any] = {}
    places: dict[str, str] = {}
    for key, value in options.items():
        place = given.at(*at, key)
        if key not in allowed:
            raise _unknown(place, f"{name} takes no {key!r}", key, sorted(allowed))
        kept[key], places[key] = _value(place, f"{key} of {name}", key, value), place
    return Step(name, kept, places, where)


def _parameters(
    given: Given, at: At, job: str, value: Any
) -> tuple[dict[str, Any], dict[str, str]]:
    """The defaults of a job's parameters, and where each stands."""
    if value is None:
        return {}, {}
    if not isinstance(value, dict):
        raise SettingsError(
            given.at(*at), f"the parameters of {job} must be a mapping", "of " + ", ".join(TYPES)
        )
    kept: dict[str, Any] = {}
    places: dict[str, str] = {}
    for key, item in value.items():
        if key not in TYPES:
            raise _unknown(given.at(*at, key), f"{job} takes no parameter {key!r}", key, TYPES)
        about = item if isinstance(item, dict) else {"default": item}
        for name in about:
            if name not in ("type", "default", "description"):
                what = f"the parameter {key} of {job} has no {name!r}"
                raise _unknown(given.at(*at, key, name), what, name, ("type", "default"))
        kind = about.get("type", TYPES[key])
        if kind != TYPES[key]:
            what = f"the type of {key} must be {TYPES[key]}, not {shown(kind)}"
            raise SettingsError(given.at(*at, key, "type"), what, f"write type: {TYPES[key]}")
        if about.get("default") is not None:
            places[key] = given.at(*at, key, "default")
            kept[key] = _value(places[key], f"{key} of {job}", key, about["default"])
    return kept, places


def _value(where: str, name: str, key: str, value: Any) -> Any:
    try:
        return VALUES[key](value)
    except ValueError as error:
        raise SettingsError(
            where, f"{name} must be {error}, not {shown(value)}", "correct the value"
        ) from None


def _unknown(where: str, what: str, name: str, words: Any) -> SettingsError:
    return SettingsError(where, what, must_be.nearest(name, words))


def shown(value: Any) -> str:
    """A value as an error says it."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
