"""``init``."""

from typing import Any

from tests.commands.outside import BAD_SETTING, NO_VAULT, Place, Scene, bad

QUIET = ("-V", "{vault}", "--no-model")


def _bare(place: Place) -> None:
    (place.vault / "vault-dream.yaml").unlink()


def _outcomes(*wanted: str) -> Any:
    def look(place: Place, said: Any) -> None:
        assert [file["outcome"] for file in said["files"]] == list(wanted)
        for file in said["files"]:
            there = (place.vault / file["path"]).exists()
            assert there is (file["outcome"] in ("written", "kept"))

    return look


def _dreams(place: Place, said: Any) -> None:
    answer = place.call("run", "{vault}", "--date", "2026-11-30", "--json")
    assert answer.document["provider"] == "offline"


SCENES = (
    Scene("a vault without settings", QUIET, prepare=_bare, then=_outcomes("written")),
    Scene("with settings", QUIET, then=_outcomes("kept")),
    Scene("a reader", (*QUIET, "--provider", "offline"), prepare=_bare, then=_dreams),
    Scene(
        "for Obsidian", (*QUIET, "--obsidian"), prepare=_bare,
        then=_outcomes("written", "written", "written"),
    ),
    Scene(
        "only to see", (*QUIET, "--obsidian", "--dry-run"), prepare=_bare,
        then=_outcomes("would write", "would write", "would write"),
    ),
    bad("a model for nobody", *QUIET, "--provider", "offline", "--model", "x"),
    bad("no such provider", *QUIET, "--provider", "nobody"),
    bad("an endpoint without a model", *QUIET, "--base-url", "http://localhost:1/v1"),
    NO_VAULT,
    BAD_SETTING,
)  # fmt: skip
