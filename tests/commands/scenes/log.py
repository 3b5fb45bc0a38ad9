"""``log``."""

from tests.commands.outside import NO_VAULT, Scene, bad

SCENES = (
    Scene("no run yet", ("-V", "{vault}"), then=lambda _, said: _none(said)),
    Scene("one run", ("-V", "{vault}"), dreamt=True),
    Scene("what it changed", ("{run}", "-V", "{vault}"), dreamt=True),
    bad("no such run", "20200101T000000-0000", "-V", "{vault}"),
    bad("no run at all, but a path", "../../etc/passwd", "-V", "{vault}"),
    NO_VAULT,
)


def _none(said: dict[str, object]) -> None:
    assert said["runs"] == []
