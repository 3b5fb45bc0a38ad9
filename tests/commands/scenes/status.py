"""``status``."""

from tests.commands.outside import BAD_SETTING, DAY, NO_VAULT, Scene, bad

SCENES = (
    Scene("before a run", ("{vault}",), then=lambda _, said: _changed(said, [DAY])),
    Scene("after a run", ("-V", "{vault}"), dreamt=True),
    bad("the vault twice", "-V", "{vault}", "{vault}"),
    NO_VAULT,
    BAD_SETTING,
)


def _changed(said: dict[str, object], paths: list[str]) -> None:
    assert said["changed_paths"] == paths
