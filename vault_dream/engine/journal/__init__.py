"""Commits that survive anything, and undo.

``Journal.commit`` is the one path by which anything gets into a vault. What it promises: every note
is whole, old or new, at every instant; a set of writes lands whole or not at all; the state files
agree with what landed; text that somebody else saves meanwhile is never overwritten. A process that
is killed leaves a journal in this user's own state folder, from which the next start finishes the
commit, if it was decided, or takes it back.
"""

from vault_dream.engine.journal.journal import Journal
from vault_dream.engine.journal.undo import FileChange, Undone, UndoneFile, unified_diff
from vault_dream.engine.journal.values import (
    FileWrite,
    Landing,
    Recovered,
    UnfinishedCommit,
    WriteSet,
)

__all__ = [
    "FileChange",
    "FileWrite",
    "Journal",
    "Landing",
    "Recovered",
    "Undone",
    "UndoneFile",
    "UnfinishedCommit",
    "WriteSet",
    "unified_diff",
]
