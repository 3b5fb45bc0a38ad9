"""What ``init --obsidian`` adds: a Base over the digest, and a CSS snippet."""

from __future__ import annotations

import re

from vault_dream.config import Settings
from vault_dream.engine.vault.obsidian import ObsidianSettings
from vault_dream.places import shipped

BASE = "digest.base"
SNIPPET = "vault-dream.css"
_REVIEW_VIEW = re.compile(r"  - type: table\n    name: Not yet approved\n(?:    .*\n)+")


def base_path(settings: Settings) -> str:
    return f"{settings.digest_dir}/{BASE}"


def snippet_path(obsidian: ObsidianSettings) -> str:
    return f"{obsidian.config_folder}/snippets/{SNIPPET}"


def base_text(settings: Settings) -> str:
    """The Base (help.obsidian.md, *Bases syntax*), for the folder and properties that hold."""
    text = _asset(BASE)
    if not settings.reviewed_field:
        text = _REVIEW_VIEW.sub("", text)
    values = {
        "IN_FOLDER": _yaml(f"file.inFolder({_quoted(settings.digest_dir)})"),
        "NOT_REVIEWED": _yaml(f"!note[{_quoted(settings.reviewed_field)}]"),
        "TAGS": settings.tag_field,
    }
    return re.sub("@([A-Z_]+)@", lambda match: values[match[1]], text)


def snippet_text(settings: Settings) -> str:
    """The CSS snippet, for the digest's folder."""
    folder = _quoted(settings.digest_dir)
    return _asset(SNIPPET).replace("@FOLDER@", folder)


def _asset(name: str) -> str:
    return (shipped("assets") / "obsidian" / name).read_text(encoding="utf-8")


def _quoted(text: str) -> str:
    """``text`` in double quotes, as the language of Bases and CSS both read it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _yaml(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
