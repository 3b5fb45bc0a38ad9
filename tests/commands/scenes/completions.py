"""``completions``."""

from typing import Any

from tests.commands.outside import Place, Scene, bad


def _is(shell: str) -> Any:
    def look(place: Place, said: Any) -> None:
        assert said["shell"] == shell and "_VAULT_DREAM_COMPLETE" in said["script"]
        assert list((place.folder / "home").iterdir()) == []

    return look


SCENES = (
    *(Scene(shell, (shell,), then=_is(shell)) for shell in ("bash", "zsh", "fish")),
    Scene("the shell in use", (), environ={"SHELL": "/usr/bin/fish"}, then=_is("fish")),
    bad("another shell", "tcsh"),
    bad("no shell known", environ={"SHELL": ""}),
)
