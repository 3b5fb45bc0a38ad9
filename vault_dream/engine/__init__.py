"""The engine: no Textual, no printing.

``from vault_dream.engine import ReviewSession, Vault`` is the public Python API. Both are
imported on first use, so that nothing else pays for them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker takes it for true, and importing typing is not free
if TYPE_CHECKING:
    from typing import Any

    from vault_dream.engine.session import ReviewSession
    from vault_dream.engine.vault.vault import Vault

__all__ = ["ReviewSession", "Vault"]


def __getattr__(name: str) -> Any:
    if name == "ReviewSession":
        from vault_dream.engine.session import ReviewSession

        return ReviewSession
    if name == "Vault":
        from vault_dream.engine.vault.vault import Vault

        return Vault
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
