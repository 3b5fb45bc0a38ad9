"""``doctor``."""

from tests.commands.outside import BAD_SETTING, NO_VAULT, Place, Scene, bad


def _damage(place: Place) -> None:
    (place.vault / "metadata/file_catalog/dream.json").write_text("{")


SCENES = (
    Scene("a vault before its first run", ("{vault}",), code=0),
    Scene("a broken catalog", ("{vault}",), code=1, dreamt=True, prepare=_damage),
    Scene(
        "no model", ("{vault}", "--no-model"), code=1, environ={"VAULT_DREAM_PROVIDER": "openai"}
    ),
    bad("an option that is none", "{vault}", "--frobnicate"),
    NO_VAULT,
    BAD_SETTING,
)
