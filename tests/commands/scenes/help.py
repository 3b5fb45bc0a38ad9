"""``help``."""

from typing import Any

from tests.commands.outside import Place, Scene, bad
from vault_dream.commands import COMMANDS


def _all(place: Place, said: Any) -> None:
    assert [command["name"] for command in said["commands"]] == list(COMMANDS)
    assert all(command["summary"] for command in said["commands"])
    assert all(topic["title"] for topic in said["topics"])


def _is(topic: str) -> Any:
    def look(place: Place, said: Any) -> None:
        assert said["topic"] == topic

    return look


SCENES = (
    Scene("the contents", (), then=_all),
    Scene("a page", ("settings",), then=_is("settings")),
    Scene("the beginning of one", ("night",), then=_is("nightly")),
    Scene("a near miss", ("privcy",), then=_is("privacy")),
    Scene("a command", ("undo",), then=_is("undo")),
    bad("a topic that is none", "xyzzy"),
    bad("several", "s"),
)
