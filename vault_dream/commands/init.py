"""``init``: the first settings of a vault, and what makes the digest at home in Obsidian."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from vault_dream.candidates import Candidate, candidates, models_at
from vault_dream.commands.answers import print_json
from vault_dream.commands.options import quiet_session, reader_options, vault_options, vault_root
from vault_dream.config import VAULT_FILE, Settings
from vault_dream.engine.errors import SettingsError
from vault_dream.engine.vault.daily import DailyLayout
from vault_dream.engine.vault.obsidian import ObsidianSettings
from vault_dream.first_settings import FirstChoice, commented_settings, write_new
from vault_dream.summary import printable


@dataclass(frozen=True, slots=True)
class _File:
    """A file to be written where it is missing. ``hindrance`` says why it is not to be written."""

    path: str
    text: str
    hint: str = ""
    hindrance: str = ""


@click.command()
@vault_options
@click.option("--obsidian", is_flag=True, help="Add a Base over the digest and a CSS snippet.")
@reader_options
@click.option("--no-model", is_flag=True, help="Do not look for models on this machine.")
@click.option("--dry-run", is_flag=True, help="Show the files; write nothing.")
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
def command(
    vault: str | None,
    vault_argument: str | None,
    as_json: bool,
    obsidian: bool,
    provider: str | None,
    model: str | None,
    base_url: str | None,
    no_model: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Inspect a vault, and write a commented settings file. Existing files are never touched.

    On a terminal you see the files first, and are asked.
    """
    root = vault_root(vault, vault_argument)
    choice = _choice(provider, model, base_url)
    with quiet_session(root) as session:
        layout, settings, app = session.layout, session.settings, session.vault.obsidian
        today = layout.path_for(session.today)
    asked = choice is None and not no_model and not (root / VAULT_FILE).exists()
    found = candidates(os.environ, models_at if asked else lambda address: ())
    files = [_File(VAULT_FILE, commented_settings(choice, layout, found))]
    if obsidian:
        files += _obsidian_files(root, settings, app)
    document: dict[str, Any] = {
        "version": 1,
        "vault": str(root),
        "daily_notes": today,
        "daily_notes_from": layout.origin,
        "obsidian": (root / app.config_folder).is_dir(),
        "candidates": [
            {"name": c.name, "base_url": c.base_url, "models": list(c.models)} for c in found
        ],
        "warnings": [*layout.warnings, *app.warnings],
    }
    if not as_json:
        click.echo(printable("\n".join(_found_text(root, today, layout, found))))
    write = not dry_run and (as_json or yes or _agreed(root, files))
    document["files"] = [_written(root, file, write) for file in files]
    document["hints"] = _hints(files, choice, document["files"])
    if as_json:
        print_json(document)
    else:
        click.echo(printable("\n".join(_files_text(document, show=dry_run))))
    return 0


def _choice(provider: str | None, model: str | None, base_url: str | None) -> FirstChoice | None:
    if provider is None and not model and not base_url:
        return None
    name = provider or "openai"
    if name not in ("openai", "offline"):
        raise SettingsError(
            "--provider", f"there is no provider {name!r}", "choose one of openai, offline"
        )
    if name == "offline" and (model or base_url):
        raise SettingsError("--provider", "the offline reader has no model", "leave --model out")
    if name == "openai" and not model:
        raise SettingsError("--model", "no model is named", "add --model NAME")
    return FirstChoice(name, model or "", base_url or "")


def _obsidian_files(root: Path, settings: Settings, app: ObsidianSettings) -> list[_File]:
    from vault_dream.obsidian_files import base_path, base_text, snippet_path, snippet_text

    config = root / app.config_folder
    hindrance = ""
    if not config.is_dir():
        hindrance = f"there is no {app.config_folder}: open the vault in Obsidian first"
    return [
        _File(
            base_path(settings),
            base_text(settings),
            hint=f"open {base_path(settings)} in Obsidian (core plugin Bases, Obsidian 1.9)",
        ),
        _File(
            snippet_path(app),
            snippet_text(settings),
            hint="turn the snippet on: Settings > Appearance > CSS snippets > vault-dream",
            hindrance=hindrance,
        ),
    ]


def _agreed(root: Path, files: list[_File]) -> bool:
    """Whether the person at the terminal wants the files; there is nobody to ask elsewhere."""
    new = [file for file in files if not file.hindrance and not (root / file.path).exists()]
    if not new or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    for file in new:
        click.echo(printable(f"\n{file.path} would be:\n\n{file.text}"))
    return click.confirm(f"Write {len(new)} new file{'' if len(new) == 1 else 's'}?", default=True)


def _written(root: Path, file: _File, write: bool) -> dict[str, str]:
    target = root / file.path
    hindrance = file.hindrance or _outside(root, target)
    if target.exists() or target.is_symlink():
        outcome, reason = "kept", "it exists already"
    elif hindrance:
        outcome, reason = "left out", hindrance
    elif not write:
        outcome, reason = "would write", ""
    elif write_new(target, file.text):
        outcome, reason = "written", ""
    else:
        outcome, reason = "kept", "it exists already"
    return {"path": file.path, "outcome": outcome, "reason": reason, "text": file.text}


def _outside(root: Path, target: Path) -> str:
    """Why a file would not be in the vault, where a folder on the way leads out of it."""
    if target.parent.resolve().is_relative_to(root.resolve()):
        return ""
    return "its folder is a link that leads out of the vault"


def _hints(
    files: list[_File], choice: FirstChoice | None, written: list[dict[str, str]]
) -> list[str]:
    hints = [
        file.hint
        for file, done in zip(files, written, strict=True)
        if file.hint and done["outcome"] in ("written", "kept")
    ]
    if written[0]["outcome"] == "written" and choice is None:
        hints.insert(0, f"choose who reads the notes in {VAULT_FILE}")
    return hints


def _found_text(
    root: Path, today: str, layout: DailyLayout, found: tuple[Candidate, ...]
) -> list[str]:
    lines = [str(root), f"  daily notes: {today} ({layout.origin})"]
    lines += [f"  {warning}" for warning in layout.warnings]
    for candidate in found:
        models = f": {', '.join(candidate.models)}" if candidate.models else ""
        lines.append(f"  could read them: {candidate.name}{models}")
    return lines


def _files_text(document: dict[str, Any], *, show: bool) -> list[str]:
    lines: list[str] = []
    for file in document["files"]:
        reason = f" ({file['reason']})" if file["reason"] else ""
        lines.append(f"  {file['outcome']:<12}{file['path']}{reason}")
        if show and file["outcome"] == "would write":
            lines += ["", *(f"    {line}".rstrip() for line in file["text"].splitlines()), ""]
    return [*lines, *(f"  {hint}" for hint in document["hints"])]
