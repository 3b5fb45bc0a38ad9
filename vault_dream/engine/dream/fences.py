"""Fences: how text from notes stands in what a model is sent.

Between two lines with a word that nobody can foresee, so that no note can close its own fence;
without characters that show nothing, without secrets, and without the marks by which chat templates
tell a turn from the next: some servers read those wherever they stand.
"""

from __future__ import annotations

import re

from vault_dream.engine.dream.secrets import redact
from vault_dream.engine.vault.plain import visible

_TURN_MARKS = re.compile(
    r"<(?=[|｜][^<>\n]{1,40}[|｜]>)"  # ChatML, Llama 3, DeepSeek
    r"|<(?=(?:start|end)_of_turn>|</?SYS>>)|\[(?=/?INST\])"  # Gemma, Llama 2, Mistral
)


def fenced(title: str, text: str, boundary: str) -> str:
    """``text`` of a note between its fences; ``title`` says what it is."""
    safe = _TURN_MARKS.sub(r"\g<0> ", redact(visible(text))).replace(boundary, "")
    return f"<<<{boundary} {title}\n{safe}\n{boundary}>>>"
