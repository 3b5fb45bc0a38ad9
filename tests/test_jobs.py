"""Jobs and steps in the settings: the seeds' shapes are read, everything else is refused by line,
and what runs is what they say."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ScriptedReader, claim, make_vault
from vault_dream.config import Settings, load_settings
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.session import ReviewSession
from vault_dream.headless import STEPS, dream
from vault_dream.pipeline import DEFAULT_STEPS, KINDS, Job
from vault_dream.places import guide_pages

SEED = """\
auto_dream:
  backend: base
  parameters:
    date:
      type: string
      default: ""
    hint:
      type: string
      default: ""
    scan_days:
      type: integer
      default: 2
    max_units:
      type: integer
      default: 5
  steps:
    - backend: dream_extract_step
      file_catalog: dream
      scan_days: 2
      max_units: 5
    - backend: dream_integrate_step
    - backend: dream_finish_step
      file_catalog: dream
    - backend: auto_tag_step
jobs:
  daily_auto_dream:
    backend: cron
    cron: "30 3 * * *"
    steps:
      - backend: dream_extract_step
        file_catalog: dream
      - backend: dream_integrate_step
      - backend: dream_finish_step
        file_catalog: dream
      - backend: auto_tag_step
"""


def loaded(root: Path, text: str, **more: Any) -> Settings:
    (root / "vault-dream.yaml").write_text(text, encoding="utf-8")
    return load_settings(root, environ={}, user_file=root / "none", **more)


def names(job: Job) -> list[str]:
    return [step.name for step in job.steps]


def test_the_seeds_own_file_is_read_as_it_stands(tmp_path: Path) -> None:
    settings = loaded(tmp_path, SEED)
    assert names(settings.auto_dream) == list(DEFAULT_STEPS)
    job = settings.jobs["daily_auto_dream"]
    assert (names(job), job.cron) == (list(DEFAULT_STEPS), "30 3 * * *")
    assert (settings.scan_days, settings.max_units) == (2, 5)


def test_without_any_there_is_a_nightly_dream() -> None:
    (job,) = Settings().jobs.values()
    assert (job.name, job.cron, names(job)) == ("nightly", "30 3 * * *", list(DEFAULT_STEPS))


def test_the_nightly_job_does_what_auto_dream_was_made_to_do(tmp_path: Path) -> None:
    settings = loaded(tmp_path, f"auto_dream: [{', '.join(DEFAULT_STEPS[:3])}]\n")
    assert names(settings.jobs["nightly"]) == list(DEFAULT_STEPS[:3])


def test_steps_may_be_names_mappings_and_the_word_auto_dream(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        "jobs:\n"
        "  a: {cron: '@daily', steps: auto_dream}\n"
        "  b: {steps: [dream_topics_step, auto_dream]}\n"
        "  c: {steps: [{backend: dream_topics_step}]}\n",
    )
    assert names(settings.jobs["a"]) == list(DEFAULT_STEPS)
    assert names(settings.jobs["b"]) == ["dream_topics_step", *DEFAULT_STEPS]
    assert names(settings.jobs["c"]) == ["dream_topics_step"]
    assert [job.cron for job in settings.jobs.values()] == ["0 0 * * *", "", ""]


# What goes over what ------------------------------------------------------------------------------

LAYERS = """\
scan_days: 3
max_units: 3
auto_dream:
  parameters: {scan_days: 4, max_units: 4}
  steps:
    - {backend: dream_extract_step, max_units: 6}
    - dream_integrate_step
    - dream_finish_step
jobs:
  weekly:
    cron: "0 5 * * 0"
    parameters: {scan_days: {type: integer, default: 8}}
    steps: auto_dream
  bare:
    steps: [dream_extract_step, dream_integrate_step, dream_finish_step]
"""


@pytest.mark.parametrize(
    ("job", "flags", "scan_days", "max_units"),
    [
        ("auto_dream", {}, 4, 6),
        ("auto_dream", {"scan_days": 9}, 9, 6),
        ("auto_dream", {"max_units": 9}, 4, 9),
        ("weekly", {}, 8, 6),
        ("weekly", {"scan_days": 1, "max_units": 1}, 1, 1),
        ("bare", {}, 3, 3),
    ],
)
def test_a_flag_beats_the_step_the_step_the_job_and_the_job_the_settings(
    tmp_path: Path, job: str, flags: dict[str, int], scan_days: int, max_units: int
) -> None:
    settings = loaded(tmp_path, LAYERS, job=job, flags=flags)
    assert (settings.scan_days, settings.max_units) == (scan_days, max_units)
    if not flags and job == "weekly":
        assert settings.origins["scan_days"].endswith("vault-dream.yaml:12")
        assert settings.origins["max_units"].endswith("vault-dream.yaml:6")


def test_the_environment_gives_jobs_too_and_is_named_where_it_is_wrong(tmp_path: Path) -> None:
    environ = {"VAULT_DREAM_JOBS": "{early: {cron: '0 1 * * *', steps: auto_dream}}"}
    settings = load_settings(tmp_path, environ=environ, user_file=tmp_path / "none")
    assert list(settings.jobs) == ["early"]
    environ["VAULT_DREAM_JOBS"] = "{early: {cron: 'x', steps: auto_dream}}"
    with pytest.raises(SettingsError) as error:
        load_settings(tmp_path, environ=environ, user_file=tmp_path / "none")
    assert error.value.where == "environment variable VAULT_DREAM_JOBS"


def test_a_job_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path, LAYERS, job="weakly")
    assert "weakly" in error.value.what and "weekly" in error.value.next


# What is refused, and where -----------------------------------------------------------------------

DREAM_STEPS = "  steps: [dream_extract_step, dream_integrate_step, dream_finish_step]\n"

BAD: dict[str, tuple[int, str, str]] = {
    "auto_dream: x\n": (1, "mapping", ""),
    "auto_dream: []\n": (1, "lacks dream_extract_step", ""),
    "auto_dream: {}\n": (1, "has no steps", ""),
    "auto_dream:\n  steps: auto_dream\n": (2, "must be a list", ""),
    "auto_dream:\n- dream_extract_step\n- auto_dream\n": (3, "no step 'auto_dream'", ""),
    "auto_dream:\n  backend: cron\n" + DREAM_STEPS: (2, "no time of its own", "jobs"),
    "auto_dream:\n  cron: '@daily'\n" + DREAM_STEPS: (2, "no time of its own", "jobs"),
    "auto_dream:\n- dream_integrate_step\n- dream_extract_step\n": (2, "without", "order"),
    "auto_dream:\n- dream_extract_step\n- dream_finish_step\n": (3, "without", "order"),
    "auto_dream:\n  steps:\n  - auto_tag_step\n  - dream_extract_step\n": (3, "without", "order"),
    "auto_dream:\n- dream_extract_step\n- dream_extract_step\n": (3, "twice", ""),
    "auto_dream:\n  steps:\n  - dream_extract_step\n": (1, "no dream_integrate_step", "order"),
    "auto_dream:\n- dream_extrat_step\n": (2, "dream_extrat_step", "did you mean dream_extract"),
    "auto_dream:\n- backend: dream_extract_step\n  scan_dais: 2\n": (3, "scan_dais", "scan_days"),
    "auto_dream:\n- backend: dream_extract_step\n  scan_days: 0\n": (3, "whole number", ""),
    "auto_dream:\n- backend: dream_extract_step\n  max_units: five\n": (3, "whole number", ""),
    "auto_dream:\n- backend: dream_extract_step\n  max_units: true\n": (3, "whole number", ""),
    "auto_dream:\n- backend: dream_extract_step\n  file_catalog: other\n": (3, "one of dream", ""),
    "auto_dream:\n- backend: dream_extract_step\n  date: today\n": (3, "a day", ""),
    "auto_dream:\n- scan_days: 2\n": (2, "no backend", ""),
    "auto_dream:\n- 7\n": (2, "no step 7", ""),
    "auto_dream:\n- [dream_extract_step]\n": (2, "no step", ""),
    "auto_dream:\n- backend: dream_integrate_step\n  max_units: 3\n": (3, "takes no", "hint"),
    "auto_dream:\n  parameters: [date]\n" + DREAM_STEPS: (2, "mapping", ""),
    "auto_dream:\n  parameters:\n    dat: ''\n" + DREAM_STEPS: (3, "'dat'", "date"),
    "auto_dream:\n  parameters:\n    date: {type: integer}\n" + DREAM_STEPS: (3, "string", ""),
    "auto_dream:\n  parameters:\n    date: {default: 2026-02-30}\n" + DREAM_STEPS: (3, "day", ""),
    "auto_dream:\n  parameters:\n    hint: {defalt: x}\n" + DREAM_STEPS: (3, "defalt", "default"),
    "auto_dream:\n  parameters:\n    scan_days: '2'\n" + DREAM_STEPS: (3, "whole number", ""),
    "auto_dream:\n  stages: []\n": (2, "stages", "steps"),
    "jobs: [nightly]\n": (1, "mapping", ""),
    "jobs:\n  nightly:\n": (2, "mapping", ""),
    "jobs:\n  nightly: auto_dream\n": (2, "mapping", ""),
    "jobs:\n  nightly: {cron: '@daily'}\n": (2, "no steps", ""),
    "jobs:\n  nightly: {steps: []}\n": (2, "no steps", ""),
    "jobs:\n  a:\n    cron: 61 3 * * *\n    steps: auto_dream\n": (3, "minute", "every night"),
    "jobs:\n  a:\n    cron: 30\n    steps: auto_dream\n": (3, "text", "every night"),
    "jobs:\n  a:\n    backend: cron\n    steps: auto_dream\n": (3, "lacks a cron line", ""),
    "jobs:\n  a:\n    backend: base\n    cron: '@daily'\n    steps: auto_dream\n": (4, "base", ""),
    "jobs:\n  a:\n    backend: daemon\n    steps: auto_dream\n": (3, "base or cron", ""),
    "jobs:\n  a:\n    steps: auto_drem\n": (3, "must be a list", ""),
    "jobs:\n  a:\n    steps:\n    - auto_tag_step\n": (4, "without", "order"),
    "jobs:\n  a:\n    steps:\n    - auto_dream\n    - auto_dream\n": (5, "twice", ""),
    "jobs:\n  a: {steps: auto_dream}\n  a: {steps: auto_dream}\n": (3, "a is set twice", ""),
    "jobs:\n  auto_dream: {steps: auto_dream}\n": (2, "another name", ""),
    "jobs:\n  '': {steps: auto_dream}\n": (2, "another name", ""),
    "jobs:\n  a:\n    when: now\n    steps: auto_dream\n": (3, "when", ""),
}


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_meant_is_an_error_with_file_and_line(tmp_path: Path, text: str) -> None:
    line, what, next_step = BAD[text]
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path, "# mine\n" + text)
    assert error.value.where == f"{tmp_path / 'vault-dream.yaml'}:{line + 1}"
    assert what in error.value.what or what in error.value.next
    assert next_step in error.value.next


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([*KINDS]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["steps", "cron", "backend", "parameters", "default", "type", "date"])
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_whatever_stands_there_is_jobs_or_an_error(tmp_path: Path, dreams: Any, jobs: Any) -> None:
    import yaml

    text = yaml.safe_dump({"auto_dream": dreams, "jobs": jobs}, allow_unicode=True)
    try:
        settings = loaded(tmp_path, text)
    except SettingsError as error:
        assert "vault-dream.yaml" in error.where and error.what
        return
    assert settings.auto_dream.has("dream_extract_step")
    assert all(job.steps for job in settings.jobs.values())


# What runs ----------------------------------------------------------------------------------------

QUOTE = "We decided to keep the old index because the new one loses accents."


def run(root: Path, settings: Settings, reader: ScriptedReader, **given: Any) -> dict[str, Any]:
    with ReviewSession(root, settings, reader=reader) as session:
        return dream(session, policy="apply", **given).report


def test_every_step_that_may_be_named_can_be_run() -> None:
    assert set(STEPS) == set(KINDS)


def test_a_job_runs_its_own_steps_with_its_own_parameters(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {"daily/2026-06-20.md": QUOTE + "\n"})
    (root / "vault-dream.yaml").write_text(
        "jobs:\n"
        "  old:\n"
        "    parameters: {date: 2026-06-20, hint: decisions first, max_units: 2}\n"
        "    steps: [dream_extract_step, dream_integrate_step, dream_finish_step]\n"
    )
    reader = ScriptedReader(claims=[claim("Keep the old index", (1, QUOTE))], tags={})
    settings = load_settings(root, environ={}, user_file=root / "none", job="old")
    report = run(root, settings, reader)
    assert (report["date"], len(report["nodes_created"])) == ("2026-06-20", 1)
    assert [(asked.hint, asked.max_units) for asked in reader.asked] == [("decisions first", 2)]
    assert reader.tagged == [], "auto_tag_step is none of its steps"


def test_what_is_asked_for_goes_over_what_the_job_says(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault", {"daily/2026-06-20.md": QUOTE + "\n"})
    job = Job("old", Job.of(*DEFAULT_STEPS).steps, {"date": date(2026, 1, 1), "hint": "x"})
    reader = ScriptedReader()
    settings = Settings(auto_dream=job)
    report = run(root, settings, reader, day=date(2026, 6, 20), hint="mine")
    assert report["date"] == "2026-06-20"
    assert reader.asked[0].hint == "mine"


@pytest.mark.parametrize("page", ["nightly", "settings"])
def test_what_the_guide_shows_can_be_meant(tmp_path: Path, page: str) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", guide_pages()[page], re.DOTALL)
    settings = loaded(tmp_path, text)
    assert names(settings.jobs["nightly"]) == list(DEFAULT_STEPS)
    if page == "nightly":
        assert loaded(tmp_path, text, job="weekly").scan_days == 3, "the step beats the job"
