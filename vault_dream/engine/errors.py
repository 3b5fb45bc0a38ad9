"""The errors: each says where it happened, what happened, and what to do next."""

from __future__ import annotations

from vault_dream.engine.record import record


@record
class Problem:
    """An error as a value, for reports: ``{"where", "what", "next"}``."""

    where: str
    what: str
    next: str

    def as_json(self) -> dict[str, str]:
        return {"where": self.where, "what": self.what, "next": self.next}


class VaultDreamError(Exception):
    """Base of every error shown to a person.

    ``where`` names a file, setting or step; ``what`` is a plain sentence without its full stop;
    ``next`` is what the person can do about it.
    """

    def __init__(self, where: str, what: str, next: str = "") -> None:
        self.where = where.strip() or "(empty)"
        self.what = what
        self.next = next
        super().__init__(f"{where}: {what}" + (f" ({next})" if next else ""))

    @property
    def problem(self) -> Problem:
        return Problem(self.where, self.what, self.next)


class SettingsError(VaultDreamError):
    """A setting or argument is unknown, of the wrong type, or has a bad value."""


class BusyError(VaultDreamError):
    """Another process holds the lock."""


class NoModelError(VaultDreamError):
    """Notes changed, but no model is configured, or it cannot be reached."""


class BudgetError(VaultDreamError):
    """A limit on calls, tokens, seconds or turns was reached."""


class ReaderError(VaultDreamError):
    """A reader failed or gave an unusable answer; only what it was asked for is lost."""


class FilesystemError(VaultDreamError):
    """Something could not be read or written."""


class PathError(VaultDreamError):
    """A path is absolute, leaves the vault, or cannot name a file."""


class EditError(VaultDreamError):
    """An edit is refused, because the result would not be read back as intended."""
