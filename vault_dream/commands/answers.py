"""What a command says: its result or its error, and the exit code that goes with it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from vault_dream.engine.errors import (
    BudgetError,
    BusyError,
    FilesystemError,
    NoModelError,
    PathError,
    Problem,
    SettingsError,
    VaultDreamError,
)
from vault_dream.summary import printable
from vault_dream.terminal import json_text

EXIT_USAGE = 2
EXIT_CODES: tuple[tuple[type[VaultDreamError], int], ...] = (
    (SettingsError, EXIT_USAGE),
    (PathError, EXIT_USAGE),
    (BusyError, 3),
    (NoModelError, 4),
    (BudgetError, 5),
    (FilesystemError, 6),
)
INTERRUPTED = 130
OUTPUT_FAILED = frozenset(
    {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN}
)
"""What writing to an output can end in. Files that we open are told by their names."""


def failed(error: VaultDreamError | KeyboardInterrupt | OSError, as_json: bool) -> int:
    """The exit code of a command that ended so, after a word about it."""
    if isinstance(error, KeyboardInterrupt):
        if as_json:
            stopped = Problem(
                "vault-dream", "it was interrupted; the vault is intact", "run it again"
            )
            print_json({"version": 1, "status": "interrupted", "errors": [stopped.as_json()]})
        click.echo("vault-dream: interrupted; the vault is intact", err=True)
        return INTERRUPTED
    if isinstance(error, VaultDreamError):
        return report_error(error, as_json)
    said = error.strerror or error
    if error.filename is not None:
        told = FilesystemError(
            str(error.filename), f"it cannot be used ({said})", "check what is there"
        )
        return report_error(told, as_json)
    if error.errno in OUTPUT_FAILED:
        # Python would complain again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 1  # the reader of our output went away
        what, next_ = f"it cannot be written ({said})", "free some space, or write elsewhere"
        return report_error(FilesystemError("standard output", what, next_), as_json=False)
    what, next_ = f"the system refused a request ({said})", "run it again; doctor may know more"
    return report_error(FilesystemError("vault-dream", what, next_), as_json)


def report_error(error: VaultDreamError, as_json: bool) -> int:
    """Say where, what and what next, as one JSON document too if wanted; the exit code."""
    code = next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)
    report = getattr(error, "report", None)  # of a run that had begun
    if as_json:
        failed = {"version": 1, "status": "failed", "errors": [error.problem.as_json()]}
        print_json(report or failed)
    elif report:
        from vault_dream.summary import summary

        click.echo(summary(report))
    lines = f"vault-dream: {error.where}: {error.what}"
    if error.next:
        lines += f"\n  Next: {error.next}"
    click.echo(printable(lines), err=True)
    return code


def print_json(value: Mapping[str, Any]) -> None:
    """Print the one JSON document of a command."""
    click.echo(json_text(value))
