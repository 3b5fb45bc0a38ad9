"""``serve``, as far as it ends by itself; ``tests/serving`` has the rest."""

from datetime import UTC, datetime

from tests.commands.outside import BAD_SETTING, NO_VAULT, SETTINGS, Place, Scene, bad
from vault_dream.engine.vault.machine import vault_key
from vault_dream.engine.vault.statefiles import json_bytes
from vault_dream.serving.last_runs import LastRun


def overdue(place: Place) -> None:
    """Have the nightly job be overdue since long."""
    since = LastRun("30 3 * * *", "UTC", datetime(2026, 1, 1, tzinfo=UTC))
    file = place.folder / "state/vaults" / vault_key(place.vault) / "jobs.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(json_bytes({"version": 1, "jobs": {"nightly": since.as_json()}}))


def settings(text: str) -> Scene:
    return bad(
        "settings that cannot be meant", "-V", "{vault}", "--once",
        prepare=lambda place: (place.vault / "vault-dream.yaml").write_text(SETTINGS + text),
        then=lambda _, said: _names_a_line(said),
    )  # fmt: skip


def _names_a_line(said: dict[str, list[dict[str, str]]]) -> None:
    assert said["errors"][0]["where"].endswith("vault-dream.yaml:3")


SCENES = (
    Scene("nothing is due", ("{vault}", "--once"), then=lambda _, said: _ran(said, [])),
    Scene(
        "a night that was missed", ("{vault}", "--once"), prepare=overdue,
        then=lambda _, said: _ran(said, [("nightly", 0)]),
    ),
    Scene(
        "no model for what is due", ("{vault}", "--once", "--provider", "openai"), code=4,
        prepare=overdue, then=lambda _, said: _ran(said, [("nightly", 4)]),
    ),
    settings("jobs: {nightly: {cron: at night, steps: auto_dream}}\n"),
    settings("jobs: {nightly: {cron: '@daily', steps: [dream_extrat_step]}}\n"),
    bad("a policy that is none", "-V", "{vault}", "--policy", "never"),
    bad("a log that cannot be", "-V", "{vault}", "--log-file", "{vault}", code=6),
    NO_VAULT,
    BAD_SETTING,
)  # fmt: skip


def _ran(said: dict[str, list[dict[str, object]]], expected: list[tuple[str, int]]) -> None:
    assert [(ran["job"], ran["code"]) for ran in said["last_runs"]] == expected
