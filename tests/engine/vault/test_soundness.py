"""The quick ways are used where possessive groups match what they should, and nowhere else."""

from __future__ import annotations

import re

from vault_dream.engine.vault.soundness import SOUND


def test_the_version_tells_what_the_pattern_shows() -> None:
    found = re.match(r"(?:ab?c)++", "aca")
    assert found is not None
    assert SOUND is (found.end() == 2)
