"""The demo: a fresh copy of the sample vault, on the evening where its story stands."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import date, datetime
from pathlib import Path

from vault_dream.places import shipped

STORY_DAY = date(2026, 11, 30)
"""The day on which the sample vault's story stands."""


def story_clock() -> datetime:
    """The evening of the sample vault's last day, on this machine's clock."""
    return datetime.combine(STORY_DAY, datetime.min.time().replace(hour=21)).astimezone()


def demo_vault() -> Path:
    """A fresh copy of the sample vault, with its own machine state beside it."""
    folder = Path(tempfile.mkdtemp(prefix="vault-dream-demo-"))
    os.environ["VAULT_DREAM_STATE_HOME"] = str(folder / "state")
    os.environ["VAULT_DREAM_CACHE_HOME"] = str(folder / "cache")
    root = folder / "sample_vault"
    shutil.copytree(shipped("sample_vault"), root)
    return root
