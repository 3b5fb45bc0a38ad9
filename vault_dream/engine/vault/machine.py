"""Folders outside the vault in which this machine keeps what belongs to one vault."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

STATE_VARIABLE = "VAULT_DREAM_STATE_HOME"


def state_home() -> Path:
    """This user's state folder on this machine; the environment variable moves it."""
    from pathlib import Path

    chosen = os.environ.get(STATE_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_state_path("vault-dream", appauthor=False)


def vault_state_folder(root: Path) -> Path:
    """Where this machine keeps the locks and the journal of the vault at ``root``."""
    return state_home() / "vaults" / vault_key(root)


def vault_key(root: str | os.PathLike[str]) -> str:
    """The name of a vault's folders, by its real path: a link to the vault is the same vault."""
    from vault_dream.engine.hashes import sha256

    real = os.path.normcase(os.path.realpath(root))
    return sha256(os.fsencode(real)).hexdigest()[:20]
