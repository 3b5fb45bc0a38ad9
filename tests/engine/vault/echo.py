"""What the second process of ``test_second`` serves: every line comes back in capitals."""

from __future__ import annotations

from typing import IO


def serve(asked: IO[bytes], answered: IO[bytes]) -> None:
    for line in asked:
        answered.write(line.upper())
        answered.flush()
