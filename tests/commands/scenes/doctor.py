"""``doctor``."""

from typing import Any

from tests.commands.outside import BAD_SETTING, NO_VAULT, NODE, Place, Scene, bad


def _damage(place: Place) -> None:
    (place.vault / "metadata/file_catalog/dream.json").write_text("{")


def _tie(place: Place) -> None:
    (place.vault / "more!").mkdir()
    (place.vault / "more!/tea.md").write_text("Another.\n")


def _mended(place: Place, said: Any) -> None:
    assert [repair["done"] for repair in said["repairs"]] == [True] * len(said["repairs"])
    assert "[[more!/tea.md]]" in (place.vault / NODE).read_text()


def _shown(place: Place, said: Any) -> None:
    assert NODE in [repair["where"] for repair in said["repairs"] if repair["diff"]]
    assert "[[tea]]" in (place.vault / NODE).read_text()


SCENES = (
    Scene("a vault before its first run", ("{vault}",), code=0),
    Scene("a broken catalog", ("{vault}",), code=1, dreamt=True, prepare=_damage),
    Scene("it is mended", ("{vault}", "--fix", "--yes"), dreamt=True, prepare=_damage),
    Scene("a link to one of two", ("{vault}", "--fix"), code=1, prepare=_tie, then=_shown),
    Scene("it is spelled in full", ("{vault}", "--fix", "-y"), prepare=_tie, then=_mended),
    Scene(
        "no model", ("{vault}", "--no-model"), code=1, environ={"VAULT_DREAM_PROVIDER": "openai"}
    ),
    bad("an option that is none", "{vault}", "--frobnicate"),
    NO_VAULT,
    BAD_SETTING,
)
