"""Whether our folders are where we may write, looked at before anything is read or asked."""

from __future__ import annotations

import os

from vault_dream.config import VAULT_FILE, Settings
from vault_dream.engine.errors import FilesystemError, SettingsError
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.paths import key, linkable
from vault_dream.engine.vault.vault import Vault


def check_places(vault: Vault, settings: Settings, layout: DailyLayout) -> None:
    """Raises :class:`FilesystemError` where our folders are files or links, so that what is written
    would land elsewhere, and :class:`SettingsError` where they clash with the owner's."""
    for setting, folder in (("digest_dir", settings.digest_dir), ("state_dir", settings.state_dir)):
        where = settings.origins.get(setting, VAULT_FILE)
        _check_folder(vault, folder, setting)
        twins = [one for one in vault.listing().folders if key(one) == key(folder) != ""]
        if twins and folder not in twins:
            raise SettingsError(
                where,
                f"the folder is called {twins[0]}, not {folder}",
                f"set {setting}: {twins[0]}",
            )
        if f"{layout.folder}/".startswith(f"{folder}/"):
            raise SettingsError(
                where,
                f"the daily notes ({layout.origin}) lie in {setting} ({folder})",
                f"set {setting} to another folder",
            )
    if not linkable(f"{settings.digest_dir}/x.md"):
        raise SettingsError(
            settings.origins.get("digest_dir", VAULT_FILE),
            f"no link can be written to a note in {settings.digest_dir!r}",
            "set digest_dir to a plain name",
        )


def _check_folder(vault: Vault, folder: str, setting: str) -> None:
    here = vault.root
    for part in folder.split("/"):
        here /= part
        if here.is_symlink():
            raise FilesystemError(
                folder,
                "is a link, so notes would be written elsewhere",
                f"set {setting} to a folder",
            )
        if not os.path.lexists(here):
            return
        if not here.is_dir():
            raise FilesystemError(
                folder, "is a file, not a folder", f"rename it, or set {setting} to a folder"
            )
