"""Whether the quick ways of reading a note may be trusted on this Python."""

from __future__ import annotations

from sys import version_info

SOUND = version_info >= (3, 11, 5)
"""Before, ``re`` let possessive groups match what they may not (python/cpython#106052). The quick
ways are made of such groups: there, every note is read the careful way."""
