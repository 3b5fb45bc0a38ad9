"""``schedule``."""

from __future__ import annotations

from typing import Any

from tests.commands.outside import BAD_SETTING, NO_VAULT, Place, Scene, bad
from tests.scheduling.tools import Tools

BIN = {"PATH": "tools/bin"}
SYSTEMD = ("{vault}", "--for", "systemd")


def _systemctl(place: Place) -> None:
    Tools(place.folder / "tools").add("systemctl")


def _crontab(place: Place) -> None:
    Tools(place.folder / "tools").add_crontab()


def _installed(place: Place) -> None:
    _systemctl(place)
    answer = place.call("schedule", "{vault}", "--for", "systemd", "--install", PATH="tools/bin")
    assert answer.code == 0 and "will be read every night at 03:30" in answer.out


def _vault_gone(place: Place) -> None:
    _installed(place)
    place.vault.rename(place.folder / "elsewhere")


def _no_settings(place: Place) -> None:
    _installed(place)
    (place.vault / "vault-dream.yaml").write_text("scan_dais: [")


def _nothing_written(place: Place, said: Any) -> None:
    assert said["action"] == "printed" and list((place.folder / "home").iterdir()) == []
    assert said["command"][-3:] == ["run", "--vault", str(place.vault)]


def _units(count: int) -> Any:
    def look(place: Place, said: Any) -> None:
        units = place.folder / "home/.config/systemd/user"
        assert len(list(units.iterdir())) == count

    return look


def _no_key(place: Place, said: Any) -> None:
    assert "sk-secret" not in str(said) and any("OPENAI_API_KEY" in hint for hint in said["hints"])


SCENES = (
    *(
        Scene(f"for {system}", ("{vault}", "--for", system, "--at", "4:05"), then=_nothing_written)
        for system in ("systemd", "launchd", "windows", "cron")
    ),
    Scene("for this machine", ("-V", "{vault}"), then=_nothing_written),
    Scene("install", (*SYSTEMD, "--install"), environ=BIN, prepare=_systemctl, then=_units(2)),
    Scene("twice", (*SYSTEMD, "--install"), environ=BIN, prepare=_installed, then=_units(2)),
    Scene("remove", (*SYSTEMD, "--remove"), environ=BIN, prepare=_installed, then=_units(0)),
    Scene("a vault gone", (*SYSTEMD, "--remove"), environ=BIN, prepare=_vault_gone, then=_units(0)),
    Scene("no settings", (*SYSTEMD, "--remove"), environ=BIN, prepare=_no_settings, then=_units(0)),
    Scene("remove what is not there", ("{vault}", "--for", "cron", "--remove"), environ=BIN),
    Scene("cron", ("{vault}", "--for", "cron", "--install"), environ=BIN, prepare=_crontab),
    Scene("without systemctl", (*SYSTEMD, "--install"), 1, environ=BIN, then=_units(2)),
    Scene(
        "with a key about", SYSTEMD, then=_no_key,
        environ={"OPENAI_API_KEY": "sk-secret", "VAULT_DREAM_PROVIDER": "openai"},
    ),
    bad("no time of day", "{vault}", "--at", "25:00"),
    bad("no such scheduler", "{vault}", "--for", "at"),
    bad("both ways", "{vault}", "--install", "--remove"),
    NO_VAULT,
    BAD_SETTING,
)  # fmt: skip
