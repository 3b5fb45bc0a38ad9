"""The offline reader's table in the guide, between two marks."""

from __future__ import annotations

from tests.evals.table import Splits, by_kind, markdown
from tests.support import REPOSITORY

PAGE = REPOSITORY / "assets" / "guide" / "offline.md"
OPENS = "<!-- evals: written by `python -m tests.evals --guide` -->\n"
CLOSES = "<!-- /evals -->\n"


def write_guide(splits: Splits) -> None:
    """Put the tables of ``splits`` between the marks; the rest of the page stays as it is."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(OPENS)
    _, found, after = rest.partition(CLOSES)
    if not found:
        raise ValueError(f"{PAGE}: the marks of the table are gone")
    tables = f"\n{markdown(splits)}\n{by_kind(splits)}\n"
    PAGE.write_text(f"{before}{OPENS}{tables}{CLOSES}{after}", "utf-8")
