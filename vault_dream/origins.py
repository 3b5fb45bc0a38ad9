"""Where settings come from, for whoever only asks whether they changed: imports nothing slow."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

VAULT_FILE = "vault-dream.yaml"
ENV_PREFIX = "VAULT_DREAM_"


def user_config_file(environ: Mapping[str, str] | None = None) -> Path:
    """``<user config dir>/vault-dream/config.yaml``."""
    environ = os.environ if environ is None else environ
    if folder := environ.get(ENV_PREFIX + "CONFIG_DIR"):
        return Path(folder) / "config.yaml"
    from platformdirs import user_config_path

    return user_config_path("vault-dream", appauthor=False) / "config.yaml"
