"""``undo``."""

from typing import Any

from tests.commands.outside import NO_VAULT, Place, Scene, bad


def _gone(place: Place, said: Any) -> None:
    assert [file["outcome"] for file in said["files"]] == ["trashed"]
    for file in said["files"]:
        assert not (place.vault / file["path"]).exists()
        assert (place.vault / file["trash"]).is_file()


def _undo(place: Place) -> None:
    assert place.call("undo", "-V", "{vault}").code == 0


SCENES = (
    Scene("the last run", ("-V", "{vault}"), dreamt=True, then=_gone),
    Scene("a run by name", ("{run}", "-V", "{vault}"), dreamt=True, then=_gone),
    Scene("twice", ("{run}", "-V", "{vault}"), dreamt=True, prepare=_undo),
    Scene("nothing to undo", ("-V", "{vault}")),
    bad("a node it left alone", "{run}", "--node", "nosuch.md", "-V", "{vault}", dreamt=True),
    bad("no such run", "20200101T000000-0000", "-V", "{vault}"),
    NO_VAULT,
)
