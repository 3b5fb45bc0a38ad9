"""Rows of the index of a large vault, made by a second process beside the one that writes them.

That one makes as many as it comes to: all, where the other has no processor to run on. Whatever
goes wrong over there is done over here, and what comes is the same, in the same order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import IO, Any

from vault_dream.engine.digest.vaultrows import Row, Wanted, read_rows, row_of, unsettled
from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.beside import LARGE_BYTES, Beside
from vault_dream.engine.vault.notes import parse_note
from vault_dream.engine.vault.reading import Reading

BATCH = 250
_ALONE = 5  # batches that are made here before the other process has started
_AHEAD = 3  # batches that are asked for at once
_MOST = 12  # batches that wait for one before them


def rows_beside(
    wanted: Sequence[Wanted], run: Reading, tag_field: str, now_ns: Callable[[], int]
) -> Generator[list[Row], None, None]:
    """The rows of ``wanted`` in order, some at a time; as ``read_rows``."""
    batches = [wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH)]
    asked: dict[int, int] = {}  # the other one's batches that are not here yet, and when
    made: dict[int, list[Row]] = {}
    ours, free = deque[int](), deque(range(len(batches)))

    def ask(other: Beside) -> None:
        while free and len(asked) < _AHEAD:
            asked[turn := free.popleft()] = now_ns()
            other.ask([(path, run.name_of(path), known) for path, _, _, known in batches[turn]])

    def make() -> None:
        turn = ours.popleft() if ours else free.popleft()
        made[turn] = read_rows(batches[turn], run, tag_field, now_ns)

    with Beside(run, __name__, tag_field) as other:
        for _ in range(0 if other.there_at_once else min(_ALONE, len(free))):
            ours.append(free.popleft())
        for turn, batch in enumerate(batches):
            ask(other)
            while turn in asked and not other.ready() and free and len(made) < _MOST:
                make()
            if turn in asked:
                answers = other.answers() or [None] * len(batch)
                begun = asked.pop(turn)
                made[turn] = list(_taken_in(batch, answers, begun, run, tag_field, now_ns))
            elif turn not in made:
                make()
            yield made.pop(turn)


def _taken_in(
    batch: Sequence[Wanted],
    answers: Sequence[tuple[Any, ...] | None],
    begun: int,
    run: Reading,
    tag_field: str,
    now_ns: Callable[[], int],
) -> Iterator[Row]:
    """The rows of a batch that was asked for; those without an answer made here."""
    for one, answer in zip(batch, answers, strict=True):
        if answer is None:
            yield from read_rows([one], run, tag_field, now_ns)
        else:
            yield Row(*unsettled(one, begun), *answer)


def serve(asked: IO[bytes] | None = None, answered: IO[bytes] | None = None) -> None:
    """What the second process runs."""
    from vault_dream.engine.vault.beside import serve_with

    serve_with(_answer, asked, answered)


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
