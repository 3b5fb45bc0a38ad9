"""Where settings come from, for whoever only asks whether they changed: imports nothing slow."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VAULT_FILE = "vault-dream.yaml"
ENV_PREFIX = "VAULT_DREAM_"


def user_config_file(environ: Mapping[str, str] | None = None) -> Path:
    """``<user config dir>/vault-dream/config.yaml``."""
    from pathlib import Path

    return Path(config_file_name(os.environ if environ is None else environ))


def config_file_name(environ: Mapping[str, str]) -> str:
    """``user_config_file`` as text, at a tenth of the price in a process that does nothing else."""
    folder = environ.get(ENV_PREFIX + "CONFIG_HOME")
    if not folder and sys.platform == "linux":
        folder = _xdg_folder(environ, "XDG_CONFIG_HOME", ".config")
    if not folder:
        from platformdirs import user_config_dir

        folder = user_config_dir("vault-dream", appauthor=False)
    return os.path.join(folder, "config.yaml")  # noqa: PTH118 - see there


def cache_folder_name(environ: Mapping[str, str]) -> str:
    """``<user cache dir>/vault-dream``, as text like the other."""
    folder = environ.get(ENV_PREFIX + "CACHE_HOME")
    if not folder and sys.platform == "linux":
        folder = _xdg_folder(environ, "XDG_CACHE_HOME", ".cache")
    if not folder:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("vault-dream", appauthor=False)
    return folder


def _xdg_folder(environ: Mapping[str, str], variable: str, default: str) -> str:
    """What platformdirs gives on Linux, without the price of importing it."""
    base = environ.get(variable, "").strip() or os.path.expanduser(f"~/{default}")  # noqa: PTH111
    return f"{base}/vault-dream"
