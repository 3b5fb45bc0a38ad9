"""Rows of the index of a large vault, two in three made by a second process beside this one.

This one writes them meanwhile, which takes about as long as to make one. Whatever goes wrong over
there is done over here, and what comes is the same, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from vault_dream.engine.digest.vaultrows import Row, Wanted, read_rows, row_of, unsettled
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.beside import LARGE_BYTES, Beside
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.reading import Reading

BATCH = 250
_ALONE = 5  # batches that are made here before a process has started
_AHEAD = 4  # batches that are asked for before they are needed


def rows_beside(
    wanted: Sequence[Wanted], run: Reading, tag_field: str, now_ns: Callable[[], int]
) -> Iterator[list[Row]]:
    """The rows of ``wanted`` in order, some at a time; as ``read_rows``."""
    batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
    theirs = [turn for turn in range(_ALONE, len(batches)) if turn % 3]
    asked: dict[int, int] = {}  # when each was

    def ask(other: Beside) -> None:
        turn = theirs.pop(0)
        asked[turn] = now_ns()
        other.ask([(path, run.name_of(path), known) for path, _, _, known in batches[turn]])

    with Beside(run, __name__, tag_field) as other:
        for _ in theirs[:_AHEAD]:
            ask(other)
        for turn, batch in enumerate(batches):
            if turn not in asked:
                yield read_rows(batch, run, tag_field, now_ns)
                continue
            answers = other.answers() or [None] * len(batch)
            if theirs:
                ask(other)
            rows: list[Row] = []
            for one, answer in zip(batch, answers, strict=True):
                if answer is None:
                    rows += read_rows([one], run, tag_field, now_ns)
                else:
                    rows.append(Row(*unsettled(one, asked[turn]), *answer))
            yield rows


def serve() -> None:
    """What the second process runs."""
    from vault_dream.engine.vault.beside import serve_with

    serve_with(_answer)


def _answer(
    reading: Reading, path: str, name: str, known: bytes | None, tag_field: str
) -> tuple[Any, ...] | None:
    """A row but for its first three; None where this is to be found out in the other process."""
    try:
        path.encode()
        raw = reading.read_named(path, name)
    except (OSError, ValueError, VaultDreamError):
        return None
    if len(raw) >= LARGE_BYTES:
        return None
    return tuple(row_of((path, 0, 0), parse_note(path, raw), known, tag_field)[3:])
