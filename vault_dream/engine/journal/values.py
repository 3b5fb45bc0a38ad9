"""What goes into a commit and what comes out of it, a recovery and an undo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vault_dream.engine.errors import FilesystemError, Problem


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One file, from exactly these bytes to those. ``path`` is vault-relative, POSIX, NFC.

    ``before`` None: there must be no file. ``after`` None: the note moves to ``.trash/`` (a state
    file is removed). The same bytes twice: the file is only required to be so.

    ``continues`` is the path of the file whose place this one takes (a note under its new name):
    it gets that one's mode, and its lines keep their owners.
    """

    path: str
    before: bytes | None
    after: bytes | None
    continues: str = ""


@dataclass(frozen=True, slots=True)
class WriteSet:
    """One proposal: it lands whole or not at all, and only if every set in ``needs`` does."""

    id: str
    writes: tuple[FileWrite, ...]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovery did about one file of a run that was cut off.

    ``outcome``: ``rolled back`` to the bytes before the run, ``finished``, ``left alone`` because
    somebody changed it since, ``kept`` (text found in a temporary file, now in ``.trash/``).
    ``note`` says more. ``path`` is empty for a word about the journal itself.
    """

    run_id: str
    path: str
    outcome: Literal["rolled back", "finished", "left alone", "kept", "dropped"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Landing:
    """What became of every set: each is in exactly one of the first three.

    ``stale``: the files are no longer the ones the set was made from (id → reason). ``refused``:
    a file may not or could not be written (id → problem). ``trashed``: path → where it is now.
    ``left`` tells of state files that somebody else changed meanwhile and that were left alone, and
    of text that was found and kept; ``recovered`` of an earlier run that was put right first.
    """

    landed: tuple[str, ...] = ()
    stale: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, Problem] = field(default_factory=dict)
    trashed: Mapping[str, str] = field(default_factory=dict)
    left: tuple[Problem, ...] = ()
    recovered: tuple[Recovered, ...] = ()


class UnfinishedCommit(FilesystemError):
    """The commit is decided and recorded, but its last files could not be written.

    The next start finishes it. ``landing`` is what landed.
    """

    def __init__(self, cause: FilesystemError, landing: Landing) -> None:
        super().__init__(
            cause.where,
            f"{cause.what}; the notes were written; the rest is finished at the next start",
            cause.next,
        )
        self.landing = landing
