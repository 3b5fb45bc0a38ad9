"""Where things are: the vault that is meant, the files that travel with the program, caches."""

from __future__ import annotations

import os

from vault_dream.engine.errors import FilesystemError, SettingsError
from vault_dream.origins import ENV_PREFIX, VAULT_FILE, cache_folder_name, config_file_name

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class NoVaultError(SettingsError):
    """No vault was named, and which is meant is not clear."""


def current_folder() -> str:
    """The folder that the program was started in."""
    try:
        return os.getcwd()  # noqa: PTH109 - pathlib costs more than a bare start
    except OSError:
        raise FilesystemError("current folder", "is gone", "change to another folder") from None


def find_vault(
    given: str | None, *, environ: Mapping[str, str], here: str | os.PathLike[str]
) -> Path:
    """``vault_folder`` as a path."""
    from pathlib import Path

    return Path(vault_folder(given, environ=environ, here=os.fspath(here)))


def vault_folder(given: str | None, *, environ: Mapping[str, str], here: str) -> str:
    """The folder of the vault that is meant.

    In this order: ``given``; the variable ``VAULT_DREAM_VAULT``; ``here`` or a folder above it that
    has ``.obsidian`` or ``vault-dream.yaml``; the one vault that Obsidian has open. Raises
    :class:`FilesystemError` where what is named is no folder, :class:`NoVaultError` where nothing
    is named and nothing or too much is found.
    """
    named = given or environ.get(ENV_PREFIX + "VAULT")
    if named:
        return _folder(os.path.join(here, os.path.expanduser(named)))  # noqa: PTH111, PTH118
    folder, above = here, ""
    while folder != above:
        if os.path.isdir(f"{folder}/.obsidian") or os.path.isfile(f"{folder}/{VAULT_FILE}"):  # noqa: PTH112, PTH113
            return folder
        folder, above = os.path.dirname(folder), folder  # noqa: PTH120
    return _open_vault()


def given_folder(text: str) -> Path:
    """The folder that a person typed. Raises :class:`FilesystemError` where it is none."""
    from pathlib import Path

    return Path(_folder(os.path.join(current_folder(), os.path.expanduser(text))))  # noqa: PTH111, PTH118


def from_vault(root: Path, path: str) -> str:
    """``path`` from the vault's root, where it was given as the whole path of a file in the vault,
    as a shell or a file manager gives it; any other path as it is."""
    from pathlib import Path

    if not Path(path).is_absolute():
        return path
    given = Path(path)
    whole = given.parent.resolve() / given.name
    for at, base in ((given, root), (given, root.resolve()), (whole, root.resolve())):
        if at.is_relative_to(base):
            return at.relative_to(base).as_posix() + ("/" if path.endswith("/") else "")
    return path


def vaults_to_choose(last: str = "") -> tuple[Path, ...]:
    """The vaults that Obsidian knows, and the ``last`` one that was chosen, if it is there."""
    from pathlib import Path

    from vault_dream.engine.vault.registry import known_vaults

    found = [vault.path for vault in known_vaults() if vault.path.is_dir()]
    if last and Path(last).is_dir():
        found.append(Path(last))
    return tuple(dict.fromkeys(found))


def _folder(path: str) -> str:
    try:
        os.scandir(path).close()
        return path
    except NotADirectoryError:
        pass
    except FileNotFoundError:
        raise FilesystemError(
            path, "there is no such folder", "check the path of the vault"
        ) from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise FilesystemError(
            path, f"the vault cannot be read ({said})", "check its permissions"
        ) from None
    raise FilesystemError(path, "is a file, not a vault", "give the folder it is in")


def _open_vault() -> str:
    from vault_dream.engine.vault.registry import known_vaults

    known = known_vaults()
    open_ones = [vault for vault in known if vault.open and vault.path.is_dir()]
    if len(open_ones) == 1:
        return os.fspath(open_ones[0].path)
    listed = ", ".join(str(vault.path) for vault in known) or "none"
    raise NoVaultError(
        "vault",
        f"no vault was given (vaults known to Obsidian: {listed})",
        "name it: --vault ~/Notes",
    )


def shipped(name: str) -> Path:
    """The folder ``assets`` or ``sample_vault``, from an installed wheel or from a checkout."""
    from pathlib import Path

    package = Path(__file__).resolve().parent
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise FilesystemError(name, "it is missing from the installation", "reinstall Vault Dream")


def guide_pages() -> dict[str, str]:
    """The guide: its pages by name."""
    return {
        page.stem: page.read_text(encoding="utf-8")
        for page in sorted((shipped("assets") / "guide").glob("*.md"))
    }


def index_folder(root: str | os.PathLike[str], environ: Mapping[str, str] | None = None) -> str:
    """Where the search indexes of the vault at ``root`` are, in the user's cache folder."""
    from vault_dream.engine.vault.machine import vault_key

    cache = cache_folder_name(os.environ if environ is None else environ)
    return f"{cache}/vaults/{vault_key(root)}"


def index_file(root: Path, environ: Mapping[str, str] | None = None) -> Path:
    """The index of the vault's digest nodes."""
    from pathlib import Path

    return Path(index_folder(root, environ)) / "nodes.sqlite"


def settings_origin(environ: Mapping[str, str]) -> object:
    """What settings are made of, but for the vault's own file: equal origins, equal settings."""
    from vault_dream.engine.vault.pulse import stamp

    file = config_file_name(environ)
    ours = sorted(item for item in environ.items() if item[0].startswith(ENV_PREFIX))
    return file, stamp(file), ours
