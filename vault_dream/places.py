"""Where things are: the vault that is meant, the files that travel with the program, caches."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vault_dream.engine.errors import FilesystemError, SettingsError
from vault_dream.origins import ENV_PREFIX, VAULT_FILE, user_cache_folder, user_config_file


class NoVaultError(SettingsError):
    """No vault was named, and which is meant is not clear."""


def current_folder() -> Path:
    """The folder that the program was started in."""
    try:
        return Path.cwd()
    except OSError:
        raise FilesystemError("current folder", "is gone", "go to another folder") from None


def find_vault(given: str | None, *, environ: Mapping[str, str], here: Path) -> Path:
    """The folder of the vault that is meant.

    In this order: ``given``; the variable ``VAULT_DREAM_VAULT``; ``here`` or a folder above it that
    has ``.obsidian`` or ``vault-dream.yaml``; the one vault that Obsidian has open. Raises
    :class:`FilesystemError` where what is named is no folder, :class:`NoVaultError` where nothing
    is named and nothing or too much is found.
    """
    named = given or environ.get(ENV_PREFIX + "VAULT")
    if named:
        return _folder(Path(named).expanduser(), here)
    for folder in (here, *here.parents):
        if (folder / ".obsidian").is_dir() or (folder / VAULT_FILE).is_file():
            return folder
    return _open_vault()


def given_folder(text: str) -> Path:
    """The folder that a person typed. Raises :class:`FilesystemError` where it is none."""
    return _folder(Path(text).expanduser(), current_folder())


def vaults_to_choose(last: str = "") -> tuple[Path, ...]:
    """The vaults that Obsidian knows, and the ``last`` one that was chosen, if it is there."""
    from vault_dream.engine.vault.registry import known_vaults

    found = [vault.path for vault in known_vaults() if vault.path.is_dir()]
    if last and Path(last).is_dir():
        found.append(Path(last))
    return tuple(dict.fromkeys(found))


def _folder(path: Path, here: Path) -> Path:
    path = here / path
    try:
        if path.is_dir():
            os.scandir(path).close()
            return path
        exists = path.exists()
    except OSError as error:
        raise FilesystemError(
            str(path), f"the vault cannot be read ({error.strerror})", "check its permissions"
        ) from None
    if exists:
        raise FilesystemError(str(path), "is a file, not a vault", "give the folder it lies in")
    raise FilesystemError(str(path), "there is no such folder", "check the path of the vault")


def _open_vault() -> Path:
    from vault_dream.engine.vault.registry import known_vaults

    known = known_vaults()
    open_ones = [vault for vault in known if vault.open and vault.path.is_dir()]
    if len(open_ones) == 1:
        return open_ones[0].path
    listed = ", ".join(str(vault.path) for vault in known) or "none"
    raise NoVaultError(
        "vault",
        f"no vault was given (vaults that Obsidian knows: {listed})",
        "give its path, as in: vault-dream --headless ~/Notes",
    )


def shipped(name: str) -> Path:
    """The folder ``assets`` or ``sample_vault``, from an installed wheel or from a checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise FilesystemError(name, "it was not installed with the program", "install it again")


def guide_pages() -> dict[str, str]:
    """The guide: its pages by name."""
    return {
        page.stem: page.read_text(encoding="utf-8")
        for page in sorted((shipped("assets") / "guide").glob("*.md"))
    }


def index_folder(root: Path, environ: Mapping[str, str] | None = None) -> Path:
    """Where the search indexes of the vault at ``root`` are, in the user's cache folder."""
    from vault_dream.engine.vault.machine import vault_key

    return user_cache_folder(environ) / "vaults" / vault_key(root)


def index_file(root: Path, environ: Mapping[str, str] | None = None) -> Path:
    """The index of the vault's digest nodes."""
    return index_folder(root, environ) / "nodes.sqlite"


def settings_origin(environ: Mapping[str, str]) -> object:
    """What settings are made of, but for the vault's own file: equal origins, equal settings."""
    from vault_dream.engine.vault.pulse import stamp

    file = user_config_file(environ)
    ours = sorted(item for item in environ.items() if item[0].startswith(ENV_PREFIX))
    return str(file), stamp(file), ours
