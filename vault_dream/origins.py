"""Where settings come from, for whoever only asks whether they changed: imports nothing slow."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

VAULT_FILE = "vault-dream.yaml"
ENV_PREFIX = "VAULT_DREAM_"


def user_config_file(environ: Mapping[str, str] | None = None) -> Path:
    """``<user config dir>/vault-dream/config.yaml``."""
    environ = os.environ if environ is None else environ
    if folder := environ.get(ENV_PREFIX + "CONFIG_HOME"):
        return Path(folder) / "config.yaml"
    if sys.platform == "linux":
        return xdg_folder(environ, "XDG_CONFIG_HOME", ".config") / "config.yaml"
    from platformdirs import user_config_path

    return user_config_path("vault-dream", appauthor=False) / "config.yaml"


def user_cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """``<user cache dir>/vault-dream``."""
    environ = os.environ if environ is None else environ
    if folder := environ.get(ENV_PREFIX + "CACHE_HOME"):
        return Path(folder)
    if sys.platform == "linux":
        return xdg_folder(environ, "XDG_CACHE_HOME", ".cache")
    from platformdirs import user_cache_path

    return user_cache_path("vault-dream", appauthor=False)


def xdg_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """What platformdirs gives on Linux, without the price of importing it."""
    base = environ.get(variable, "").strip()
    return (Path(base) if base else Path.home() / default) / "vault-dream"
