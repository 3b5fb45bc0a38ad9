"""``topics``."""

from typing import Any

from tests.commands.outside import BAD_SETTING, NO_VAULT, Place, Scene, bad

DATE = ("{vault}", "--date", "2026-11-30")
FILE = "daily/2026-11-30/interests.yaml"


def _written(place: Place, said: Any) -> None:
    assert said["written"] and said["by"] == "local" and said["run_id"]
    assert (place.vault / FILE).is_file()
    answer = place.call("topics", *DATE, "--show", "--json").document
    assert [topic["title"] for topic in answer["topics"]] == [t["title"] for t in said["topics"]]
    logged = place.call("log", "-V", "{vault}", "--json").document["runs"][0]
    assert logged["topics"]["added"] == [topic["title"] for topic in said["topics"]]


def _nothing(place: Place, said: Any) -> None:
    assert not said["written"] and not (place.vault / FILE).exists()


def _broken(place: Place) -> None:
    (place.vault / FILE).parent.mkdir()
    (place.vault / FILE).write_text("topics: [")


def _set_aside(place: Place, said: Any) -> None:
    assert (place.vault / said["set_aside"]).read_text() == "topics: ["


SCENES = (
    Scene("a day", DATE, then=_written),
    Scene("a day that was read", DATE, dreamt=True, then=_written),
    Scene("only to see", (*DATE, "--dry-run"), then=_nothing),
    Scene("what is there", (*DATE, "--show"), then=_nothing),
    Scene("a broken file", DATE, prepare=_broken, then=_set_aside),
    Scene("no model", DATE, environ={"VAULT_DREAM_PROVIDER": "openai"}, then=_written),
    bad("nobody answers", *DATE, "--provider", "openai", "--model", "m",
        "--base-url", "http://127.0.0.1:9/v1", code=4),
    bad("no such day", "{vault}", "--date", "2026-02-30"),
    NO_VAULT,
    BAD_SETTING,
)  # fmt: skip
