"""``forget``."""

from typing import Any

from tests.commands.outside import DAY, Place, Scene, bad


def _dropped(place: Place, said: Any) -> None:
    assert said["files"] and (place.vault / DAY).is_file()


SCENES = (
    Scene("a note that was read", (DAY, "-V", "{vault}"), dreamt=True, then=_dropped),
    Scene("a note that nobody knows", ("daily/1999-01-01.md", "-V", "{vault}")),
    bad("a path out of the vault", "../secret.md", "-V", "{vault}"),
    bad("no path", "-V", "{vault}"),
    bad("no such vault", DAY, "-V", "{vault}/gone", code=6),
)
