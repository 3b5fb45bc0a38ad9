"""Which reader the settings ask for."""

from __future__ import annotations

from vault_dream.config import Settings
from vault_dream.engine.dream.reader import Reader
from vault_dream.engine.errors import NoModelError


def make_reader(settings: Settings) -> Reader | None:
    """The reader of ``settings.provider``; ``None`` where no model is configured.

    The offline reader is never chosen silently (DESIGN).
    """
    if settings.provider == "offline":
        from vault_dream.engine.dream.offline.reader import OfflineReader

        return OfflineReader()
    if not settings.model:
        return None
    raise NoModelError(
        settings.origins.get("model", "model"),
        "this version cannot talk to a model yet",
        "use --provider offline until it can",
    )
