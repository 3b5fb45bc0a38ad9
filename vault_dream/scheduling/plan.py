"""What is to be started every night, whichever scheduler starts it."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from pathlib import Path

from vault_dream.config import Settings
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.vault.machine import vault_key, vault_state_folder
from vault_dream.origins import user_config_file

DEFAULT_AT = time(3, 30)
FOLDER_VARIABLES = tuple(f"VAULT_DREAM_{name}_HOME" for name in ("STATE", "CACHE", "CONFIG"))
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Plan:
    """``name`` is ASCII, and the same for the same vault. ``zone`` is an IANA name, or '' for the
    machine's own. ``folders`` are the machine's folders where the user moved them, by variable.

    ``env_file`` is where the owner may keep the model's key; ``log_folder`` takes what is said
    where the scheduler keeps no log.
    """

    name: str
    vault: Path
    at: time
    zone: str
    program: tuple[str, ...]
    folders: Mapping[str, str]
    env_file: Path
    log_folder: Path

    @property
    def command(self) -> tuple[str, ...]:
        """The run, as words."""
        return (*self.program, "run", "--vault", str(self.vault))


def parse_time(text: str) -> time:
    """``HH:MM``. Raises ``ValueError`` for anything else."""
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip(), re.ASCII)
    if match is None:
        raise ValueError(f"{text!r} is not a time of day; write it as 03:30")
    return time(int(match[1]), int(match[2]))


def plan_for(
    root: Path,
    settings: Settings,
    at: time,
    *,
    environ: Mapping[str, str],
    program: Sequence[str] | None = None,
) -> Plan:
    """The plan for the vault at ``root``.

    Raises :class:`SettingsError` for a path that no entry could hold: one with control characters
    or undecodable bytes.
    """
    vault = Path(os.path.abspath(root))  # noqa: PTH100 (links stay: they are what the owner named)
    made = Plan(
        name=f"vault-dream-{_ascii(vault.name)}{vault_key(vault)[:8]}",
        vault=vault,
        at=at,
        zone="" if settings.timezone == "local" else settings.timezone,
        program=tuple(program if program is not None else this_program()),
        folders={name: environ[name] for name in FOLDER_VARIABLES if environ.get(name)},
        env_file=user_config_file(environ).with_name("environment"),
        log_folder=vault_state_folder(vault),
    )
    for text in (*made.command, *made.folders.values(), str(made.env_file), str(made.log_folder)):
        if _CONTROLS.search(text):
            raise SettingsError(
                "schedule", f"{text!r} has characters that no schedule can hold", "rename it"
            )
    return made


def this_program() -> tuple[str, ...]:
    """How this very program is started from anywhere, with absolute paths."""
    started = Path(sys.argv[0])
    if started.stem == "vault-dream":
        found = shutil.which(str(started))
        if found:
            return (os.path.abspath(found),)  # noqa: PTH100
    return (sys.executable, "-m", "vault_dream")


def temporary(program: str) -> bool:
    """Whether a program lies where things are thrown away: a folder for temporary files, or the
    cache of a tool that runs programs without installing them."""
    path = os.path.realpath(program)
    return path.startswith(os.path.realpath(tempfile.gettempdir()) + os.sep) or (
        f"{os.sep}.cache{os.sep}" in path
    )


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return f"{words}-" if words else ""
