"""What the app remembers on this machine: its theme, and where a person was in each vault.

None of it matters enough to fail: an unreadable file is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_dream.engine.errors import SettingsError
from vault_dream.origins import user_config_file

KEYS_FILE = "keys.yaml"


class Remembered:
    """A small JSON file of words. Stateful: holds what was read or set last."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._values: dict[str, Any] = {}
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = None
        if isinstance(found, dict):
            self._values = found

    def get(self, name: str, default: str = "") -> str:
        value = self._values.get(name)
        return value if isinstance(value, str) else default

    def set(self, name: str, value: str) -> None:
        """Remember ``value``; a folder that cannot be written is no error."""
        if self._values.get(name) == value:
            return
        self._values[name] = value
        text = json.dumps(self._values, ensure_ascii=False, indent=2, sort_keys=True)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part = self._file.with_name(f".{self._file.name}.part")
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(self._file)
        except OSError:
            return


def remembered_for(root: Path) -> Remembered:
    """What is remembered about the vault at ``root``, in this machine's state folder."""
    from vault_dream.engine.vault.machine import vault_state_folder

    return Remembered(vault_state_folder(root) / "app.json")


def remembered_for_all() -> Remembered:
    """What is remembered whatever the vault, beside the user's settings."""
    return Remembered(user_config_file().with_name("app.json"))


def keymap(known: Mapping[str, object]) -> dict[str, str]:
    """The keys of ``keys.yaml`` beside the user's settings: action id to keys, with commas.

    Raises :class:`SettingsError` where the file is no mapping or names an action that is not
    ``known``.
    """
    file = user_config_file().with_name(KEYS_FILE)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        raise SettingsError(str(file), "the keys cannot be read", "make it a UTF-8 file") from None
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        raise SettingsError(str(file), "it is not YAML", "write lines like: approve: a") from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise SettingsError(str(file), "it is not a mapping", "write lines like: approve: a")
    for name in found:
        if name not in known:
            raise SettingsError(str(file), f"there is no action {name!r}", ", ".join(known))
    return {str(name): str(keys) for name, keys in found.items()}
