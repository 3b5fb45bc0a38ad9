"""``backfill``."""

from typing import Any

from tests.commands.outside import NO_VAULT, Place, Scene, bad

RANGE = ("--from", "2026-11-01", "--to", "2026-11-30")


def _planned(place: Place, said: Any) -> None:
    assert said["status"] == "planned" and said["plan"]["days"] == 2
    assert not (place.vault / "metadata").exists()


def _capped(place: Place, said: Any) -> None:
    assert (said["status"], said["days_left"]) == ("capped", 1)
    again = place.call("backfill", "{vault}", "--json", "--yes")
    assert (
        again.document["status"] == "done" and not (place.vault / "metadata/backfill.json").exists()
    )


SCENES = (
    Scene("a plan", ("{vault}", *RANGE, "--dry-run"), then=_planned),
    Scene("the oldest day, then the rest", ("{vault}", *RANGE, "--max", "1", "-y"), then=_capped),
    Scene("nothing is left", ("{vault}", "--from", "2020-01-01", "--to", "2020-12-31", "--yes")),
    bad("nobody to ask", "{vault}", *RANGE),
    bad("no range and none begun", "{vault}", "--yes"),
    bad(
        "a range that ends before it begins",
        "{vault}",
        "--from",
        "2026-11-30",
        "--to",
        "2026-11-01",
    ),
    bad("a day that is none", "{vault}", "--from", "30 November"),
    bad("a day to come", "{vault}", "--from", "2026-11-01", "--to", "2999-01-01"),
    bad("no model", "{vault}", *RANGE, "-y", code=4, environ={"VAULT_DREAM_PROVIDER": "openai"}),
    NO_VAULT,
)
