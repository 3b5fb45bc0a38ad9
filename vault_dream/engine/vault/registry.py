"""The vaults that Obsidian on this machine knows, from its own registry, which is only read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from vault_dream.engine.vault.config_files import read_json

_FLATPAK = ".var/app/md.obsidian.Obsidian/config/obsidian"


@dataclass(frozen=True, slots=True)
class KnownVault:
    """A vault in Obsidian's registry; ``opened_ms`` is when it was last opened (epoch, ms)."""

    id: str
    path: Path
    opened_ms: int
    open: bool

    @property
    def name(self) -> str:
        return self.path.name


def known_vaults(
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
) -> tuple[KnownVault, ...]:
    """All registered vaults that still exist, the open ones first, then the latest.

    A missing or broken registry is no error: it holds no vaults.
    """
    found: dict[Path, KnownVault] = {}
    for file in registry_files(platform, environ, home or Path.home()):
        for vault in _vaults_in(file):
            other = found.get(vault.path)
            if other is None or _rank(vault) < _rank(other):
                found[vault.path] = vault
    return tuple(sorted(found.values(), key=_rank))


def registry_files(platform: str, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Where ``obsidian.json`` may be: each way of installing Obsidian has its own place."""
    if platform == "darwin":
        folders = [home / "Library/Application Support/obsidian"]
    elif platform == "win32":
        roaming = environ.get("APPDATA", "")
        folders = [Path(roaming) if roaming else home / "AppData/Roaming"]
        folders = [folder / "obsidian" for folder in folders]
    else:
        config = environ.get("XDG_CONFIG_HOME", "")
        folders = [Path(config)] if config.startswith("/") else []
        folders = [folder / "obsidian" for folder in [*folders, home / ".config"]]
        folders.append(home / _FLATPAK)
        folders.extend(_snap_folders(home / "snap/obsidian"))
    return tuple(dict.fromkeys(folder / "obsidian.json" for folder in folders))


def _snap_folders(snap: Path) -> Iterator[Path]:
    """``current``, ``common`` and every revision, the newest first."""
    try:
        revisions = [folder.name for folder in snap.iterdir() if folder.name.isdigit()]
    except OSError:
        revisions = []
    for name in ("current", "common", *sorted(revisions, key=int, reverse=True)):
        yield snap / name / ".config/obsidian"


def _vaults_in(file: Path) -> Iterator[KnownVault]:
    value = read_json(file).value
    vaults = value.get("vaults") if isinstance(value, dict) else None
    for vault_id, entry in vaults.items() if isinstance(vaults, dict) else ():
        written = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(written, str) or not written or "\0" in written:
            continue
        opened = entry.get("ts")
        path = Path(written)
        if path.is_absolute() and path.is_dir():
            ok = isinstance(opened, int | float) and opened == opened and abs(opened) < 1e18
            yield KnownVault(vault_id, path, int(opened) if ok else 0, entry.get("open") is True)


def _rank(vault: KnownVault) -> tuple[bool, int, str]:
    return (not vault.open, -vault.opened_ms, os.fspath(vault.path))
