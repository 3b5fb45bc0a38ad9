"""Plans over vaults whose names try the quoting of every format."""

from __future__ import annotations

from datetime import time
from pathlib import Path

from vault_dream.scheduling.plan import Plan

NAMES = (
    "Notes",
    "My Notes",
    'it\'s 100% "mine"',
    "a $HOME `id` $(id) & b; c | d",
    "back\\slash \\\\ and \\% and \\n",
    "%h %% %n",
    "ends with one\\",
    "日记 📓 ü",
    " lead and trail ",
    "-dash",
    "#hash 'n <tag> & ]]>",
    "~tilde * ? [a] {b}",
)


def plan(folder: str, **more: object) -> Plan:
    values: dict[str, object] = {
        "name": "vault-dream-notes-0123abcd",
        "vault": Path("/home/ada") / folder,
        "at": time(3, 5),
        "zone": "",
        "program": ("/opt/my apps/vault-dream",),
        "folders": {},
        "env_file": Path("/home/ada/.config/vault-dream/environment"),
        "log_folder": Path("/home/ada/.local/state/vault-dream"),
    }
    return Plan(**{**values, **more})  # type: ignore[arg-type]
