"""``run``."""

from typing import Any

from tests.commands.outside import BAD_SETTING, DAY, NO_VAULT, SETTINGS, Place, Scene, bad

DATE = ("--date", "2026-11-30")


def _stored(place: Place, said: Any) -> None:
    stored = place.vault / f"metadata/runs/{said['run_id']}.json"
    assert stored.is_file() and said["checkpoint_paths"] == [DAY]


def _untouched(place: Place, said: Any) -> None:
    assert said["diffs"] and not (place.vault / "metadata").exists()


def _job(place: Place) -> None:
    steps = "[dream_extract_step, dream_integrate_step, dream_finish_step]"
    text = f"{SETTINGS}jobs: {{mine: {{parameters: {{date: 2026-11-30}}, steps: {steps}}}}}\n"
    (place.vault / "vault-dream.yaml").write_text(text)


def _of_the_job(place: Place, said: Any) -> None:
    assert (said["date"], said["auto_tag"]["tagged"]) == ("2026-11-30", [])
    assert said["nodes_created"]


SCENES = (
    Scene("a day with something new", ("{vault}", *DATE), then=_stored),
    Scene("nothing new", ("{vault}", *DATE), dreamt=True),
    Scene("a dry run", ("{vault}", *DATE, "--dry-run"), then=_untouched),
    Scene("key=value", ("{vault}", "date=2026-11-30", "max_units=1")),
    Scene("a job", ("{vault}", "--job", "mine"), prepare=_job, then=_of_the_job),
    Scene("job=NAME", ("{vault}", "job=mine", "max_units=1"), prepare=_job, then=_of_the_job),
    bad("a job that is none", "{vault}", "--job", "mien", prepare=_job),
    bad("no model", "{vault}", *DATE, "--provider", "openai", code=4),
    bad("a day that is none", "{vault}", "--date", "2026-13-01"),
    bad("an option that is none", "{vault}", "--frobnicate"),
    NO_VAULT,
    BAD_SETTING,
)
