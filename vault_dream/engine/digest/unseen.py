"""Which nodes no reader may see, and so no search shows: what the owner excluded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vault_dream.engine.vault.notes import Note


def _none(_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Unseen:
    """Tests on a node's path and on its note. ``origin`` is the same for the same tests on notes:
    what an index was made with tells whether it still holds what it may."""

    path: Callable[[str], bool] = _none
    note: Callable[[Note], bool] = _none
    origin: str = ""
