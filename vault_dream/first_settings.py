"""The first settings of a vault: what a newcomer chose, as a commented ``vault-dream.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vault_dream.candidates import Candidate
from vault_dream.config import VAULT_FILE
from vault_dream.engine.errors import FilesystemError
from vault_dream.engine.vault.daily import DailyLayout


@dataclass(frozen=True, slots=True)
class FirstChoice:
    """``provider`` is ``offline`` or ``openai``; ``daily_dir`` is ``None`` to keep what was
    detected."""

    provider: str
    model: str = ""
    base_url: str = ""
    daily_dir: str | None = None


def has_settings(root: Path) -> bool:
    """Whether the vault has settings of its own."""
    return (root / VAULT_FILE).exists()


def settings_text(choice: FirstChoice, layout: DailyLayout) -> str:
    """The file as it would be written."""
    from vault_dream.engine.vault.properties import emit_properties

    values: dict[str, object] = {"provider": choice.provider}
    if choice.provider == "openai":
        values["model"] = choice.model
        if choice.base_url:
            values["base_url"] = choice.base_url
    lines = ["# Vault Dream. All settings: vault-dream help settings", emit_properties(values)]
    if choice.daily_dir is not None:
        lines.append(emit_properties({"daily_dir": choice.daily_dir}))
    else:
        where = layout.folder or "the vault's root"
        lines.append(f"# Daily notes were found in {where} ({layout.origin}); to change that:")
        lines.append("# daily_dir: daily")
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def commented_settings(
    choice: FirstChoice | None, layout: DailyLayout, candidates: Sequence[Candidate]
) -> str:
    """The file with every setting in it: what was chosen stands, all else is a comment with its
    default. Where nothing was chosen, what was found says how to."""
    from vault_dream.engine.vault.properties import emit_properties

    lines = ["# Vault Dream. A line after # shows the default; vault-dream help settings.", ""]
    chosen: dict[str, object] = {}
    if choice is not None:
        chosen = {"provider": choice.provider}
        if choice.provider == "openai":
            chosen |= {"model": choice.model, "base_url": choice.base_url}
            chosen = {name: value for name, value in chosen.items() if value}
        lines += emit_properties(chosen).splitlines()
    else:
        lines += _how_to_choose(candidates)
    where = layout.folder or "the vault's root"
    seen = f"Daily notes are expected in {where} ({layout.origin}), as {layout.format}."
    lines += ["", f"# {seen}"]
    lines += [f"# {line}" for line in _defaults() if line.partition(":")[0] not in chosen]
    return "\n".join(lines) + "\n"


def _how_to_choose(candidates: Sequence[Candidate]) -> list[str]:
    """Words on who could read the notes, as comments to take the # away from."""
    from vault_dream.engine.vault.properties import emit_properties

    lines = ["# Who reads the notes? Uncomment one of these:"]
    for candidate in candidates:
        lines.append(f"# {candidate.name}")
        models = candidate.models or ("the-name-of-a-model",)
        values = {"model": models[0], "base_url": candidate.base_url}
        given = {name: value for name, value in values.items() if value}
        lines += [f"# {line}" for line in emit_properties(given).splitlines()]
        if len(models) > 1:
            lines.append(f"#   it also has {', '.join(models[1:])}")
    lines += ["# No model, no key, no network; it finds less, and quotes more:"]
    return [*lines, "# provider: offline"]


def _defaults() -> list[str]:
    """Every setting with its default, from the guide's page that explains them."""
    from vault_dream.places import guide_pages

    block = guide_pages()["settings"].partition("```yaml\n")[2].partition("```")[0]
    return block.splitlines()


def write_settings(root: Path, text: str) -> Path:
    """Write the vault's first settings. Raises :class:`FilesystemError` where it has some."""
    file = root / VAULT_FILE
    if not write_new(file, text):
        raise FilesystemError(str(file), "settings exist already", "edit them")
    return file


def write_new(file: Path, text: str) -> bool:
    """Write a file that is not there yet; false, with nothing changed, where it is. Raises
    :class:`FilesystemError` where it cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError:
        return False
    except OSError as error:
        raise FilesystemError(
            str(file), f"it cannot be written ({error.strerror})", "check its permissions"
        ) from None
    return True
