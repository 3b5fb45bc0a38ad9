"""``move``."""

from typing import Any

from tests.commands.outside import NODE, Place, Scene, bad

HERE = ("-V", "{vault}")
KETTLE = "digest/wiki/kettle.md"


def _moved(place: Place, said: Any) -> None:
    assert (said["new"], said["run_id"]) == (KETTLE, place.last_run())
    assert "[[pot]]" in (place.vault / "notes/tea.md").read_text()
    assert place.call("undo", *HERE).code == 0 and (place.vault / NODE).is_file()


def _all(place: Place, said: Any) -> None:
    assert [each["rewritten"] for each in said["outside"]] == [True]
    assert "and [[kettle]]." in (place.vault / "notes/tea.md").read_text()


def _shown(place: Place, said: Any) -> None:
    assert said["run_id"] is None and (place.vault / NODE).is_file()
    assert any("+Oolong, and [[kettle]]." in diff for diff in said["diffs"])


SCENES = (
    Scene("a node", (NODE, "kettle", *HERE), then=_moved),
    Scene("the owner's notes too", ("pot", KETTLE, "--all", *HERE), dreamt=True, then=_all),
    Scene("only shown", (NODE, KETTLE, "--all", "--dry-run", *HERE), then=_shown),
    bad("a note that is no node", "notes/tea.md", KETTLE, *HERE),
    bad("out of the digest", NODE, "notes/pot.md", *HERE),
    bad("out of the vault", NODE, "../pot.md", *HERE),
    bad("one name only", NODE, *HERE),
    bad("no such vault", NODE, KETTLE, "-V", "{vault}/gone", code=6),
)
