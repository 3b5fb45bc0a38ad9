"""What tests of crashes and failing disks run on: a folder in memory, and no waiting for syncs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.journal_scenes import MEMORY
from vault_dream.engine.vault import disk


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory, where the system has such a place."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def no_syncs() -> Iterator[None]:
    """Nobody cuts the power, and a killed process loses nothing that it wrote, synced or not. The
    calls are still made, counted and failed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "_sync", lambda fd: None)
        yield
