"""``search``."""

from typing import Any

from tests.commands.outside import NODE, Place, Scene, bad


def _pot(place: Place, said: Any) -> None:
    assert [hit["path"] for hit in said["hits"]] == [NODE]


SCENES = (
    Scene("notes, with their links", ("oolong", "-V", "{vault}", "--links")),
    Scene("nodes", ("pot", "-V", "{vault}", "--nodes", "--limit=5"), then=_pot),
    Scene("nothing", ("unheard", "-V", "{vault}")),
    bad("a limit that is none", "tea", "-V", "{vault}", "--limit", "0"),
    bad("a day that is none", "before:soon", "-V", "{vault}"),
    bad("no query", "-V", "{vault}"),
    bad("no such vault", "tea", "-V", "{vault}/gone", code=6),
)
