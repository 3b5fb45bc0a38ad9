"""The first settings of a vault: what a newcomer chose, as a commented ``vault-dream.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
        lines.append(f"# Daily notes were found in {where} ({layout.origin}); to say otherwise:")
        lines.append("# daily_dir: daily")
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def write_settings(root: Path, text: str) -> Path:
    """Write the vault's first settings. Raises :class:`FilesystemError` where it has some."""
    file = root / VAULT_FILE
    try:
        with file.open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError:
        raise FilesystemError(str(file), "there are settings already", "edit them") from None
    except OSError as error:
        raise FilesystemError(
            str(file), f"it cannot be written ({error.strerror})", "check its permissions"
        ) from None
    return file
