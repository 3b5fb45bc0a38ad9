"""The program on an evening of the sample vault: ``python -m tests.guide_clock ARGUMENTS``.

What the guide shows has to come out the same on every day, so its commands run on a clock that
begins at :data:`EVENING` and goes on from there.
"""

from __future__ import annotations

import datetime
import sys

EVENING = datetime.datetime(2026, 11, 30, 21, 0, tzinfo=datetime.UTC)


def set_clock() -> None:
    """From now on, and for what is imported from now on, it is :data:`EVENING`."""
    real = datetime.datetime
    behind = real.now(datetime.UTC) - EVENING

    class Evening(real):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            then = real.now(datetime.UTC) - behind
            return then.astimezone(tz) if tz else then.astimezone().replace(tzinfo=None)

    datetime.datetime = Evening  # type: ignore[misc]


if __name__ == "__main__":
    set_clock()
    from vault_dream.cli import main

    sys.exit(main(sys.argv[1:]))
