"""Watching the vault: what other programs change appears by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_dream.ui.app import VaultDreamApp

QUIET_MS = 600
"""Milliseconds of silence after which a burst of changes counts as over."""


async def watch(app: VaultDreamApp) -> None:
    """Tell the screen whenever notes or proposals of the vault change."""
    from watchfiles import awatch

    def wanted(change: object, path: str) -> bool:
        inside = path[len(str(app.desk.root)) :]
        return path.endswith((".md", ".json")) and "/." not in inside.replace("\\", "/")

    async for _ in awatch(
        app.desk.root, watch_filter=wanted, debounce=QUIET_MS, step=100, raise_interrupt=False
    ):
        app.vault_changed()
