"""A second process that reads notes beside this one, for a pass over a whole large vault.

It opens files as carefully as ``Reading`` does, being one, and sends back the
bytes with what it found in them; here they become the same ``Note`` that reading would have given.
Whatever goes wrong over there is done over here.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any

from vault_dream.engine.errors import VaultDreamError
from vault_dream.engine.vault.addresses import Link
from vault_dream.engine.vault.links import links_in
from vault_dream.engine.vault.notes import Note, Parts, parse_note
from vault_dream.engine.vault.properties import Properties, read_properties
from vault_dream.engine.vault.second import Forked, Second, start
from vault_dream.engine.vault.sketch import Sketch
from vault_dream.engine.vault.structure import Heading, Span
from vault_dream.engine.vault.tags import tags_in

if TYPE_CHECKING:
    from vault_dream.engine.vault.reading import Reading

LEAST_NOTES = 2_000
"""A pass over fewer notes is done before a second process has started (about 60 ms)."""

HERE, THERE = 130, 150  # notes in a chunk: this process takes in the bytes of the other one, too
LARGE_BYTES = 256 << 10  # a larger note is read here, so that a chunk is never large
WIDE = 1 << 20  # bytes in a pipe, the most that Linux gives without asking
MOST_BYTES = 1 << 30  # more than any chunk, or list of names, can be

Facts = tuple[Any, ...]
"""What a note holds, of built-in types alone, for ``marshal``: the same Python is at both ends."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def notes_beside(reading: Reading, paths: Sequence[str]) -> Iterator[Note | VaultDreamError]:
    """The notes at ``paths`` in order, every other chunk by a second process, else all by this one.

    An error stands in the place of a note that cannot be read.
    """
    ours = [paths[start : start + HERE] for start in range(0, len(paths), HERE + THERE)]
    theirs = [paths[start : start + THERE] for start in range(HERE, len(paths), HERE + THERE)]
    with Beside(reading, __name__) as other:
        for chunk in theirs[:2]:
            other.ask([(path, reading.name_of(path)) for path in chunk])
        for turn, here in enumerate(ours):
            yield from map(reading.read_or_why, here)
            if turn == len(theirs):
                return
            there = theirs[turn]
            answers = other.answers() or [None] * len(there)
            for chunk in theirs[turn + 2 : turn + 3]:
                other.ask([(path, reading.name_of(path)) for path in chunk])
            for path, answer in zip(there, answers, strict=True):
                yield reading.read_or_why(path) if answer is None else note_of(path, *answer)


class Beside:
    """The second process (stateful: it is started, asked, and stopped); it may be gone any time.

    It runs ``serve()`` of a ``module``, which is to be ``serve_with``; ``told``, of built-in types,
    goes with each question to what answers it.
    """

    def __init__(self, reading: Reading, module: str, *told: object) -> None:
        self._reading = reading
        self._module = module
        self._told = told
        self._process: Second | None = None
        self._answers: SimpleQueue[bytes] = SimpleQueue()  # b"" when there are no more
        self._listener: Thread | None = None

    def __enter__(self) -> Beside:
        self._process = start(self._module)
        if self._process is not None and self._process.stdout is not None:
            _widen(self._process.stdout)
            self._listener = Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
            self._listener.start()
            self._send((self._reading.root, self._reading.platform, *self._told))
        return self

    def __exit__(self, *_: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        if self._listener is not None:
            self._listener.join()  # what it reads has ended
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()

    @property
    def there_at_once(self) -> bool:
        """Whether it is a copy of this process, and does not have to start first."""
        return isinstance(self._process, Forked)

    def ask(self, questions: Sequence[tuple[object, ...]]) -> None:
        """Ask all of this; it does not wait, for over there a thread takes what is asked."""
        self._send(list(questions))

    def _send(self, what: Any) -> None:
        if self._process is not None and self._process.stdin is not None:
            try:
                _write(self._process.stdin, what)
            except OSError:
                self.__exit__()

    def answers(self) -> list[Any]:
        """What came of the oldest questions: None for one to be seen to here, [] if it is gone."""
        if self._process is None:
            return []
        with suppress(ValueError, EOFError, TypeError):
            if data := self._answers.get():
                answers: list[Any] = marshal.loads(data)
                return answers
        self.__exit__()
        return []

    def ready(self) -> bool:
        """Whether ``answers`` would not wait."""
        return self._process is None or not self._answers.empty()

    def _listen(self, pipe: IO[bytes]) -> None:
        data = b"first"
        while data:
            data = b""
            with suppress(OSError, ValueError):
                data = _data(pipe)
            self._answers.put(data)


def _widen(pipe: IO[bytes] | None) -> None:
    """Let a pipe hold whole answers where the system can: this process comes to read it only now
    and then, and the other one would wait."""
    if sys.platform == "win32":
        return
    with suppress(ImportError, OSError, ValueError):
        import fcntl

        if pipe is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, WIDE)


def _write(pipe: IO[bytes], what: Any) -> None:
    data = marshal.dumps(what)
    pipe.write(len(data).to_bytes(8, "little"))
    pipe.write(data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> Any:
    """What was written at the other end; None when it is closed, or says what cannot be."""
    data = _data(pipe)
    return marshal.loads(data) if data else None


def _data(pipe: IO[bytes]) -> bytes:
    head = pipe.read(8)
    size = int.from_bytes(head, "little")
    data = pipe.read(size) if len(head) == 8 and size <= MOST_BYTES else b""
    return data if len(data) == size else b""


# What is sent --------------------------------------------------------------------------------


def facts_of(note: Note) -> Facts:
    """What ``note_of`` needs to know beside the bytes."""
    fences, yaml, body_start = note.parts
    properties = read_properties(note)
    tables = note.sketch.tables if note.sketch else "|" in note.text
    return (
        (fences and tuple(fences), yaml and tuple(yaml), body_start),
        tuple([tuple(heading) for heading in note.headings]),
        tuple([tuple(span) for span in note.opaque()]),
        tuple([tuple(span) for span in note.hidden()]),
        tables,
        (dict(properties.values), *properties[1:]) if properties.values or properties[1] else None,
        tuple([tuple(link) for link in links_in(note)]),
        tags_in(note),
    )


def note_of(path: str, raw: bytes, facts: Facts) -> Note:
    """The note with all of this found already."""
    (fences, yaml, body_start), headings, opaque, hidden, tables, properties, links, tags = facts
    note = parse_note(path, raw)
    new = tuple.__new__  # a third of the time that ``Link(...)`` takes
    if headings:
        headings = tuple([new(Heading, one) for one in headings])
    if opaque:
        opaque = tuple([new(Span, one) for one in opaque])
    if hidden:
        hidden = tuple([new(Span, one) for one in hidden])
    known = note.__dict__
    known["parts"] = new(
        Parts, (fences and new(Span, fences), yaml and new(Span, yaml), body_start)
    )
    known["sketch"] = new(Sketch, (headings, opaque, hidden, tables))
    known["links"] = tuple([new(Link, one) for one in links]) if links else links
    known["tags"] = tags
    if properties is not None:
        values, *rest = properties
        known["properties"] = new(Properties, (MappingProxyType(values), *rest))
    return note


# The other end -------------------------------------------------------------------------------


def serve(asked: IO[bytes] | None = None, answered: IO[bytes] | None = None) -> None:
    """What the second process runs that reads notes."""
    serve_with(_answer, asked, answered)


def serve_with(
    answer: Callable[..., object],
    asked: IO[bytes] | None = None,
    answered: IO[bytes] | None = None,
) -> None:
    """Answer questions from ``asked`` (standard input) until it is closed: ``answer(reading,
    *question, *told)``, each of built-in types alone."""
    import gc

    from vault_dream.engine.vault.vault import Vault

    asked, answered = asked or sys.stdin.buffer, answered or sys.stdout.buffer
    root, platform, *told = _read(asked)
    questions: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        while (question := _read(asked)) is not None:
            questions.put(question)
        questions.put(None)

    Thread(target=listen, daemon=True).start()
    gc.freeze()
    gc.disable()
    with suppress(OSError), Vault(root, platform=platform).reading() as reading:
        while (question := questions.get()) is not None:
            _write(answered, [answer(reading, *one, *told) for one in question])


def _answer(reading: Reading, path: str, name: str) -> tuple[bytes, Facts] | None:
    try:
        raw = reading.read_named(path, name)
        return (raw, facts_of(parse_note(path, raw))) if len(raw) < LARGE_BYTES else None
    except VaultDreamError:
        return None
