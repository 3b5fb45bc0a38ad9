"""Two weeks of somebody's days: what is written into which note, and when (``diary.txt``).

A line is the number of the day, the time on the wall, and the words; ``+1`` says that they are
added to that day's note a day later.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

LINES = Path(__file__).with_name("diary.txt").read_text("utf-8").splitlines()


def add(root: Path, day: date, text: str) -> None:
    """Add ``text`` to the note of ``day``."""
    note = root / f"daily/{day}.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    before = note.read_text("utf-8") if note.exists() else f"# {day:%A}\n"
    note.write_text(f"{before}\n{text}\n", "utf-8")


def moments(first: date, zone: ZoneInfo) -> list[tuple[datetime, date, str]]:
    """When each line is written, and into the note of which day."""
    found = []
    for line in LINES:
        match = re.fullmatch(r"(\d+) (\d\d:\d\d) (?:\+(\d) )?(.+)", line)
        assert match is not None
        day = first + timedelta(days=int(match[1]))
        written = day + timedelta(days=int(match[3] or 0))
        when = datetime.combine(written, time.fromisoformat(match[2]), zone)
        found.append((when, day, match[4]))
    return found
