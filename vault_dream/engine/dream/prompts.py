"""Prompts: files in two languages, which a vault may override one by one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vault_dream.engine.errors import SettingsError

Language = Literal["en", "zh"]
NAMES = ("extract", "integrate", "procedure", "personal", "wiki", "structured", "tag", "topics")


@dataclass(frozen=True)
class Prompts:
    """The texts by (language, name), and a version that changes when any of them does."""

    texts: dict[tuple[Language, str], str]
    version: str

    def text(self, which: Language, name: str, /, **values: object) -> str:
        """A prompt with its ``{places}`` filled in; braces that are no known place stay."""
        text = self.texts[which, name]
        for place, value in values.items():
            text = text.replace("{" + place + "}", str(value))
        return text


def load_prompts(shipped: Path, override: Path) -> Prompts:
    """The prompts under ``shipped/<language>/<name>.md``; a file ``override/<name>.md`` is used
    instead for both languages.

    Raises :class:`SettingsError` for an override that cannot be read or is empty.
    """
    texts: dict[tuple[Language, str], str] = {}
    languages: tuple[Language, ...] = ("en", "zh")
    for name in NAMES:
        own = _own(override / f"{name}.md")
        for language in languages:
            texts[language, name] = own or (shipped / language / f"{name}.md").read_text("utf-8")
    together = "\0".join(f"{k}\0{v}" for k, v in sorted(texts.items()))
    return Prompts(texts, hashlib.sha256(together.encode()).hexdigest()[:8])


def _own(file: Path) -> str:
    try:
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(str(file), f"the prompt cannot be read ({error})", "mend it") from None
    if not text.strip():
        raise SettingsError(str(file), "the prompt is empty", "fill it, or remove the file")
    return text
